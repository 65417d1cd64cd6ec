"""Slot: a rectangular slider in a straight guide, the planar translational joint."""

from __future__ import annotations

from gudgeon.space.mate import Mate, Number, Sizes, Touch
from gudgeon.space.planar.frame import PlanarPlace
from gudgeon.space.planar.vector import PlanarVector


class Slot(Mate):
    """The slider (journal, length along the axis) between the two walls of the guide (bearing, width across).
    The slider is narrower by the gap on each side. Each of its four corners can touch the wall on its side."""

    name = "slot"
    axial = True
    sizes = ("width", "length")
    fit_needs = ("length", "width")

    @staticmethod
    def rows(i: PlanarPlace, j: PlanarPlace) -> dict[str, Number]:
        return {"across": j.normal @ (i.point - j.point), "angle": i.angle - j.angle}

    @staticmethod
    def touches(i: PlanarPlace, j: PlanarPlace, sizes: Sizes) -> list[Touch]:
        touches = []
        half = 0.5 * sizes.width - sizes.gap
        for end, end_name in ((1.0, "front"), (-1.0, "rear")):
            for side, side_name in ((1.0, "left"), (-1.0, "right")):
                corner = i.frame.point(
                    i.local_point + i.local_axis * (end * 0.5 * sizes.length) + i.local_axis.turned * (side * half)
                )
                opening = side * (j.normal @ (corner - j.point)) - half
                slip = j.axis @ (i.frame.velocity_at(corner) - j.frame.velocity_at(corner))
                touches.append(Touch(f"{end_name}_{side_name}", opening, slip, j.normal * side))
        return touches

    @staticmethod
    def offsets(i: PlanarPlace, j: PlanarPlace, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        """Both ends of the slider are held to the middle of the guide."""
        ends = {}
        for end, name in ((1.0, "front"), (-1.0, "rear")):
            point: PlanarVector = i.frame.point(i.local_point + i.local_axis * (end * 0.5 * sizes.length))
            ends[name] = (j.normal @ (point - j.point),)
        return ends
