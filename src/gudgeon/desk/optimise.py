"""`optimise`: numbers of a mechanism for which a measure, or the share of machines that break a limit, is least.

The optimiser is differential evolution of scipy (Storn, Price 1997), a generation at a time. Every candidate is tried
on the same machines: what scatters is drawn once (common random numbers), so that candidates differ by what is free
and not by luck. A candidate that breaks a limit is worse than every one that keeps all, and of two that break some the
one that does by less is better.

The best of many noisy values is partly luck, so it is not what is reported: start and optimum are tried again on other
machines, or, where nothing scatters, on neighbours whose free numbers differ by a hundredth of their ranges. What they
gain there, and how they scatter, is the answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import differential_evolution
from scipy.stats import qmc

from gudgeon.analysis.statistics.sobol_indices import Share
from gudgeon.desk.candidates import BuiltRuns, PathRuns, Runs
from gudgeon.desk.goal import Goal, read_goal
from gudgeon.desk.limits import Limit, read_limits
from gudgeon.desk.survey import RTOL
from gudgeon.model import Mechanism
from gudgeon.model.fits.iso286 import iso_fit
from gudgeon.model.units import unit_of
from gudgeon.progress import counter
from gudgeon.quantity import GudgeonError, closest, quantity
from gudgeon.study.points.values import Axis, Distribution, Iso, read_axis

__all__ = ["FreeNumber", "Optimum", "optimise"]

BROKEN = 1e30  # what a candidate that breaks a limit has instead of its goal, times one plus by how much
NEAR = 1e-2  # of the range of a free number: how far neighbours are away
FRESH, REPLICATES = 64, 1000  # machines, or neighbours, of the last trial; of the bootstrap
AGREE = 1e-6  # spread of the goal in a generation relative to its mean, at which it is settled


@dataclass(frozen=True)
class FreeNumber:
    """A number between two limits [SI], or one of several choices; `unit` as far as it is known."""

    path: str
    low: float
    high: float
    choices: tuple[Any, ...] = ()
    unit: str = ""

    def value(self, x: float) -> Any:
        return self.choices[min(round(x), len(self.choices) - 1)] if self.choices else float(x)


@dataclass(frozen=True)
class Optimum:
    """Where the goal is least.

    values         of the free numbers [SI]
    goal, start    the goal there and at the start, on other machines than those that were searched on [SI]
    spread         of the goal: between 5 and 95 % of machines or neighbours, at the start and at the optimum [SI]
    gain           start less optimum on the same other machines, with its confidence interval [SI]
    kept           whether every limit is kept there, and by how much of it at the worst
    as_good        ranges of free numbers among the candidates that are as good within what neighbours differ by
    searched       the goal there as the search saw it, and `history` of each generation; nan where limits are broken
    settled        whether the search ended since nothing got better
    """

    reference: ClassVar[str] = "Storn, Price 1997"
    works: ClassVar[tuple[str, ...]] = ("storn1997",)

    name: str
    target: Goal
    free: tuple[FreeNumber, ...]
    values: dict[str, Any]
    start_values: dict[str, Any]
    goal: float
    start: float
    searched: float
    spread: tuple[tuple[float, float], tuple[float, float]]
    gain: Share
    limits: tuple[Limit, ...]
    kept: dict[str, tuple[float, float, bool]]  # value at the start, at the optimum, whether it is kept there
    as_good: dict[str, tuple[float, float]]
    history: tuple[float, ...]
    settled: bool
    runs: int
    machines: int
    unit: str

    @property
    def feasible(self) -> bool:
        """Whether all limits are kept."""
        return all(kept for _, _, kept in self.kept.values())

    def __getitem__(self, path: str) -> Any:
        if path not in self.values:
            likely = closest(path, self.values)
            raise GudgeonError(f'optimise: "{path}" was not free' + (f'; did you mean "{likely}"?' if likely else ""))
        return self.values[path]


def optimise(mechanism: Mechanism | Callable[..., Mechanism], free: Mapping[str, Any], goal: str, *,
             limits: Mapping[str, Any] | None = None, scatter: Mapping[str, Any] | None = None, machines: int = 1,
             share: float = 0.95, generations: int = 40, population: int | None = None,
             start: Mapping[str, Any] | None = None, store: str | Path | None = None, seed: int = 0,
             engine: Any = "auto", progress: bool | None = None, **settings: Any) -> Optimum:  # fmt: skip
    """Choose masses, counterweights, lengths or fits so that a goal is least.

    mechanism   or a function of the free numbers that makes one: for lengths, on which several places depend
    free        path -> (low, high), or a list of choices; ISO fits are choices for a radial_clearance, which scatters
    goal        "peak main.force", "95 % of peak pin.force", "share of peak pin.force > 5 kN", "most lowest main.fy",
                or a free number itself
    limits      of measures: "5 kN", ">= 0 N"; with scatter `share` of the machines must keep each
    scatter     path -> distribution, on `machines` that are the same for every candidate
    population  candidates of a generation; default: 8 for each free number, at least 12
    start       values to begin with; default: those of the mechanism
    store       folder: after an interruption the same call goes on
    settings    of the runs, as in a study; default: one revolution, rtol 1e-6
    """
    known = _free(mechanism, free)
    noise = {path: _distribution(path, given) for path, given in (scatter or {}).items()}
    target = read_goal(goal, free)
    count = _whole("machines", machines, 1)
    fitted = [n.path for n in known if n.choices and _is_fits(n)]
    if (noise or fitted) and count == 1:
        raise GudgeonError("optimise: numbers scatter; say on how many machines each candidate is tried, for instance "
                           "machines=50")  # fmt: skip
    if target.of_many and not (noise or fitted):
        raise GudgeonError(f'optimise: goal "{goal}" is one of many machines; say what scatters, for instance '
                           'scatter={"pin.radial_clearance": iso("20 H7/f7")}')  # fmt: skip
    measures = list(dict.fromkeys([*([target.measure] if target.measure else []),
                                   *(" ".join(name.split()) for name in limits or {})]))  # fmt: skip
    own = _settings(settings)
    first = _start(mechanism, known, start or {})
    with TemporaryDirectory(prefix="gudgeon-optimise-") as spare:
        folder, paths = Path(store or spare), [number.path for number in known]
        runs: Runs
        if isinstance(mechanism, Mechanism):
            scattering = [path for path in noise if path not in paths]
            runs = PathRuns(mechanism, [*paths, *scattering], measures, folder, engine, own)
        else:
            if fitted:
                raise GudgeonError("optimise: a function that makes the mechanism takes no fits; let it choose them")
            scattering = list(noise)
            runs = BuiltRuns(mechanism, paths, scattering, measures, folder, own, dict(zip(paths, first, strict=True)))
        target = target.with_unit(runs.units.get(target.measure, ""))
        given = {" ".join(name.split()): value for name, value in (limits or {}).items()}
        bounds = read_limits(given, runs.units)
        search = _Optimisation(runs, known, noise, scattering, target, bounds, share, count, seed)
        size = _whole("population", population or max(12, 8 * len(known)), 5)
        name = mechanism.name if isinstance(mechanism, Mechanism) else getattr(mechanism, "__name__", "built")
        return search.optimum(name, first, _whole("generations", generations, 1), size, progress)


class _Refused(Exception):
    """An error of the input, on its way through the optimiser."""

    def __init__(self, error: GudgeonError) -> None:
        super().__init__(str(error))
        self.error = error


class _Optimisation:
    """One optimisation."""

    def __init__(self, runs: Runs, free: Sequence[FreeNumber], noise: Mapping[str, Axis], scattering: Sequence[str],
                 target: Goal, limits: tuple[Limit, ...], share: float, machines: int, seed: int) -> None:  # fmt: skip
        self.runs, self.free, self.noise, self.scattering = runs, list(free), dict(noise), list(scattering)
        self.target, self.limits, self.share, self.machines, self.seed = target, limits, share, machines, seed
        self.low, self.high = (np.array([getattr(number, end) for number in free]) for end in ("low", "high"))
        self.generation, self.count = 0, 0
        self.tried: list[tuple[np.ndarray, np.ndarray]] = []  # candidates and their goals
        self.best = np.inf

    def trial(self, name: str, candidates: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Goals of machines (candidate, machine) and values of limited measures; u: machines (machine, number)."""
        rows = []
        for x in candidates:
            for machine in u:
                chosen = [number.value(each) for number, each in zip(self.free, x, strict=True)]
                rows.append([*(self._drawn(number, value, machine[k]) for k, (number, value) in
                               enumerate(zip(self.free, chosen, strict=True))),
                             *(self._quantile(path, machine[len(self.free) + k])
                               for k, path in enumerate(self.scattering))])  # fmt: skip
        self.count += len(rows)
        found = self.runs.values(name, rows) if self.runs.units else {}
        shape = len(candidates), len(u)
        values = {measure: column.reshape(shape) for measure, column in found.items()}
        if self.target.path:
            place = [number.path for number in self.free].index(self.target.path)
            return np.repeat(candidates[:, place : place + 1], len(u), axis=1), values
        return values[self.target.measure], values

    def _drawn(self, number: FreeNumber, value: Any, u: float) -> Any:
        """A choice that is a fit is a clearance by chance; a free number that scatters is the middle of its scatter."""
        if _is_fits(number):
            return float(Iso(value).quantile(self._mechanism, number.path, np.array([u]))[0])
        if number.path in self.noise and not number.choices:
            axis, at = self.noise[number.path], np.array([u, 0.5])
            own, middle = (float(x) for x in axis.draw(self._mechanism, number.path, at))
            return value + own - middle
        return value

    def _quantile(self, path: str, u: float) -> float:
        return float(self.noise[path].draw(self._mechanism, path, np.array([u]))[0])

    @property
    def _mechanism(self) -> Mechanism:
        runs = self.runs
        assert isinstance(runs, PathRuns)
        return runs.mechanism

    def machines_of(self, stream: int, count: int) -> np.ndarray:
        rng = np.random.default_rng([self.seed, stream])
        power = max(0, (count - 1).bit_length())
        dimensions = len(self.free) + len(self.scattering)
        return np.asarray(qmc.Sobol(dimensions, scramble=True, seed=rng).random_base2(power))[:count]

    def objective(self, population: np.ndarray) -> np.ndarray:
        """What differential evolution makes least, for a generation (number, candidate). It takes a ValueError for its
        own, which errors of the input are."""
        try:
            return self._scores(population)
        except GudgeonError as error:
            raise _Refused(error) from error

    def _scores(self, population: np.ndarray) -> np.ndarray:
        candidates = np.atleast_2d(population.T)
        u = self.machines_of(0, self.machines)
        goals, values = self.trial(f"generation-{self.generation:03d}", candidates, u)
        self.generation += 1
        scores = self.target.sign * self.target.of(goals)
        broken = sum((self._broken(limit, values[limit.measure]) for limit in self.limits), np.zeros(len(candidates)))
        scores = np.where(np.isfinite(scores), scores, BROKEN * 1e6)
        scores = np.where(broken > 0.0, BROKEN * (1.0 + np.minimum(broken, 1e5)), scores)
        self.tried.append((candidates.copy(), scores))
        self.best = min(self.best, float(scores.min()))
        return np.asarray(scores)

    def _broken(self, limit: Limit, values: np.ndarray) -> np.ndarray:
        """By what share of its size a limit is broken by as many machines as must keep it."""
        size = abs(limit.value) or 1.0
        excess = np.where(np.isfinite(values), limit.excess(values), BROKEN)
        most = excess.max(axis=1) if values.shape[1] == 1 else np.quantile(excess, self.share, axis=1, method="higher")
        return np.maximum(most / size, 0.0)

    def optimum(self, name: str, first: Sequence[Any], generations: int, size: int, progress: bool | None) -> Optimum:
        history: list[float] = []
        places = [number.choices.index(value) if number.choices else value
                  for number, value in zip(self.free, first, strict=True)]  # fmt: skip
        with counter(progress, "generations") as tell:

            def after(intermediate_result: Any) -> None:
                history.append(self._goal(intermediate_result.fun))
                if tell is not None:
                    best = f"best {history[-1]:.5g} {self.unit}".rstrip()
                    said = best if math.isfinite(history[-1]) else "no candidate keeps the limits yet"
                    tell(len(history), generations, said)

            try:
                found = differential_evolution(
                    self.objective, list(zip(self.low, self.high, strict=True)), maxiter=generations, polish=False,
                    init=self._population(places, size), tol=0.0, atol=0.0, rng=np.random.default_rng(self.seed),
                    integrality=[bool(number.choices) for number in self.free], vectorized=True, updating="deferred",
                    callback=_until_settled(after),
                )  # fmt: skip
            except _Refused as refused:
                raise refused.error from None
        best = np.asarray(found.x, dtype=float)
        return self._reported(name, first, np.array(places, dtype=float), best, found, tuple(history), generations)

    def _population(self, places: Sequence[Any], size: int) -> np.ndarray:
        """Spread evenly; the first is the start."""
        u = qmc.LatinHypercube(len(self.free), seed=np.random.default_rng([self.seed, 1])).random(size)
        u[0] = (np.array(places, dtype=float) - self.low) / (self.high - self.low)
        return np.asarray(self.low + u * (self.high - self.low))

    def _reported(self, name: str, first: Sequence[Any], start: np.ndarray, best: np.ndarray, found: Any,
                  history: tuple[float, ...], generations: int) -> Optimum:  # fmt: skip
        scattered = self.machines > 1
        count = max(FRESH, self.machines) if scattered else 1
        both, values = self.trial("trial", np.stack([start, best]), self.machines_of(1, count))
        if scattered:
            parts = both
        else:
            steps = NEAR * (self.high - self.low) * (2.0 * self.machines_of(2, FRESH // 2)[:, : len(self.free)] - 1.0)
            steps = np.where([bool(number.choices) for number in self.free], 0.0, steps)
            near = np.clip(np.concatenate([at + steps for at in (start, best)]), self.low, self.high)
            parts = self.trial("neighbours", near, self.machines_of(1, 1))[0].reshape(2, -1)
        ends = [tuple(float(x) for x in np.nanquantile(row, [0.05, 0.95])) for row in parts]
        of = self.target.of(both)
        gains = self._gains(parts)
        low, high = np.nanquantile(gains, [0.025, 0.975])
        kept = {limit.measure: self._kept(limit, values[limit.measure]) for limit in self.limits}
        numbers = {n.path: n.value(x) for n, x in zip(self.free, best, strict=True)}
        return Optimum(
            name, self.target, tuple(self.free), numbers, {n.path: v for n, v in zip(self.free, first, strict=True)},
            float(of[1]), float(of[0]), self._goal(found.fun), (ends[0], ends[1]),  # type: ignore[arg-type]
            Share(float(self.target.sign * (of[0] - of[1])), float(low), float(high)), self.limits, kept,
            self._as_good(float(found.fun), parts[1]), history, len(history) < generations, self.count, self.machines,
            self.unit,
        )  # fmt: skip

    def _goal(self, score: float) -> float:
        """What the goal is where a candidate has this score; nan where it breaks a limit."""
        return float(self.target.sign * score) if score < BROKEN else math.nan

    @property
    def unit(self) -> str:
        """Of the goal."""
        units = {number.path: number.unit for number in self.free}
        return units.get(self.target.path, "") if self.target.path else self.target.unit

    def _kept(self, limit: Limit, values: np.ndarray) -> tuple[float, float, bool]:
        sides = np.quantile(values, 1.0 - self.share if limit.least else self.share, axis=1)
        return float(sides[0]), float(sides[1]), bool(self._broken(limit, values)[1] == 0.0)

    def _gains(self, parts: np.ndarray) -> np.ndarray:
        """Start less optimum, of machines drawn with replacement; of neighbours each by itself."""
        sign = self.target.sign
        if self.machines == 1:
            return np.asarray(sign * (parts[0] - parts[1]))
        rng = np.random.default_rng(self.seed)
        drawn = rng.integers(parts.shape[1], size=(REPLICATES, parts.shape[1]))
        of = self.target.of(parts[:, drawn])
        return np.asarray(sign * (of[0] - of[1]))

    def _as_good(self, best: float, near: np.ndarray) -> dict[str, tuple[float, float]]:
        """Free numbers of all candidates that are as good as the optimum within what its neighbours differ by."""
        if self.machines > 1:
            rng = np.random.default_rng(self.seed)
            drawn = self.target.of(near[rng.integers(len(near), size=(REPLICATES, len(near)))])
            slack = float(np.nanstd(drawn))
        else:
            slack = float(np.nanquantile(np.abs(near - self.target.sign * best), 0.5))
        points, goals = (np.concatenate([each[k] for each in self.tried]) for k in (0, 1))
        good = points[goals <= best + slack]
        return {number.path: (float(good[:, k].min()), float(good[:, k].max()))
                for k, number in enumerate(self.free) if not number.choices and len(good)}  # fmt: skip


def _until_settled(after: Callable[[Any], None]) -> Callable[..., bool]:
    """Stop where all candidates of a generation have nearly the same goal, and nothing broken."""

    def callback(intermediate_result: Any) -> bool:
        after(intermediate_result)
        scores = np.asarray(intermediate_result.population_energies)
        return bool(scores.max() < BROKEN and np.ptp(scores) <= AGREE * max(np.abs(scores).mean(), 1e-300))

    return callback


def _settings(given: Mapping[str, Any]) -> dict[str, Any]:
    settings = {name: value for name, value in given.items() if value is not None}
    if not {"revolutions", "duration", "turns"} & settings.keys():
        settings["revolutions"] = 1
    return {"rtol": RTOL, **settings}


def _free(mechanism: Any, free: Mapping[str, Any]) -> list[FreeNumber]:
    if not free:
        raise GudgeonError('optimise: nothing is free; give for instance free={"weight.mass": ("0 kg", "2 kg")}')
    read = []
    for path, given in free.items():
        unit = unit_of(mechanism, path) if isinstance(mechanism, Mechanism) else ""
        if isinstance(mechanism, Mechanism) and path not in mechanism.parameters:
            likely = closest(path, mechanism.parameters)
            hint = f'did you mean "{likely}"?' if likely else "see Mechanism.parameters"
            raise GudgeonError(f'optimise: free "{path}": there is no such number; {hint}')
        if isinstance(given, tuple) and len(given) == 2:
            low, high = (_number(mechanism, path, end) for end in given)
            if not low < high:
                raise GudgeonError(f'optimise: free "{path}": {given[0]!r} must be less than {given[1]!r}')
            read.append(FreeNumber(path, low, high, (), unit))
        elif isinstance(given, list) and len(given) > 1:
            choices = tuple(x if isinstance(x, str) and "/" in x else _number(mechanism, path, x) for x in given)
            number = FreeNumber(path, 0.0, len(choices) - 1.0, choices, unit)
            if any(isinstance(x, str) for x in choices) and not _is_fits(number):
                raise GudgeonError(f'optimise: free "{path}": {given!r} are fits for a radial_clearance only')
            read.append(number)
        else:
            raise GudgeonError(f'optimise: free "{path}": {given!r} is neither two limits nor a list; write '
                               '("0 kg", "2 kg"), or ["20 H7/g6", "20 H7/f7"]')  # fmt: skip
    return read


def _is_fits(number: FreeNumber) -> bool:
    return number.path.endswith("radial_clearance") and all(isinstance(x, str) for x in number.choices or (0.0,))


def _number(mechanism: Any, path: str, value: Any) -> float:
    """SI number of what the mechanism takes at a path; of a function's argument a plain number or one with a unit."""
    if isinstance(mechanism, Mechanism):
        return float(mechanism.vary(path, value).parameters[path])
    if isinstance(value, str):
        for unit in ("m", "kg", "rad", "s", "N", "kg m^2", "N/m", "rad/s", ""):
            try:
                return quantity(value, unit, path)
            except GudgeonError:
                continue
        raise GudgeonError(f'optimise: free "{path}": "{value}" is no number with a unit')
    return float(value)


def _start(mechanism: Any, free: Sequence[FreeNumber], given: Mapping[str, Any]) -> list[Any]:
    """Values to begin with, within the limits."""
    values: list[Any] = []
    for number in free:
        if number.path in given:
            value: Any = given[number.path]
            value = value if number.choices and value in number.choices else _number(mechanism, number.path, value)
        elif isinstance(mechanism, Mechanism) and not number.choices:
            value = mechanism.parameters[number.path]
        elif number.choices:
            value = _drawn_fit(mechanism, number)
        else:
            value = 0.5 * (number.low + number.high)
        if not number.choices and not number.low <= value <= number.high:
            value = min(max(value, number.low), number.high)
        values.append(value)
    unknown = [path for path in given if path not in {number.path for number in free}]
    if unknown:
        raise GudgeonError(f'optimise: start "{unknown[0]}" is not free')
    return values


def _drawn_fit(mechanism: Any, number: FreeNumber) -> Any:
    """The choice that is nearest to what the mechanism has."""
    if not isinstance(mechanism, Mechanism):
        return number.choices[0]
    own = mechanism.parameters[number.path]
    sizes = [iso_fit(x).mean if isinstance(x, str) else x for x in number.choices]
    return number.choices[int(np.abs(np.array(sizes) - own).argmin())]


def _distribution(path: str, given: Any) -> Axis:
    axis = read_axis(path, given)
    if not isinstance(axis, Distribution):
        raise GudgeonError(f'optimise: scatter "{path}": {given!r} is no distribution; give normal(mean, deviation)')
    return axis


def _whole(word: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise GudgeonError(f"optimise: {word} {value!r} must be a whole number of at least {least}")
    return value
