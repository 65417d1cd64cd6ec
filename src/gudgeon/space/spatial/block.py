"""Block: an elastic piece between two bodies that holds all six of their relative motions."""

from __future__ import annotations

from gudgeon.compile.graph.passes.secant import arc_share
from gudgeon.space.mate import Number, Sizes, SpatialMate, Touch
from gudgeon.space.spatial.frame import Place
from gudgeon.space.spatial.geometry.vector import Vector
from gudgeon.space.spatial.key import Key
from gudgeon.space.spatial.sleeve import Sleeve


# With the relative rotation R of the journal in the bearing's axes, R_kl = a_k(j) · a_l(i), the vector
#
#   s = 1/2 (R_32 - R_23, R_13 - R_31, R_21 - R_12) = n sin(angle),      c = 1/2 (tr R - 1) = cos(angle)
#
# gives the rotation vector n angle = s 2 atan(|s| / (1 + c)) / |s|, smooth below half a turn. It is written without
# |s|, of which nothing is known where there is no rotation: y² = |s|² / (1 + c)², and atan(y) / y is a function of y².
def rotation_vector(i: Place, j: Place) -> Vector:
    """Rotation of the journal relative to the bearing, in the bearing's axes [rad]."""
    columns = [Vector(j.h @ axis, j.t @ axis, j.b @ axis) for axis in (i.h, i.t, i.b)]
    h, t, b = columns
    half = Vector(t.z - b.y, b.x - h.z, h.y - t.x) * 0.5
    share = 1.0 / (0.5 * (h.x + t.y + b.z + 1.0))  # 1 / (1 + c)
    return half * (2.0 * share * arc_share((half @ half) * (share * share)))


class Block(SpatialMate):
    """The journal's point and axes relative to the bearing's: a shift and a rotation vector, both in the bearing's
    axes. Bodies that move together do not strain it. It has no surfaces that could touch."""

    name = "block"
    rubs = False
    takes = ("Ideal", "Elastic")
    takes_words = (
        "a mount resists all six motions; give fit=Elastic(stiffness=...), or make it a rigid joint with a fit "
        "for each contact pair"
    )
    angular_offsets = ("turn",)

    @staticmethod
    def rows(i: Place, j: Place) -> dict[str, Number]:
        return {**Sleeve.rows(i, j), "axial": i.b @ (j.point - i.point), **Key.rows(i, j)}

    @staticmethod
    def touches(i: Place, j: Place, sizes: Sizes) -> list[Touch]:
        return []

    @staticmethod
    def offsets(i: Place, j: Place, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        e = i.point - j.point
        return {"shift": (j.h @ e, j.t @ e, j.b @ e), "turn": tuple(rotation_vector(i, j))}
