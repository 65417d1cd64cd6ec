"""The formulation "looped": a large mechanism with the same functions and layout as written out, by loops."""

from __future__ import annotations

import numpy as np

from gudgeon.assemble.looped.build import Looped
from gudgeon.assemble.looped.inventory import Inventory
from gudgeon.assemble.looped.kinematics import SparseKinematics
from gudgeon.assemble.needs import Needs
from gudgeon.assemble.report.redundancy import around, marked
from gudgeon.assemble.solve.start import Start, check_films, find_start, starts_ideal, with_short_rows
from gudgeon.assemble.system import AssemblyOptions, CompiledCode, Formulated, StateLayout, SystemReport
from gudgeon.compile.graph.llvm import call_address
from gudgeon.compile.graph.module import PREPARE
from gudgeon.model import Mechanism

# Zeros and ones in a description shorten the code, and every pattern of them is a kind of its own; beyond so many kinds
# of parts (0.1 s each to compile in the plane, 0.3 s in space, and as many for pairs of kinds) they count as numbers.
MANY_KINDS = 12


def assemble_looped(mechanism: Mechanism, needs: Needs, options: AssemblyOptions) -> Formulated:
    """A large mechanism, by loops over parts of equal formulas."""
    start, inventory = with_short_rows(mechanism, lambda own: _start_and_inventory(mechanism, options.size, own))
    code = Looped(inventory, start.redundant, options.feedback)
    p = np.zeros(code.parameters + code.workspace + 1)
    p[: len(inventory.names)] = inventory.values
    addresses = code.linked.addresses
    call_address(addresses[PREPARE], 0.0, np.zeros(1), p, np.zeros(1), np.zeros(1))
    y0 = np.zeros(inventory.total)
    y0[: inventory.controlled] = np.concatenate([start.q, start.v, inventory.starts])
    if inventory.films:
        out = np.zeros(len(code.channels))
        call_address(addresses["channels"], 0.0, y0, p, np.zeros(max(1, 2 * inventory.events)), out)
        named = zip(code.channels, out, strict=True)
        check_films(inventory.films, {channel.name: float(x) for channel, x in named})
    redundancy = around(mechanism, inventory.constraints, start.redundant)
    names = [c.name for c in inventory.constraints]
    moving = [body for part in inventory.bodies for body in part.sketch.moving]
    units = [x for b in moving for x in b.units] + [x for b in moving for x in b.velocity_units]
    return Formulated(
        layout=StateLayout(
            positions=len(start.q), velocities=len(start.v), controlled=inventory.controlled, rows=code.factor.rows,
            events=inventory.events, units=units, internal=inventory.state_names, integrals=inventory.integrals,
        ),
        code=CompiledCode(
            addresses=addresses, p=p, parameter_names=inventory.names, operations=code.operations, references=code,
        ),
        report=SystemReport(
            channels=list(marked(dict.fromkeys(code.channels), redundancy)), contacts=inventory.contacts,
            films=inventory.films, constraint_names=names, redundant=[names[r] for r in start.redundant],
            redundancy=redundancy,
        ),
        start=start, y0=y0,
    )  # fmt: skip


def _start_and_inventory(mechanism: Mechanism, size: float, own_rows: bool) -> tuple[Start, Inventory]:
    inventory = Inventory(mechanism, own_rows=own_rows)
    if len(inventory.kinds(inventory.parts)) > MANY_KINDS:
        inventory = Inventory(mechanism, own_rows=own_rows, folded=False)
    own = twin = SparseKinematics(inventory)
    if starts_ideal(mechanism):
        twin = SparseKinematics(Inventory(mechanism, **{**inventory.options, "ideal": True}))
    return find_start(mechanism, own, twin, size), inventory
