"""Reactions that are not unique, and which of all possible ones are reported.

Redundant constraints follow from others. With them the joints can carry, beside what the motion needs, forces that
balance each other on every body: self-stresses s, as many as there are redundant constraints. With J_r = Σ c_rk J_k,

    s_r: the multiplier 1 of row r and -c_rk of the rows k        reactions of joint j:  w_j + Σ z_r s_rj,  any z

Reported are the reactions of least norm

    Σ_j |force_j|² + (|moment_j| / L)²        A z = -b,   A_rs = Σ_j s_rj · s_sj,   b_r = Σ_j s_rj · w_j

over all joints, force and moment at the point of the joint, L the size of the mechanism. They depend neither on which
rows are called redundant nor on the formulation, and the motion does not depend on them. Where a self-stress does not
need its row r, s_r vanishes and A with it; LEAST on the diagonal then leaves the reactions as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from gudgeon.assemble.solve.elimination import Factors
from gudgeon.assemble.solve.equations import SelfStress
from gudgeon.assemble.solve.reactions import reaction
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Scalar

LEAST = 1e-14  # beside the square of the force of a multiplier 1

Wrench = list[Any]  # force, then moment, on the journal at the point of the joint, in world axes


class Carrying(Protocol):
    """Multipliers of all constraints, and what joints carry that have no rows."""

    @property
    def multipliers(self) -> list[Scalar]: ...

    def carried(self, joint: Any, point: Any) -> Wrench | None: ...


def least_norm(trace: Trace, solution: Carrying, stresses: Sequence[Carrying], size: float) -> dict[str, Wrench]:
    """What self-stresses add to the reactions of each joint, so that their norm is the least."""
    if not stresses:
        return {}
    graph = trace.graph
    length = trace.parameters.number("reactions.length", size)
    scales = [graph.one] * len(trace.space.axes)
    by_joint: dict[str, list[Wrench]] = {}
    projections = [graph.zero] * len(stresses)
    for joint in trace.mechanism.joints.values():
        own = [reaction(trace, stress, joint)[0] for stress in stresses]
        if all(x is graph.zero for wrench in own for x in wrench):
            continue
        weights = [*scales, *[1.0 / (length * length)] * (len(own[0]) - len(scales))]
        needed = reaction(trace, solution, joint)[0]
        by_joint[joint.name] = own
        for r, wrench in enumerate(own):
            projections[r] = projections[r] - _dot(wrench, weights, needed, graph.zero)

    def entry(r: int, s: int) -> Scalar:
        total = sum((_dot(own[r], weights, own[s], graph.zero) for own in by_joint.values()), graph.zero)
        return graph.scalar(total + LEAST if r == s else total)

    shares = Factors(graph, len(stresses), entry).solve([graph.scalar(x) for x in projections])
    return {
        name: [sum((z * x for z, x in zip(shares, parts, strict=True)), graph.zero) for parts in zip(*own, strict=True)]
        for name, own in by_joint.items()
    }


def _dot(a: Wrench, weights: Sequence[Any], b: Wrench, zero: Scalar) -> Scalar:
    return sum((x * w * y for x, w, y in zip(a, weights, b, strict=True)), zero)


def row_wrenches(trace: Trace, joint: str) -> list[Wrench]:
    """Force and moment on the journal of each constraint of a joint, with the multiplier 1."""
    one, zero, rows = trace.graph.one, trace.graph.zero, trace.equations.constraints
    wrenches = []
    for r, constraint in enumerate(rows):
        if constraint.owner == joint and not constraint.drive:
            single = SelfStress([one if k == r else zero for k in range(len(rows))])
            wrenches.append(reaction(trace, single, trace.mechanism.joints[joint])[0])
    return wrenches
