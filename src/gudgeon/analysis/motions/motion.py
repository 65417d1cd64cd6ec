"""`Motion`: the settled motion of a mechanism. Its parts are computed when they are asked for, each once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.analysis.motions.flow import Flow, Ruler
from gudgeon.analysis.motions.lyapunov import PARTS, Exponent, exponent
from gudgeon.analysis.motions.regimes import Regime, judge
from gudgeon.analysis.motions.series import LONGEST, SAME, Repetition, repetition, zero_one
from gudgeon.analysis.statistics.mean import Mean, mean_of
from gudgeon.model import Mechanism
from gudgeon.model.run_settings import EVERY_STEP
from gudgeon.quantity import GudgeonError, quantity
from gudgeon.results import Run
from gudgeon.results.run import State
from gudgeon.simulation import default_method, whole_run

if TYPE_CHECKING:
    from gudgeon.methods.contract import Method

__all__ = ["Motion", "regime"]

LEAST = 40  # periods that a regime needs
TWIN = 10.0  # twins are marched so many times tighter: their difference is small


class Motion:
    """The motion of a mechanism in `turns` periods after `transient` periods; a run is continued from its end.

    period [s] of the drives and loads; default: the turn of the joint that is driven at constant speed.
    length [m]: reference for distances; default: the smallest clearance, else the extent of the motion.
    channels: what `run` records; default: all. method: as in `simulate`.
    """

    def __init__(self, source: Mechanism | Run, *, transient: float = 100.0, turns: int = 100,
                 method: str | Method | None = None, rtol: float = 1e-9, period: float | str | None = None,
                 length: float | str | None = None, longest: int = LONGEST, same: float = SAME, seed: int = 1,
                 channels: Sequence[str] | None = None) -> None:  # fmt: skip
        began = isinstance(source, Run)
        self.mechanism: Mechanism = source.mechanism if isinstance(source, Run) else source
        self.transient, self.turns, self.rtol = 0.0 if began else float(transient), turns, rtol
        self.method = method or default_method(self.mechanism)
        if turns < 1:
            raise GudgeonError(f"turns={turns} must be 1 or more")
        if not self.transient >= 0.0:
            raise GudgeonError(f"transient={transient} must not be negative")
        self.longest, self.same, self.seed, self.names = longest, same, seed, channels
        self._length = None if length is None else quantity(length, "m", "length")
        self._before = source if isinstance(source, Run) else None
        self.flow = Flow.of(self.mechanism, method=self.method, rtol=rtol, period=period)

    @cached_property
    def before(self) -> Run | None:
        """The run up to where the motion has settled."""
        if self._before is not None or self.transient == 0.0:
            return self._before
        span = self.transient * self.flow.period
        return whole_run(self.mechanism, duration=span, method=self.method, rtol=self.rtol, channels=[],
                         output=min(self.flow.period, span))  # fmt: skip

    @property
    def settled(self) -> State:
        return self.flow.start if self.before is None else self.before.end

    @cached_property
    def run(self) -> Run:
        """The motion as a run, every step of it."""
        return whole_run(self.mechanism, duration=self.turns * self.flow.period, method=self.method, rtol=self.rtol,
                         channels=self.names, output=EVERY_STEP, resume=self.before)  # fmt: skip

    @cached_property
    def _strobe(self) -> tuple[np.ndarray, State]:
        return self.flow.march(self.settled, self.turns, per=1)

    @property
    def rows(self) -> np.ndarray:
        """Rows (t, y, m) once per period."""
        return self._strobe[0]

    @cached_property
    def ruler(self) -> Ruler:
        return Ruler(self.flow, self.settled, self._length)

    @property
    def points(self) -> np.ndarray:
        """The strobed states as points, in lengths of the ruler."""
        return self.ruler.points(self.rows[:, 1 : 1 + self.flow.system.states])

    @cached_property
    def repetition(self) -> Repetition:
        return repetition(self.points, longest=self.longest, same=self.same)

    @cached_property
    def exponent(self) -> Exponent:
        """Largest exponent, from twins that go on where the section ended."""
        finer = self.flow.tighter(TWIN)
        return exponent(finer, self._strobe[1], self.turns, ruler=self.ruler, parts=PARTS, seed=self.seed)[0]

    @cached_property
    def k01(self) -> float:
        """0-1 test of the coordinate of the section that spreads most."""
        points = self.points
        return zero_one(points[:, int(points.std(axis=0).argmax())], seed=self.seed)

    @cached_property
    def regime(self) -> Regime:
        if self.turns < LEAST:
            raise GudgeonError(f"turns={self.turns}: a regime needs {LEAST} or more periods")
        tolerance = self.rtol * self.flow.system.size / self.ruler.length
        k01 = 0.0 if self.repetition.period else self.k01
        regime = judge(self.repetition, self.exponent, k01, length=self.ruler.length, tolerance=tolerance,
                      turns=self.turns, transient=self.transient)  # fmt: skip
        return replace(regime, notes=(*regime.notes, *self._remembered()))

    def _remembered(self) -> Iterator[str]:
        """Contacts that never end, whose laws keep the speed of a touch long ago."""
        memory = self.rows[:, 1 + self.flow.system.states :]
        for contact in self.flow.system.event_contacts:
            mode, speed = memory[:, 2 * (contact.index or 0)], memory[:, 2 * (contact.index or 0) + 1]
            if getattr(contact.law, "hysteresis", None) and (mode > 0.0).all() and np.ptp(speed) == 0.0:
                yield (
                    f"{contact.name} never opens, and its damping still depends on its first-touch speed, "
                    f"{speed[0]:.2g} m/s: with other initial conditions the motion may differ"
                )

    def mean_peak(self, channel: str) -> Mean:
        """Mean over periods of the largest magnitude in each."""
        run = self.run
        edges = np.minimum(run.t[0] + self.flow.period * np.arange(self.turns + 1), run.t[-1])
        return mean_of([abs(run.extremes.within(*turn).largest(channel).value) for turn in pairwise(edges)])

    def rms(self, channel: str) -> float:
        return self.run.rms(channel)


def regime(source: Mechanism | Run, **settings: Any) -> Regime:
    """Classify the motion of a mechanism after a transient, or the continuation of a run: periodic, quasi-periodic or
    chaotic.

    Settings: transient and turns (numbers of periods that are left out and evaluated), rtol, method, period [s] (if no
    joint is driven at constant speed), length [m] (reference length for distances; default the smallest clearance,
    else the extent of the motion), longest (longest period that is tried, in periods of the drive), seed.
    """
    return Motion(source, **settings).regime
