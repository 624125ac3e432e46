"""The number line: cuts that a student moves along one feature, in the browser alone."""

from widgets.numberline.numberline import number_line

__all__ = ["number_line"]
