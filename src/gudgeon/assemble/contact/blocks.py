"""Elastic blocks: a symmetric stiffness and a symmetric damping matrix on the six motions of a mate.

With the motions x of the journal in the bearing's axes, functions of position that do not see the bodies move together,

    V = 1/2 x·K x,      Q = -(K x + C x')·grad x,      power lost = x'·C x'

so that momentum is kept, and energy but for the damping, whatever the size of the motions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gudgeon.assemble.solve.elimination import Row, product
from gudgeon.assemble.solve.equations import Equations
from gudgeon.assemble.trace.parameters import Parameters
from gudgeon.compile.graph import Scalar
from gudgeon.model.fits.elastic import MOTIONS, Elastic, Matrix

Entries = dict[tuple[int, int], Scalar]


@dataclass(frozen=True)
class ElasticBlock:
    """One block: its motions, and what it pushes back with along each of them [N] and [N m]."""

    joint: str
    motions: tuple[Scalar, ...]
    loads: tuple[Scalar, ...]
    stored: Scalar
    lost: Scalar
    forces: list[Row]
    stiffness: Entries

    def pull(self, motions: Sequence[Scalar]) -> list[Scalar]:
        """What it takes to hold these motions [N] and [N m]."""
        return product(self.stiffness, motions)


def make_block(equations: Equations, parameters: Parameters, joint: str, motions: tuple[Scalar, ...],
               fit: Elastic) -> ElasticBlock:  # fmt: skip
    """Add the forces of a block to the equations."""
    rates = tuple(equations.ddt(x) for x in motions)
    stiffness = _entries(parameters, f"{joint}.stiffness", fit.stiffness)
    damping = _entries(parameters, f"{joint}.damping", fit.damping)
    pull, drag = product(stiffness, motions), product(damping, rates)
    loads = tuple(-(a + b) for a, b in zip(pull, drag, strict=True))
    forces = [equations.apply(load, equations.gradient(x)) for load, x in zip(loads, motions, strict=True)]
    stored = lost = equations.graph.zero
    for x, rate, a, b in zip(motions, rates, pull, drag, strict=True):
        stored, lost = stored + 0.5 * (a * x), lost + b * rate
    return ElasticBlock(joint, motions, loads, stored, lost, forces, stiffness)


def _entries(parameters: Parameters, name: str, matrix: Matrix) -> Entries:
    """On and above the diagonal; entries of 0 leave no trace."""
    return {
        (a, b): parameters.geometry(f"{name}.{MOTIONS[a]}.{MOTIONS[b]}", matrix[a][b])
        for a in range(6)
        for b in range(a, 6)
    }
