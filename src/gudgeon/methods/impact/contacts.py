"""Hard contacts of a system in generalized accelerations: their record, and what its compiled functions say of them.

The equations of a system with hard contacts (assemble/contact/events.py) give, at a time and a state,

    the Delassus matrix W, restitutions, coefficients of friction and row speeds       `delassus_at`
    the jump of the velocities by impulses, impulses of ideal joints, work of drives   `velocity_jump_at`
    accelerations along all rows                                                       `row_accelerations_at`

Every function gives one array of numbers. The record has that array, and each part of it under its own name: they are
the same memory. Likewise what the memory m of the march has of hard contacts (assemble/contact/memory.py).
"""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np

from gudgeon.assemble import System
from gudgeon.assemble.contact.memory import hard_contact_memory
from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.compile.native.record import Floats, Integers
from gudgeon.methods.complementarity.problem import row_speed
from gudgeon.methods.complementarity.solver import solve
from gudgeon.methods.complementarity.sweeps import eliminate
from gudgeon.methods.impact.collision import Collision, book_work, impact_numbers, ledger_fields, solve_collision
from gudgeon.methods.march import columns
from gudgeon.methods.march.memory import March

STILL = 1e-12  # of the typical speed: what is slower is at rest
SHARED = 1e-10  # relative softness by which contacts that hold the same thing share the impulse that holds them
INSTANT = 1e-9  # [s] accelerations are not felt within this time: what slips keeps its direction


class HardContacts(Collision):
    """The hard contacts of a march."""

    delassus_at: int
    velocity_jump_at: int
    row_accelerations_at: int
    delassus_result: Floats  # parts of it: delassus, restitution, friction, row_speeds
    jump_result: Floats  # parts of it: velocity_jump, impulses of constraints, drive_work
    velocity_jump: Floats
    drive_work: Floats  # one number
    # parts of m: 1 where a contact sticks; its friction coefficient where it slides, with the sign of the slip where
    # that is one number; forces or impulses along the rows; what is added to a slip that is a vector
    stick: Floats
    drag: Floats
    applied: Floats
    slip_seed: Floats
    rest_speed: Floats  # of each contact: slower slip is rest [m/s]

    @classmethod
    def of_system(cls, system: System, m: np.ndarray) -> Self:
        """The contacts of a system, with the memory m of a march."""
        contacts, rows = system.events, system.rows_per_contact * system.events
        at, places = system.addresses, hard_contact_memory(contacts, system.rows_per_contact)
        result = np.zeros(rows * (rows + 1) + 2 * contacts)
        jump = np.zeros(system.velocities + len(system.report.constraint_names) + 1)
        restitution, friction, speeds = impact_numbers(result[rows * rows :], contacts)
        fields: dict[str, Any] = {
            "delassus_at": at.get("delassus", 0), "velocity_jump_at": at.get("velocity_jump", 0),
            "row_accelerations_at": at.get("row_accelerations", 0), "delassus_result": result, "jump_result": jump,
            "delassus": result[: rows * rows].reshape(rows, rows), "restitution": restitution, "friction": friction,
            "row_speeds": speeds, "velocity_jump": jump[: system.velocities], "drive_work": jump[-1:],
            **{name: m[part.start : part.stop] for name, part in places._asdict().items()},
            "rest_speed": np.zeros(contacts), **ledger_fields(system),
        }  # fmt: skip
        return cls.of_size(contacts, system.rows_per_contact, **fields)


@kernel
def without_rounding(w: March, speed: float) -> float:
    """A speed, zero where it is rounding."""
    return speed if abs(speed) > STILL * w.speed else 0.0


@kernel
def evaluate_delassus(w: March, hard: HardContacts, t: float, state: Floats) -> int:
    """The Delassus matrix and the row speeds at a state."""
    evaluate(hard.delassus_at, t, state, w.p, w.m, hard.delassus_result)
    return 0


@kernel
def soften(hard: HardContacts) -> int:
    """Let each contact yield a little, all as much, so that those that hold the same thing share its force evenly."""
    each, rows = hard.rows_per_contact, hard.impulse.shape[0]
    for part in range(min(each, 2) if hard.contacts > 1 else 0):  # openings, then slips
        masses, count = 0.0, 0
        for r in range(rows):
            if (r % each > 0) == (part > 0) and hard.role[r // each] >= 0 and hard.delassus[r, r] > 0.0:
                masses, count = masses + 1.0 / hard.delassus[r, r], count + 1
        for r in range(rows):
            if (r % each > 0) == (part > 0) and hard.delassus[r, r] > 0.0 and count > 1:
                hard.delassus[r, r] += SHARED * count / masses
    return 0


@kernel
def apply_impulses(hard: HardContacts, scale: float) -> int:
    """Impulses times `scale` into m, as forces or impulses from outside."""
    for r in range(hard.impulse.shape[0]):
        hard.applied[r] = scale * hard.impulse[r]
    return 0


@kernel
def clear_impulses(hard: HardContacts, c: int) -> int:
    """Take the impulses of a contact away."""
    for r in range(hard.rows_per_contact * c, hard.rows_per_contact * (c + 1)):
        hard.impulse[r] = 0.0
    return 0


@kernel
def tangential_size(hard: HardContacts, c: int) -> float:
    """Size of the tangential impulse of a contact, or of its force."""
    square, normal = 0.0, hard.rows_per_contact * c
    for r in range(normal + 1, normal + hard.rows_per_contact):
        square += hard.impulse[r] ** 2
    return math.sqrt(square)


@kernel
def evaluate_jump(w: March, hard: HardContacts, t: float, state: Floats) -> int:
    """Impulses into m, and the jump of the velocities by them."""
    apply_impulses(hard, 1.0)
    evaluate(hard.velocity_jump_at, t, state, w.p, w.m, hard.jump_result)
    return 0


@kernel
def solve_impulses(w: March, hard: HardContacts, t: float, state: Floats) -> int:
    """Impulses for the target speeds, and the jump of the velocities by them; 0 if none obey the laws."""
    solved = solve(hard)
    evaluate_jump(w, hard, t, state)
    return solved


@kernel
def apply_jump(w: March, hard: HardContacts, t: float, state: Floats) -> int:
    """The effect of the impulses on the velocities of the state and on the energy ledger in it."""
    evaluate_jump(w, hard, t, state)
    for i in range(w.velocities):
        state[w.positions + i] += hard.velocity_jump[i]
    for c in range(hard.contacts):
        book_work(hard, c, hard.row_speeds, state)
    if hard.drive_at >= 0:
        state[hard.drive_at] += hard.drive_work[0]
    return 0


@kernel
def apply_collision(w: March, hard: HardContacts, t: float, state: Floats) -> int:
    """The collision of the closed contacts at this state, for which the Delassus matrix has been evaluated: its effect
    on the velocities of the state and on the energy ledger in it."""
    solve_collision(hard)
    return apply_jump(w, hard, t, state)


@kernel
def hold(w: March, hard: HardContacts, held: Integers, t: float, state: Floats) -> int:
    """Bring the speeds of opening of these contacts to zero, by normal impulses of either sign that solve W s = -u.

    The motion that is left is the nearest one with u = 0 as the mass measures it, so that energy only falls.
    """
    evaluate_delassus(w, hard, t, state)
    equations, each, n = hard.tableau, hard.rows_per_contact, 0
    for r in range(hard.impulse.shape[0]):
        hard.impulse[r] = 0.0
    for c in range(hard.contacts):
        n += held[c]
    i = 0
    for c in range(hard.contacts):
        if held[c] == 0:
            continue
        j = 0
        for k in range(hard.contacts):
            if held[k] > 0:
                equations[i, j] = hard.delassus[each * c, each * k] * (1.0 + SHARED if k == c else 1.0)
                j += 1
        equations[i, n] = -hard.row_speeds[each * c]
        i += 1
    if eliminate(equations, n) == 0:
        return 0
    i = 0
    for c in range(hard.contacts):
        if held[c] > 0:
            hard.impulse[each * c] = equations[i, n]
            i += 1
    for r in range(hard.impulse.shape[0]):
        hard.speeds_after[r] = row_speed(hard, hard.row_speeds, r)
    apply_jump(w, hard, t, state)
    return apply_impulses(hard, 0.0)


@kernel
def note_impacts(w: March, hard: HardContacts) -> int:
    """A row in the list of events for each contact with an impulse, with the impulses in m; then they are taken out."""
    n, together = w.y.shape[0], 0
    for c in range(hard.contacts):
        normal = hard.rows_per_contact * c
        if hard.impulse[normal] <= 0.0:
            continue
        together += 1
        event = w.events[w.events_recorded]
        event[columns.TIME], event[columns.CONTACT], event[columns.KIND] = w.t, c, columns.IMPACT
        event[columns.RATE], event[columns.REBOUND] = -hard.row_speeds[normal], hard.speeds_after[normal]
        event[columns.IMPULSE], event[columns.MASS] = hard.impulse[normal], 1.0 / hard.delassus[normal, normal]
        scalar = hard.slip_is_scalar
        event[columns.RUB] = hard.impulse[normal + 1] if scalar else -tangential_size(hard, c)
        for i in range(n):
            event[columns.HEADER + i] = w.y[i]
        for i in range(w.m.shape[0]):
            event[columns.HEADER + n + i] = w.m[i]
        w.events_recorded += 1
    w.impacts += together
    if together > 1:
        w.together += 1
    apply_impulses(hard, 0.0)
    return 0
