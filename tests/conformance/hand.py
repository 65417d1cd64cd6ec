"""Steps of a method taken one by one, through the functions of its contract."""

from __future__ import annotations

import numpy as np

from gudgeon.assemble import System
from gudgeon.methods.contract import Method
from gudgeon.methods.march.driver import begin, memory_for


class Hand:
    """A method at the start of a system's motion."""

    def __init__(self, system: System, method: Method) -> None:
        self.memory = memory_for(system, method)
        self.w = self.memory.march
        begin(self.w, system, method, 0.0, 1e9, None, None, 0.0, None)
        self.kept = method.connect(system, self.w)
        self._restart, self._attempt, self._interpolate, self._commit = method.functions()
        self.y, self.new, self.work = self.w.y, self.w.new, self.w.k
        self.restart()

    @property
    def t(self) -> float:
        return self.w.t

    def restart(self) -> float:
        return self._restart(self.w)

    def attempt(self, h: float) -> float:
        return self._attempt(self.w, h)

    def commit(self, h: float, error: float) -> float:
        return self._commit(self.w, h, error)

    def within(self, h: float, x: float) -> np.ndarray:
        self._interpolate(self.w, h, x)
        return self.w.out.copy()

    def _accept(self, h: float) -> None:
        self.w.t += h
        self.y[:] = self.new

    def step(self, h: float) -> float:
        """One step; a bad one is taken again with half the length. Gives the length proposed for the next."""
        error = self.attempt(h)
        while error > 1.0:
            h *= 0.5
            error = self.attempt(h)
        factor = self.commit(h, error)
        self._accept(h)
        return min(h * factor, 0.02)

    def advance(self, h: float, steps: int = 1) -> np.ndarray:
        """So many steps of one length, whatever their error."""
        for _ in range(steps):
            assert self.attempt(h) < 1e9
            self.commit(h, 0.1)
            self._accept(h)
        return self.y
