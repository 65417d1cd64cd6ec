"""Beams of space as kernels: what strains and inertia at one of Gauss's points add to the residual form.

Traced once per order of interpolation, each on a graph of its own, and run over the points of all elements
(graph.loop). With the numbers z of a section (r', P, P', or r and P where it moves), linear in the places and Euler
parameters of the nodes, everything at a point is a formula of z and its rates,

    strains e(z),  forces s = w l C (e + mu e*),  f_a = s . de/dz_a
    inertia f_r = w l m (r** - g),  f_P = w l (2 / |P|^2) P (0, J w* + w x J w)

with * for d/dt; the changes F_ab of f_a with z_b and its rates are derivatives of the graph, kept in the workspace. The
rest is linear algebra, the same for every pair of nodes: a turn d of node i about its own axes changes its Euler
parameters by p_i (0, d) / 2, so that its moment is vec(conj(p_i) g_i) / 2 of g_i = N_i f_P + N_i' f_P', and the block
of nodes i and j in the matrix is F between the changes that a unit of the acceleration of j makes with the factors
(c_a, c_v, c_q) of assemble.form.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from gudgeon.assemble.flexible.planar_beam import FACTORS
from gudgeon.assemble.solve.elimination import product
from gudgeon.compile.graph import Direction, Graph, Scalar
from gudgeon.compile.graph.loop import Element, Output
from gudgeon.space.flexible.spatial import (
    STRAINS,
    Line,
    SpatialNode,
    line,
    line_rates,
    pushed,
    relative,
    section_strains,
    spin,
    spin_rate,
    squared,
    turned_back,
    weighed,
)
from gudgeon.space.spatial import Vector
from gudgeon.space.spatial.geometry.rotation import conjugate, parameter_rates

Pairs = tuple[tuple[int, int], ...]
COORDINATES, VELOCITIES = 7, 6  # of a node
BLOCK = VELOCITIES**2


class Pattern(NamedTuple):
    """Which numbers of a section are not zero: entries of its stiffness and of its moments of inertia on and above the
    diagonal, components of its centre of mass; and whether it is damped. The rest folds away."""

    stiffness: Pairs
    centre: tuple[int, ...]
    moments: Pairs
    damped: bool


class BeamKernel(NamedTuple):
    """At a point: "energies", "residual" and "changes", which leaves what `pair` turns into blocks of the "tangent" in
    `width` places of the workspace."""

    point: Element
    pair: Element
    width: int


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    total: Any = 0.0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


class Mass(NamedTuple):
    """Per length of a section: mass [kg/m], centre of mass [m] where it lies beside the line of the nodes, entries of
    the moments of inertia [kg m]; and gravity [m/s²]."""

    mass: Scalar
    centre: Vector | None
    moments: dict[tuple[int, int], Scalar]
    gravity: Vector


class Symbols:
    """The graph of a kernel of elements with `count` nodes, and what it reads from p."""

    def __init__(self, count: int) -> None:
        self.graph, self.count, self.parameters = Graph(), count, 0

    def numbers(self, count: int) -> list[Scalar]:
        """The next run-time numbers."""
        self.parameters += count
        return self.graph.inputs("p", count, self.parameters - count)

    def section(self, offsets: tuple[int, ...], inertias: Pairs) -> Mass:
        """The numbers of a section that moves; those that are not named are zero."""
        (mass,) = self.numbers(1)
        offset = dict(zip(offsets, self.numbers(len(offsets)), strict=True))
        moments = dict(zip(inertias, self.numbers(len(inertias)), strict=True))
        centre = Vector(*(offset.get(k, 0.0) for k in range(3))) if offset else None
        return Mass(mass, centre, moments, Vector(*self.numbers(3)))

    def shapes(self) -> tuple[Scalar, list[Scalar], list[Scalar]]:
        """Weight [m], values and slopes [1/m] of the polynomials."""
        numbers = self.numbers(1 + 2 * self.count)
        return numbers[0], numbers[1 : 1 + self.count], numbers[1 + self.count :]


class _Point(Symbols):
    """Symbols of a kernel: its nodes, their accelerations, and the polynomials at the point."""

    def __init__(self, order: int) -> None:
        super().__init__(order + 1)
        n = self.count
        q = self.graph.inputs("y", COORDINATES * n)
        v = self.graph.inputs("y", VELOCITIES * n, COORDINATES * n)
        a = self.graph.inputs("y", VELOCITIES * n, (COORDINATES + VELOCITIES) * n)
        self.nodes = [SpatialNode(q[7 * k : 7 * k + 7], v[6 * k : 6 * k + 6]) for k in range(n)]
        self.accelerations = [a[6 * k : 6 * k + 6] for k in range(n)]

    def kernel(self, forces: list[Scalar], changes: list[list[list[Scalar]]], weights: Sequence[Sequence[Any]],
               energies: list[Any]) -> BeamKernel:  # fmt: skip
        """From f, its changes by z, z* and z** (by level, a and b), the weights of z in each node, and energies."""
        graph = self.graph
        residual: list[Any] = []
        for node, share in zip(self.nodes, weights, strict=True):
            residual += [share[0] * x for x in forces[:3]]
            residual += relative(node.parameters, _pull(forces, share)) * 0.5
        kept = [(level, a, b) for level, matrix in enumerate(changes) for a, row in enumerate(matrix)
                for b, x in enumerate(row) if x is not graph.zero]  # fmt: skip
        left = [*forces[3:], *(changes[level][a][b] for level, a, b in kept)]
        outputs = {
            "energies": [Output(graph.scalar(x), "w", add=True) for x in energies],
            "residual": [Output(graph.scalar(r), add=True) for r in residual],
            "changes": [Output(x, "w") for x in left],
        }
        point = Element(graph, outputs, self.parameters)
        return BeamKernel(point, pair(len(forces), tuple(kept)), len(left))

    def slopes(self, forces: Sequence[Scalar], symbols: Sequence[Scalar]) -> list[list[Scalar]]:
        along = [Direction(self.graph, [(x, 1.0)]) for x in symbols]
        return [[direction(f) for direction in along] for f in forces]


def _pull(forces: Sequence[Any], share: Sequence[Any]) -> list[Any]:
    """What acts on the parameters of a node, by the weights of P and of P' in it."""
    pull = [share[1] * x for x in forces[3:7]]
    return [x + share[2] * y for x, y in zip(pull, forces[7:], strict=True)] if len(forces) > 7 else pull


@cache
def stretching(order: int, stiff: Pairs, damped: bool, bent: bool = False, stored: bool = True) -> BeamKernel:
    """What the strains at one point add; built `bent`, those without any force are taken off. Not `stored`: damping
    alone."""
    point = _Point(order)
    stiffness = dict(zip(stiff, point.numbers(len(stiff)), strict=True))
    (damping,) = point.numbers(1)
    built = point.numbers(STRAINS) if bent else [0.0] * STRAINS
    weight, values, slopes = point.shapes()
    graph, nodes = point.graph, point.nodes
    z = [graph.scalar(x) for x in line(nodes, values, slopes).numbers]
    rates = [graph.scalar(x) for x in line_rates(nodes, values, slopes).numbers]
    whole = section_strains(Line(Vector(*z[:3]), tuple(z[3:7]), tuple(z[7:])))
    strains = [x - y for x, y in zip(whole, built, strict=True)]
    ddt = Direction(graph, zip(z, rates, strict=True))
    speeds = [ddt(e) for e in strains]
    felt = [e if stored else 0.0 for e in strains]
    if damped:
        felt = [e + damping * s for e, s in zip(felt, speeds, strict=True)]
    force = [weight * x for x in product(stiffness, felt)]
    change = point.slopes([graph.scalar(e) for e in strains], z)
    forces = [graph.scalar(dot(force, [row[a] for row in change])) for a in range(len(z))]
    changes = [point.slopes(forces, symbols) for symbols in ((z, rates) if damped else (z,))]
    kept = 0.5 * weight * dot(product(stiffness, strains), strains)
    lost = weight * damping * dot(product(stiffness, speeds), speeds)
    return point.kernel(forces, changes, list(zip(slopes, values, slopes, strict=True)), [kept, lost])


@cache
def moving(order: int, offsets: tuple[int, ...], inertias: Pairs) -> BeamKernel:
    """What inertia and weight add at one point."""
    point = _Point(order)
    mass, centre, moments, gravity = point.section(offsets, inertias)
    weight, values, _ = point.shapes()
    graph, nodes = point.graph, point.nodes
    raw = ([(*node.frame.origin, *node.parameters) for node in nodes],
           [(*node.frame.velocity, *node.parameter_rates) for node in nodes],
           [_second(node, a) for node, a in zip(nodes, point.accelerations, strict=True)])  # fmt: skip
    z, rates, seconds = ([graph.scalar(x) for x in weighed(each, values)] for each in raw)
    p, w, faster = z[3:], spin(z[3:], rates[3:]), spin_rate(z[3:], rates[3:], seconds[3:])
    momentum = Vector(*product(moments, list(w)))
    felt, velocity = Vector(*seconds[:3]) - gravity, Vector(*rates[:3])
    push, moment = felt, Vector(*product(moments, list(faster))) + w.cross(momentum)
    kinetic, height = 0.5 * (mass * (velocity @ velocity) + w @ momentum), gravity @ Vector(*z[:3])
    if centre is not None:
        # r + R c is the centre of mass: its acceleration, and the moment of its inertia about r
        size, back = 1.0 / squared(p), conjugate(p)
        swing = faster.cross(centre) + w.cross(w.cross(centre))
        push = felt + turned_back(back, swing) * size
        moment = moment + centre.cross(turned_back(p, felt) * size) * mass
        kinetic = kinetic + mass * (velocity @ (turned_back(back, w.cross(centre)) * size))
        height = height + gravity @ (turned_back(back, centre) * size)
    scale = 2.0 * weight / squared(p)
    forces = [graph.scalar(x) for x in (*(push * (weight * mass)), *(scale * x for x in pushed(p, moment)))]
    changes = [point.slopes(forces, symbols) for symbols in (z, rates, seconds)]
    energies = [weight * kinetic, -weight * mass * height]
    return point.kernel(forces, changes, [(value, value) for value in values], energies)


def _second(node: SpatialNode, a: Sequence[Scalar]) -> tuple[Any, ...]:
    """Second rates of a node's place and parameters: p** = p w* / 2 - |w|^2 p / 4."""
    w, p = node.v[3:], node.parameters
    square = 0.25 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    return (*a[:3], *(x - square * y for x, y in zip(parameter_rates(p, a[3:]), p, strict=True)))


# what a pair reads from y: parameters of both nodes, spin and its rate of the second, the factors
PAIR_STATES = 4 + 4 + 3 + 3 + FACTORS
# and from p: weights of z in both nodes, and 1 where they are the same node
PAIR_NUMBERS = 7


@cache
def pair(size: int, kept: tuple[tuple[int, int, int], ...]) -> Element:
    """The block of two nodes from `size` - 3 forces and the `kept` changes of all (level, a, b)."""
    graph = Graph()
    y, shares = graph.inputs("y", PAIR_STATES), graph.inputs("p", PAIR_NUMBERS)
    own, other, w, dw, (c_a, c_v, c_q) = y[:4], y[4:8], y[8:11], y[11:14], y[14:]
    row, column, same = shares[:3], shares[3:6], shares[6]
    given = graph.inputs("w", size - 3 + len(kept))
    forces = [graph.zero] * 3 + given[: size - 3]
    levels = 1 + max(level for level, _, _ in kept)
    changes: list[list[list[Any]]] = [[[0.0] * size for _ in range(size)] for _ in range(levels)]
    for (level, a, b), x in zip(kept, given[size - 3 :], strict=True):
        changes[level][a][b] = x
    # rows first: forces on place and turn of the first node, as changes by z
    narrow = [_rows(matrix, own, row) for matrix in changes]
    factors = (c_q, c_v, c_a)
    columns: list[list[Any]] = []
    for k in range(3):
        parts = [
            [factor * (column[0] * line[k]) for line in matrix] for factor, matrix in zip(factors, narrow, strict=False)
        ]
        columns.append([_total(x) for x in zip(*parts, strict=True)])
    by_turn = [[[column[1] * line[3 + n] + (column[2] * line[7 + n] if size > 7 else 0.0) for n in range(4)]
                for line in matrix] for matrix in narrow]  # fmt: skip
    for k in range(3):
        turns = _turns(other, w, dw, k, factors)
        block = [_total([dot(matrix[r], turn) for matrix, turn in zip(by_turn, turns, strict=False)]) for r in range(6)]
        for n, x in enumerate(relative(turns[0], _pull(forces, row)) * (0.5 * same)):
            block[3 + n] = block[3 + n] + x
        columns.append(block)
    outputs = [Output(graph.scalar(columns[j][i]), add=True) for i in range(6) for j in range(6)]
    return Element(graph, {"tangent": outputs}, PAIR_NUMBERS)


def _total(parts: Sequence[Any]) -> Any:
    total: Any = 0.0
    for x in parts:
        total = total + x
    return total


def _rows(matrix: list[list[Any]], own: Sequence[Any], share: Sequence[Any]) -> list[list[Any]]:
    """Six rows: what a column of changes does on the place and the turn of a node."""
    columns = []
    for b in range(len(matrix)):
        forces = [line[b] for line in matrix]
        columns.append([*(share[0] * x for x in forces[:3]), *(relative(own, _pull(forces, share)) * 0.5)])
    return [list(x) for x in zip(*columns, strict=True)]


def _turns(p: Sequence[Any], w: Sequence[Any], dw: Sequence[Any], k: int, factors: Sequence[Any]) -> list[list[Any]]:
    """How Euler parameters, their rates and second rates change when a unit of acceleration about axis k of the node
    comes with the factors: p* = p w / 2, p** = p w* / 2 - |w|^2 p / 4."""
    c_q, c_v, c_a = factors
    unit = parameter_rates(p, [1.0 if n == k else 0.0 for n in range(3)])
    turn = [c_q * x for x in unit]
    rate = [c_v * x + y for x, y in zip(unit, parameter_rates(turn, w), strict=True)]
    square = 0.25 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    second = [c_a * x + y - square * z - (0.5 * c_v) * w[k] * u
              for x, y, z, u in zip(unit, parameter_rates(turn, dw), turn, p, strict=True)]  # fmt: skip
    return [turn, rate, second]
