"""The registry of how fits are traced, and the layers that most of them have: gap, liner and wall."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from gudgeon.compile.graph import Scalar
from gudgeon.model import Fit, Joint
from gudgeon.space.mate import Mate, Touch

if TYPE_CHECKING:
    from gudgeon.assemble.trace.joints import JointTracer

__all__ = ["TRACERS", "share", "trace_layers", "traces"]

FitTracer: TypeAlias = Callable[["JointTracer", Joint, type[Mate], Any], None]

TRACERS: dict[type[Fit], FitTracer] = {}


def traces(fit: type[Fit]) -> Callable[[FitTracer], FitTracer]:
    """Register how a fit is traced: a function of the tracer, the joint, the mate and the fit."""

    def register(function: FitTracer) -> FitTracer:
        TRACERS[fit] = function
        return function

    return register


def share(joint: Joint, mate: type[Mate]) -> float:
    """How much of a law one touch has: strips share it (Ambrosio and Pombo 2018, Eqs 43 and 44)."""
    strips: int = getattr(joint, "strips", 1) if mate.strips else 1
    return 1.0 / strips


def trace_layers(tracer: JointTracer, joint: Joint, mate: type[Mate], touches: list[Touch], fit: Any, gap: Scalar,
                 gap_value: float, *, lasting: bool = False) -> None:  # fmt: skip
    """Gap, liner and wall of a one-sided fit; beyond the liner the forces of both add. `lasting`: surfaces without a
    gap never part."""
    parameters, builder = tracer.parameters, tracer.builder
    pair, wall_gap = joint.pair(mate.name), gap
    friction, liner, thickness = getattr(fit, "friction", None), getattr(fit, "liner", None), fit.layer
    wall_block = parameters.block(f"{joint.name}.wall", fit.wall.pack(pair))
    rubs: dict[str, Any] = {"friction": friction, "share": share(joint, mate)}
    if friction is not None:
        rubs["friction_block"] = parameters.block(f"{joint.name}.friction", friction.pack(pair))
    if liner is not None:
        liner_block = parameters.block(f"{joint.name}.liner", liner.pack(pair))
        wall_gap = gap + parameters.number(f"{joint.name}.liner_thickness", thickness)
    for touch in touches:
        if liner is not None:
            tracer.contacts.append(builder.touch(joint.name, touch, "liner", liner, pair, gap, gap_value,
                                                 block=liner_block, lasting=lasting, **rubs))  # fmt: skip
        tracer.contacts.append(builder.touch(
            joint.name, touch, "wall", fit.wall, pair, wall_gap, gap_value + thickness, block=wall_block,
            angular=mate.angular, lasting=lasting and liner is None, **rubs))  # fmt: skip
