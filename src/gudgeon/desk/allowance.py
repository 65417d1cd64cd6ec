"""What could be allowed: clearances of joints, and sets of fits, by what the surface and the errors of position say.

Everything here proposes; `checks.py` counts how many of the runs at a proposal keep the limits.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from scipy.optimize import brentq

from gudgeon.analysis.tolerance import Influences, Tolerance, share_within
from gudgeon.analysis.tolerance.distribution import Place, sample
from gudgeon.desk.fits import Choice, JointFit
from gudgeon.desk.surface import ResponseSurface
from gudgeon.desk.survey import Survey
from gudgeon.quantity import GudgeonError

__all__ = ["Allowance", "PositionLimits"]

SAMPLES = 256  # machines of each set of fits
GRID = 200  # clearances of a joint that are tried
MOST = 1_000_000  # sets of fits
CHUNK = 256  # sets at once
MACHINES, FEW = 20_000, 1000  # samples of errors of position, and those that sift
TIGHTER = 0.7  # of a clearance without standard fits

Set = tuple[Choice, ...]


class PositionLimits:
    """Limits of errors of position, at the position of the worst case: in closed form for one number, by samples for
    the distance of a point. Sets of fits are first sifted by a few samples."""

    def __init__(self, static: Tolerance | None, joints: Sequence[JointFit]) -> None:
        self.joints = list(joints)
        self.place: Place = static.place if static is not None else "within"
        self.known: list[tuple[Influences, str, float]] = []
        self.units: list[np.ndarray] = []  # errors of machines by deviations of length one (play, machine, coordinate)
        for error in static.errors if static is not None else ():
            if error.limit is None or static is None:
                continue
            at = static.influences.at(error.time)
            rows, rng = at.matrices[0, at.output(error.name)], np.random.default_rng(1)
            self.known.append((at, error.name, error.limit))
            self.units.append(np.array([sample(rng, MACHINES, play.dimension, self.place) @ rows[:, play.components].T
                                        for play in at.plays]))  # fmt: skip

    def kept(self, largest: Mapping[str, float]) -> float:
        """The share of all combinations that keep every limit, the clearances being these, or as drawn [m]."""
        shares = [1.0]
        for (known, name, limit), units in zip(self.known, self.units, strict=True):
            at = known.with_clearances(largest)
            if units.shape[2] == 1:
                shares.append(share_within(at, name, limit, self.place))
            else:
                errors = np.linalg.norm(np.einsum("k,kmc->mc", at.clearances, units), axis=1)
                shares.append(float(np.mean(errors <= limit)))
        return min(shares)

    def may_keep(self, sizes: np.ndarray, share: float) -> np.ndarray:
        """Whether sets of clearances (set, joint) are worth a closer look: what a few samples do not rule out."""
        fair = np.ones(len(sizes), dtype=bool)
        doubt = 4.0 * np.sqrt(share * (1.0 - share) / FEW)
        for (known, _, limit), units in zip(self.known, self.units, strict=True):
            names = [joint.joint for joint in self.joints]
            clearances = np.tile(known.clearances, (len(sizes), 1))
            for k, play in enumerate(known.plays):
                place = next((n for n in (play.joint, f"{play.joint}.{play.mate}") if n in names), None)
                if place is not None and not play.angular:
                    clearances[:, k] = sizes[:, names.index(place)]
            errors = np.linalg.norm(np.einsum("sk,kmc->smc", clearances, units[:, :FEW]), axis=2)
            fair &= np.mean(errors <= limit, axis=1) >= share - doubt
        return fair

    def allowed(self, joint: JointFit, share: float) -> float:
        """The largest clearance of a joint; 0 where there is none, infinite without limits."""
        if not self.known:
            return np.inf

        def spare(size: float) -> float:
            return self.kept({joint.joint: float(size)}) - share

        if spare(joint.high) >= 0.0:
            return joint.high
        if spare(0.0) < 0.0:
            return 0.0
        return float(brentq(spare, 0.0, joint.high, xtol=1e-9 * joint.high))


class Allowance:
    """Shares of machines that keep all limits: by the surface, where there are limits of measures, and positions."""

    def __init__(self, joints: Sequence[JointFit], positions: PositionLimits, survey: Survey | None,
                 surface: ResponseSurface | None) -> None:  # fmt: skip
        self.joints, self.positions, self.survey, self.surface = list(joints), positions, survey, surface
        self.draws: dict[tuple[int, str], np.ndarray] = {}
        if survey is not None:
            self.u = survey.uniform(SAMPLES, 2)
            self.rest = np.column_stack([*(self._clearances(k, joint.axis, joint.text) for k, joint in
                                           enumerate(self.joints)), *survey.scattered(self.u)])  # fmt: skip

    def _clearances(self, k: int, axis: object, text: str) -> np.ndarray:
        """Clearances of joint k with a fit, for the same machines each time."""
        assert self.survey is not None
        if (k, text) not in self.draws:
            path = self.joints[k].path
            self.draws[k, text] = np.array(axis.draw(self.survey.mechanism, path, self.u[:, k]))  # type: ignore[attr-defined]
        return self.draws[k, text]

    def _shares(self, rows: np.ndarray) -> np.ndarray:
        """Of machines (..., machine, input)."""
        if self.surface is None or self.survey is None:
            return np.ones(rows.shape[:-2])
        return np.asarray(self.surface.kept(self.survey.scaled(rows)).mean(axis=-1))

    def _with(self, places: Mapping[int, np.ndarray]) -> np.ndarray:
        """Machines as drawn, but with these clearances (place, machine, input)."""
        assert self.survey is not None
        count = len(next(iter(places.values())))
        rows = np.repeat(self.rest[None], count, axis=0)
        for k, sizes in places.items():
            rows[:, :, k] = sizes[:, None] if sizes.ndim == 1 else sizes
        return rows

    def at(self, sizes: Mapping[int, np.ndarray]) -> np.ndarray:
        """Share of machines of measures alone, with clearances of some joints, by number, given (place)."""
        if self.surface is None:
            return np.ones(len(next(iter(sizes.values()))))
        return self._shares(self._with(sizes))

    def map(self, first: int, second: int, count: int = 48) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Clearances of two joints and the share of machines (second, first) that keep all limits."""
        x, y = (np.geomspace(self.joints[k].low, self.joints[k].high, count) for k in (first, second))
        shares = np.array([self.at({first: x, second: np.full(count, each)}) for each in y])
        names = self.joints[first].joint, self.joints[second].joint
        if self.positions.known:
            fixed = [[self.positions.kept(dict(zip(names, (float(a), float(b)), strict=True))) for a in x] for b in y]
            shares = np.minimum(shares, np.array(fixed))
        return x, y, shares

    def largest(self, k: int, share: float) -> tuple[float | None, float]:
        """The clearance of joint k up to which at least a share is kept everywhere, and the share there."""
        sizes = np.geomspace(self.joints[k].low, self.joints[k].high, GRID)
        shares = self.at({k: sizes})
        breaks = np.flatnonzero(shares < share)
        last = (breaks[0] if len(breaks) else GRID) - 1
        return (None, float(shares[0])) if last < 0 else (float(sizes[last]), float(shares[last]))

    def of(self, sets: Sequence[Set]) -> np.ndarray:
        """Share of machines of measures alone with each set of fits."""
        if self.surface is None:
            return np.ones(len(sets))
        rows = np.repeat(self.rest[None], len(sets), axis=0)
        for row, each in zip(rows, sets, strict=True):
            for k, choice in enumerate(each):
                row[:, k] = self._clearances(k, choice.axis, choice.text)
        return self._shares(rows)

    def drawn(self) -> Set:
        """The fits of the drawing; a joint without an ISO fit keeps its clearance."""
        return tuple(joint.choice or Choice(joint.text, 0.0, joint.axis) for joint in self.joints)  # type: ignore[arg-type]

    def sets(self) -> list[Set]:
        """All sets of standard fits, the cheapest first; of the same cost the looser."""
        options = [joint.choices or (own,) for joint, own in zip(self.joints, self.drawn(), strict=True)]
        count = int(np.prod([len(each) for each in options], dtype=float))
        if count > MOST:
            raise GudgeonError(f"tolerance: {count} sets of fits are too many to try; give fewer fits to choose from "
                               "in costs=, or two limits instead of an ISO fit for joints that stay")  # fmt: skip
        every = itertools.product(*options)
        return sorted(every, key=lambda each: (sum(c.cost for c in each), -sum(_largest(c, j) for c, j in
                                               zip(each, self.joints, strict=True))))  # fmt: skip

    def cheapest(self, sets: Sequence[Set], share: float, positions: float) -> Iterator[tuple[Set, float]]:
        """Sets that keep a share of the limits of measures, and of positions, in their order; with the share."""
        for first in range(0, len(sets), CHUNK):
            some = sets[first : first + CHUNK]
            if self.positions.known:
                sizes = np.array([list(self.sizes(each).values()) for each in some])
                fair = self.positions.may_keep(sizes, positions)
                some = [each for each, good in zip(some, fair, strict=True) if good]
            for each, kept in zip(some, self.of(some) if some else (), strict=True):
                if kept >= share and self.positions.kept(self.sizes(each)) >= positions:
                    yield each, float(kept)

    def sizes(self, fits: Set) -> dict[str, float]:
        """The largest clearance of each joint."""
        return {joint.joint: _largest(choice, joint) for choice, joint in zip(fits, self.joints, strict=True)}

    def tighter(self, k: int) -> tuple[str, float]:
        """The next tighter fit of joint k, and by how much more machines keep all limits with it."""
        joint, before = self.joints[k], list(self.drawn())
        smaller = [choice for choice in joint.choices if choice.largest < joint.largest * (1.0 - 1e-9)]
        if smaller:
            after = max(smaller, key=lambda choice: choice.largest)
            shares = self.of([tuple(before), (*before[:k], after, *before[k + 1 :])])
            text, size = after.text, after.largest
        elif joint.choices:
            return "", 0.0
        else:
            text, size = f"{TIGHTER:.0%} of its clearance", TIGHTER * joint.largest
            shares = np.ones(2)
            if self.surface is not None:
                rows = np.stack([self.rest, self.rest])
                rows[1, :, k] *= TIGHTER
                shares = self._shares(rows)
        own = self.positions.kept({}), self.positions.kept({joint.joint: size})
        return text, min(float(shares[1]), own[1]) - min(float(shares[0]), own[0])


def _largest(choice: Choice, joint: JointFit) -> float:
    return choice.largest if hasattr(choice.axis, "limits") else joint.largest
