"""The four steps of a method under the names by which time loops call them.

A time loop is written once. When a method is compiled (`Method.loop`), its own kernels take the place of these, so that
every method has a loop with its steps compiled in.
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import kernel
from gudgeon.methods.march.memory import March

__all__ = ["attempt", "commit", "interpolate", "restart"]


@kernel
def restart(w: March) -> float:
    raise NotImplementedError


@kernel
def attempt(w: March, h: float) -> float:
    raise NotImplementedError


@kernel
def interpolate(w: March, h: float, x: float) -> float:
    raise NotImplementedError


@kernel
def commit(w: March, h: float, error: float) -> float:
    raise NotImplementedError
