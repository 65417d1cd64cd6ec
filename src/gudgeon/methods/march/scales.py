"""What each state is measured by: typical lengths and speeds of a mechanism, and from them the tolerances."""

from __future__ import annotations

import numpy as np

from gudgeon.assemble import System
from gudgeon.assemble.system import LENGTH, SPEED, SPIN
from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats, Integers

SHARE = 0.1  # absolute tolerance by relative tolerance and scale


@kernel
def _measure(kind: Integers, own: Floats, y: Floats, size: float, linear: float, spin: float, factor: float,
             out: Floats) -> float:  # fmt: skip
    """Times `factor` the scale of each state into `out`; gives the typical speed."""
    for i in range(kind.shape[0]):
        if kind[i] == SPEED:
            linear = max(linear, abs(y[i]))
        elif kind[i] == SPIN:
            spin = max(spin, abs(y[i]))
    spin = max(spin, 1.0)
    linear = max(linear, spin * size)
    for i in range(kind.shape[0]):
        scale = own[i]
        if kind[i] == LENGTH:
            scale = size
        elif kind[i] == SPEED:
            scale = linear
        elif kind[i] == SPIN:
            scale = spin
        out[i] = factor * scale
    return linear


def measure(system: System, y: np.ndarray, factor: float, out: np.ndarray) -> float:
    """Scale of each state times `factor`, into `out`: the size of the mechanism, the speeds that it has in the state y
    or will have, and of the bristles of friction the deflection at which they slide, which is some micrometres. Gives
    the typical speed [m/s].

    Joint coordinates count as those of bodies do: lengths by the size, angles as they are. There are fewer of them, and
    each counts for more in the mean over all."""
    kind, own = system.measured_by
    linear, spin = system.typical_speeds
    return float(_measure(kind, own, y, system.size, linear, spin, factor, out))
