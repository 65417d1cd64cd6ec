"""Mechanism -> System for implicit methods: the equations left unsolved, and flexible links."""

from __future__ import annotations

import numpy as np

from gudgeon.assemble.flexible.sliding_joint import begin, runners
from gudgeon.assemble.report.channels import channels, ledger
from gudgeon.assemble.residual.form import Unsolved, compiled
from gudgeon.assemble.residual.step.forces import formulas
from gudgeon.assemble.solve.start import Kinematics, Start, redundant_rows
from gudgeon.assemble.system import System, _size, _start, _units, beginning, no_contact, started
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Scalar
from gudgeon.compile.graph.llvm import call_address
from gudgeon.compile.graph.module import PREPARE
from gudgeon.model import Mechanism


def assemble_unsolved(mechanism: Mechanism, *, steps: bool = False, hard: bool = False) -> System:
    """The system of a mechanism with accelerations and multipliers among its states, see assemble.unsolved; with
    `steps` also the functions of assemble.steps; `hard` walls are those of assemble.walls."""
    mechanism.check()
    size = _size(mechanism)
    trace, start = started(mechanism, lambda own_rows: flexible_start(mechanism, size, own_rows, hard))
    unsolved = Unsolved(trace, start.redundant)
    for name, power in ledger(trace, unsolved).items():
        trace.states.integrate(name, power)
    reported = channels(trace, unsolved)
    events = [c for c in trace.contacts.list if c.index is not None]
    functions: dict[str, list[Scalar]] = {
        "rhs": [*trace.equations.rates, *unsolved.accelerations, *trace.states.rates],
        "gaps": unsolved.walls.gaps() if hard else [x for c in events for x in (c.depth, c.rate, c.normal)],
        "project": unsolved.drifts(),
        "channels": list(reported.values()),
    }
    if hard:
        functions["blows"] = unsolved.walls.blows()
    code = compiled(unsolved, functions, formulas(unsolved) if steps else None)
    for name in (PREPARE, "prepare_elements"):
        call_address(code.addresses[name], 0.0, np.zeros(1), code.p, np.zeros(1), code.p[len(trace.parameters) :])
    y0 = beginning(trace, np.concatenate([start.q, start.v]), list(reported), lambda y, out: call_address(
        code.addresses["channels"], 0.0, y, code.p, no_contact(trace), out))  # fmt: skip
    names = [c.name for c in trace.equations.constraints]
    return System(
        mechanism, code.addresses, code.p, trace.parameters.names, y0, len(start.q), len(start.v),
        trace.states.controlled, len(unsolved.values), trace.contacts.list, trace.contacts.events, list(reported),
        start, [names[r] for r in start.redundant], names, size, code.operations, list(trace.states.integrals),
        False, trace.films.list, _units(trace), False, trace.states.names, keep=code, unsolved=code,
    )  # fmt: skip


def flexible_start(mechanism: Mechanism, size: float, own_rows: bool, hard: bool) -> tuple[Trace, Start]:
    """The start of the mechanism with rigid links; beams begin undeformed, moving like those."""
    rigid, start = _start(mechanism.stiffened(), size, False, own_rows=own_rows)
    trace, count = Trace(mechanism, rigid=hard, own_rows=own_rows), len(rigid.mechanism.bodies)
    if not mechanism.beams and not mechanism.modal_links:
        return trace, start
    rows = zip(start.q.reshape(count, -1), start.v.reshape(count, -1), strict=True)
    poses = dict(zip(rigid.mechanism.bodies, rows, strict=True))
    q, v = [], []
    for name, body in mechanism.bodies.items():
        straight = [0.0] * getattr(body, "modes", 0)
        q += [*poses[name][0], *straight]
        v += [*poses[name][1], *straight]
    for name, beam in trace.beams.items():
        places, speeds = beam.start(*poses[name])
        q, v = q + places, v + speeds
    places, speeds = begin(runners(mechanism), mechanism, poses)
    positions, velocities = np.array(q + places), np.array(v + speeds)
    own = Kinematics(trace)
    redundant = redundant_rows(own, positions, velocities, size)
    dof = len(v) - (own.count - len(redundant))
    return trace, Start(positions, velocities, start.moved, dof, tuple(redundant))
