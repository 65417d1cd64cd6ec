"""Key: two bodies that may not turn against each other."""

from __future__ import annotations

from gudgeon.space.mate import Mate, Number, Sizes, Touch
from gudgeon.space.planar.frame import PlanarPlace
from gudgeon.space.planar.vector import PlanarVector


class PlanarKey(Mate):
    """The relative angle of journal and bearing. A loose key has backlash: one touch to each side."""

    name = "key"
    angular = True

    @staticmethod
    def rows(i: PlanarPlace, j: PlanarPlace) -> dict[str, Number]:
        return {"angle": i.angle - j.angle}

    @staticmethod
    def touches(i: PlanarPlace, j: PlanarPlace, sizes: Sizes) -> list[Touch]:
        turn, no_normal = i.angle - j.angle, PlanarVector(0.0, 0.0)
        return [Touch("forward", turn, 0.0, no_normal), Touch("backward", -turn, 0.0, no_normal)]

    @staticmethod
    def offsets(i: PlanarPlace, j: PlanarPlace, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        return {"": (i.angle - j.angle,)}
