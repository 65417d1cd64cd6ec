"""Shoulder: faces on the journal that keep it from moving along the axis."""

from __future__ import annotations

from collections.abc import Sequence

from gudgeon.space.mate import MateChannel, Number, Sizes, Sliding, SpatialMate, Touch
from gudgeon.space.spatial.frame import Place


class Shoulder(SpatialMate):
    """The distance of the two middles along the journal's axis, from the described one. It can touch to both sides.

    Its gradient is a pair of opposite forces along one line through the bearing's middle: no couple is left behind, as
    it would be by forces at either middle (Ambrosio and Pombo 2018, Eq 22). Friction acts at the same point, across
    the axis; the faces are taken as narrow, so that turning about the axis rubs nothing.
    """

    name = "shoulder"
    slides = True
    slide_needs = ("radius",)

    @staticmethod
    def travel(i: Place, j: Place) -> Number:
        """Journal relative to bearing along the journal's axis, zero in the described position [m]."""
        return i.b @ (i.point - j.point) - (i.reference - j.reference)

    @staticmethod
    def rows(i: Place, j: Place) -> dict[str, Number]:
        return {"axial": -Shoulder.travel(i, j)}

    @staticmethod
    def touches(i: Place, j: Place, sizes: Sizes) -> list[Touch]:
        travel, contact = Shoulder.travel(i, j), j.point
        slip, rate = (i.approach(j, contact, i.h), i.approach(j, contact, i.t)), i.approach(j, contact, i.b)
        return [Touch("front", travel, slip, i.b, rate), Touch("rear", -travel, slip, -i.b, -rate)]

    @staticmethod
    def slidings(i: Place, j: Place, sizes: Sizes, ways: Sequence[str]) -> list[Sliding]:
        """The faces carry the force along the axis on a ring of the shaft's radius."""
        slip, axis = sizes.radius * (j.b @ (i.frame.angular_velocity - j.frame.angular_velocity)), j.b
        return [Sliding("", (slip,), ("rotation",), lambda force, _: (axis @ force,), sizes.radius)]

    @staticmethod
    def measures(i: Place, j: Place) -> dict[str, MateChannel]:
        return {"axial": MateChannel("m", "shift along the axis", Shoulder.travel(i, j))}

    @staticmethod
    def offsets(i: Place, j: Place, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        """Along the bearing's axis."""
        return {"": (j.b @ (i.point - j.point) - (i.reference - j.reference),)}
