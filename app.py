"""Espalier: the list of pages and the frame around them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from widgets import network, state

PAGES = Path(__file__).resolve().parent / "pages"
ICON = PAGES.with_name("widgets") / "icon.svg"  # a material icon would be fetched from elsewhere
WORDMARK = ICON.with_name("wordmark.svg")
_PAGES = (
    ("grow", "Grow", ":material/account_tree:"),
    ("prune", "Prune", ":material/content_cut:"),
    ("compare", "Compare", ":material/compare_arrows:"),
    ("ensembles", "Ensembles", ":material/forest:"),
    ("data", "Data", ":material/table:"),
)
_UNSEEN = """<style>
[data-testid=stLayoutWrapper]:has(> .st-key-heading) {position: absolute; width: 1px}
.st-key-heading {width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)}
</style>"""


def main() -> None:
    """Run the chosen page."""
    network.send_at_once()
    st.set_page_config(page_title="Espalier", page_icon=str(ICON), layout="wide", initial_sidebar_state=272)
    st.logo(str(WORDMARK), size="large", icon_image=str(ICON))
    page = st.navigation([made for made in map(_page, _PAGES) if made is not None], position="top")
    state.enter(page.url_path)
    state.follow_address()
    _heading(page.title)
    page.run()
    state.write_link()


def _heading(title: str) -> None:
    """What a screen reader says of the page; the eye has the navigation."""
    with st.container(key="heading"):
        st.html(_UNSEEN + f"<h1>{title}</h1>")


def _page(described: tuple[str, str, str]) -> st.Page | None:
    name, title, icon = described
    path = PAGES / f"{name}.py"
    if not path.exists():
        return None
    return st.Page(path, title=title, icon=icon, url_path=name, default=name == "grow")


if __name__ == "__main__":
    main()
