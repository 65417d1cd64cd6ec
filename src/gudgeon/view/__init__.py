"""See a run: one page for the browser, complete in itself; pictures and films without one."""

from gudgeon.view.page import View, page
from gudgeon.view.sketch import animate, sketch

__all__ = ["View", "animate", "page", "sketch"]
