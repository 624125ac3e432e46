"""A file of one's own: limits before, a sentence after, and nothing lost when it cannot be read."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from engine import EngineError
from engine.ingest import RawFrame, read_frame
from widgets import state
from widgets.data_limits import LIMITS, MAX_MEGABYTES, check_shape, check_size
from widgets.escape import plain
from widgets.guard import complain
from widgets.state import Key


def upload() -> None:
    """The place to drop a file, and what became of it."""
    st.file_uploader(
        f"Your own file: {LIMITS}",
        key=Key.UPLOADER,
        max_upload_size=MAX_MEGABYTES,
        help="The last column is the target until you choose another. The file stays in this session.",
        on_change=_take,
    )


def report() -> None:
    """Say what is wrong with the file in the uploader, or offer it where it is not the current data."""
    file = st.session_state.get(Key.UPLOADER)
    if file is None:
        return
    raw = _raw(file)
    if isinstance(raw, EngineError):
        complain(raw)
    elif state.data().uploaded_frame is not raw.frame:
        _offer(raw)


def _take() -> None:
    file = st.session_state[Key.UPLOADER]
    raw = None if file is None else _raw(file)
    if isinstance(raw, RawFrame) and state.upload_problem(raw) is None:
        state.use_upload(raw)


def _offer(raw: RawFrame) -> None:
    """As it is it makes no table, or other data was chosen since: what can be changed, and why."""
    names = [str(name) for name in raw.frame.columns]
    explained = st.empty()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = st.selectbox(f"Target in {plain(raw.name)}", names, index=len(names) - 1, key=Key.UPLOAD_TARGET)
        rest = [name for name in names if name != target]
        ignore = st.multiselect("Columns to leave out", rest, key=Key.UPLOAD_IGNORE, placeholder="None")
        problem = state.upload_problem(raw, target, ignore)
        unfit = problem is not None
        st.button("Use this file", on_click=state.use_upload, args=(raw, target, ignore), disabled=unfit)
    if problem is not None:
        with explained:
            complain(problem)


def _file_id(file: UploadedFile) -> str:
    return file.file_id


@st.cache_resource(scope="session", max_entries=1, show_spinner=False, hash_funcs={UploadedFile: _file_id})
def _raw(file: UploadedFile) -> RawFrame | EngineError:
    """The cells of a file, or why they cannot be read; one file a session is kept."""
    try:
        check_size(file.size)
        raw = read_frame(file)
        check_shape(raw.frame)
    except EngineError as error:
        return error
    return raw
