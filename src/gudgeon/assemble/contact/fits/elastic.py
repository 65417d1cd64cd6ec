"""An elastic block: a stiffness and a damping matrix on the six motions of the mate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gudgeon.assemble.contact.blocks import make_block
from gudgeon.assemble.contact.fits.base import traces
from gudgeon.model import Elastic, Joint
from gudgeon.space.mate import Mate

if TYPE_CHECKING:
    from gudgeon.assemble.trace.joints import JointTracer


@traces(Elastic)
def trace(tracer: JointTracer, joint: Joint, mate: type[Mate], fit: Elastic) -> None:
    offsets = mate.offsets(*tracer.parent.places[joint.name], tracer.space.sizes(joint, tracer.graph.zero))
    motions = (*offsets["shift"], *offsets["turn"])
    tracer.blocks.append(make_block(tracer.parent.equations, tracer.parameters, joint.name, motions, fit))
