"""Slot: a rectangular slider in a straight guide, the planar translational joint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gudgeon.space.mate import Mate, Number, Sizes, Sliding, Touch, is_given
from gudgeon.space.planar.frame import PlanarPlace
from gudgeon.space.planar.vector import PlanarVector


class Slot(Mate):
    """The slider (journal, length along the axis) between the two walls of the guide (bearing, width across).
    The slider is narrower by the gap on each side. Each of its four corners can touch the wall on its side."""

    name = "slot"
    axial = True
    sizes = ("width", "length")
    fit_needs = ("length", "width")
    slides = True

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
    def slidings(i: PlanarPlace, j: PlanarPlace, sizes: Sizes, ways: Sequence[str]) -> list[Sliding]:
        """Where the length is given, the slider rests on its two ends, which carry the moment of the guide, too:
        F/2 + M/L and F/2 - M/L across the axis; else the moment is left out. Friction acts along the axis of the guide:
        the half width that it is beside it has no part."""
        slip, across = j.axis @ (i.frame.velocity_at(i.point) - j.frame.velocity_at(i.point)), j.normal
        if not is_given(sizes.length):
            return [Sliding("", (slip,), ("translation",), lambda force, _: (across @ force,))]

        def at_end(end: float) -> Callable[[PlanarVector, Number], tuple[Number, ...]]:
            return lambda force, moment: (0.5 * (across @ force) + end * (moment / sizes.length),)

        ends = (("front", 1.0), ("rear", -1.0))
        return [Sliding(name, (slip,), ("translation",), at_end(end)) for name, end in ends]

    @staticmethod
    def offsets(i: PlanarPlace, j: PlanarPlace, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        """Both ends of the slider are held to the middle of the guide."""
        ends = {}
        for end, name in ((1.0, "front"), (-1.0, "rear")):
            point: PlanarVector = i.frame.point(i.local_point + i.local_axis * (end * 0.5 * sizes.length))
            ends[name] = (j.normal @ (point - j.point),)
        return ends
