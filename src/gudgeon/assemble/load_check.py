"""Whether the reactions of ideal joints agree with their own friction in some state, by any formulation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gudgeon.assemble.build import assemble
from gudgeon.assemble.contact.joint_friction import Locking, locking
from gudgeon.assemble.needs import ACCELERATIONS
from gudgeon.assemble.system import System
from gudgeon.assemble.written_out import refuses
from gudgeon.compile.graph.llvm import call_address

__all__ = ["LoadCheck", "load_check"]

LoadCheck = Callable[[float, np.ndarray, np.ndarray], Locking | None]


def load_check(system: System) -> LoadCheck | None:
    """What says of a time, a state and the memory of contacts which joint locks itself, if one does; None where there
    is no friction of ideal joints, or none that can be solved for. The residual form solves for reactions and motion
    together, and steps through states that have no reactions: there they are those of the same mechanism solved for
    accelerations, whose states are the first ones."""
    if not system.report.frictions:
        return None
    own = system
    if "friction" not in system.addresses:
        if refuses(system.mechanism, ACCELERATIONS):
            return None
        own = assemble(system.mechanism, ACCELERATIONS, unrolled=True)
    values, y = np.zeros(2 * len(own.report.frictions)), np.zeros(own.states)

    def check(t: float, state: np.ndarray, memory: np.ndarray) -> Locking | None:
        y[: own.controlled] = state[: own.controlled]
        call_address(own.addresses["friction"], t, y, own.p, np.ascontiguousarray(memory), values)
        return locking(own.report.frictions, values)

    return check
