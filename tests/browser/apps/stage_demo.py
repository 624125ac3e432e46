"""The stage alone, on the data that the address names: /?data=iris&algorithm=id3&step=3&guess=1."""

import pandas as pd
import streamlit as st

import datasets
import engine
from drawing.storyboard import storyboard
from widgets.stage import Story, pack, stage


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
    columns = [*names, "<i>answer</i>"]
    frame = {column: [row[place] for row in rows] for place, column in enumerate(columns)}
    return engine.read_table(pd.DataFrame(frame), target="<i>answer</i>")


def main() -> None:
    st.set_page_config(layout="wide")
    query = st.query_params
    with st.sidebar:
        name = st.selectbox(
            "Data",
            ["play_tennis", "iris", "titanic", "breast_cancer", "nursery", "hostile"],
            key="data",
            bind="query-params",
        )
        algorithm = query.get("algorithm", "id3")
        guess = st.toggle("Guess first", key="guess", bind="query-params")
        word = st.text_input("A word")
        level = st.slider("A level", 0, 10, 5)
        if st.button("Go to 3"):
            st.session_state.goto = st.session_state.get("goto", 0) + 1
            st.session_state.step = 3
    panels(story_of(name, algorithm), guess)


@st.fragment
def panels(story: Story, guess: bool) -> None:
    if "step" not in st.session_state:
        st.session_state.step = int(st.query_params.get("step", 0))

    def moved() -> None:
        st.session_state.step = st.session_state["stage"]["position"]

    shown = stage(
        story,
        position=st.session_state.step,
        goto=st.session_state.get("goto", 0),
        guess=guess,
        on_position_change=moved,
    )
    st.text(
        f"position {shown.position}, selected {shown.selected}, candidate {shown.candidate}, guesses {len(shown.guesses)}"
    )


main()
