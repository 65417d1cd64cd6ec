"""The formulation "residual": equations in residual form for implicit methods, and flexible links."""

from __future__ import annotations

import numpy as np

from gudgeon.assemble.contact.joint_friction import check_unique
from gudgeon.assemble.flexible.sliding_joint import initial_places, runners
from gudgeon.assemble.needs import Needs
from gudgeon.assemble.report.channels import channels, ledger
from gudgeon.assemble.report.redundancy import marked, redundancy_of
from gudgeon.assemble.residual.form import ResidualForm, compiled
from gudgeon.assemble.residual.step.forces import formulas
from gudgeon.assemble.solve.start import (
    Kinematics,
    Start,
    initial_state,
    no_contact,
    redundant_rows,
    start_of,
    state_units,
    with_short_rows,
)
from gudgeon.assemble.system import AssemblyOptions, CompiledCode, Formulated, StateLayout, SystemReport
from gudgeon.assemble.trace.trace import Trace
from gudgeon.assemble.tree.outputs import numbers
from gudgeon.compile.graph import Scalar
from gudgeon.compile.graph.llvm import call_address
from gudgeon.compile.graph.module import PREPARE
from gudgeon.model import Mechanism


def assemble_residual(mechanism: Mechanism, needs: Needs, options: AssemblyOptions) -> Formulated:
    """Accelerations and multipliers are among the states, see assemble.residual.form; in the form "step" there are also
    the functions of assemble.residual.step; hard walls are those of assemble.contact.multipliers."""

    def find(own_rows: bool) -> tuple[Start, Trace]:
        trace = Trace(mechanism, contact=needs.contact, own_rows=own_rows)
        # constraints, their rates and gradients come first in the code, since the start asks for them
        return flexible_start(trace, options.size), trace

    start, trace = with_short_rows(mechanism, find)
    if trace.sliding:
        check_unique(trace, Kinematics(trace).rows(start.q, start.v)[2], start.redundant,
                     numbers(trace, start.q, start.v))  # fmt: skip
    form = ResidualForm(trace, start.redundant)
    trace = form.trace
    for name, power in ledger(trace, form).items():
        trace.states.integrate(name, power)
    redundancy = redundancy_of(trace, start, options.size)
    reported = marked(channels(trace, form, options.size), redundancy)
    events = [c for c in trace.contacts if c.index is not None]
    functions: dict[str, list[Scalar]] = {
        "rhs": [*trace.equations.rates, *form.accelerations, *trace.states.rates],
        "gaps": form.walls.gaps() if needs.hard_walls else [x for c in events for x in (c.depth, c.rate, c.normal)],
        "project": form.drifts(),
        "channels": list(reported.values()),
    }
    if needs.hard_walls:
        functions["impact_rows"] = form.walls.impact_rows()
    code = compiled(form, functions, formulas(form) if needs.form == "step" else None)
    for name in (PREPARE, "prepare_elements"):
        call_address(code.addresses[name], 0.0, np.zeros(1), code.p, np.zeros(1), code.p[len(trace.parameters) :])
    motion = np.concatenate([start.q, start.v])
    y0 = initial_state(trace, motion, trace.states.total, list(reported), lambda y, out: call_address(
        code.addresses["channels"], 0.0, y, code.p, no_contact(trace), out))  # fmt: skip
    names = [c.name for c in trace.equations.constraints]
    return Formulated(
        layout=StateLayout(
            positions=len(start.q), velocities=len(start.v), controlled=trace.states.controlled,
            rows=len(form.values), events=trace.events, units=state_units(trace),
            internal=trace.states.names, integrals=list(trace.states.integrals),
        ),
        code=CompiledCode(
            addresses=code.addresses, p=code.p, parameter_names=trace.parameters.names, operations=code.operations,
            references=code,
        ),
        report=SystemReport(
            channels=list(reported), contacts=trace.contacts, films=trace.films, constraint_names=names,
            redundant=[names[r] for r in start.redundant], redundancy=redundancy, frictions=trace.frictions,
        ),
        start=start, y0=y0, residual=code,
    )  # fmt: skip


def flexible_start(trace: Trace, size: float) -> Start:
    """The start of the mechanism with rigid links; beams begin undeformed, moving like those."""
    mechanism = trace.mechanism
    if not mechanism.beams and not mechanism.modal_links:
        return start_of(trace, size)
    rigid = mechanism.stiffened()
    start, count = start_of(Trace(rigid, own_rows=trace.own_rows, complete=False), size), len(rigid.bodies)
    rows = zip(start.q.reshape(count, -1), start.v.reshape(count, -1), strict=True)
    poses = dict(zip(rigid.bodies, rows, strict=True))
    q, v = [], []
    for name, body in mechanism.bodies.items():
        straight = [0.0] * getattr(body, "modes", 0)
        q += [*poses[name][0], *straight]
        v += [*poses[name][1], *straight]
    for name, beam in trace.beams.items():
        places, speeds = beam.start(*poses[name])
        q, v = q + places, v + speeds
    places, speeds = initial_places(runners(mechanism), mechanism, poses)
    positions, velocities = np.array(q + places), np.array(v + speeds)
    own = Kinematics(trace)
    redundant = redundant_rows(own, positions, velocities, size)
    dof = len(v) - (own.count - len(redundant))
    return Start(positions, velocities, start.moved, dof, tuple(redundant))
