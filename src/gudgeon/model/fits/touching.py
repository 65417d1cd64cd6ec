"""Touching: a wall met from outside."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from gudgeon.laws import ContactLaw, FrictionLaw
from gudgeon.model.fits.base import Fit, check_law

__all__ = ["Touching"]


@dataclass(frozen=True)
class Touching(Fit):
    """Contact of two round bodies from outside, with optional friction; for the joint `contact`."""

    reserved: ClassVar[bool] = True
    needed: ClassVar[tuple[str, ...]] = ("wall",)

    wall: ContactLaw = None  # type: ignore[assignment]
    _: KW_ONLY
    friction: FrictionLaw | None = None

    def validate(self) -> None:
        check_law(self, "wall")
        check_law(self, "friction", optional=True)

    def describe(self) -> str:
        return f"touching, {', '.join(type(law).__name__ for law in (self.wall, self.friction) if law is not None)}"
