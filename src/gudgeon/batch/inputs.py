"""From the numbers of a mechanism to the inputs of its trajectories, as the march of one run has them.

The numbers are what assembling a mechanism gives and what is said of its run. What the inputs have beside them, typical
speeds, scales of tolerances and the first step, is computed from them here, for many trajectories at once: it has
largest values in it, which no interpolation between a few mechanisms would find.
"""

from __future__ import annotations

import numpy as np

from gudgeon.assemble import System
from gudgeon.assemble.system import LENGTH, SPEED, SPIN
from gudgeon.methods.contract import Method
from gudgeon.methods.explicit.dopri5 import Dopri5
from gudgeon.methods.march.scales import SHARE

__all__ = ["EXTRA", "described", "inputs_of", "numbers_of", "place_of", "state_numbers"]

# what a trajectory needs besides its parameters and the scales of its tolerances: the time of a turn [s]; size [m] and
# speed [m/s] of the mechanism; longest and first step [s]; the relative tolerance; and for twins the length of the
# ruler [m], the time that speeds count by [s], the parts of a period and the distance they are brought back to
EXTRA = ("period", "size", "speed", "longest", "first", "rtol", "length", "time", "parts", "apart")


def place_of(system: System, name: str) -> int:
    """Place of one of EXTRA in the inputs."""
    return int(system.module.parameters) + system.controlled + EXTRA.index(name)


def numbers_of(system: System, *, period: float, longest: float) -> np.ndarray:
    """Parameters, state at the start, scales of states that have their own; size, typical speeds, period and longest
    step [s]."""
    states, own = system.controlled, system.measured_by[1]
    more = [system.size, *system.typical_speeds, period, longest]
    return np.concatenate([system.p[: system.module.parameters], system.y0[:states], own[:states], more])


def state_numbers(system: System) -> slice:
    """Where the state at the start lies among the numbers."""
    return slice(int(system.module.parameters), int(system.module.parameters) + system.controlled)


def inputs_of(system: System, numbers: np.ndarray, method: Method, *, length: np.ndarray | float = 1.0,
              parts: float = 1.0) -> np.ndarray:  # fmt: skip
    """Inputs (input, trajectory) from numbers (number, trajectory). length [m]: of the ruler of twins."""
    states, kind = system.controlled, system.measured_by[0][: system.controlled]
    ends = np.cumsum([int(system.module.parameters), states, states])
    parameters, state, own, (size, linear, spin, period, longest) = np.split(numbers, ends)
    # as methods.march.scales has it for one state
    spin = np.maximum(spin, np.abs(state[kind == SPIN]).max(axis=0, initial=1.0))
    linear = np.maximum(np.maximum(linear, np.abs(state[kind == SPEED]).max(axis=0, initial=0.0)), spin * size)
    scales = SHARE * np.where((kind == 0)[:, None], own, 0.0)
    for which, scale in ((LENGTH, size), (SPEED, linear), (SPIN, spin)):
        scales[kind == which] = SHARE * scale
    longest, first = method.step_lengths(period, longest)
    extra = {
        "period": period, "size": size, "speed": linear, "longest": longest, "first": first, "rtol": method.rtol,
        "length": length, "time": period / (2.0 * np.pi), "parts": parts, "apart": 1.0,
    }  # fmt: skip
    more = [np.broadcast_to(extra[name], numbers.shape[1]) for name in EXTRA]
    return np.concatenate([parameters, scales, more])


def described(system: System, *, rtol: float, period: float, longest: float, length: float = 1.0,
              parts: int = 1) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Inputs and state of one trajectory by dopri5. Period and longest step in [s]."""
    numbers = numbers_of(system, period=period, longest=longest)
    inputs = inputs_of(system, numbers[:, None], Dopri5(rtol), length=length, parts=parts)[:, 0]
    return inputs, np.concatenate([[0.0, 0.0], numbers[state_numbers(system)], np.zeros(system.memory)])
