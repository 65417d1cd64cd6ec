"""Key: two bodies that may not turn against each other about the joint's axis."""

from __future__ import annotations

from collections.abc import Sequence

from gudgeon.compile.graph import atan, cos, sin, sqrt
from gudgeon.space.mate import TINY_SQUARE, Number, Sizes, Sliding, SpatialMate, Touch
from gudgeon.space.spatial.frame import Place
from gudgeon.space.spatial.geometry.vector import ZERO


# An angle is atan2(S, C) = 2 atan(S / (sqrt(S² + C²) + C)), without a branch, and smooth up to half a turn to either
# side. Taken from the angle `near` it reads
#
#   near + 2 atan((S cos(near) - C sin(near)) / (sqrt(S² + C²) + C cos(near) + S sin(near)))
#
# which is the same angle modulo a turn, in the half turn to either side of `near`. So turns are counted by any number
# that follows the motion to within half a turn: the angle of a drive, or a state with the rate of this formula, whose
# own error does not matter.
def _angle(s: Number, c: Number, near: Number) -> Number:
    size = sqrt(s * s + c * c + TINY_SQUARE)
    sine, cosine = sin(near), cos(near)
    return near + 2.0 * atan((s * cosine - c * sine) / (size + c * cosine + s * sine))


def twist(i: Place, j: Place) -> tuple[Number, Number]:
    """A multiple of the sine and cosine of the angle about the joint's axis.

    With Euler parameters (w, x, y, z) of the journal relative to the bearing, z along the axis, S = 4 w z and
    C = 2 (w² - z²): the angle is 2 atan(z / w), that of the turn about the axis which a tilt about a perpendicular axis
    makes the whole rotation. It does not depend on how the arms h and t lie about the axis. Where the joint holds the
    axes parallel, one arm says the same with half of the operations.
    """
    if not i.tilts:
        return i.h @ j.t, i.h @ j.h
    return i.h @ j.t - i.t @ j.h, i.h @ j.h + i.t @ j.t


def turn(i: Place, j: Place, near: Number = 0.0) -> Number:
    """Angle of the journal relative to the bearing about the joint's axis, zero in the described position [rad]."""
    return _angle(*twist(i, j), near)


class Key(SpatialMate):
    """The relative angle of journal and bearing about the axis. A loose key has backlash: one touch to each side.

    Beside a ball it makes a universal joint: its row keeps the arm h of the journal square to the arm t of the bearing,
    whatever the angle between both axes.
    """

    name = "key"
    angular = True
    slides = True
    slide_needs = ("radius",)

    @staticmethod
    def rows(i: Place, j: Place) -> dict[str, Number]:
        return {"spin": i.h @ j.t}

    @staticmethod
    def touches(i: Place, j: Place, sizes: Sizes) -> list[Touch]:
        angle = Key._between_arms(i, j)
        return [Touch("forward", angle, 0.0, ZERO), Touch("backward", -angle, 0.0, ZERO)]

    @staticmethod
    def slidings(i: Place, j: Place, sizes: Sizes, ways: Sequence[str]) -> list[Sliding]:
        """Its flanks lie at the radius of the shaft and carry the moment about the axis."""
        if "translation" not in ways:
            return []
        slip, axis = i.approach(j, i.point, j.b), j.b
        return [Sliding("", (slip,), ("translation",), lambda _, moment: (axis @ moment / sizes.radius,))]

    @staticmethod
    def offsets(i: Place, j: Place, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        return {"": (Key._between_arms(i, j),)}

    @staticmethod
    def _between_arms(i: Place, j: Place) -> Number:
        """What is left of a right angle between both arms, the number that `rows` holds at zero [rad]."""
        return _angle(i.h @ j.t, i.h @ j.h, 0.0)
