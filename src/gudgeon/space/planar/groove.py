"""Groove: a round pin in a straight groove, which turns and slides in it."""

from __future__ import annotations

from gudgeon.space.mate import Mate, Number, Sizes, Touch
from gudgeon.space.planar.frame import PlanarPlace


class Groove(Mate):
    """The pin (journal) between the two walls of the groove (bearing, width across, along the axis). The pin's
    diameter is smaller than the width by the gap on each side. Along a beam the groove bends with it: its place is the
    section where the pin is, and what holds the pin is another pair of rows (assemble/flexible/sliding_joint.py)."""

    name = "groove"
    axial = True
    sizes = ("width",)
    fit_needs = ("width",)

    @staticmethod
    def rows(i: PlanarPlace, j: PlanarPlace) -> dict[str, Number]:
        return {"across": j.normal @ (i.point - j.point)}

    @staticmethod
    def touches(i: PlanarPlace, j: PlanarPlace, sizes: Sizes) -> list[Touch]:
        across, radius = j.normal @ (i.point - j.point), 0.5 * sizes.width - sizes.gap
        touches = []
        for side, name in ((1.0, "left"), (-1.0, "right")):
            contact = i.point + j.normal * (side * radius)
            slip = j.axis @ (i.frame.velocity_at(contact) - j.frame.velocity_at(contact))
            touches.append(Touch(name, side * across, slip, j.normal * side))
        return touches

    @staticmethod
    def offsets(i: PlanarPlace, j: PlanarPlace, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        return {"": (j.normal @ (i.point - j.point),)}
