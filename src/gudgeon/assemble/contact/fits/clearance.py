"""A clearance: a contact with the wall, and with the liner before it, at each place where the surfaces can meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gudgeon.assemble.contact.fits.base import trace_layers, traces
from gudgeon.model import Clearance, Joint
from gudgeon.space.mate import Mate

if TYPE_CHECKING:
    from gudgeon.assemble.trace.joints import JointTracer


@traces(Clearance)
def trace(tracer: JointTracer, joint: Joint, mate: type[Mate], fit: Clearance) -> None:
    gap_value = joint.gap(mate.name)
    gap = tracer.parameters.number(f"{joint.name}.{mate.clearance}", gap_value)
    touches = mate.touches(*tracer.parent.surfaces(joint), tracer.space.sizes(joint, gap))
    trace_layers(tracer, joint, mate, touches, fit, gap, gap_value, lasting=gap_value == 0.0)
