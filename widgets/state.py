"""What a session knows, and the link that restores it: the only file that names their keys.

One frozen `Session` value stands in Streamlit's session state. Widgets are set from it before they
are drawn and write to it in their callbacks, so it survives page switches, and the link is written
from it after every run. A link is read once, when a session begins.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

import datasets
from drawing.theme import Mode
from engine import EngineError, GrowthSettings, SettingsError, Table
from engine.ingest import RawFrame
from widgets import cached, link, page_links
from widgets.data_limits import check_classes
from widgets.session import CurrentData, Editing, Session
from widgets.settings_fit import fitting

MAX_HOLDOUT = 0.9
_SESSION, _EDITING, _PAGE = "espalier", "espalier_editing", "espalier_page"


class Key(StrEnum):
    """Keys of widgets and containers, each used in one place."""

    STAGE = "stage"
    EVIDENCE = "evidence"
    REGIONS = "regions"
    ROWS = "rows"
    SCENE = "scene"
    BESIDE = "beside"
    SWAP = "swap"
    SUMMARY = "summary"
    DATASET = "dataset"
    UPLOADER = "upload"
    TARGET = "target"
    TABLE = "table"
    MORE = "more"
    RULES = "rules"
    RULES_ESTIMATE = "rules_estimate"
    RULES_CONFIDENCE = "rules_confidence"
    RULES_BESIDE = "rules_beside"
    IMPURITY_PLOT = "impurity_plot"
    PERMUTATION_PLOT = "permutation_plot"
    CANDIDATE = "candidate"
    OPENED = "opened"
    THRESHOLD = "threshold"
    X_AXIS = "x_axis"
    Y_AXIS = "y_axis"
    REGION_PLOT = "region_plot"
    CURVE_PLOT = "curve_plot"
    FORMULAS = "formulas"
    GROUPINGS = "groupings"
    SIGNIFICANCE = "significance"
    MISSING = "missing"
    ROWS_TABLE = "rows_table"
    UPLOAD_TARGET = "upload_target"
    UPLOAD_IGNORE = "upload_ignore"
    TASK = "task"
    SECTION = "section"
    GROUP = "group"
    SEARCH = "search"
    MADE_ROWS = "made_rows"
    MADE_NOISE = "made_noise"
    MADE_SEED = "made_seed"
    FIRST_ROW = "first_row"
    COLUMNS = "columns"
    FEATURES_PAGE = "features_page"
    SCATTER_X = "scatter_x"
    SCATTER_Y = "scatter_y"
    HOLDOUT_SHARE = "holdout_share"
    HOLDOUT_SEED = "holdout_seed"


def setting_key(name: str) -> str:
    """The key of the widget that changes one setting."""
    return f"setting_{name}"


# ---- the session ------------------------------------------------------------------------------


def session() -> Session:
    """The session's state; read from the link when the session begins."""
    if _SESSION not in st.session_state:
        st.session_state[_SESSION] = _read_link(st.query_params.to_dict(), ready)
    found: Session = st.session_state[_SESSION]
    return found


def enter(page: str) -> None:
    """Remember which page runs: each has parameters of its own in the link."""
    st.session_state[_PAGE] = page


def _read_link(parameters: dict[str, str], make: link.Ready) -> Session:
    return page_links.read(st.session_state.get(_PAGE), parameters, make, cached.parts)


def write_link() -> None:
    """Bring the address in line with the session, where it is not."""
    parameters = query()
    if st.query_params.to_dict() != parameters:
        st.query_params.from_dict(parameters)


def follow_address() -> None:
    """Go where the browser's Back and Forward lead."""
    context = get_script_run_ctx()
    if context is None or not context.is_history_navigation:
        return
    now, asked = session(), st.query_params.to_dict()
    found = _read_link(asked, ready)
    if asked.get("dataset") == link.UPLOAD and now.data.uploaded:
        found = _read_link({**asked, "dataset": now.data.name}, lambda *_: now.data)
    st.session_state[_SESSION] = page_links.followed(st.session_state.get(_PAGE), now, found)


def query() -> dict[str, str]:
    """The query parameters that restore this session."""
    return page_links.write(st.session_state.get(_PAGE), session(), _original)


def _original(now: CurrentData) -> CurrentData:
    """The dataset as the catalogue describes it."""
    return now if now.uploaded else ready(now.name, now.n_rows, now.noise, now.seed)


def address() -> str:
    """The whole address that restores this session."""
    return f"{str(st.context.url or '').split('?')[0]}?{urlencode(query())}"


def _change(**changes: Any) -> None:
    st.session_state[_SESSION] = replace(session(), **changes)


def mode() -> Mode:
    """Whether the app is shown light or dark."""
    return Mode.DARK if st.context.theme.type == "dark" else Mode.LIGHT


def note(said: str) -> None:
    """Say a sentence on the next screen."""
    _change(notes=(*session().notes, said))


def settings() -> GrowthSettings:
    """How the tree is to be grown."""
    return session().settings


def change_settings(**changes: Any) -> None:
    """Change settings by name.

    Raises
    ------
    SettingsError
        If a value is not allowed; nothing is changed then.
    """
    use_settings(replace(settings(), **changes))


def use_settings(new: GrowthSettings) -> None:
    """Take these settings whole."""
    _change(settings=new, selected=None, lit=(), guesses=(), notes=())


def keep_good(good: GrowthSettings) -> None:
    """Remember settings that grew a tree: they stay on the screen while others fail."""
    if session().good_settings != good:
        _change(good_settings=good)


def change_view(**changes: Any) -> None:
    """Change `guess_first`, `guesses`, `view`, `x`, `y` or `beside`: what is shown, not what is grown."""
    _change(**changes)


def step() -> int:
    """The step of the trace that is shown."""
    return session().step


def set_step(position: int) -> None:
    """The stage has moved; the link follows at once."""
    _change(step=position, notes=())
    write_link()


def stage_moved() -> None:
    """The stage reports where it is: take it over, if it is a step."""
    position = _reported("position")
    if position is not None:
        _change(selected=_reported("selected"))
        set_step(position)


def stage_selected() -> None:
    """The stage reports which node was selected, or that it follows the step again."""
    _change(selected=_reported("selected"))


def _reported(name: str) -> int | None:
    value = getattr(st.session_state.get(Key.STAGE), name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def select(node: int) -> None:
    """Select a node from outside the stage."""
    _change(selected=node, pointed=session().pointed + 1)


def light(path: tuple[int, ...]) -> bool:
    """Light a path in the stage; whether that is another one than before."""
    changed = session().lit != path
    if changed:
        _change(lit=path)
    return changed


def go_to(position: int) -> None:
    """Move the stage to a step."""
    _change(step=position, selected=None, goto=session().goto + 1)


def clamp_step(n_steps: int) -> None:
    """Bring the step into the trace, which has `n_steps`; a link that asked for another is told so."""
    now, last = session(), n_steps - 1
    if 0 <= now.step <= last:
        return
    nearest = min(max(now.step, 0), last)
    _change(step=nearest, goto=now.goto + 1)
    if now.goto == 0:
        said = f"The link asks for step {now.step}; steps here go from 0 to {last}, so step {nearest} is shown."
        _change(notes=(*now.notes, said))


def clamp_axes(names: Sequence[str]) -> None:
    """Leave axes that a link asks for and the table does not have to the page; the link is told so."""
    now = session()
    for axis in ("x", "y"):
        asked = getattr(now, axis)
        if asked and asked not in names:
            note(f"The link asks for {asked!r} along an axis; there is no such feature, so another is shown.")
            _change(**{axis: None})


# ---- the data ---------------------------------------------------------------------------------


def data() -> CurrentData:
    """The current data of every page."""
    return session().data


def table() -> Table:
    """The table with all its rows."""
    return cached.table(data())


def training() -> Table:
    """The rows that trees are grown from."""
    return cached.parts(data())[0]


def holdout() -> Table | None:
    """The rows set aside; None if none are."""
    return cached.parts(data())[1]


def use_dataset(name: str, n_rows: int | None = None, noise: float | None = None, seed: int | None = None) -> None:
    """Make a ready dataset the current data."""
    now = data()
    _use(replace(ready(name, n_rows, noise, seed), holdout_share=now.holdout_share, holdout_seed=now.holdout_seed))


def use_upload(raw: RawFrame, target: str | None = None, ignore: Iterable[str] = ()) -> None:
    """Make an uploaded file the current data; its last column is the target unless another is named."""
    _use(_uploaded(raw, target, ignore))


def upload_problem(raw: RawFrame, target: str | None = None, ignore: Iterable[str] = ()) -> EngineError | None:
    """Why an uploaded file cannot be the current data; None if it can."""
    try:
        _check(_uploaded(raw, target, ignore))
    except EngineError as error:
        return error
    return None


def _uploaded(raw: RawFrame, target: str | None, ignore: Iterable[str]) -> CurrentData:
    now = data()
    return CurrentData(
        name=raw.name,
        title=raw.name,
        frame=raw.frame,
        frame_key=_digest(raw.frame),
        target=str(raw.frame.columns[-1]) if target is None else target,
        ignore=tuple(ignore),
        uploaded=True,
        uploaded_frame=raw.frame,
        holdout_share=now.holdout_share,
        holdout_seed=now.holdout_seed,
        notes=raw.notes,
    )


def set_target(name: str) -> None:
    """Predict another column."""
    now = data()
    ignore = tuple(n for n in now.ignore if n != name)
    _use(replace(now, target=name, task=None, ignore=ignore))


def set_task(task: str | None) -> None:
    """Read the target as `classes` or `number`; None infers."""
    _use(replace(data(), task=task))


def set_kinds(categorical: Iterable[str], numeric: Iterable[str]) -> None:
    """Force the kinds of features."""
    _use(replace(data(), categorical=tuple(categorical), numeric=tuple(numeric)))


def set_ignored(names: Iterable[str]) -> None:
    """Leave columns out."""
    _use(replace(data(), ignore=tuple(names)))


def set_reading(ignore: Iterable[str], categorical: Iterable[str], numeric: Iterable[str]) -> None:
    """Set at once what is left out and which kinds are forced."""
    _use(replace(data(), ignore=tuple(ignore), categorical=tuple(categorical), numeric=tuple(numeric)))


def set_frame(frame: pd.DataFrame) -> None:
    """Take edited cells."""
    _use(replace(data(), frame=frame, frame_key=_digest(frame), edited=True), keep=True)


def reset_frame() -> None:
    """Bring the original cells back."""
    now = data()
    if now.uploaded_frame is not None:
        frame, key = now.uploaded_frame, _digest(now.uploaded_frame)
    else:
        original = ready(now.name, now.n_rows, now.noise, now.seed)
        frame, key = original.frame, original.frame_key
    _use(replace(now, frame=frame, frame_key=key, edited=False), keep=True)


def editing() -> Editing | None:
    """The rows under the editor of the Data page; None before it was first shown."""
    found: Editing | None = st.session_state.get(_EDITING)
    return found


def keep_editing(now: Editing) -> None:
    """Remember the rows under the editor."""
    st.session_state[_EDITING] = now


def set_holdout(share: float, seed: int) -> None:
    """Set a share of the rows aside, stratified by class."""
    if not 0 <= share <= MAX_HOLDOUT:
        raise SettingsError(f"the holdout must be a share from 0 to {MAX_HOLDOUT}, got {share}.")
    _use(replace(data(), holdout_share=share, holdout_seed=seed), keep=True)


def ready(name: str, n_rows: int | None = None, noise: float | None = None, seed: int | None = None) -> CurrentData:
    """A ready dataset as its catalogue entry describes it."""
    entry = datasets.entry(name)
    return CurrentData(
        name=name,
        title=entry.title,
        frame=cached.ready_frame(name, n_rows, noise, seed),
        frame_key=repr((name, n_rows, noise, seed)),
        entry=entry,
        target=entry.target,
        task=entry.task,
        ignore=tuple(entry.ignore),
        categorical=tuple(entry.categorical),
        numeric=tuple(entry.numeric),
        n_rows=n_rows,
        noise=noise,
        seed=seed,
    )


def _use(new: CurrentData, *, keep: bool = False) -> None:
    """Take new data if it makes a table; `keep` keeps the choices and axes, which may still fit."""
    _check(new)
    now = session()
    settled = now.settings if keep else replace(now.settings, choices=())
    kept, notes = fitting(settled, *cached.parts(new))
    axes = {} if keep else {"x": None, "y": None}
    _change(
        data=new,
        settings=kept,
        good_settings=kept,
        step=0,
        selected=None,
        lit=(),
        guesses=(),
        goto=now.goto + 1,
        notes=notes,
        **axes,
    )


def _check(new: CurrentData) -> None:
    """Raise where the data makes no table, or an upload's target has too many classes."""
    cached.parts(new)
    if new.uploaded:
        check_classes(cached.table(new))


def _digest(frame: pd.DataFrame) -> str:
    text = frame.to_csv(index=False).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).hexdigest()
