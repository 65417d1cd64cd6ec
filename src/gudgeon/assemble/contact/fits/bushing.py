"""A bushing: a liner on each offset of the mate, and a wall behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gudgeon.assemble.contact.fits.base import share, traces
from gudgeon.model import Bushing, Joint
from gudgeon.space.mate import Mate

if TYPE_CHECKING:
    from gudgeon.assemble.trace.joints import JointTracer


@traces(Bushing)
def trace(tracer: JointTracer, joint: Joint, mate: type[Mate], fit: Bushing) -> None:
    i, j = tracer.parent.surfaces(joint)
    parameters, builder, pair = tracer.parameters, tracer.builder, joint.pair(mate.name)
    sizes = tracer.space.sizes(joint, tracer.graph.zero)
    block = parameters.block(f"{joint.name}.liner", fit.liner.pack(pair))
    for label, offset in mate.offsets(i, j, sizes).items():
        if label in mate.angular_offsets:
            assert fit.conical is not None  # the joint has checked it
            conical = parameters.block(f"{joint.name}.conical", fit.conical.pack(pair))
            tracer.contacts.append(builder.bush(joint.name, label, offset, fit.conical, pair, conical, True))
            continue
        tracer.contacts.append(builder.bush(joint.name, label, offset, fit.liner, pair, block, mate.angular))
    if fit.wall is None:
        return
    gap = parameters.number(f"{joint.name}.thickness", fit.layer)
    wall_block = parameters.block(f"{joint.name}.wall", fit.wall.pack(pair))
    for touch in mate.touches(i, j, sizes):
        tracer.contacts.append(builder.touch(
            joint.name, touch, "wall", fit.wall, pair, gap, fit.layer, block=wall_block,
            share=share(joint, mate)))  # fmt: skip
