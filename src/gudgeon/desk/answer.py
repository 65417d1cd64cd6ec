"""What the design desk answers: the errors of position, the spread of measures, and which fits keep the limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gudgeon.analysis.statistics.percentiles import Percentile
from gudgeon.analysis.statistics.proportion import Proportion
from gudgeon.analysis.statistics.sobol_indices import Share, SobolIndices
from gudgeon.analysis.tolerance import PositionError, Tolerance
from gudgeon.desk.fits import JointFit
from gudgeon.desk.limits import Limit
from gudgeon.quantity import GudgeonError, closest

__all__ = ["AllowedClearance", "Convergence", "DesignAnswer", "FitSet", "MeasureSpread", "Tightening"]


@dataclass(frozen=True)
class Convergence:
    """The same estimates from the first runs only: how many pairs of samples, a percentile, the total indices."""

    pairs: int
    percentile: Percentile
    totals: dict[str, Share]


@dataclass(frozen=True)
class MeasureSpread:
    """One measure over all machines that the drawing allows.

    values       of the runs by chance [SI]
    percentiles  with confidence intervals
    influence    first-order and total indices of every joint, and the share of chaos
    kept         how many keep its limit; None without one
    """

    name: str
    unit: str
    values: np.ndarray = field(repr=False)
    percentiles: tuple[Percentile, ...]
    influence: SobolIndices | None
    convergence: tuple[Convergence, ...]
    limit: Limit | None = None
    kept: Proportion | None = None


@dataclass(frozen=True)
class AllowedClearance:
    """The largest clearance of one joint [m] with which all limits are kept, the others being as drawn.

    value   None where no clearance keeps them, or none could be proved to
    kept    how many of the runs at this clearance keep them; None of errors of position alone, which are exact
    all     whether everything that was tried is allowed
    """

    joint: str
    drawn: float
    value: float | None
    kept: Proportion | None
    all: bool = False


@dataclass(frozen=True)
class FitSet:
    """A fit for each joint, its cost, and how many of the runs with it keep all limits."""

    fits: dict[str, str]
    cost: float | None
    kept: Proportion | None


@dataclass(frozen=True)
class Tightening:
    """What a tighter fit of one joint does to the share of machines that keep the limits, as the surface has it."""

    joint: str
    before: str
    after: str
    change: float


@dataclass(frozen=True)
class DesignAnswer:
    """One page: joints and fits, errors of position, spreads of measures, and the answer.

    share, confidence  the share of machines that must keep the limits, and how certain that must be
    static             errors of position; None without any
    spreads            of each measure
    kept               how many machines, as drawn, keep all limits of measures
    allowed            the largest clearance of each joint
    drawn, cheapest    sets of fits; cheapest is None where none of the standard fits was proved
    tightening         joints by what a tighter fit does, the most first
    surface            what the map is drawn from: see `gudgeon.desk.allowance`
    explained          share of the variance of the logarithm of the utilisation that the surface predicts
    runs               that were computed
    """

    name: str
    joints: tuple[JointFit, ...]
    share: float
    confidence: float
    static: Tolerance | None = None
    spreads: tuple[MeasureSpread, ...] = ()
    limits: tuple[Limit, ...] = ()
    kept: Proportion | None = None
    allowed: tuple[AllowedClearance, ...] = ()
    drawn: FitSet | None = None
    cheapest: FitSet | None = None
    tightening: tuple[Tightening, ...] = ()
    explained: float | None = None
    surface: Any = field(default=None, repr=False)
    runs: int = 0
    failed: int = 0
    settings: dict[str, Any] = field(default_factory=dict)
    costs: str = ""

    @property
    def errors(self) -> tuple[PositionError, ...]:
        return self.static.errors if self.static is not None else ()

    def __getitem__(self, name: str) -> PositionError | MeasureSpread:
        known: dict[str, PositionError | MeasureSpread] = {error.name: error for error in self.errors}
        known |= {spread.name: spread for spread in self.spreads}
        if name not in known:
            likely = closest(name, known)
            hint = f'; did you mean "{likely}"?' if likely else ""
            raise GudgeonError(f'tolerance: "{name}" is not in this answer{hint}')
        return known[name]

    @property
    def asks(self) -> bool:
        """Whether there are limits, so that there is an answer."""
        return bool(self.limits) or any(error.limit is not None for error in self.errors)
