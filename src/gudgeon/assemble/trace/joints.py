"""The phase of the joints: constraints of ideal mates, and contacts, liners, films and blocks of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gudgeon.assemble.contact.blocks import ElasticBlock
from gudgeon.assemble.contact.contacts import Contact, ContactBuilder
from gudgeon.assemble.contact.films import Film
from gudgeon.assemble.contact.fits import TRACERS
from gudgeon.assemble.contact.joint_friction import Surface, trace_surfaces
from gudgeon.assemble.needs import ContactTreatment
from gudgeon.laws import Pair
from gudgeon.model import Joint
from gudgeon.space.mate import Touch

if TYPE_CHECKING:
    from gudgeon.assemble.trace.trace import Trace


@dataclass(frozen=True)
class JointParts:
    """What the joints of a mechanism are made of, beside constraints. `events` counts the contacts with onset and
    release."""

    contacts: tuple[Contact, ...]
    events: int
    films: tuple[Film, ...]
    blocks: tuple[ElasticBlock, ...]
    sliding: tuple[Surface, ...]  # of ideal mates with friction


def trace_joints(trace: Trace, contact: ContactTreatment, *, layers: bool) -> JointParts:
    """Constrain the ideal mates; with `layers` also trace the fits of the others and the stops."""
    tracer, sliding = JointTracer(trace, contact), list[Surface]()
    for joint in trace.mechanism.joints.values():
        held = [name for name, fit in joint.fit.items() if trace.ideal or fit.ideal]
        trace.place(joint)
        if trace.tree is None or joint.name not in trace.tree.joints:
            trace.equations.constrain(joint.name, trace.space.rows(joint, held))
        if layers and not trace.ideal:
            tracer.trace(joint)
            sliding += trace_surfaces(trace, joint)
    return JointParts(tuple(tracer.contacts), tracer.builder.events, tuple(tracer.films), tuple(tracer.blocks),
                      tuple(sliding))  # fmt: skip


class JointTracer:
    """Traces the fits and stops of one joint after another."""

    def __init__(self, trace: Trace, contact: ContactTreatment) -> None:
        self.parent, self.graph, self.space, self.parameters = trace, trace.graph, trace.space, trace.parameters
        self.builder = ContactBuilder(trace.equations, trace.parameters, trace.states, contact)
        self.contacts: list[Contact] = []
        self.films: list[Film] = []
        self.blocks: list[ElasticBlock] = []

    def trace(self, joint: Joint) -> None:
        for name, fit in joint.fit.items():
            if not fit.ideal:
                TRACERS[type(fit)](self, joint, self.space.mates[name], fit)
        for direction in joint.stops:
            self._stop(joint, direction)

    def _stop(self, joint: Joint, direction: str) -> None:
        stop, x = joint.stops[direction], self.parent.coordinate(joint, direction)
        block = self.parameters.block(f"{joint.name}.stop", stop.wall.pack(Pair()))
        several = f"{direction}_" if len(joint.stops) > 1 else ""
        for label, limit, sign in (("upper", stop.upper, 1.0), ("lower", stop.lower, -1.0)):
            if limit is not None:
                edge = self.parameters.geometry(f"{joint.name}.stop.{several}{label}", limit)
                touch = Touch(several + label, sign * (x - edge), 0.0, None)
                self.contacts.append(self.builder.touch(
                    joint.name, touch, "stop", stop.wall, Pair(), self.graph.zero, 0.0, block=block,
                    angular=direction == "rotation"))  # fmt: skip
