"""Steps of a method taken one by one, through the functions of its contract."""

from __future__ import annotations

import numpy as np

from gudgeon.assemble import System
from gudgeon.methods.contract import Method
from gudgeon.methods.march.scales import absolute_tolerance


class Hand:
    """A method at the start of a system's motion."""

    def __init__(self, system: System, method: Method) -> None:
        n = system.states
        self.rhs, self.p, self.m = system.addresses["rhs"], system.p, np.zeros(system.memory)
        self.y, self.new, self.out = system.y0.copy(), np.zeros(n), np.zeros(n)
        self.work, self.control = np.zeros((method.work_rows(n), n)), np.zeros(CONTROL_SIZE)
        self.control[CONTROLLED] = system.controlled
        self.control[JACOBIAN] = system.addresses.get("jacobian", 0)
        self.kept = method.connect(system, self.control)
        self.atol, self.rtol = absolute_tolerance(system, method, self.y), method.rtol
        self.restart, self.attempt, self.interpolate, self.commit = method.functions()
        self.t = 0.0
        self.call(self.restart, 0.0)

    def call(self, function, h: float, x: float = 0.0) -> float:
        arrays = self.y, self.new, self.out, self.p, self.m, self.work, self.control, self.atol
        return function(self.rhs, self.t, h, *arrays, self.rtol, x)

    def within(self, h: float, x: float) -> np.ndarray:
        self.call(self.interpolate, h, x)
        return self.out.copy()

    def step(self, h: float) -> float:
        """One step; a bad one is taken again with half the length. Gives the length proposed for the next."""
        error = self.call(self.attempt, h)
        while error > 1.0:
            h *= 0.5
            error = self.call(self.attempt, h)
        factor = self.call(self.commit, h, error)
        self.t += h
        self.y[:] = self.new
        return min(h * factor, 0.02)

    def advance(self, h: float, steps: int = 1) -> np.ndarray:
        """So many steps of one length, whatever their error."""
        for _ in range(steps):
            assert self.call(self.attempt, h) < 1e9
            self.call(self.commit, h, 0.1)
            self.t += h
            self.y[:] = self.new
        return self.y
