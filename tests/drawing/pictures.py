"""What the tests of figures share."""

from __future__ import annotations

import json

import plotly.graph_objects as go


def traces(figure: go.Figure, name: str) -> list:
    return [trace for trace in figure.data if trace.name == name]


def assert_plotly_accepts(figure: go.Figure) -> None:
    """Every attribute exists and has a value that plotly allows, and the whole becomes JSON."""
    go.Figure(json.loads(figure.to_json()))


def marked_rows(figure: go.Figure, name: str = "rows") -> dict[int, tuple[int, float, float, str]]:
    """Every row that is marked under a trace's name: its leaf, its place, and its colour; by row."""
    found = {}
    for trace in traces(figure, name):
        many = not isinstance(trace.marker.color, str)
        colours = [trace.marker.colorscale[code][1] for code in trace.marker.color.tolist()] if many else None
        for place, (row, leaf) in enumerate(trace.customdata.tolist()):
            colour = colours[place] if colours else trace.marker.color
            assert row not in found
            found[row] = (leaf, float(trace.x[place]), float(trace.y[place]), colour)
    return dict(sorted(found.items()))
