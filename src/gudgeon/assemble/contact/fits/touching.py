"""Round bodies that touch from outside: a contact without a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gudgeon.assemble.contact.fits.base import trace_layers, traces
from gudgeon.model import Joint, Touching
from gudgeon.space.mate import Mate

if TYPE_CHECKING:
    from gudgeon.assemble.trace.joints import JointTracer


@traces(Touching)
def trace(tracer: JointTracer, joint: Joint, mate: type[Mate], fit: Touching) -> None:
    zero = tracer.graph.zero
    touches = mate.touches(*tracer.parent.places[joint.name], tracer.space.sizes(joint, zero))
    trace_layers(tracer, joint, mate, touches, fit, zero, 0.0)
