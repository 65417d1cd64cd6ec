"""The kernels of beams of space over a step from a to b: secant slopes of strains, weight and kinetic energy.

Traced once per order of interpolation, and run over Gauss's points of all elements, as in
assemble.flexible.spatial_kernels. What an element stores does not change with a motion of the whole. Here it is written
by what its first node sees,

    r~' = R_0^T sum N_i' r_i,     P~ = sum N_i q_i,     P~' = sum N_i' q_i,     q_i = conj(p_0) p_i

which have the strains that r', P and P' have. Their slopes by the steps of the nodes are exact and know nothing of a
common motion: those of q_i are in assemble.residual.step.rotation, and with R_m = (R_0a + R_0b)/2 and means of r'

    D(r~') = R_m^T (dr' - Ψ_0 x r')

Strains follow by the rules of passes.secant. The stress is the mean of both ends, moved towards that of the end by the
weight w as in beam.py; work is the change of the stored energy, and momenta are kept.
    Nodes carry momenta p = M(q) v, those of turns along their own axes, and M changes as nodes turn against each other.
As in modal.py, with velocities held,

    (p_b - p_a) / h + K + G + F = 0,     K = -1/2 D B,     B(q) = v_a . M(q) v_b,     G_i = W_i x (p_ia + p_ib)/2

K has the work that the change of M has in the kinetic energy, and G has none: with ψ_i = h W_i it says that R_i p_i,
the momentum in the world, changes by the moments times h. B does not change with a motion of the whole where centres of
mass lie on the line of the nodes, so that angular momentum is kept to rounding; else B knows of velocities along the
world, and it is kept to the order of the step. In two stages G is

    (ψ_1 x p_1 + ψ_0 x p_0) / h  in stage 1,       v_j x p_0  in stage 0      (p_s: means over pair s)

Its work, ψ_1 . (ψ_0 x p_0) + ψ_0 . (h v_j x p_0), is zero since h v_j = ψ_1 + 4 ψ_0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.assemble.flexible.spatial_kernels import COORDINATES, VELOCITIES, Pairs, Symbols, dot
from gudgeon.assemble.flexible.spatial_kernels import stretching as stretching_at
from gudgeon.assemble.residual.step.modal import MORE
from gudgeon.assemble.residual.step.rotation import UNITS, CayleyRotation, RelativeRotation
from gudgeon.assemble.solve.elimination import product
from gudgeon.compile.graph import Direction
from gudgeon.compile.graph.loop import Element, Loop, Output
from gudgeon.compile.graph.module import PREPARE
from gudgeon.compile.graph.passes.secant import Secant
from gudgeon.compile.graph.passes.transfer import Transfer
from gudgeon.space.flexible.spatial import (
    STRAINS,
    Line,
    SpatialNode,
    pushed,
    relative,
    section_strains,
    squared,
    turned_back,
    weighed,
)
from gudgeon.space.spatial import Vector
from gudgeon.space.spatial.geometry.rotation import Rotation, after, conjugate
from gudgeon.space.spatial.geometry.vector import ZERO

if TYPE_CHECKING:
    from gudgeon.assemble.flexible.spatial_beam import SpatialFlexible
    from gudgeon.assemble.residual.step.beam import Index, Places

FIRST = (1.0, 0.0, 0.0, 0.0)  # what the first node sees of itself


class _Pair(Symbols):
    """Symbols of a kernel: the nodes at b, their turns from a, and the polynomials at the point."""

    def __init__(self, order: int, moving: bool) -> None:
        """y = coordinates at b and at a; where `moving` velocities at b and at a, w_p, w_k, c_w, w_t and w_w, else the
        weight of the end; then the factors c_b, c_a, and where moving c_u."""
        super().__init__(order + 1)
        self.read, n = 0, self.count
        q, self.earlier = self._states(COORDINATES * n), self._states(COORDINATES * n)
        self.v, self.v_before = (self._states(VELOCITIES * n) if moving else [0.0] * (VELOCITIES * n) for _ in range(2))
        self.more = self._states(MORE if moving else 1)
        self.factors = self._states(3 if moving else 2)
        each = range(n)
        self.nodes = [SpatialNode(q[7 * k : 7 * k + 7], self.v[6 * k : 6 * k + 6]) for k in each]
        self.places_before = [Vector(*self.earlier[7 * k : 7 * k + 3]) for k in each]
        self.turns = [CayleyRotation(node, self.earlier[7 * k + 3 : 7 * k + 7]) for k, node in enumerate(self.nodes)]
        self.seen = [RelativeRotation(self.turns[0].ends, turn.ends) for turn in self.turns[1:]]

    def _states(self, count: int) -> list[Any]:
        """The next states."""
        self.read += count
        return self.graph.inputs("y", count, self.read - count)

    def quaternions(self) -> tuple[list[Sequence[Any]], list[Sequence[Any]]]:
        """What the first node sees of all, at a and at b."""
        return [FIRST, *(turn.before for turn in self.seen)], [FIRST, *(turn.now for turn in self.seen)]

    def outer(self) -> tuple[Rotation, Rotation]:
        """The first node's matrix, at a and at b."""
        return self.turns[0].rotation_before, self.nodes[0].frame.rotation

    def mean_axis(self, inner: Vector) -> Vector:
        """R_m times a vector."""
        return (self.outer()[0] @ inner + self.outer()[1] @ inner) * 0.5

    def secants(self, before: Sequence[Any], now: Sequence[Any]) -> list[Secant]:
        """Slopes of formulas of some nodes of the graph by each of them."""
        z = [self.graph.scalar(x) for x in now]
        held = Transfer(self.graph, nodes=zip(z, before, strict=True))
        return [Secant(self.graph, held, seeds=[(x, float(x is own)) for x in z]) for own in z]

    def moments(self, pulls: Sequence[Sequence[Any]], outer: Vector) -> list[Vector]:
        """Moments of the world on all nodes of what acts on the quaternions seen, and the one on the first node's
        matrix."""
        moments = [turn.moment(pull) for turn, pull in zip(self.seen, pulls, strict=True)]
        for moment in moments:
            outer = outer - moment
        return [outer, *moments]

    def element(self, name: str, forces: Sequence[Any]) -> Element:
        """From the forces on all nodes: places, then turns along ψ."""
        graph, count = self.graph, VELOCITIES * len(self.nodes)
        values = [graph.scalar(x) for x in forces]
        columns = [[along(x) for x in values] for along in map(self._along, range(count))]
        outputs = {name: [Output(x, add=True) for x in values]}
        if any(x is not graph.zero for column in columns for x in column):
            tangent = [Output(columns[j][i], add=True) for i in range(count) for j in range(count)]
            outputs[f"{name}_tangent"] = tangent
        return Element(graph, outputs, self.parameters)

    def _along(self, j: int) -> Direction:
        """Changes by a unit of the unknown of velocity j."""
        node, n = divmod(j, VELOCITIES)
        c_b, c_a = self.factors[:2]
        if n < 3:
            seeds = [(self.nodes[node].q[n], c_b), (self.earlier[COORDINATES * node + n], c_a)]
        else:
            seeds = self.turns[node].seeds(UNITS[n - 3], c_b, c_a)
        if len(self.factors) > 2:
            seeds += [(self.v[j], self.factors[2]), (self.v_before[j], self.more[2])]
        return Direction(self.graph, seeds)


@cache
def stretching(order: int, stiff: Pairs, bent: bool) -> Element:
    """Forces of the strains at one point; p as in spatial_kernels.stretching."""
    pair = _Pair(order, moving=False)
    stiffness = dict(zip(stiff, pair.numbers(len(stiff)), strict=True))
    pair.numbers(1)  # damping, which is a loss
    built = pair.numbers(STRAINS) if bent else [0.0] * STRAINS
    weight, values, slopes = pair.shapes()
    origins = (pair.places_before, [node.frame.origin for node in pair.nodes])
    along = [Vector(*weighed(places, slopes)) for places in origins]
    ends = [(*matrix.back(r), *weighed(q, values), *weighed(q, slopes))
            for matrix, r, q in zip(pair.outer(), along, pair.quaternions(), strict=True)]  # fmt: skip
    ends = [tuple(pair.graph.scalar(x) for x in end) for end in ends]
    old, new = ([x - y for x, y in zip(section_strains(Line(Vector(*z[:3]), z[3:7], z[7:])), built, strict=True)]
                for z in ends)  # fmt: skip
    w = pair.more[0]
    felt = [0.5 * (x + y) + 0.5 * w * (y - x) for x, y in zip(old, new, strict=True)]
    stress = [weight * x for x in product(stiffness, felt)]
    f = [dot(stress, [slope(e) for e in new]) for slope in pair.secants(*ends)]
    push = pair.mean_axis(Vector(*f[:3]))
    pulls = [[n * x + d * y for x, y in zip(f[3:7], f[7:], strict=True)] for n, d in zip(values, slopes, strict=True)]
    moments = pair.moments(pulls[1:], ((along[0] + along[1]) * 0.5).cross(push) * -1.0)
    forces: list[Any] = []
    for turn, moment, slope in zip(pair.turns, moments, slopes, strict=True):
        forces += [*(push * slope), *turn.felt(moment)]
    return pair.element("conservative", forces)


@cache
def weighing(order: int, offsets: tuple[int, ...], inertias: Pairs) -> Element:
    """Forces of the weight at one point; p as in spatial_kernels.moving."""
    pair = _Pair(order, moving=False)
    mass, centre, _, gravity = pair.section(offsets, inertias)
    weight, values, _ = pair.shapes()
    moments = [ZERO] * len(pair.nodes)
    if centre is not None:
        # height of the centre of mass: g . R c = (R~^T R_0^T g) . c
        ends = [tuple(pair.graph.scalar(x) for x in (*matrix.back(gravity), *weighed(q, values)))
                for matrix, q in zip(pair.outer(), pair.quaternions(), strict=True)]  # fmt: skip
        z = ends[1]
        height = pair.graph.scalar(turned_back(z[3:], Vector(*z[:3])) @ centre * (1.0 / squared(z[3:])))
        f = [-weight * mass * slope(height) for slope in pair.secants(*ends)]
        pulls = [[n * x for x in f[3:]] for n in values]
        moments = pair.moments(pulls[1:], gravity.cross(pair.mean_axis(Vector(*f[:3]))) * -1.0)
    forces: list[Any] = []
    for turn, moment, n in zip(pair.turns, moments, values, strict=True):
        forces += [*(gravity * (-n * weight * mass)), *(turn.felt(moment) if centre is not None else moment)]
    return pair.element("conservative", forces)


@cache
def inertia(order: int, offsets: tuple[int, ...], inertias: Pairs) -> Element:
    """Momenta at b, K and G at one point; p as in spatial_kernels.moving."""
    pair = _Pair(order, moving=True)
    mass, centre, moments, _ = pair.section(offsets, inertias)
    weight, values, _ = pair.shapes()
    w_p, w_k, _, w_t, w_w = pair.more
    before, now = zip(*(turn.ends for turn in pair.turns), strict=True)
    states = ((before, pair.v_before), (now, pair.v))
    old, new = (_momenta(q, v, values, mass, centre, moments) for q, v in states)
    changes = _mass_changes(pair, values, mass, centre, moments)
    forces: list[Any] = []
    for k, (turn, n, change) in enumerate(zip(pair.turns, values, changes, strict=True)):
        mean = (old[k][1] + new[k][1]) * 0.5
        around = turn.half * (2.0 * w_t) + (_spin(pair.v_before, k) + _spin(pair.v, k)) * (0.5 * w_w)
        moment = new[k][1] * w_p + around.cross(mean) - turn.felt(change) * (0.5 * w_k)
        forces += [*(new[k][0] * (n * weight * w_p)), *(moment * weight)]
    return pair.element("inertia", forces)


def _spin(v: Sequence[Any], k: int) -> Vector:
    """Angular velocity of node k along its own axes."""
    return Vector(*v[VELOCITIES * k + 3 : VELOCITIES * k + 6])


def _velocity(v: Sequence[Any], values: Sequence[Any]) -> Vector:
    """Velocity of the point."""
    return Vector(*weighed([v[k : k + 3] for k in range(0, len(v), VELOCITIES)], values))


def _momenta(parameters: Sequence[Sequence[Any]], v: Sequence[Any], values: Sequence[Any], mass: Any,
             centre: Vector | None, moments: dict[tuple[int, int], Any]) -> list[tuple[Vector, Vector]]:  # fmt: skip
    """Per length: momentum of the point [kg/s], the same for all nodes, and the moment of momentum of each node along
    its own axes [kg m/s]."""
    velocity, p = _velocity(v, values), weighed(parameters, values)
    turning = weighed([pushed(e, _spin(v, k)) for k, e in enumerate(parameters)], values)
    size = 1.0 / squared(p)
    w = relative(p, turning) * size
    momentum, push = Vector(*product(moments, list(w))), velocity * mass
    if centre is not None:
        push = push + turned_back(conjugate(p), w.cross(centre)) * (size * mass)
        momentum = momentum + centre.cross(turned_back(p, velocity)) * (size * mass)
    pull = pushed(p, momentum)
    return [(push, relative(e, pull) * (n * size)) for e, n in zip(parameters, values, strict=True)]


def _mass_changes(pair: _Pair, values: Sequence[Any], mass: Any, centre: Vector | None,
                  moments: dict[tuple[int, int], Any]) -> list[Vector]:  # fmt: skip
    """Moments of the world along the secant slopes of B on all nodes, per length."""
    speeds = (pair.v_before, pair.v)
    spins = [[(0.0, *_spin(v, k)) for k in range(pair.count)] for v in speeds]
    velocities = [_velocity(v, values) for v in speeds] if centre is not None else []
    ends = []
    for matrix, q in zip(pair.outer(), pair.quaternions(), strict=True):
        numbers = [*weighed(q, values)]
        for spin in spins:
            numbers += weighed([after(x, w) for x, w in zip(q, spin, strict=True)], values)
        for velocity in velocities:
            numbers += matrix.back(velocity)
        ends.append(tuple(pair.graph.scalar(x) for x in numbers))
    p, z = ends[1][:4], ends[1]
    size = 1.0 / squared(p)
    w = [relative(p, z[k : k + 4]) * size for k in (4, 8)]
    both = Vector(*product(moments, list(w[0]))) @ w[1]
    if centre is not None:
        v = [turned_back(p, Vector(*z[k : k + 3])) * (size * mass) for k in (12, 15)]
        both = both + v[0] @ w[1].cross(centre) + v[1] @ w[0].cross(centre)
    value = pair.graph.scalar(both)
    f = [slope(value) for slope in pair.secants(*ends)]
    pulls = []
    for k, n in enumerate(values):
        parts = [f[:4], *(after(f[4 * s + 4 : 4 * s + 8], conjugate(spins[s][k])) for s in range(2))]
        pulls.append([n * (a + b + c) for a, b, c in zip(*parts, strict=True)])
    outer = ZERO
    for s, velocity in enumerate(velocities):
        outer = outer - velocity.cross(pair.mean_axis(Vector(*f[12 + 3 * s : 15 + 3 * s])))
    return pair.moments(pulls[1:], outer)


def loops(beam: SpatialFlexible, at: Places, index: Index, prepared: int, work: int) -> tuple[list[Any], int]:
    """Gauss's points of all elements of a beam: where they read and where they add; see
    assemble.flexible.spatial_beam."""
    order, pattern, layout = beam.beam.order, beam.pattern, at.layout
    weights = order, pattern.centre, pattern.moments
    kinds = ((0, stretching(order, pattern.stiffness, beam.built_places is not None)), (1, weighing(*weights)),
             (1, inertia(*weights)))  # fmt: skip
    parts: list[Any] = []
    for k, element in kinds:
        _, q, rows, _, p = beam.at_points(k)
        tangent = np.array([[index[int(i), int(j)] for i in row for j in row] for row in rows])
        c_b, c_a, c_u = layout.factors + np.arange(3)
        y = [q, at.earlier + q]
        if "inertia" in element.outputs:
            more = [*(at.speeds + layout.velocities + np.arange(MORE)), c_b, c_a, c_u]
            y += [layout.positions + rows, at.speeds + rows]
        else:
            more = [at.weight, c_b, c_a]
        y.append(np.tile(more, (len(rows), 1)))
        names = {name: name for name in element.outputs if name != PREPARE}
        results = {name: tangent if name.endswith("tangent") else rows for name in names}
        parts.append((Loop(element, {"y": np.hstack(y), "p": p}, results, prepared), names))
        prepared += parts[-1][0].derived
    if pattern.damped:
        kernel = stretching_at(order, pattern.stiffness, True, beam.built_places is not None, stored=False)
        factors = layout.factors + np.array([1, 2, 0])  # none of accelerations, c_u, c_b
        loop, pairs = beam.run(kernel, 0, layout, factors, index, prepared, work)
        work += kernel.width * loop.count
        parts.append((loop, {"dissipative": "residual", "dissipative_tangent": "changes"}))
        parts.append((pairs, {"dissipative_tangent": "tangent"}))
    return parts, work
