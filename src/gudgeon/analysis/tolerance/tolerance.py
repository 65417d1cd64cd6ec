"""`tolerance`: errors of position over a cycle that the play of all joints makes, and what each joint contributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.analysis.tolerance.distribution import PLACES, Place, probability, quantile, sample, variance
from gudgeon.analysis.tolerance.influence import Influences, Play, Point, influences
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError, closest, in_words, quantity

__all__ = ["Contribution", "PositionError", "Tolerance", "share_within", "tolerance"]

SHARES = (0.5, 0.95, 0.99)
SAMPLES = 200_000  # of the distance of a point, which has no closed form
SEED = 20080901


@dataclass(frozen=True)
class Contribution:
    """What one play does to an error at the position of its worst case.

    influence      error per deviation [-], of an angle [rad/m]
    worst          its part of the worst case [m or rad], and which share that is
    of_variance    its share of the variance
    allowed        the largest clearance with which the limit is kept while the others stay as they are; None without a
                   limit or where it has no influence
    """

    play: Play
    influence: float
    worst: float
    of_worst: float
    of_variance: float
    allowed: float | None


@dataclass(frozen=True)
class PositionError:
    """The error of one position [m or rad].

    envelope       worst case at every instant of the cycle
    worst, time    its largest value and when
    exact          the same deviations, with the mechanism assembled again instead of to first order
    deviation      standard deviation at that position
    percentiles    the error, on either side, that shares of all combinations stay below there
    interval       of the percentiles that were found by sampling: 95 % confidence
    contributions  what each play does, the largest first
    limit, factor  what was asked, and by what all clearances may be multiplied to keep it in the worst case
    within         the share of combinations that keep the limit
    """

    name: str
    unit: str
    envelope: np.ndarray
    worst: float
    time: float
    exact: float
    deviation: float
    percentiles: dict[float, float]
    interval: dict[float, tuple[float, float]]
    contributions: tuple[Contribution, ...]
    limit: float | None = None
    factor: float | None = None
    within: float | None = None

    @property
    def kept(self) -> bool | None:
        """Whether the limit is kept in the worst case; None without one."""
        return None if self.limit is None else max(self.worst, self.exact) <= self.limit


@dataclass(frozen=True)
class Tolerance:
    """Errors of position by play; `influences` has the positions and factors behind them."""

    name: str
    place: Place
    errors: tuple[PositionError, ...]
    influences: Influences

    def __getitem__(self, name: str) -> PositionError:
        for error in self.errors:
            if error.name == name:
                return error
        likely = closest(name, [error.name for error in self.errors])
        hint = f'; did you mean "{likely}"?' if likely else ""
        raise GudgeonError(f'tolerance: "{name}" is not among these positions{hint}')

    @property
    def times(self) -> np.ndarray:
        return self.influences.times


def tolerance(mechanism: Mechanism, asked: Sequence[str] | str = (), *, points: Mapping[str, Point] | None = None,
              limits: Mapping[str, Any] | None = None, place: Place = "within", instants: int = 72,
              period: float | str | None = None,
              clearances: Mapping[str, float] | None = None) -> Tolerance:  # fmt: skip
    """Errors of position that the play of all joints makes together, over a cycle, without dynamics.

    asked     positions: `slider.x`, `rod.angle`, `slider` or a point for the distance from where it should be
    points    by name: a body and where the point is in the described position: {"tool": ("rod", (0.17, 0.02))}
    limits    by what is asked: the largest error that is acceptable, for instance {"slider.x": "0.2 mm"}
    place     where journals are: anywhere "within" their clearance, or always at the "wall"
    instants  positions of the cycle
    period    of the cycle [s], where no joint is driven at constant speed
    clearances  by joint [m], instead of the largest that the fits of the description allow

    Clearances are the largest that their fits allow. The worst case has every journal at its wall, where it does most;
    percentiles take journals as independent of each other.
    """
    if place not in PLACES:
        raise GudgeonError(f'tolerance: place "{place}" is not known; choose from {in_words(PLACES)}')
    if not isinstance(instants, int) or instants < 4:
        raise GudgeonError(f"tolerance: instants {instants!r} is no whole number of at least 4; 72 is usual")
    names = [asked] if isinstance(asked, str) else [*asked, *(n for n in limits or () if n not in asked)]
    cycle = None if period is None else quantity(period, "s", "period")
    known = influences(mechanism, names, points=_points(points), instants=instants, period=cycle)
    known = known.with_clearances(clearances or {})
    read = _limits(limits or {}, known)
    errors = tuple(_error(known, name, unit, place, read.get(name)) for name, unit in
                   zip(known.outputs, known.units, strict=True))  # fmt: skip
    return Tolerance(mechanism.name, place, errors, known)


def share_within(known: Influences, name: str, limit: float, place: Place = "within") -> float:
    """Share of all combinations that keep a limit, at the first instant of the influences."""
    outputs = known.output(name)
    if outputs.stop - outputs.start == 1:
        sizes, dimensions = known.sizes(name)[0], [play.dimension for play in known.plays]
        return probability((sizes * known.clearances).tolist(), dimensions, limit, place)
    return float(np.mean(_distances(known, outputs, place) <= limit))


def _points(points: Mapping[str, Any] | None) -> dict[str, Point]:
    read: dict[str, Point] = {}
    for name, given in (points or {}).items():
        try:
            body, at = given
            read[name] = str(body), tuple(quantity(x, "m", f'point "{name}"') for x in at)
        except (TypeError, ValueError):
            raise GudgeonError(
                f'tolerance: point "{name}": {given!r} is no body and place; write for instance ("rod", (0.17, 0.02))'
            ) from None
    return read


def _limits(limits: Mapping[str, Any], known: Influences) -> dict[str, float]:
    read = {}
    for name, value in limits.items():
        known.output(name)
        unit = known.units[list(known.outputs).index(name)]
        read[name] = quantity(value, unit, f'limit "{name}"')
        if not read[name] > 0.0:
            raise GudgeonError(
                f'tolerance: limit "{name}" {value!r} must be positive; it is the largest error on either side'
            )
    return read


def _error(known: Influences, name: str, unit: str, place: Place, limit: float | None) -> PositionError:
    """The numbers of one position, at the instant of its worst case."""
    there, outputs = known.worst_instant(name), known.output(name)
    sizes = there.sizes(name)[0]
    amplitudes, dimensions = sizes * known.clearances, [play.dimension for play in known.plays]
    worst = float(amplitudes.sum())
    moved = there.assembled(0, there.worst_deviations(0, name))[outputs] - there.values[0, outputs]
    interval: dict[float, tuple[float, float]] = {}
    if outputs.stop - outputs.start == 1:
        percentiles = {share: quantile(amplitudes.tolist(), dimensions, share, place) for share in SHARES}
        within = None if limit is None else probability(amplitudes.tolist(), dimensions, limit, place)
        spread = float(np.sqrt(variance(amplitudes.tolist(), dimensions, place)))
    else:
        distances = np.sort(_distances(there, outputs, place))
        percentiles = {share: float(np.quantile(distances, share)) for share in SHARES}
        interval = {share: _interval(distances, share) for share in SHARES}
        within = None if limit is None else float(np.mean(distances <= limit))
        spread = float(np.sqrt(np.mean(distances**2)))
    squares = np.array([variance([a], [d], place) for a, d in zip(amplitudes.tolist(), dimensions, strict=True)])
    parts = [
        Contribution(play, float(size), float(a), _share(a, worst), _share(square, squares.sum()),
                     _allowed(play, float(size), worst, limit))
        for play, size, a, square in zip(known.plays, sizes, amplitudes, squares, strict=True)
    ]  # fmt: skip
    return PositionError(
        name, unit, known.worst(name), worst, float(there.times[0]), float(np.linalg.norm(moved)), spread, percentiles,
        interval, tuple(sorted(parts, key=lambda part: -part.worst)), limit,
        None if limit is None or not worst else limit / worst, within)  # fmt: skip


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0


def _distances(known: Influences, outputs: slice, place: Place) -> np.ndarray:
    """Distances of a point for random deviations, at the first instant."""
    rng = np.random.default_rng(SEED)
    rows = known.matrices[0, outputs]
    errors = np.zeros((SAMPLES, rows.shape[0]))
    for play in known.plays:
        errors += play.clearance * sample(rng, SAMPLES, play.dimension, place) @ rows[:, play.components].T
    return np.linalg.norm(errors, axis=1)


def _interval(ordered: np.ndarray, share: float) -> tuple[float, float]:
    """95 % confidence of a percentile, from the binomial distribution of how many samples lie below it."""
    count = len(ordered)
    half = 1.96 * np.sqrt(count * share * (1.0 - share))
    low, high = (int(np.clip(round(count * share + s * half), 0, count - 1)) for s in (-1.0, 1.0))
    return float(ordered[low]), float(ordered[high])


def _allowed(play: Play, influence: float, worst: float, limit: float | None) -> float | None:
    """The clearance that uses up what the others leave of the limit; 0 where they leave nothing."""
    if limit is None or influence <= 0.0:
        return None
    return max(0.0, play.clearance + (limit - worst) / influence)
