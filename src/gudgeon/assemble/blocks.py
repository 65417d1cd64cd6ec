"""Elastic blocks: a symmetric stiffness and a symmetric damping matrix on the six motions of a mate.

With the motions x of the journal in the bearing's axes, functions of position that do not see the bodies move together,

    V = 1/2 x·K x,      Q = -(K x + C x')·grad x,      power lost = x'·C x'

so that momentum is kept, and energy but for the damping, whatever the size of the motions.
"""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.assemble.elimination import Row
from gudgeon.assemble.equations import Equations
from gudgeon.assemble.parameters import Parameters
from gudgeon.graph import Scalar
from gudgeon.model.elastic import MOTIONS, Elastic, Matrix


@dataclass(frozen=True)
class Block:
    """One block: its motions, and what it pushes back with along each of them [N] and [N m]."""

    joint: str
    motions: tuple[Scalar, ...]
    loads: tuple[Scalar, ...]
    stored: Scalar
    lost: Scalar
    forces: list[Row]


def make_block(equations: Equations, parameters: Parameters, joint: str, motions: tuple[Scalar, ...],
               fit: Elastic) -> Block:  # fmt: skip
    """Add the forces of a block to the equations."""
    rates = tuple(equations.ddt(x) for x in motions)
    pull = _times(parameters, f"{joint}.stiffness", fit.stiffness, motions)
    drag = _times(parameters, f"{joint}.damping", fit.damping, rates)
    loads = tuple(-(a + b) for a, b in zip(pull, drag, strict=True))
    forces = [equations.apply(load, equations.gradient(x)) for load, x in zip(loads, motions, strict=True)]
    stored = lost = equations.graph.zero
    for x, rate, a, b in zip(motions, rates, pull, drag, strict=True):
        stored, lost = stored + 0.5 * (a * x), lost + b * rate
    return Block(joint, motions, loads, stored, lost, forces)


def _times(parameters: Parameters, name: str, matrix: Matrix, vector: tuple[Scalar, ...]) -> list[Scalar]:
    """Symmetric matrix times vector; entries of 0 leave no trace."""
    found = [parameters.graph.zero] * 6
    for a in range(6):
        for b in range(a, 6):
            entry = parameters.geometry(f"{name}.{MOTIONS[a]}.{MOTIONS[b]}", matrix[a][b])
            found[a] = found[a] + entry * vector[b]
            if a != b:
                found[b] = found[b] + entry * vector[a]
    return found
