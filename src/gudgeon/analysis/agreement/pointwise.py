"""How long two routes have the same motion, and what they do at their first impacts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gudgeon.results import Run

__all__ = ["Agreement", "TouchRecord", "agreement", "touches"]

SHOWN = 5  # impacts side by side


@dataclass(frozen=True)
class TouchRecord:
    """One touch of a route: onset and end [s], closing speed [m/s], largest force [N] (at hard walls an estimate)."""

    t_on: float
    t_off: float
    speed: float
    peak_force: float


@dataclass(frozen=True)
class Agreement:
    """A route beside the one of reference, in shares of the clearance.

    until [s]: when they first differ by more than the share asked for, None where they never do; largest: how much
    they differ at most up to `horizon` [s], the earlier of both trust horizons (None and nan where there is none);
    after: how much they differ when impact 1, 2, ... is over in both.
    """

    route: str
    reference: str
    until: float | None
    largest: float
    horizon: float | None
    after: tuple[float, ...]


def touches(run: Run, joint: str) -> tuple[TouchRecord, ...]:
    """The first touches of a joint."""
    return tuple(TouchRecord(r.t_on, r.t_off, r.speed_on, r.peak_force) for r in run.contacts.of(joint)[:SHOWN])


def agreement(names: tuple[str, str], runs: tuple[Run, Run],
              first: tuple[tuple[TouchRecord, ...], tuple[TouchRecord, ...]],
              horizons: tuple[float | None, float | None], plays: Mapping[str, float],
              share: float) -> Agreement:  # fmt: skip
    """Compare two runs sampled at the same times, the reference second."""
    n = min(len(run.t) for run in runs)
    t = runs[0].t[:n]
    apart = np.max([np.abs(runs[0][c][:n] - runs[1][c][:n]) / play for c, play in plays.items()], axis=0)
    far = apart > share
    until = float(t[int(np.argmax(far))]) if far.any() else None
    horizon = min(h for h in horizons if h is not None) if None not in horizons else None
    largest = float(apart[t <= horizon].max()) if horizon is not None else math.nan
    after = []
    for one, other in zip(*first, strict=False):
        end = max(one.t_off, other.t_off)
        after.append(float(np.interp(end, t, apart)) if end <= t[-1] else math.nan)
    return Agreement(names[0], names[1], until, largest, horizon, tuple(after))
