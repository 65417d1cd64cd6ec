"""Limits of measures: "5 kN" is kept up to that magnitude, ">= 90 %" from that value on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.analysis.measures import MEASURES
from gudgeon.draw.scale import scale_for
from gudgeon.quantity import GudgeonError, quantity

__all__ = ["Limit", "is_measure", "read_limits", "utilisation"]

SIGNS = re.compile(r"\s*(<=|>=|<|>)?\s*(.*?)\s*", re.DOTALL)
LEAST = 1e-3  # utilisation that is not told from less


@dataclass(frozen=True)
class Limit:
    """Of one measure [SI]; `least`: values must not be less, else magnitudes not more."""

    measure: str
    value: float
    unit: str
    least: bool = False

    def excess(self, values: np.ndarray) -> np.ndarray:
        """By what values break it; what keeps it is 0 or less."""
        return np.asarray(self.value - values if self.least else np.abs(values) - self.value)

    def kept(self, values: np.ndarray) -> np.ndarray:
        """Of numbers that are known; nan keeps nothing."""
        with np.errstate(invalid="ignore"):
            return self.excess(values) <= 0.0

    def __str__(self) -> str:
        scale = scale_for(self.unit, self.value)
        return f"{'at least' if self.least else 'up to'} {scale.factor * self.value:.4g} {scale.unit}".rstrip()


def is_measure(text: str) -> bool:
    """Whether a text asks for a measure of the motion, such as "peak pin.force", rather than a position."""
    words = text.split()
    return len(words) > 1 or text in MEASURES


def read_limits(given: Mapping[str, Any], units: Mapping[str, str]) -> tuple[Limit, ...]:
    """Limits by measure; units of the measures."""
    limits = []
    for measure, value in given.items():
        sign, rest = "", value
        if isinstance(value, str):
            match = SIGNS.fullmatch(value)
            assert match is not None
            sign, rest = match[1] or "", match[2]
        if measure not in units:
            raise GudgeonError(f'limit "{measure}": it is not measured')
        unit = units[measure]
        number = quantity(rest, unit, f'limit "{measure}"')
        least = sign.startswith(">")
        limits.append(Limit(measure, number if least else abs(number), unit, least))
    return tuple(limits)


def utilisation(limits: tuple[Limit, ...], values: Mapping[str, np.ndarray]) -> np.ndarray:
    """The largest share of its limit that any measure of a run takes up: all limits are kept up to 1."""
    parts = []
    for limit in limits:
        if not limit.value > 0.0:
            raise GudgeonError(f'limit "{limit.measure}" {limit.value:g} must be positive: fits are searched by the '
                               "share of it that is taken up")  # fmt: skip
        value = values[limit.measure]
        with np.errstate(divide="ignore"):
            parts.append(limit.value / np.maximum(value, 0.0) if limit.least else np.abs(value) / limit.value)
    return np.asarray(np.clip(np.max(parts, axis=0), LEAST, 1.0 / LEAST))
