"""Ideal: no play and no compliance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gudgeon.model.fits.base import Fit

__all__ = ["Ideal"]


@dataclass(frozen=True)
class Ideal(Fit):
    """No play and no compliance: constraint equations."""

    ideal: ClassVar[bool] = True

    def describe(self) -> str:
        return "ideal"
