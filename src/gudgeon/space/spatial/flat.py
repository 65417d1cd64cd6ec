"""Flat: a round pad between two parallel plates, the planar joint of space."""

from __future__ import annotations

import math

from gudgeon.space.mate import MateChannel, Number, Sizes, SpatialMate, Touch
from gudgeon.space.spatial.frame import Place
from gudgeon.space.spatial.shoulder import Shoulder
from gudgeon.space.spatial.sleeve import Sleeve


class Flat(SpatialMate):
    """The pad (journal, axis across its faces) glides between the plates (bearing). Points around its rim, `strips` of
    them, can touch the plate on either side."""

    name = "flat"
    keeps_parallel = True
    sizes = ("radius",)
    wall_needs = ("radius",)
    strips = 3
    angular_offsets = ("conical",)

    @staticmethod
    def rows(i: Place, j: Place) -> dict[str, Number]:
        return {"tilt_h": i.h @ j.b, "tilt_t": i.t @ j.b, **Shoulder.rows(i, j)}

    @staticmethod
    def touches(i: Place, j: Place, sizes: Sizes) -> list[Touch]:
        touches = []
        for k in range(sizes.strips):
            angle = 2.0 * math.pi * k / sizes.strips
            rim = i.local_h * (math.cos(angle) * sizes.radius) + i.local_t * (math.sin(angle) * sizes.radius)
            corner = i.frame.point(i.local_point + rim)
            travel = j.b @ (corner - j.point) - (i.reference - j.reference)
            slip, rate = (i.approach(j, corner, j.h), i.approach(j, corner, j.t)), i.approach(j, corner, j.b)
            for side, name in ((1.0, "upper"), (-1.0, "lower")):
                touches.append(Touch(f"{name}_{k + 1}", travel * side, slip, j.b * side, rate * side))
        return touches

    @staticmethod
    def measures(i: Place, j: Place) -> dict[str, MateChannel]:
        return Shoulder.measures(i, j)

    @staticmethod
    def offsets(i: Place, j: Place, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        return {"axial": Shoulder.offsets(i, j, sizes)[""], "conical": Sleeve.offsets(i, j, sizes)["conical"]}
