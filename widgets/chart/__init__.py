"""A plotly chart that stays mounted while its figure changes."""

from widgets.chart.chart import Picture, chart, picture

__all__ = ["Picture", "chart", "picture"]
