"""`Batch`: many trajectories of one mechanism that differ in numbers, computed piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.assemble import System
from gudgeon.device.machine import Machine
from gudgeon.device.program import EXTRA, Program, Wanted
from gudgeon.quantity import GudgeonError

__all__ = ["Batch", "Outcomes"]

LARGEST = 1 << 20  # trajectories in one piece


@dataclass
class Outcomes:
    """What came out, one column per trajectory.

    state     rows: time, step, y, m at the end
    results   by name: status, steps, ..., what each contact did
    section   (turn, state, trajectory); strobe (turn, channel, trajectory)
    extremes  (turn, 2 channel, trajectory): largest and smallest value in each turn
    """

    state: np.ndarray
    results: dict[str, np.ndarray]
    section: np.ndarray
    strobe: np.ndarray
    extremes: np.ndarray


class Batch:
    """Trajectories of `system` on a machine.

    varying  place in the inputs -> one value per trajectory; the others have the base's
    state    rows time, step, y, m, one column per trajectory
    """

    def __init__(self, machine: Machine, system: System, inputs: np.ndarray, varying: Mapping[int, np.ndarray],
                 wanted: Wanted, rtol: float, *, single: bool = False) -> None:  # fmt: skip
        if system.rigid:
            raise GudgeonError('engine "gpu" has no hard walls; use engine="local", or walls with a law')
        if len(inputs) != system.module.parameters + system.controlled + len(EXTRA):
            raise GudgeonError(f"{len(inputs)} inputs do not fit the mechanism")
        self.machine, self.varying = machine, dict(sorted(varying.items()))
        self.program = Program(system, inputs, tuple(self.varying), wanted, rtol, single)
        self.real: Any = np.float32 if single else np.float64
        self.kernel = machine.load(self.program)

    def run(self, state: np.ndarray, turns: int, most: int = 1 << 30,
            tell: Callable[[int], None] | None = None) -> Outcomes:  # fmt: skip
        """So many turns on from the states given; `tell` hears how many trajectories are done."""
        program, wanted, count = self.program, self.program.wanted, state.shape[1]
        sizes = [(len(program.result_names),), (turns, len(wanted.states)), (turns, len(wanted.strobe)),
                 (turns, 2 * len(wanted.extremes))]  # fmt: skip
        whole = [np.empty((*size, count)) for size in sizes]
        final = np.empty_like(state)
        each = np.dtype(self.real).itemsize * (len(self.varying) + len(state) + sum(int(np.prod(s)) for s in sizes))
        piece = int(min(LARGEST, max(1, self.machine.memory // each)))
        for first in range(0, count, piece):
            part = slice(first, min(first + piece, count))
            many = part.stop - first
            table = np.array([column[part] for column in self.varying.values()], dtype=self.real).reshape(-1, many)
            start = np.ascontiguousarray(state[:, part], dtype=self.real)
            back = [np.zeros((*size, many), dtype=self.real) for size in sizes]
            self.machine.run(self.kernel, many, [table, start, *back], 2, turns, most)
            final[:, part] = start
            for array, values in zip(whole, back, strict=True):
                array[..., part] = values
            if tell is not None:
                tell(part.stop)
        results = dict(zip(program.result_names, whole[0], strict=True))
        return Outcomes(final, results, *whole[1:])


def described(system: System, rtol: float, period: float, span: float, longest: float) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and state of one trajectory: as the march of one run has them. period, span and longest step in [s]."""
    from gudgeon.methods.dopri5 import Dopri5
    from gudgeon.methods.runner import _speeds, absolute_tolerance

    states = system.controlled
    first = min(1e-7 * max(span, 1e-3), longest)
    extra = [period, system.size, _speeds(system, system.y0)[0], longest, first]
    tolerance = absolute_tolerance(system, Dopri5(rtol), system.y0)[:states]
    inputs = np.concatenate([system.p[: system.module.parameters], tolerance, extra])
    return inputs, np.concatenate([[0.0, 0.0], system.y0[:states], np.zeros(system.memory)])
