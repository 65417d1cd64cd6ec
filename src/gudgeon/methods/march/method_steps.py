"""The four steps of a method under the names by which time loops call them.

A time loop is written once. When a method is compiled (`Method.loop`), its own kernels take the place of these, so that
every method has a loop with its steps compiled in.
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import kernel
from gudgeon.methods.march.memory import March

PLACE = "the kernel of a method takes this place when its time loop is compiled"

__all__ = ["attempt", "commit", "interpolate", "restart"]


@kernel
def restart(w: March) -> float:
    raise RuntimeError(PLACE)


@kernel
def attempt(w: March, h: float) -> float:
    raise RuntimeError(PLACE)


@kernel
def interpolate(w: March, h: float, x: float) -> float:
    raise RuntimeError(PLACE)


@kernel
def commit(w: March, h: float, error: float) -> float:
    raise RuntimeError(PLACE)
