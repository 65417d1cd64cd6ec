"""Mechanism -> System for implicit methods: the equations left unsolved, and flexible links."""

from __future__ import annotations

import numpy as np

from gudgeon.assemble.channels import channels, ledger
from gudgeon.assemble.initial import Kinematics, Start, redundant_rows
from gudgeon.assemble.system import System, _size, _start, _units, beginning, no_contact
from gudgeon.assemble.trace import Trace
from gudgeon.assemble.unsolved import Unsolved, compiled
from gudgeon.graph import Scalar
from gudgeon.graph.llvm import call_address
from gudgeon.graph.module import PREPARE
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError


def assemble_unsolved(mechanism: Mechanism) -> System:
    """The system of a mechanism with accelerations and multipliers among its states, see assemble.unsolved."""
    if not mechanism.planar:
        raise GudgeonError(
            f'mechanism "{mechanism.name}": equations of space cannot be left unsolved yet; choose a method such as '
            "dopri5 or radau"
        )
    mechanism.check()
    size = _size(mechanism)
    trace = Trace(mechanism)
    start = flexible_start(trace, size)
    unsolved = Unsolved(trace, start.redundant)
    for name, power in ledger(trace, unsolved).items():
        trace.states.integrate(name, power)
    reported = channels(trace, unsolved)
    events = [c for c in trace.contacts.list if c.index is not None]
    functions: dict[str, list[Scalar]] = {
        "rhs": [*trace.equations.rates, *unsolved.accelerations, *trace.states.rates],
        "gaps": [x for c in events for x in (c.depth, c.rate, c.normal)],
        "project": unsolved.drifts(),
        "channels": list(reported.values()),
    }
    code = compiled(unsolved, functions)
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


def flexible_start(trace: Trace, size: float) -> Start:
    """The start of the mechanism with rigid links; beams begin undeformed, moving like those."""
    mechanism = trace.mechanism
    rigid, start = _start(mechanism.stiffened(), size, False, own_rows=False)
    if not mechanism.beams and not mechanism.modal_links:
        return start
    poses = dict(zip(rigid.mechanism.bodies, zip(start.q.reshape(-1, 3), start.v.reshape(-1, 3), strict=True),
                     strict=True))  # fmt: skip
    q, v = [], []
    for name, body in mechanism.bodies.items():
        straight = [0.0] * getattr(body, "modes", 0)
        q += [*poses[name][0], *straight]
        v += [*poses[name][1], *straight]
    for name, beam in mechanism.beams.items():
        (x, y, angle), (vx, vy, spin) = poses[name]
        c, s = np.cos(angle), np.sin(angle)
        for along in np.linspace(-0.5, 0.5, beam.nodes) * beam.length:
            q += [x + c * along, y + s * along, angle]
            v += [vx - s * along * spin, vy + c * along * spin, spin]
    positions, speeds = np.array(q), np.array(v)
    own = Kinematics(trace)
    redundant = redundant_rows(own, positions, speeds, size)
    dof = len(v) - (own.count - len(redundant))
    return Start(positions, speeds, start.moved, dof, tuple(redundant))
