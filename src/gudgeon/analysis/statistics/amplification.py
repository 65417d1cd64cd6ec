"""Amplification: how much larger a channel becomes by the play of the joints."""

from __future__ import annotations

from gudgeon.quantity import GudgeonError
from gudgeon.results import Run

__all__ = ["amplification", "amplifications"]


def amplification(real: float, ideal: float) -> float:
    """AP = (real - ideal) / ideal in per cent, of largest magnitudes: Eqs 11 and 12 of Flores et al. 2007."""
    if not ideal > 0.0:
        raise GudgeonError(f"the ideal peak {ideal:g} must be positive; nothing else can be amplified")
    return 100.0 * (real / ideal - 1.0)


def amplifications(real: Run, ideal: Run, *channels: str) -> dict[str, float]:
    """AP of the largest magnitude of each channel. The peak of a chaotic run beyond its trust horizon is one draw of
    many: there, amplify a mean over windows instead."""
    return {name: amplification(abs(real.peak(name).value), abs(ideal.peak(name).value)) for name in channels}
