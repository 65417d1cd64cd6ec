"""Beams on symbols: their nodes and seats, their energies, and the kernel of one element.

The kernel is traced once per order of interpolation, on a graph of its own, and run over all elements (graph.loop).
It gives what an element adds to the equations left unsolved (assemble.unsolved): inertia, internal forces and weight,
and their changes. With q, v, a of the nodes, strains e(q) at Gauss's points of weight w and length l,

    r_i = sum w l (d T(a) / d a_i  +  C (e + mu e') . d e / d q_i  -  m g N_i)

where T is the kinetic energy per length, quadratic in the velocities with constant factors, so that its gradient at a
is the inertia force.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from gudgeon.graph import Direction, Graph, Scalar
from gudgeon.graph.loop import Element, Output
from gudgeon.model import Beam
from gudgeon.space.flexible import GAUSS, BeamSection, Node, Strains, shape, strains
from gudgeon.space.flexible.beam import interpolate, kinetic_energy
from gudgeon.space.flexible.shape import through
from gudgeon.space.mate import Number
from gudgeon.space.planar import Frame, Vector

if TYPE_CHECKING:
    from gudgeon.assemble.trace import Trace

NODE = 3  # velocities of a node
FACTORS = 3  # of accelerations, velocities and positions in a change, see assemble.unsolved
NUMBERS = ("EA", "GA", "EI", "mass", "inertia", "damping", "element_length", "gravity.x", "gravity.y")
ENERGIES = 3  # the first places of the workspace: sums over all elements of all beams
ON_NODE = 1e-9  # of an element: a seat so close to a node is the node


class Flexible:
    """One beam of a trace: what is asked of a body, and its energies."""

    def __init__(self, trace: Trace, beam: Beam, nodes: list[Node], first: int) -> None:
        """`first` is the place of its first velocity."""
        self.beam, self.nodes, self.first = beam, nodes, first
        section = beam.section
        values = (section.EA, section.GA, section.EI, section.mass, section.inertia, beam.damping,
                  beam.length / beam.elements, *trace.mechanism.gravity)  # fmt: skip
        self.block = trace.parameters.block(beam.name, dict(zip(NUMBERS, values, strict=True)))
        symbols = trace.graph.inputs("p", len(NUMBERS), self.block)
        self.section, self.length = BeamSection(*symbols[:6]), symbols[6]
        self.ddt = trace.equations.ddt

    # -- as a body --------------------------------------------------------------------------------------------

    def seat(self, point: tuple[float, ...]) -> tuple[Frame, tuple[float, float]]:
        """The frame of the section that carries a point, and the point in it; beyond its ends a beam is rigid."""
        along = point[0] / self.beam.length + 0.5
        station = min(max(along, 0.0), 1.0)
        rest = (along - station) * self.beam.length
        return self.frame(station), (rest if abs(rest) > ON_NODE * self.beam.length else 0.0, point[1])

    def frame(self, station: float) -> Frame:
        """The frame of a section, 0 at the start of the beam and 1 at its end."""
        e, x = self._place(station)
        order = self.beam.order
        near = round(x * order)
        if abs(x * order - near) < ON_NODE:
            return self.nodes[e * order + near].frame
        return interpolate(self._element(e), shape(order, x).values)

    def _place(self, station: float) -> tuple[int, float]:
        """Element of a section, and where in it."""
        e = min(int(station * self.beam.elements), self.beam.elements - 1)
        return e, station * self.beam.elements - e

    def _element(self, e: int) -> list[Frame]:
        order = self.beam.order
        return [node.frame for node in self.nodes[e * order : e * order + order + 1]]

    # -- forces -----------------------------------------------------------------------------------------------

    def _strains(self, e: int, x: float) -> Strains:
        return strains(self._element(e), shape(self.beam.order, x), self.length)

    def strains_at(self, station: float) -> Strains:
        """Strains of a section: from those at Gauss's points, where they are best; between elements the mean."""
        e, x = self._place(station)
        sides = [(e, x)]
        if x < ON_NODE and e > 0:
            sides.append((e - 1, 1.0))
        elif x > 1.0 - ON_NODE and e + 1 < self.beam.elements:
            sides.append((e + 1, 0.0))
        found = []
        for element, place in sides:
            points = [at for at, _ in GAUSS[self.beam.order]]
            weights = through(points, place).values
            found.append([(w / len(sides), self._strains(element, at)) for at, w in zip(points, weights, strict=True)])
        parts = [pair for side in found for pair in side]
        return Strains(*(sum((w * s[k] for w, s in parts), 0.0 * parts[0][1][k]) for k in range(3)))

    def forces(self, strain: Strains) -> tuple[Number, ...]:
        """Normal force [N], shear force [N] and moment [N m] of a section, damping included."""
        stiffness = self.section.stiffness()
        return tuple(c * (e + self.section.damping * self.ddt(e)) for c, e in zip(stiffness, strain, strict=True))

    def channels(self, add: Any) -> None:
        """How the middle moves, as of a body, and what is reported at the stations."""
        middle = self.frame(0.5)
        values = (middle.origin.x, middle.origin.y, middle.angle, middle.velocity.x, middle.velocity.y, middle.spin)
        units = (*Node.units, *Node.velocity_units)
        for key, unit, value in zip((*Node.coordinates, *Node.velocities), units, values, strict=True):
            add(f"{self.beam.name}.{key}", unit, f"{key} of the middle", value)
        for station in self.beam.stations:
            percent = f"{100 * station:g}"
            name = f"{self.beam.name}.{percent.replace('.', '_')}"
            place, strain = self.frame(station), self.strains_at(station)
            where = f"at {percent} % of {self.beam.name}"
            for key, unit, value in (("x", "m", place.origin.x), ("y", "m", place.origin.y),
                                     ("angle", "rad", place.angle)):  # fmt: skip
                add(f"{name}.{key}", unit, f"{key} {where}", value)
            forces = zip(("normal_force", "shear_force", "moment"), ("N", "N", "Nm"), self.forces(strain), strict=True)
            for key, unit, value in forces:
                add(f"{name}.{key}", unit, f"{key.replace('_', ' ')} {where}", value)
            for key, unit, value in zip(("stretch", "shear", "curvature"), ("1", "1", "1/m"), strain, strict=True):
                add(f"{name}.{key}", unit, f"{key} {where}", value)


@cache
def element(order: int) -> Element:
    """The kernel of an element: y = positions, velocities and accelerations of its nodes, then the factors."""
    graph = Graph()
    count = NODE * (order + 1)
    q, v, a = (graph.inputs("y", count, k * count) for k in range(3))
    factors = graph.inputs("y", FACTORS, 3 * count)
    numbers = graph.inputs("p", len(NUMBERS))
    residual = _residual(graph, order, q, v, a, numbers)
    columns = []
    for j in range(count):
        along = Direction(graph, [(x[j], factor) for x, factor in zip((a, v, q), factors, strict=True)])
        columns.append([along(r) for r in residual])
    outputs = {
        "energies": [Output(x, "w", add=True) for x in _energies(graph, order, q, v, numbers)],
        "residual": [Output(r, add=True) for r in residual],
        "tangent": [Output(columns[j][i], add=True) for i in range(count) for j in range(count)],
    }
    return Element(graph, outputs, len(NUMBERS))


def _frames(q: list[Scalar], v: list[Scalar]) -> list[Frame]:
    return [Node(q[k : k + NODE], v[k : k + NODE]).frame for k in range(0, len(q), NODE)]


def _energies(graph: Graph, order: int, q: list[Scalar], v: list[Scalar], numbers: list[Scalar]) -> list[Scalar]:
    """Kinetic energy, energy of strain and weight, and the power that damping takes: what is summed up in ENERGIES."""
    section, length, gravity = BeamSection(*numbers[:6]), numbers[6], Vector(*numbers[7:])
    ddt, nodes = Direction(graph, zip(q, v, strict=True)), _frames(q, v)
    moving, stored, lost = graph.zero, graph.zero, graph.zero
    for x, weight in GAUSS[order]:
        for stiffness, strain in zip(section.stiffness(), strains(nodes, shape(order, x), length), strict=True):
            rate = ddt(strain)
            stored = stored + (0.5 * weight) * (length * stiffness) * (strain * strain)
            lost = lost + weight * (length * stiffness * section.damping) * (rate * rate)
    for x, weight in GAUSS[order + 1]:
        place = shape(order, x)
        moving = moving + weight * length * kinetic_energy(nodes, place, section)
        stored = stored - weight * (length * section.mass) * (gravity @ interpolate(nodes, place.values).origin)
    return [moving, stored, lost]


def _residual(graph: Graph, order: int, q: list[Scalar], v: list[Scalar], a: list[Scalar], numbers: list[Scalar]
              ) -> list[Scalar]:  # fmt: skip
    section, length, gravity = BeamSection(*numbers[:6]), numbers[6], Vector(*numbers[7:])
    ddt = Direction(graph, zip(q, v, strict=True))
    along = [Direction(graph, [(x, 1.0)]) for x in q]
    speeding = [Direction(graph, [(x, 1.0)]) for x in a]
    total = [graph.zero] * len(q)
    nodes, faster = _frames(q, v), _frames(q, a)
    for x, weight in GAUSS[order]:
        found = strains(nodes, shape(order, x), length)
        for stiffness, strain in zip(section.stiffness(), found, strict=True):
            force = (weight * length * stiffness) * (strain + section.damping * ddt(strain))
            for i, direction in enumerate(along):
                total[i] = total[i] + force * direction(strain)
    for x, weight in GAUSS[order + 1]:
        place = shape(order, x)
        energy, height = kinetic_energy(faster, place, section), gravity @ interpolate(nodes, place.values).origin
        for i in range(len(q)):
            change = speeding[i](energy) - section.mass * along[i](height)
            total[i] = total[i] + (weight * length) * change
    return total
