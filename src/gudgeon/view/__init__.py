"""See a run: one page for the browser, complete in itself."""

from gudgeon.view.page import View, page

__all__ = ["View", "page"]
