"""The record of the hard walls of a system."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.compile.native.record import Floats, Integers
from gudgeon.methods.impact.collision import Collision, ledger_fields


class HardWalls(Collision):
    """Contacts that are one-sided constraints, as the parts of a collision. Each has a few rows, along the opening and
    along the slip; the equations in residual form give W."""

    has_friction: int  # 1: some wall, or some ideal joint, has friction
    rows_at: int  # function of the system: entries of the rows, then restitutions, coefficients of friction, row speeds
    rows: Floats  # what it gives
    row_starts: Integers  # of the entries of each row
    row_columns: Integers  # the velocity that an entry belongs to
    mark: Integers  # of each wall: what happened to it just now
    multiplier: Floats  # put aside
    velocity: Floats  # put aside


def hard_walls(system: Any) -> HardWalls:
    """The walls of a system in residual form; there may be none."""
    form, each = system.residual, system.rows_per_contact
    contacts, velocities = form.layout.walls, form.layout.velocities
    starts = np.cumsum([0, *(len(row) for row in form.places)])
    rows = np.zeros(int(starts[-1]) + (2 + each) * contacts)
    restitution, friction, speeds = np.split(rows[starts[-1] :], [contacts, 2 * contacts])
    return HardWalls.of_size(
        contacts, each, restitution=restitution, friction=friction, row_speeds=speeds, has_friction=int(form.rubs),
        rows_at=system.addresses.get("impact_rows", 0), rows=rows, row_starts=starts.astype(np.int64),
        row_columns=np.array([k for row in form.places for k in row], dtype=np.int64),
        mark=np.zeros(contacts, dtype=np.int64), multiplier=np.zeros(form.layout.rows), velocity=np.zeros(velocities),
        **(ledger_fields(system) if contacts else {}),
    )  # fmt: skip
