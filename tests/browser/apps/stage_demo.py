"""The stage alone, on the data that the address names: /?data=iris&algorithm=id3&step=3&guess=1."""

import pandas as pd
import streamlit as st

import datasets
import engine
from drawing.storyboard import storyboard
from widgets.stage import Story, pack, stage

DATA = ["play_tennis", "iris", "titanic", "breast_cancer", "nursery", "congress_votes", "wine", "hostile"]


@st.cache_resource
def story_of(name: str, algorithm: str) -> Story:
    table = hostile() if name == "hostile" else datasets.load(name)
    return pack(storyboard(engine.grow(table, getattr(engine.GrowthSettings, algorithm)())))


def hostile() -> engine.Table:
    names = ["<img src=x onerror=window.ran=1>", "</text><script>window.ran=1</script>", '$x$ **b** {feature} "q" \\n']
    rows = [
        ("<b>a</b>", "1", "]]>", "yes"),
        ("&lt;", "2", "<svg onload=window.ran=1>", "no"),
        ("<b>a</b>", "3", "]]>", "no"),
    ]
    return engine.read_table(pd.DataFrame(rows, columns=[*names, "<i>answer</i>"]), target="<i>answer</i>")


def main() -> None:
    st.set_page_config(layout="wide")
    st.html("<style>.stMainBlockContainer {padding-left: 1.5rem; padding-right: 1.5rem}</style>")
    query = st.query_params
    with st.sidebar:
        name = st.selectbox("Data", DATA, key="data", bind="query-params")
        guess = st.toggle("Guess first", key="guess", bind="query-params")
        st.text_input("A word")
        st.slider("A level", 0, 10, 5)
        if st.button("Go to 3"):
            st.session_state.goto = st.session_state.get("goto", 0) + 1
            st.session_state.step = 3
    panels(story_of(name, query.get("algorithm", "id3")), guess)


@st.fragment
def panels(story: Story, guess: bool) -> None:
    if "step" not in st.session_state:
        st.session_state.step = int(st.query_params.get("step", 0))

    def moved() -> None:
        st.session_state.step = st.session_state["stage"]["position"]

    step, goto = st.session_state.step, st.session_state.get("goto", 0)
    shown = stage(story, position=step, goto=goto, guess=guess, on_position_change=moved)
    st.text(f"position {shown.position}, selected {shown.selected}, candidate {shown.candidate}, {shown.guesses}")


main()
