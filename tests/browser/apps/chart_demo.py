"""Charts alone: a growing tree's regions, hostile names, a chart in a closed expander and one far below."""

import pandas as pd
import streamlit as st

import datasets
import engine
from drawing.figures import Click
from drawing.figures.gain_curve import gain_curve_figure
from drawing.figures.regions import regions_figure
from drawing.theme import Mode
from widgets.chart import chart

HOSTILE = "<img src=x onerror=window.ran=1>$x$ %{y}"


@st.cache_resource
def growth() -> engine.Growth:
    return engine.grow(datasets.load("iris"))


@st.cache_resource
def hostile() -> engine.Growth:
    frame = pd.DataFrame({HOSTILE: [1.0, 2, 3, 4], HOSTILE + "2": [1.0, 3, 2, 4], "t": [HOSTILE, "b", HOSTILE, "b"]})
    return engine.grow(engine.read_table(frame, target="t"))


def clicked(click: Click) -> None:
    st.session_state.said = f"row {click.row}, node {click.node}, threshold {click.threshold}"


def main() -> None:
    st.set_page_config(layout="wide")
    mode = Mode.DARK if st.context.theme.type == "dark" else Mode.LIGHT
    step = st.number_input("Step", 0, len(growth()) - 1, 2)
    x, y = "petal length (cm)", "petal width (cm)"
    if st.toggle("Regions", value=True):
        figure = regions_figure(growth().tree.at(step), x, y, node=growth()[step].node, mode=mode)
        chart(figure, key="regions", alt=f"regions at step {step}", height=300, on_click=clicked)
    st.text(st.session_state.get("said", "nothing"))
    tree = hostile().tree
    chart(regions_figure(tree, HOSTILE, HOSTILE + "2", mode=mode), key="hostile", alt=HOSTILE)
    with st.expander("More"):
        chart(gain_curve_figure(growth(), 0, x, mode=mode), key="hidden", alt="the curve", on_click=clicked)
    if st.segmented_control("Many", ["None", "Fourteen"], default="None") == "Fourteen":
        for place in range(14):
            chart(gain_curve_figure(growth(), 0, x, mode=mode), key=f"many_{place}", alt="one of many", height=60)
    st.html("<div style='height: 2000px'></div>")
    chart(gain_curve_figure(growth(), 0, y, mode=mode), key="below", alt="far below")


main()
