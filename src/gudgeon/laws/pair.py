"""The two surfaces that meet, as far as a law may know them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Pair"]


@dataclass(frozen=True)
class Pair:
    """Sizes of one contact pair; None for those that the joint does not have.

    bearing_radius [m], journal_radius [m], length [m] of the bearing, name of the joint for messages; `external` where
    both are convex and touch from outside; `angular` where their depth is an angle, as at the stop of a rotation.
    """

    bearing_radius: float | None = None
    journal_radius: float | None = None
    length: float | None = None
    name: str = ""
    external: bool = False
    angular: bool = False

    @property
    def clearance(self) -> float | None:
        """Radial clearance [m]: bearing radius minus journal radius."""
        if self.bearing_radius is None or self.journal_radius is None:
            return None
        return self.bearing_radius - self.journal_radius

    @property
    def relative_radius(self) -> float | None:
        """R_B R_J / (R_B - R_J) [m], from outside with the sum; None where a radius is not known or both are equal."""
        if self.bearing_radius is None or self.journal_radius is None:
            return None
        bend = self.bearing_radius + (self.journal_radius if self.external else -self.journal_radius)
        return self.bearing_radius * self.journal_radius / bend if bend > 0.0 else None

    @property
    def depth_unit(self) -> str:
        """Unit of a depth, for messages; that of a rate is this per second."""
        return "rad" if self.angular else "m"

    @property
    def force_unit(self) -> str:
        """Unit of what resists a depth, for messages."""
        return "N m" if self.angular else "N"

    @property
    def title(self) -> str:
        """The joint as it is called in messages."""
        return f'joint "{self.name}"' if self.name else "a joint without name"
