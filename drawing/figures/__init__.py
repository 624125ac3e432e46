"""Pictures of data, evidence and regions: pure functions from the engine's values to plotly figures.

`widgets.chart.chart` shows them; each has a function beside it, named ``…_text``, that says the same
in words. A click on a mark returns its `customdata`, which `base.clicked` reads.
"""

from drawing.figures.base import CONFIG, Click, clicked

__all__ = ["CONFIG", "Click", "clicked"]
