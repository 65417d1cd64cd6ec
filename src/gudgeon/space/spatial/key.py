"""Key: two bodies that may not turn against each other about the joint's axis."""

from __future__ import annotations

from gudgeon.compile.graph import atan, cos, sin, sqrt
from gudgeon.space.mate import TINY_SQUARE, Number, Sizes, SpatialMate, Touch
from gudgeon.space.spatial.frame import Place
from gudgeon.space.spatial.geometry.vector import ZERO


# With S = h_i · t_j and C = h_i · h_j the angle is atan2(S, C) = 2 atan(S / (sqrt(S² + C²) + C)), without a branch, and
# smooth up to half a turn to either side. Taken from the angle `near` it reads
#
#   near + 2 atan((S cos(near) - C sin(near)) / (sqrt(S² + C²) + C cos(near) + S sin(near)))
#
# which is the same angle modulo a turn, in the half turn to either side of `near`. So turns are counted by any number
# that follows the motion to within half a turn: the angle of a drive, or a state with the rate of this formula, whose
# own error does not matter.
def turn(i: Place, j: Place, near: Number = 0.0) -> Number:
    """Angle of the journal relative to the bearing about the bearing's axis, zero in the described position [rad]."""
    s, c = i.h @ j.t, i.h @ j.h
    size = sqrt(s * s + c * c + TINY_SQUARE)
    sine, cosine = sin(near), cos(near)
    return near + 2.0 * atan((s * cosine - c * sine) / (size + c * cosine + s * sine))


class Key(SpatialMate):
    """The relative angle of journal and bearing about the axis. A loose key has backlash: one touch to each side.

    Beside a ball it makes a universal joint: its row keeps the arm h of the journal square to the arm t of the bearing,
    whatever the angle between both axes.
    """

    name = "key"
    angular = True

    @staticmethod
    def rows(i: Place, j: Place) -> dict[str, Number]:
        return {"spin": i.h @ j.t}

    @staticmethod
    def touches(i: Place, j: Place, sizes: Sizes) -> list[Touch]:
        angle = turn(i, j)
        return [Touch("forward", angle, 0.0, ZERO), Touch("backward", -angle, 0.0, ZERO)]

    @staticmethod
    def offsets(i: Place, j: Place, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        return {"": (turn(i, j),)}
