"""Products with the mass, and the matrix of a step block by block.

Block (s, r) has the changes of the equations of stage s with the unknowns of stage r, times h². Its entries are those
of the matrix of an instant, or of these all but the rows of the constraints.
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats
from gudgeon.methods.implicit.energy.memory import StageMemory

ENDLESS = 1e30  # no entry of the matrix of a mechanism in SI units comes near


@kernel
def add_product(own: StageMemory, out: Floats, given: Floats, scale: float, mass: Floats) -> int:
    """out += scale * mass * given, the mass by entries."""
    for e in range(mass.shape[0]):
        x = mass[e]
        if x != 0.0:
            out[own.entry_row[e]] += scale * x * given[own.entry_column[e]]
    return 0


@kernel
def clear_multipliers(own: StageMemory) -> int:
    """Take changes with the multipliers out of a tangent: they count once, in the last block of a row."""
    nv, n, column = own.instant.velocities, own.instant.velocities + own.instant.constraints, own.entry_column
    for e in range(column.shape[0]):
        if nv <= column[e] < n:
            own.tangent[e] = 0.0
    return 0


@kernel
def add_block(own: StageMemory, s: int, r: int, scale: float, given: Floats) -> int:
    """Add scale * given, by entries, to a block."""
    first, values, entries = own.block_first[s, r], own.factors.values, own.block_entries
    for k in range(first, first + own.block_count[s, r]):
        x = scale * given[entries[k]]
        if abs(x) < ENDLESS:  # else a law has no derivative
            values[k] += x
    return 0


@kernel
def add_internal(own: StageMemory, s: int, r: int, scale: float) -> int:
    """Add `scale` to the diagonal of the internal states in a block."""
    first, held = own.block_first[s, r], own.instant.velocities + own.instant.constraints
    for k in range(first, first + own.block_count[s, r] if own.instant.internal > 0 else first):
        e = own.block_entries[k]
        if own.entry_row[e] >= held and own.entry_row[e] == own.entry_column[e]:
            own.factors.values[k] += scale
    return 0


@kernel
def share_multipliers(own: StageMemory, s: int, r: int, h: float) -> int:
    """Two stages: all columns of multipliers belong to those of the second; the first has other rows."""
    nv, n = own.instant.velocities, own.instant.velocities + own.instant.constraints
    row, column, tangent = own.entry_row, own.entry_column, own.tangent
    first, count = own.block_first[0, 1], own.block_count[0, 1]
    for k in range(first, first + count if r == s else first):
        e = own.block_entries[k]
        if row[e] < nv <= column[e] < n:
            own.factors.values[k] += h * h * tangent[e]
    for e in range(row.shape[0]):
        if (s == r and nv <= row[e] < n) or nv <= column[e] < n:
            tangent[e] = 0.0
    return 0


@kernel
def add_start(own: StageMemory, s: int, r: int, speed: float, h: float) -> int:
    """Entries of J at the start in a block of two stages: rows for v_j, columns for its impulse μ. `speed`: the change
    of h u_s with x_r."""
    nv, n, start = own.instant.velocities, own.instant.velocities + own.instant.constraints, own.start_tangent
    first, push, values = own.block_first[s, r], own.u[s, 0], own.factors.values
    for k in range(first, first + own.block_count[s, r]):
        e = own.block_entries[k]
        i, j = own.entry_row[e], own.entry_column[e]
        if r == 0 and i < nv <= j < n:
            values[k] += h * h * push * start[e]
        elif s == 0 and nv <= i < n and j < nv:
            values[k] += h * h * speed * start[e]
        elif s == 0 and r == 0 and nv <= i < n and j < n:
            values[k] += h * h * start[e]
    return 0
