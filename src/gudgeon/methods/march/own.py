"""The way into a time loop that was compiled for one mechanism (device.whole): it takes the numbers of a march by their
addresses, and one compiled call finds these in a fraction of the time that Python would need."""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import INT, call_with, kernel
from gudgeon.methods.march.memory import WORK

TOO_MANY = -1
MOST_COUNTED = 2**30  # counts are 32 bits wide inside


@kernel(INT(INT, WORK))
def enter(address: int, w: Any) -> int:
    """The status of the loop at `address`; TOO_MANY where counts have become too large for it."""
    for i in range(w.count.shape[0]):
        if w.count[i] > MOST_COUNTED:
            return TOO_MANY
    return call_with(address, (w.clock, w.count, w.y, w.m, w.k, w.control, w.atol, w.gap, w.peak, w.p, w.tape,
                               w.events))  # fmt: skip
