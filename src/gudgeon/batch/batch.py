"""`Batch`: many trajectories of one mechanism that differ in numbers, computed piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from gudgeon.assemble import System
from gudgeon.batch.inputs import EXTRA
from gudgeon.batch.kinds import Trajectories, Twins
from gudgeon.batch.machine import Machine
from gudgeon.batch.program import Wanted
from gudgeon.batch.trajectory import EXHAUSTED
from gudgeon.methods.contract import Method
from gudgeon.methods.explicit.dopri5 import Dopri5
from gudgeon.quantity import GudgeonError

__all__ = ["Batch", "Outcomes"]

LARGEST = 1 << 20  # trajectories in one piece
MORE = (8, 64)  # times the tries that most trajectories need: for those that need more
TRIES = 1 << 30  # at most, as a card counts them


@dataclass
class Outcomes:
    """What came out: arrays by name, one column per trajectory, and results by name.

    state, twin  rows: time, step, y, m at the end
    section      (turn, state, trajectory); strobe (turn, channel, trajectory)
    extremes     (turn, 2 channel, trajectory): largest and smallest value in each turn
    logs         (turn, trajectory): logarithm of the growth of the distance of twins
    """

    arrays: dict[str, np.ndarray]
    results: dict[str, np.ndarray]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]


class Batch:
    """Trajectories of `system` on a machine. `varying`: places of the inputs that differ between trajectories."""

    def __init__(self, machine: Machine, kind: type[Trajectories] | type[Twins], system: System, inputs: np.ndarray,
                 varying: Iterable[int], wanted: Wanted | None = None,
                 method: Method | None = None) -> None:  # fmt: skip
        if system.needs.hard_walls:
            raise GudgeonError('many trajectories at once cannot have rigid walls; use engine="local", or walls '
                               'with a law')
        if len(inputs) != system.module.parameters + system.controlled + len(EXTRA):
            raise GudgeonError(f"{len(inputs)} inputs do not fit the mechanism")
        self.machine = machine
        self.program = kind(system, inputs, tuple(sorted(set(varying))), wanted or Wanted(), method or Dopri5())
        self.kernel = machine.load(self.program)

    def run(self, columns: Mapping[int, np.ndarray], given: Mapping[str, np.ndarray], turns: int, most: int = TRIES,
            *numbers: int) -> Outcomes:  # fmt: skip
        """So many turns on. columns: values of the inputs that vary, by place; given: the arrays that go in; most:
        tries, steps and what is tried besides, of most trajectories.

        How many steps a trajectory needs differs by far more than ten times: where friction holds two surfaces together
        an explicit method makes steps of a microsecond. On a card the others would wait for such a one, so that it is
        left out at first, and begins again with more tries together with others like it.
        """
        out = self._run(columns, given, turns, most, *numbers)
        for times in MORE if most < TRIES else ():
            left = np.flatnonzero(out.results["status"] == EXHAUSTED)
            if not len(left):
                break
            again = self._run({place: column[left] for place, column in columns.items()},
                              {name: array[:, left] for name, array in given.items()}, turns,
                              min(times * most, TRIES), *numbers)  # fmt: skip
            for name, array in out.arrays.items():
                array[..., left] = again.arrays[name]
        return out

    def _run(self, columns: Mapping[int, np.ndarray], given: Mapping[str, np.ndarray], turns: int, most: int,
             *numbers: int) -> Outcomes:  # fmt: skip
        program, count = self.program, given["state"].shape[1]
        shapes = {name: program.shape(name, turns) for name in program.arrays}
        rows = len(program.varying) + sum(int(np.prod(shape)) for shape in shapes.values())
        piece = int(min(LARGEST, max(1, self.machine.memory // (8 * rows))))
        pieces = [self._piece(columns, given, shapes, slice(k, min(k + piece, count)), turns, most, *numbers)
                  for k in range(0, count, piece)]  # fmt: skip
        results = pieces[0] if len(pieces) == 1 else [np.concatenate(x, axis=-1) for x in zip(*pieces, strict=True)]
        arrays = dict(zip(program.arrays, results, strict=True))
        return Outcomes(arrays, dict(zip(program.result_names, arrays["results"], strict=True)))

    def _piece(self, columns: Mapping[int, np.ndarray], given: Mapping[str, np.ndarray],
               shapes: Mapping[str, tuple[int, ...]], part: slice, *numbers: int) -> list[np.ndarray]:  # fmt: skip
        program, many = self.program, part.stop - part.start
        table = np.empty((len(program.varying), many))
        for k, place in enumerate(program.varying):
            table[k] = columns[place][part]
        arrays = [np.array(given[name][:, part], order="C") if k < program.put
                  else np.zeros((*shapes[name], many))
                  for k, name in enumerate(program.arrays)]  # fmt: skip
        self.machine.run(self.kernel, many, [table, *arrays], 1 + program.put, numbers)
        return arrays
