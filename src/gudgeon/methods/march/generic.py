"""The time loop for any method: the method comes as four addresses.

The default method is compiled into a loop of its own (dopri5.py), which is 10 % faster and costs another cold compile.
"""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import INT, kernel
from gudgeon.methods.contract import STEP_FUNCTION
from gudgeon.methods.march.loop import loop
from gudgeon.methods.march.memory import WORK


@kernel(INT(STEP_FUNCTION, STEP_FUNCTION, STEP_FUNCTION, STEP_FUNCTION, WORK))
def march(restart: Any, attempt: Any, interpolate: Any, commit: Any, w: Any) -> int:
    return loop(restart, attempt, interpolate, commit, w)
