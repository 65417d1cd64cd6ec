"""The record of the hard walls of a system."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.compile.native.record import Floats, Integers, Matrix, Record, Table


class HardWalls(Record):
    """Contacts that are one-sided constraints. Each has a few rows, along the opening and along the slip."""

    count: int
    rows_per_contact: int
    friction: int  # 1: some wall has friction
    impulses_at: int  # function of the system: entries of the rows, then numbers of each contact
    row_starts: Integers  # of the entries of each row
    row_columns: Integers  # the velocity that an entry belongs to
    row_entries: Floats  # what the function gives ...
    numbers: Floats  # ... and its part behind the entries: restitution, friction, row speeds of each contact
    delassus: Floats  # W by rows, then the same numbers
    impulse: Floats
    target: Floats  # row speeds: those to be reached, behind the impact those that were
    before: Floats  # row speeds before the impact
    dense: Matrix  # scratch of the complementarity problem
    place: Table  # of each: two integrals of the energy ledger in y, or -1; then its part in an impact; last: drives
    mark: Integers  # of each: what happened to it just now
    multiplier: Floats  # put aside
    velocity: Floats  # put aside


def hard_walls(system: Any) -> HardWalls:
    """The walls of a system in residual form; there may be none."""
    form = system.unsolved
    count, rows, each = form.layout.walls, form.places, system.rows_each
    n, starts = len(rows), np.cumsum([0, *(len(row) for row in rows)])
    place = np.full((count + 1, 3), -1, dtype=np.int64)
    if count:
        place[:, :2] = system.ledger_places
    given = np.zeros(int(starts[-1]) + (2 + each) * count)
    impulse, target, before = (np.zeros(n) for _ in range(3))
    return HardWalls(
        count=count, rows_per_contact=each, friction=int(form.rubs), impulses_at=system.addresses.get("blows", 0),
        row_starts=starts.astype(np.int64), row_columns=np.array([k for row in rows for k in row], dtype=np.int64),
        row_entries=given, numbers=given[int(starts[-1]) :], delassus=np.zeros(n * n + (2 + each) * count),
        impulse=impulse, target=target, before=before, dense=np.zeros((3 * count + 1, 3 * count + 3)), place=place,
        mark=np.zeros(count, dtype=np.int64), multiplier=np.zeros(count), velocity=np.zeros(form.layout.velocities),
    )  # fmt: skip
