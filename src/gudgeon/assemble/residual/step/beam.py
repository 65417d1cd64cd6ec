"""The kernel of a beam's element over a step: secant slopes of its strains, exact in energy and momenta.

Between the states a and b, with the step ψ_i = 2 tan(Δθ_i / 2) of each node's angle (passes.secant), the strains of a
section g change by exactly (c, s: means of the cosine and sine of θ_g at both ends; ' along the beam)

    ΔΓ_1 =  c Δx' + s Δy' + (c y'_m - s x'_m) ψ_g      ΔΓ_2 = -s Δx' + c Δy' - (c x'_m + s y'_m) ψ_g

where ψ_g = 2 tan(Δθ_g / 2) of the interpolated angle. Angles of nodes are compared with that of the first one, c:

    Δθ_i - Δθ_c = b_i (ψ_i - ψ_c),   b_i = cos(Δθ_i/2) cos(Δθ_c/2) / sinc((Δθ_i - Δθ_c)/2)
    ψ_g = ψ_c + Σ N_i b_i / b_g (ψ_i - ψ_c),        Δκ = Σ N'_i b_i (ψ_i - ψ_c)

so that a common turn of all nodes, ψ_i = ψ, turns every section by ψ and changes no curvature: forces along these
slopes have no resultant and no moment. The stress is the mean of both ends, S = C (e_a + e_b) / 2, whose work is the
change of 1/2 C e^2; with the weight w it moves towards that of the end, S + w C (e_b - e_a) / 2, whose work is larger
by w/2 C (e_b - e_a)^2: numerical damping that never adds energy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from gudgeon.assemble.flexible.planar_beam import NODE, NUMBERS, Flexible, felt_strains
from gudgeon.compile.graph import Direction, Graph, Scalar, cos, sin
from gudgeon.compile.graph.loop import Element, Loop, Output
from gudgeon.compile.graph.module import PREPARE
from gudgeon.compile.graph.passes.secant import sinc
from gudgeon.space.flexible import GAUSS, BeamSection, Node, Shape, shape, strains
from gudgeon.space.flexible.beam import interpolate
from gudgeon.space.planar import PlanarFrame, PlanarVector

CHANGES = 2  # factors of the change of b and of a in a tangent
Index = dict[tuple[int, int], int]  # places of the entries of a matrix


class Places(NamedTuple):
    """Where functions of steps find in y what they read beside the states (residual.step)."""

    layout: Any
    earlier: int  # positions of a
    weight: int  # of the end
    speeds: int  # velocities of a, then the numbers of momenta


def loops(beam: Flexible, at: Places, index: Index, prepared: int, work: int) -> tuple[list[Any], int]:
    """The elements of a beam: where they read and where they add; see assemble.flexible.planar_beam."""
    where, layout, count = beam.velocities, at.layout, beam.beam.elements
    block = np.tile(beam.block + np.arange(len(NUMBERS)), (count, 1))
    places = beam.built_places
    built = block if places is None else np.hstack([block, places.reshape(count, -1)])
    tangent = np.array([[index[int(i), int(j)] for i in row for j in row] for row in where])
    c_b, c_a, c_u = (np.full((count, 1), layout.factors + k) for k in range(3))
    y = np.hstack([where, at.earlier + where, np.full((count, 1), at.weight), c_b, c_a])
    made = Loop(conservative(beam.beam.order, places is not None), {"y": y, "p": built},
                {"conservative": where, "conservative_tangent": tangent}, prepared)  # fmt: skip
    y = np.hstack([where, layout.positions + where, c_b, c_u])
    other = Loop(dissipative(beam.beam.order), {"y": y, "p": block},
                 {"dissipative": where, "dissipative_tangent": tangent}, prepared + made.derived)  # fmt: skip
    return [(loop, {name: name for name in loop.element.outputs if name != PREPARE}) for loop in (made, other)], work


@cache
def conservative(order: int, bent: bool = False) -> Element:
    """The kernel of an element: y = positions at b and at a, the weight of the end, then the factors of both. Where it
    is built `bent`, its strains as built follow the numbers in p."""
    graph = Graph()
    count = NODE * (order + 1)
    b, a = graph.inputs("y", count), graph.inputs("y", count, count)
    weight = graph.input("y", 2 * count)
    factors = graph.inputs("y", CHANGES, 2 * count + 1)
    numbers = graph.inputs("p", len(NUMBERS) + (NODE * order if bent else 0))
    forces = _forces(graph, order, b, a, numbers, weight)
    columns = []
    for j in range(count):
        along = Direction(graph, [(x[j], factor) for x, factor in zip((b, a), factors, strict=True)])
        columns.append([along(force) for force in forces])
    outputs = {
        "conservative": [Output(force, add=True) for force in forces],
        "conservative_tangent": [Output(columns[j][i], add=True) for i in range(count) for j in range(count)],
    }
    return Element(graph, outputs, len(numbers))


def _forces(graph: Graph, order: int, b: list[Scalar], a: list[Scalar], numbers: list[Scalar],
            weight: Scalar) -> list[Scalar]:  # fmt: skip
    section, length = BeamSection(*numbers[:6]), numbers[6]
    total = [graph.zero] * len(b)
    felt = zip(*(felt_strains(order, _frames(q), numbers) for q in (a, b)), strict=True)
    for (x, _), ((share, old), (_, new)) in zip(GAUSS[order], felt, strict=True):
        slopes = _slopes(b, a, shape(order, x), length)
        for stiffness, before, after, slope in zip(section.stiffness(), old, new, slopes, strict=True):
            stress = 0.5 * (before + after) + 0.5 * weight * (after - before)
            force = (share * length * stiffness) * stress
            total = [f + force * d for f, d in zip(total, slope, strict=True)]
    return total


def _frames(q: Sequence[Scalar]) -> list[PlanarFrame]:
    return [Node(q[k : k + NODE], [0.0] * NODE).frame for k in range(0, len(q), NODE)]


def _slopes(b: list[Scalar], a: list[Scalar], place: Shape, length: Scalar) -> tuple[list[Scalar], ...]:
    """Secant slopes of stretch, shear and curvature by the steps of all coordinates, those of angles as ψ."""
    steps = [0.5 * (y - x) for x, y in zip(a[2::NODE], b[2::NODE], strict=True)]  # Δθ/2 of the nodes
    apart = [step - steps[0] for step in steps]
    ahead = sum((n * d for n, d in zip(place.values, apart, strict=True)), 0.0 * steps[0])
    # N_i b_i / b_g, and b_i itself
    ratios = [cos(step) / sinc(d) for step, d in zip(steps, apart, strict=True)]
    section = cos(steps[0] + ahead) / sinc(ahead)
    turns = [n * r / section for n, r in zip(place.values, ratios, strict=True)]
    bends = [n * r * cos(steps[0]) / length for n, r in zip(place.slopes, ratios, strict=True)]
    for k in (turns, bends):
        k[0] = (1.0 if k is turns else 0.0) - sum(k[2:], k[1])
    ends = [interpolate(_frames(q), place.values).angle for q in (a, b)]
    c, s = (0.5 * (f(ends[0]) + f(ends[1])) for f in (cos, sin))
    means = [0.5 * (x + y) for x, y in zip(a, b, strict=True)]
    change = interpolate(_frames(means), place.slopes).origin
    x, y = change.x / length, change.y / length
    stretch, shear, curvature = [], [], []
    for n, turn, bend in zip(place.slopes, turns, bends, strict=True):
        stretch += [c * (n / length), s * (n / length), (c * y - s * x) * turn]
        shear += [-s * (n / length), c * (n / length), -(c * x + s * y) * turn]
        curvature += [0.0 * c, 0.0 * c, bend]
    return stretch, shear, curvature


@cache
def dissipative(order: int) -> Element:
    """What damping and weight add: y = positions, velocities, then the factors of their changes."""
    graph = Graph()
    count = NODE * (order + 1)
    q, v = graph.inputs("y", count), graph.inputs("y", count, count)
    factors = graph.inputs("y", CHANGES, 2 * count)
    forces = _losses(graph, order, q, v, graph.inputs("p", len(NUMBERS)))
    columns = []
    for j in range(count):
        along = Direction(graph, [(x[j], factor) for x, factor in zip((q, v), factors, strict=True)])
        columns.append([along(force) for force in forces])
    outputs = {
        "dissipative": [Output(force, add=True) for force in forces],
        "dissipative_tangent": [Output(columns[j][i], add=True) for i in range(count) for j in range(count)],
    }
    return Element(graph, outputs, len(NUMBERS))


def _losses(graph: Graph, order: int, q: list[Scalar], v: list[Scalar], numbers: list[Scalar]) -> list[Scalar]:
    section, length, gravity = BeamSection(*numbers[:6]), numbers[6], PlanarVector(*numbers[7:])
    ddt, nodes = Direction(graph, zip(q, v, strict=True)), _frames(q)
    along = [Direction(graph, [(x, 1.0)]) for x in q]
    total = [graph.zero] * len(q)
    for x, share in GAUSS[order]:
        for stiffness, strain in zip(section.stiffness(), strains(nodes, shape(order, x), length), strict=True):
            force = (share * length * stiffness * section.damping) * ddt(strain)
            total = [f + force * direction(strain) for f, direction in zip(total, along, strict=True)]
    for x, share in GAUSS[order + 1]:
        height = gravity @ interpolate(nodes, shape(order, x).values).origin
        total = [f - (share * length * section.mass) * d(height) for f, d in zip(total, along, strict=True)]
    return total
