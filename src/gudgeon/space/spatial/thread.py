"""Thread: a nut that moves along the axis as it turns."""

from __future__ import annotations

from gudgeon.space.mate import MateChannel, Number, Sizes, SpatialMate, Touch
from gudgeon.space.spatial.frame import Place
from gudgeon.space.spatial.geometry.vector import ZERO
from gudgeon.space.spatial.key import turn
from gudgeon.space.spatial.shoulder import Shoulder


class Thread(SpatialMate):
    """How far the journal is ahead of its thread along the axis: its travel less `lead` times its angle, turns
    counted. A loose thread has play to both sides; its flanks rub nothing."""

    name = "thread"
    sizes = ("pitch",)
    required = ("pitch",)
    rubs = False
    counts_turns = True

    @staticmethod
    def ahead(i: Place, j: Place) -> Number:
        """Zero in the described position [m]."""
        return Shoulder.travel(i, j) - i.lead * turn(i, j, i.near)

    @staticmethod
    def rows(i: Place, j: Place) -> dict[str, Number]:
        return {"ahead": Thread.ahead(i, j)}

    @staticmethod
    def touches(i: Place, j: Place, sizes: Sizes) -> list[Touch]:
        ahead = Thread.ahead(i, j)
        return [Touch("front", ahead, 0.0, ZERO), Touch("rear", -ahead, 0.0, ZERO)]

    @staticmethod
    def measures(i: Place, j: Place) -> dict[str, MateChannel]:
        return Shoulder.measures(i, j)

    @staticmethod
    def offsets(i: Place, j: Place, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        return {"": (Thread.ahead(i, j),)}
