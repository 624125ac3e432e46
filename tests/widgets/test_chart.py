"""What travels to a chart in the browser, and what comes back."""

from __future__ import annotations

import base64
import json
import zlib

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import datasets
from drawing.figures import Click, clicked
from drawing.figures.base import CONFIG, PLOTLY_JS, PLOTLY_VERSION, make_figure
from drawing.figures.gain_curve import gain_curve_figure
from drawing.theme import Mode
from engine import grow
from widgets.chart import picture

VALUES = np.array([1.5, np.nan, 3.0], dtype=np.float32)


def figure(height: int = 200, values: np.ndarray = VALUES):
    return make_figure([{"type": "scatter", "x": values, "y": values}], Mode.LIGHT, height=height)


def test_a_picture_is_its_figure_as_deflated_json_with_numbers_as_bytes() -> None:
    made = picture(figure())
    found = json.loads(zlib.decompress(made.body))
    sent = found["data"][0]["x"]
    assert sent["dtype"] == "f4"
    assert np.array_equal(np.frombuffer(base64.b64decode(sent["bdata"]), np.float32), VALUES, equal_nan=True)
    assert found["layout"]["height"] == made.height == 200
    assert found["layout"]["template"] == {}


def test_equal_figures_have_equal_keys_and_others_have_others() -> None:
    assert picture(figure()) == picture(figure())
    assert picture(figure()).key != picture(figure(values=VALUES + 1)).key
    assert picture(figure()).key != picture(figure(height=201)).key


def test_a_curve_of_hundreds_of_thresholds_travels_whole_and_small() -> None:
    growth = grow(datasets.load("breast_cancer"))
    feature = int(np.argmax([len(np.unique(column)) for column in growth.table.columns]))
    body = picture(gain_curve_figure(growth, 0, growth.table.features[feature].name)).body
    thresholds = next(t for t in json.loads(zlib.decompress(body))["data"] if t["name"] == "thresholds")["customdata"]
    sent = np.frombuffer(base64.b64decode(thresholds["bdata"]), np.float64)
    assert sent.tolist() == growth.scan(0, feature).thresholds.tolist()
    assert len(sent) > 400
    assert len(body) < 25_000


def test_what_draws_the_figures_is_the_installed_plotly() -> None:
    assert PLOTLY_JS.is_file()
    assert PLOTLY_VERSION
    assert CONFIG["displayModeBar"] is False


def page(key: str) -> None:
    import numpy as np

    from drawing.figures.base import make_figure
    from drawing.theme import Mode
    from widgets.chart import chart

    made = make_figure([{"type": "scatter", "x": np.arange(3), "y": np.arange(3)}], Mode.LIGHT, height=123)
    chart(made, key=key, alt="three “points”\n<b>", height=77)


def test_a_chart_is_mounted_with_its_words_height_and_library() -> None:
    app = AppTest.from_function(page, kwargs={"key": "mine"}).run()
    assert not app.exception
    (mounted,) = (element.proto for element in app.main if element.type == "bidi_component")
    header, _, body = mounted.bytes.partition(b"\n")
    said = json.loads(header)
    assert said["chart"] == "mine"
    assert said["alt"] == "three “points”\n<b>"
    assert said["height"] == 77
    assert said["clicks"] is False
    assert said["library"] == f"component/widgets.chart.chart.plotly/plotly.min.js?v={PLOTLY_VERSION}"
    assert json.loads(zlib.decompress(body))["layout"]["height"] == 123


@pytest.mark.parametrize("point", [None, [], ["a", 1], [1, 2, 3], {"0": 1}, [None], [float("nan")], "12"])
def test_a_report_that_means_nothing_is_no_click(point) -> None:
    assert clicked({"customdata": point}) == Click()
