"""What the tests of figures share."""

from __future__ import annotations

import json

import plotly.graph_objects as go


def traces(figure: go.Figure, name: str) -> list:
    return [trace for trace in figure.data if trace.name == name]


def assert_plotly_accepts(figure: go.Figure) -> None:
    """Every attribute exists and has a value that plotly allows, and the whole becomes JSON."""
    go.Figure(json.loads(figure.to_json()))
