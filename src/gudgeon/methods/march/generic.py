"""The time loop for any method: it calls the kernels of the method by their addresses.

The default method is compiled into a loop of its own (methods/explicit/dopri5.py): 10 % faster, one more compilation.
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import call_at, call_attempt, call_restart, kernel
from gudgeon.methods.march.loop import begin, loop
from gudgeon.methods.march.memory import March


@kernel
def restart(w: March) -> float:
    return call_restart(w.restart_at, w)


@kernel
def attempt(w: March, h: float) -> float:
    return call_attempt(w.attempt_at, w, h)


@kernel
def interpolate(w: March, h: float, x: float) -> float:
    return call_at(w.interpolate_at, w, h, x)


@kernel
def commit(w: March, h: float, error: float) -> float:
    return call_at(w.commit_at, w, h, error)


@kernel
def first(w: March) -> int:
    """What precedes the first step."""
    return begin(restart, w)


@kernel
def march(w: March) -> int:
    """Go on until the end, until the tape is full, or until the budget of steps is spent."""
    return loop(restart, attempt, interpolate, commit, w)
