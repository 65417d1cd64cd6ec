"""See a run: one page for the browser, complete in itself; pictures and films without one."""

from typing import TYPE_CHECKING

from gudgeon.plugins import loaded_on_use
from gudgeon.view.page import COMPUTE, View, page

__all__ = ["COMPUTE", "View", "animate", "page", "sketch"]

if TYPE_CHECKING:
    from gudgeon.draw.mechanism.sketches import animate, sketch
else:
    __getattr__ = loaded_on_use(__name__, dict.fromkeys(("animate", "sketch"), "gudgeon.draw.mechanism.sketches"))
