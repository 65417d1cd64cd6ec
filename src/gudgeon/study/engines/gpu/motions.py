"""`Motions`: the runs of one study on a card, piece by piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from gudgeon.analysis.measures.measure import ManyMotions
from gudgeon.analysis.motions.flow import SHORTEST, Flow, Ruler, clearance, clearances, period_for, turned
from gudgeon.analysis.motions.motion import TWIN
from gudgeon.analysis.motions.regimes import judge
from gudgeon.analysis.motions.series import Repetition, repetitions, zero_ones
from gudgeon.assemble import System, assemble
from gudgeon.batch.batch import Batch
from gudgeon.batch.distance import lengths
from gudgeon.batch.inputs import inputs_of, numbers_of, place_of, state_numbers
from gudgeon.batch.kinds import Trajectories
from gudgeon.batch.machine import Machine
from gudgeon.methods.march.scales import SHARE
from gudgeon.model import Mechanism
from gudgeon.model.run_settings import RunSettings
from gudgeon.quantity import GudgeonError
from gudgeon.simulation import SMOOTH, choose_method, period_of
from gudgeon.study.engines.gpu.columns import Columns
from gudgeon.study.engines.gpu.exponents import Exponents, Parting, Tries
from gudgeon.study.engines.job import Job
from gudgeon.study.points.design import Point

__all__ = ["Motions"]

RTOL = 1e-9
PIECE = 1 << 16  # points at once whose inputs are compared
SEED = 1
STATUS = {1: "its step became too small", 2: "it took too many steps"}

Found = dict[str, Any] | str  # values by name, or why there are none


class Motions:
    """Trajectories of a mechanism that differ in numbers; `points` are all that will be asked for."""

    def __init__(self, job: Job, points: Sequence[Point], machine: Machine, *,
                 words: Sequence[int] = ()) -> None:  # fmt: skip
        self.first, self.free = points[0], [k for k in range(len(job.paths)) if k not in words]
        self.job, self.settings, self.machine = job, job.settings, machine
        self.rtol = float(self.settings.get("rtol", RTOL))
        self.method = choose_method(self.settings["method"], self.rtol, self.settings.get("step"))
        self.regime = any(measure.twins for measure in job.measures)
        base = job.at(points[0])
        self.system: System = assemble(base, coordinates="auto")
        self.extent = self._extent(base) if self.regime else 1.0
        values, paths = self._values(points), [job.paths[k] for k in self.free]
        self.columns = Columns(self._vector, paths, values, self._grain(values[0]))
        self.inputs = self.inputs_at(values[:1])[0][:, 0]
        pieces = (self.inputs_at(values[k : k + PIECE])[0] for k in range(0, len(values), PIECE))
        differ = reduce(or_, ((piece != self.inputs[:, None]).any(axis=1) for piece in pieces))
        self.varying = {int(k) for k in np.flatnonzero(differ)}
        self.wanted = reduce(or_, (measure.keeps(self.system) for measure in job.measures))
        self.batch = Batch(machine, Trajectories, self.system, self.inputs, self.varying, self.wanted, self.method)
        self.parting = None
        if self.regime or self.settings.get("transient", 100.0 if "turns" in self.settings else 0.0):
            self.parting = Parting(machine, self.system, self.inputs, self.varying, self.method, pairs=self.regime)

    # -- numbers of trajectories ----------------------------------------------------------------------------

    def _extent(self, base: Mechanism) -> float:
        """Length of the ruler where no joint has a clearance: how far the first mechanism moves."""
        if clearance(self.system):
            return 1.0
        flow = Flow.of(base, method=self.method, rtol=self.rtol, period=self.settings.get("period"))
        return Ruler(flow, flow.start).length

    def _spans(self, mechanism: Mechanism) -> tuple[float, float]:
        """Time of a turn and the longest step of the march that is measured [s]."""
        if "turns" in self.settings:
            period = period_for(mechanism, self.settings.get("period"))
            return period, period / (SMOOTH if len(self.job.measures) > self.regime else SHORTEST)
        ends = {name: self.settings[name] for name in ("duration", "revolutions") if name in self.settings}
        span = RunSettings(**ends).span(mechanism)
        return span, self.settings.get("step") or (period_of(mechanism) or span) / SMOOTH

    def _values(self, points: Sequence[Point]) -> list[Point]:
        """The numbers of points, without their words, which are the same in all."""
        return [tuple(point[k] for k in self.free) for point in points]

    def _vector(self, values: Point) -> np.ndarray:
        """All numbers of the trajectory at a point: inputs, then the state at its start."""
        changed = dict(zip(self.free, values, strict=True))
        point = tuple(changed.get(k, word) for k, word in enumerate(self.first))
        mechanism = self.job.at(point)
        system = assemble(mechanism, coordinates="auto")
        if system.module.key != self.system.module.key:
            said = ", ".join(f"{path} {value!r}" for path, value in zip(self.job.paths, point, strict=True))
            raise GudgeonError(
                f"all runs at once: {said} changes the equations, not only their numbers; "
                'use engine="local", or leave such values out'
            )
        period, longest = self._spans(mechanism)
        return np.concatenate([numbers_of(system, period=period, longest=longest), clearances(system)])

    def _grain(self, values: Point) -> np.ndarray:
        """What differences of the numbers are seen against where the numbers are less: of the state at the start the
        scale of tolerances, since that is as exact as the closing of the mechanism."""
        numbers = self._vector(values)
        grain, scales = np.zeros(len(numbers)), state_numbers(self.system)
        grain[scales] = 10.0 * self._all(numbers[:, None])[scales, 0] / SHARE
        return grain

    def _all(self, numbers: np.ndarray) -> np.ndarray:
        """Inputs from the numbers (number, trajectory) of `_vector`."""
        loose = len(clearances(self.system))
        own, gaps = np.split(numbers, [len(numbers) - loose])
        length = gaps.min(axis=0) if loose else self.extent
        return inputs_of(self.system, own, self.method, length=length)

    def inputs_at(self, values: Sequence[Point]) -> tuple[np.ndarray, np.ndarray]:
        """Inputs and states at the start (each with one column for a trajectory) of some points."""
        numbers = np.repeat(self.columns.base[:, None], len(values), axis=1)
        for place, column in self.columns.at(values).items():
            numbers[place] = column
        return self._all(numbers), numbers[state_numbers(self.system)]

    # -- computing ------------------------------------------------------------------------------------------

    def compute(self, points: Sequence[Point]) -> list[Found]:
        """What the measures find at some points."""
        many, system = len(points), self.system
        inputs, start = self.inputs_at(self._values(points))
        columns = {place: inputs[place] for place in self.varying}
        state = np.zeros((2 + system.controlled + system.memory, many))
        state[2 : 2 + system.controlled] = start
        turn = inputs[place_of(system, "period")]
        problems: list[str] = [""] * many
        turns, transient = 1, 0.0
        if "turns" in self.settings:
            turns, transient = int(self.settings["turns"]), float(self.settings.get("transient", 100.0))
        if transient > 0.0:
            assert self.parting is not None
            out = self.parting.march(columns, state, transient * turn, turn, np.full(many, self.rtol))
            state = _note(problems, out)
            state[1] = 0.0
        begin = state
        out = self.batch.run(columns, {"state": state}, turns, self._tries(turns, turn))
        _note(problems, out)
        periods = np.full(many, float(turns)) if "turns" in self.settings else self._periods(turn)
        motions = ManyMotions(out, self.wanted, system, turns * turn, periods,
                              lambda: self._regimes(inputs, columns, begin, out, problems))  # fmt: skip
        values: dict[str, Any] = {}
        for measure in self.job.measures:
            values |= measure.of_many(motions)
        return _rows(values, problems)

    def _tries(self, turns: int, turn: np.ndarray) -> int:
        count = turns if "turns" in self.settings else float(self._periods(turn).max())
        return Tries().of(count)

    def _periods(self, span: np.ndarray) -> np.ndarray:
        """Periods of the drive in a run, 1 where there is none."""
        known = period_of(self.job.mechanism)
        if "revolutions" in self.settings:
            return np.full(len(span), float(self.settings["revolutions"]))
        return span / known if known else np.ones(len(span))

    def _regimes(self, inputs: np.ndarray, columns: Mapping[int, np.ndarray], begin: np.ndarray, out: Any,
                 problems: list[str]) -> dict[str, Any]:  # fmt: skip
        system, many, turns = self.system, inputs.shape[1], int(self.settings["turns"])
        period, size, length = (inputs[place_of(system, name)] for name in ("period", "size", "length"))
        n, units = system.positions, system.units[: system.positions]
        rows = np.concatenate([begin[None, 2 : 2 + n], out["section"]])
        by_unit = lengths(size, period / (2.0 * np.pi))
        arms = np.array([np.broadcast_to(by_unit[unit], many) for unit in units]) / length
        rows = np.where(np.isfinite(rows), rows, 0.0).transpose(0, 2, 1)
        points = turned(rows, rows[:1], units).transpose(0, 2, 1) * arms
        repeats = repetitions(points)
        widest = points.std(axis=0).argmax(axis=0)
        k01 = np.zeros(many)
        open_ = np.flatnonzero(repeats[0] == 0)
        k01[open_] = zero_ones(points[:, widest[open_], open_], seed=SEED)
        assert self.parting is not None
        exponents = Exponents(self.parting, columns, out["state"], period, length, size, self.rtol / TWIN, SEED)
        grown = exponents.over(turns)
        for k in np.flatnonzero(~exponents.fine):
            problems[k] = problems[k] or "its neighbouring motions could not be computed"
        tolerance, transient = self.rtol * size / length, float(self.settings.get("transient", 100.0))
        judged = [
            judge(Repetition(int(a), float(b), int(c), float(d)), exponent, float(k), length=float(l),
                  tolerance=float(e), turns=turns, transient=transient).numbers()
            for a, b, c, d, exponent, k, l, e in zip(*repeats, grown, k01, length, tolerance, strict=True)
        ]  # fmt: skip
        return {name: [row[name] for row in judged] for name in judged[0]}


def _note(problems: list[str], out: Any) -> np.ndarray:
    """Why trajectories ended early; gives the states with those given up at no time, where no march goes on."""
    state = out["state"]
    status, finite = out.results["status"], np.isfinite(state).all(axis=0)
    for k in np.flatnonzero((status != 0) | ~finite):
        why = STATUS.get(int(status[k]), "its state is not finite")
        problems[k] = problems[k] or f'stopped at {state[0, k] * 1e3:.6g} ms: {why}'
        state[0, k] = np.nan
    return np.asarray(state)


def _rows(measured: dict[str, Any], problems: list[str]) -> list[Found]:
    """Columns as one answer for each point, of plain numbers and words."""
    columns = [column.tolist() if isinstance(column, np.ndarray) else column for column in measured.values()]
    names = list(measured)
    return [problem or dict(zip(names, row, strict=True))
            for problem, row in zip(problems, zip(*columns, strict=True), strict=True)]  # fmt: skip
