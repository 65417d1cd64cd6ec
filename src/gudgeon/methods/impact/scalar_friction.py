"""Sliding and sticking of hard contacts whose slip is one number, in the plane.

The forces of lasting contacts are a complementarity problem like impulses, with accelerations in place of speeds. A
slip that is not zero keeps its direction, which a very large "acceleration" along it tells the solver. A contact that
slides has the drag ±μ with the sign of its slip, so that its friction is -drag times the normal force.

With more contacts than freedoms, such as a block on three pads, the forces are not unique. A little softness of each,
that of the equations of lasting contacts (assemble/contact/events.py), leaves those of least norm; where all contacts
can stay as they are, at rest or sliding on, with such forces, they do.
"""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import kernel
from gudgeon.methods.complementarity.solver import solve
from gudgeon.methods.complementarity.sweeps import STICKS, solve_states, state_of
from gudgeon.methods.impact.contacts import INSTANT, STILL, HardContacts, soften, without_rounding
from gudgeon.methods.march.memory import SECOND, SLIP, SLIP_SECOND, March


@kernel
def solve_forces(w: March, hard: HardContacts, least_acceleration: float) -> int:
    """Forces of the closed contacts into `impulse`, from the accelerations without any; an opening acceleration below
    `least_acceleration` is none."""
    for c in range(hard.contacts):
        opening = -w.gap[c, SECOND]
        hard.target[2 * c] = opening if abs(opening) > least_acceleration else 0.0
        slip = without_rounding(w, w.gap[c, SLIP])
        hard.target[2 * c + 1] = w.gap[c, SLIP_SECOND] + slip / INSTANT
        # every contact presses; one that slips has its friction against it
        hard.impulse[2 * c], hard.impulse[2 * c + 1] = 1.0, 0.0
        if slip != 0.0:
            hard.impulse[2 * c + 1] = -hard.friction[c] if slip > 0.0 else hard.friction[c]
    soften(hard)
    if solve_states(hard) == 1:
        return 1
    return solve(hard)


@kernel
def stick_or_slide(hard: HardContacts, c: int) -> int:
    """A contact that lasts sticks or slides as its force in `impulse` says."""
    mu = hard.friction[c]
    if state_of(hard, c) == STICKS:
        hard.stick[c] = 1.0
    elif mu > 0.0:
        hard.drag[c] = -mu if hard.impulse[2 * c + 1] > 0.0 else mu
    return 0


@kernel
def break_loose(hard: HardContacts, c: int, force: float) -> int:
    """A contact at its limit begins to slide against the friction force that held it."""
    mu = hard.friction[c]
    hard.stick[c], hard.drag[c] = 0.0, -mu if force > 0.0 else mu
    return 0


@kernel
def slip_margin(w: March, hard: HardContacts, gap: Any, c: int) -> float:
    """Positive while a contact slides on in its direction. A slip that its acceleration turns round within INSTANT has
    that direction already, as for `solve_forces`: no zero of time is located closer."""
    direction = 1.0 if hard.drag[c] > 0.0 else -1.0
    slip, gain = direction * gap[c, SLIP], direction * gap[c, SLIP_SECOND] * INSTANT
    # a contact at its limit may be kept from slipping by another that holds the same bodies
    return slip + max(gain, 0.0) + STILL * w.speed
