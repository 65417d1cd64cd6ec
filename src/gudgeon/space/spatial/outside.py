"""Outside: a sphere on a sphere, two round bodies that touch from outside."""

from __future__ import annotations

from gudgeon.space.mate import Number, Sizes, SpatialMate, Touch
from gudgeon.space.spatial.ball import Ball
from gudgeon.space.spatial.frame import Place


class Outside(SpatialMate):
    """The surfaces come together as the centres do. They hold nothing: without a law the bodies pass freely. Contact
    is on the bearing's sphere; both bodies' surface velocities are taken there, so that friction leaves no couple."""

    name = "outside"
    external = True
    axial = False
    sizes = ("radius", "journal_radius")
    fit_needs = ("radius", "journal_radius")
    takes = ("Touching",)
    takes_words = "bodies that touch from outside have no constraint, only a wall; give fit=Touching(wall=...)"

    @staticmethod
    def rows(i: Place, j: Place) -> dict[str, Number]:
        return {}

    @staticmethod
    def touches(i: Place, j: Place, sizes: Sizes) -> list[Touch]:
        e = Ball.offset(i, j)
        distance = e.norm
        normal = e * (-1.0 / distance)
        contact = j.point - normal * sizes.radius
        slip = (i.frame.velocity_at(contact) - j.frame.velocity_at(contact)).across(normal)
        opening = sizes.radius + sizes.journal_radius - distance
        # both centres lie on the line of the normal: along it they move as the points at the contact do
        return [Touch("", opening, tuple(slip), normal, i.speed(normal) - j.speed(normal))]

    @staticmethod
    def offsets(i: Place, j: Place, sizes: Sizes) -> dict[str, tuple[Number, ...]]:
        return {}
