"""Beams on symbols: their nodes and seats, their energies, and the kernel of one element.

The kernel is traced once per order of interpolation, on a graph of its own, and run over all elements (graph.loop).
It gives what an element adds to the equations in residual form (assemble.form): inertia, internal forces and weight,
and their changes. With q, v, a of the nodes, strains e(q) at Gauss's points of weight w and length l,

    r_i = sum w l (d T(a) / d a_i  +  C (e + mu e') . d e / d q_i  -  m g N_i)

where T is the kinetic energy per length, quadratic in the velocities with constant factors, so that its gradient at a
is the inertia force.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.compile.graph import Direction, Graph, Scalar
from gudgeon.compile.graph.loop import Element, Loop, Output
from gudgeon.model import Beam
from gudgeon.space.flexible import GAUSS, BeamSection, Node, shape, strains
from gudgeon.space.flexible.beam import interpolate, kinetic_energy
from gudgeon.space.flexible.shape import through
from gudgeon.space.mate import Number
from gudgeon.space.planar import PlanarFrame, PlanarVector

if TYPE_CHECKING:
    from gudgeon.assemble.trace.trace import Trace

NODE = 3  # velocities of a node
FACTORS = 3  # of accelerations, velocities and positions in a change, see assemble.residual.form
NUMBERS = ("EA", "GA", "EI", "mass", "inertia", "damping", "element_length", "gravity.x", "gravity.y")
ENERGIES = 3  # the first places of the workspace: sums over all elements of all beams
ON_NODE = 1e-9  # of an element: a seat so close to a node is the node


class Flexible:
    """One beam of a trace: what a body has to answer, and its energies."""

    width = NODE  # velocities of a node
    node: type[Any] = Node
    length: Any  # of an element
    built_places: np.ndarray | None = None  # of its strains as built among the parameters (elements, points, strains)

    def __init__(self, trace: Trace, beam: Any, nodes: list[Any], first: int) -> None:
        """`first` is the place of its first velocity."""
        self.beam, self.nodes, self.first, self.graph = beam, nodes, first, trace.graph
        self.ddt = trace.equations.ddt
        self._numbers(trace)

    def _numbers(self, trace: Trace) -> None:
        beam: Beam = self.beam
        section = beam.section
        values = (section.EA, section.GA, section.EI, section.mass, section.inertia, beam.damping,
                  beam.length / beam.elements, *trace.mechanism.gravity)  # fmt: skip
        self.block = trace.parameters.block(beam.name, dict(zip(NUMBERS, values, strict=True)))
        symbols = trace.graph.inputs("p", len(NUMBERS), self.block)
        self.section, self.length = BeamSection(*symbols[:6]), symbols[6]
        self._built(trace)

    def _built(self, trace: Trace) -> None:
        """Strains that the formulas have where the beam is built bent: those of the nodes as built, without any force,
        at every point of Gauss of every element. They are taken off."""
        beam = self.beam
        if beam.curve is None:
            return
        nodes, length = self.built_nodes(), beam.length / beam.elements
        strains_as_built: dict[str, float] = {}
        for e in range(beam.elements):
            for k, (x, _) in enumerate(GAUSS[beam.order]):
                for i, value in enumerate(self._strains_of(nodes[e * beam.order :][: beam.order + 1], x, length)):
                    strains_as_built[f"built.{e}.{k}.{i}"] = float(value)
        first = trace.parameters.block(beam.name, strains_as_built)
        self.built_places = (first + np.arange(len(strains_as_built))).reshape(beam.elements, beam.order, -1)

    def built_nodes(self) -> list[Any]:
        """What stands for the nodes as built, in numbers."""
        poses = [self.beam.built(k / (self.beam.nodes - 1)) for k in range(self.beam.nodes)]
        return [Node(tuple(map(float, pose)), (0.0, 0.0, 0.0)) for pose in poses]

    # -- as a body --------------------------------------------------------------------------------------------

    def seat(self, point: tuple[float, ...]) -> tuple[Any, tuple[float, ...]]:
        """The frame of the section that carries a point, and the point in it; beyond its ends a beam is rigid."""
        station, place = self.beam.section_of(point)
        return self.frame(station), place

    def frame(self, station: float) -> Any:
        """The frame of a section, 0 at the start of the beam and 1 at its end."""
        e, x = self._place(station)
        order = self.beam.order
        near = round(x * order)
        if abs(x * order - near) < ON_NODE:
            return self.nodes[e * order + near].frame
        return self._between(e, x)

    def sections(self) -> list[Any]:
        """Of every seat between nodes of space: the first node among the bodies, the weights of all of its element, its
        matrix and its Euler parameters. In the plane angles say it all."""
        return []

    def _between(self, e: int, x: float) -> Any:
        """The frame of a section between nodes."""
        return interpolate([node.frame for node in self._nodes(e)], shape(self.beam.order, x).values)

    def _place(self, station: float) -> tuple[int, float]:
        """Element of a section, and where in it."""
        e = min(int(station * self.beam.elements), self.beam.elements - 1)
        return e, station * self.beam.elements - e

    def _nodes(self, e: int) -> list[Any]:
        order = self.beam.order
        return self.nodes[e * order : e * order + order + 1]

    # -- forces -----------------------------------------------------------------------------------------------

    def _strains_of(self, nodes: Sequence[Any], x: float, length: Any) -> Sequence[Number]:
        """Strains at a place of an element of this length with these nodes."""
        return strains([node.frame for node in nodes], shape(self.beam.order, x), length)

    def _strains(self, e: int, k: int) -> Sequence[Number]:
        """Strains at a point of Gauss of an element, without those it is built with."""
        whole = self._strains_of(self._nodes(e), GAUSS[self.beam.order][k][0], self.length)
        if self.built_places is None:
            return whole
        return [x - self.graph.input("p", int(place)) for x, place in zip(whole, self.built_places[e, k], strict=True)]

    def strains_at(self, station: float) -> tuple[Number, ...]:
        """Strains of a section: from those at Gauss's points, where they are best; between elements the mean."""
        e, x = self._place(station)
        sides = [(e, x)]
        if x < ON_NODE and e > 0:
            sides.append((e - 1, 1.0))
        elif x > 1.0 - ON_NODE and e + 1 < self.beam.elements:
            sides.append((e + 1, 0.0))
        weighted = []
        for element, place in sides:
            points = [at for at, _ in GAUSS[self.beam.order]]
            weights = through(points, place).values
            weighted.append([(w / len(sides), self._strains(element, k)) for k, w in enumerate(weights)])
        parts = [pair for side in weighted for pair in side]
        return tuple(sum((w * s[k] for w, s in parts), 0.0 * parts[0][1][k]) for k in range(len(parts[0][1])))

    def forces(self, strain: Sequence[Number]) -> tuple[Number, ...]:
        """Normal force [N], shear force [N] and moment [N m] of a section, damping included."""
        stiffness = self.section.stiffness()
        return tuple(c * (e + self.section.damping * self.ddt(e)) for c, e in zip(stiffness, strain, strict=True))

    def channels(self, add: Any) -> None:
        """How the middle moves, as of a body, and what is reported at the stations."""
        middle = self._whole()
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

    def _whole(self) -> PlanarFrame:
        """The frame of the rigid link as its middle carries it."""
        middle = self.frame(0.5)
        if self.beam.curve is None:
            return middle
        x, y, turn = map(float, self.beam.built(0.5))
        c, s = np.cos(turn), np.sin(turn)
        origin = middle.point(PlanarVector(-float(c * x + s * y), -float(c * y - s * x)))
        return PlanarFrame(origin, middle.angle - turn, middle.velocity_at(origin), middle.spin)

    # -- loops ------------------------------------------------------------------------------------------------

    @property
    def velocities(self) -> np.ndarray:
        """Velocities of each element, one row per element."""
        count = self.width * (self.beam.order + 1)
        starts = self.first + self.width * self.beam.order * np.arange(self.beam.elements)
        return np.asarray(starts[:, None] + np.arange(count)[None, :])

    def kernels(self) -> tuple[Element, ...]:
        """What is run over the elements."""
        return (element(self.beam.order, self.built_places is not None),)

    def loops(self, layout: Any, index: dict[tuple[int, int], int], prepared: int, work: int) -> tuple[list[Any], int]:
        """Loops with the name of their part in each function, and the end of the workspace, which is free from `work`
        on. Here the elements: where they read and where they add; `index` has the places of the matrix's entries."""
        places, count = self.velocities, self.beam.elements
        factors = np.tile(layout.factors + np.arange(FACTORS), (count, 1))
        y = np.hstack([places, layout.positions + places, layout.accelerations + places, factors])
        p = np.tile(self.block + np.arange(len(NUMBERS)), (count, 1))
        if self.built_places is not None:
            p = np.hstack([p, self.built_places.reshape(count, -1)])
        tangent = np.array([[index[int(i), int(j)] for i in row for j in row] for row in places])
        results = {"residual": places, "tangent": tangent, "energies": np.tile(np.arange(ENERGIES), (count, 1))}
        return [(Loop(self.kernels()[0], {"y": y, "p": p}, results, prepared), {name: name for name in results})], work

    def start(self, pose: np.ndarray, speed: np.ndarray) -> tuple[list[float], list[float]]:
        """Coordinates and velocities of the nodes when the beam lies undeformed as a rigid body does."""
        (x, y, angle), (vx, vy, spin) = pose, speed
        c, s = np.cos(angle), np.sin(angle)
        q: list[float] = []
        v: list[float] = []
        for k in range(self.beam.nodes):
            along, across, turn = map(float, self.beam.built(k / (self.beam.nodes - 1)))
            dx, dy = c * along - s * across, s * along + c * across
            q += [x + dx, y + dy, angle + turn]
            v += [vx - dy * spin, vy + dx * spin, spin]
        return q, v


@cache
def element(order: int, bent: bool = False) -> Element:
    """The kernel of an element: y = positions, velocities and accelerations of its nodes, then the factors. Where it is
    built `bent`, its strains as built follow the numbers in p."""
    graph = Graph()
    count = NODE * (order + 1)
    q, v, a = (graph.inputs("y", count, k * count) for k in range(3))
    factors = graph.inputs("y", FACTORS, 3 * count)
    numbers = graph.inputs("p", len(NUMBERS) + (NODE * order if bent else 0))
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
    return Element(graph, outputs, len(numbers))


def felt_strains(order: int, nodes: list[PlanarFrame], numbers: list[Scalar]) -> list[tuple[float, Sequence[Scalar]]]:
    """Weights of Gauss's points, and the strains there without those it is built with."""
    weighted: list[tuple[float, Sequence[Scalar]]] = []
    for k, (x, weight) in enumerate(GAUSS[order]):
        strain: Sequence[Scalar] = strains(nodes, shape(order, x), numbers[6])
        built = numbers[len(NUMBERS) + NODE * k :][:NODE]
        weighted.append((weight, [x - y for x, y in zip(strain, built, strict=True)] if built else strain))
    return weighted


def _frames(q: list[Scalar], v: list[Scalar]) -> list[PlanarFrame]:
    return [Node(q[k : k + NODE], v[k : k + NODE]).frame for k in range(0, len(q), NODE)]


def _energies(graph: Graph, order: int, q: list[Scalar], v: list[Scalar], numbers: list[Scalar]) -> list[Scalar]:
    """Kinetic energy, energy of strain and weight, and the power that damping takes: what is summed up in ENERGIES."""
    section, length, gravity = BeamSection(*numbers[:6]), numbers[6], PlanarVector(*numbers[7:9])
    ddt, nodes = Direction(graph, zip(q, v, strict=True)), _frames(q, v)
    moving, stored, lost = graph.zero, graph.zero, graph.zero
    for weight, strains_here in felt_strains(order, nodes, numbers):
        for stiffness, strain in zip(section.stiffness(), strains_here, strict=True):
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
    section, length, gravity = BeamSection(*numbers[:6]), numbers[6], PlanarVector(*numbers[7:9])
    ddt = Direction(graph, zip(q, v, strict=True))
    along = [Direction(graph, [(x, 1.0)]) for x in q]
    speeding = [Direction(graph, [(x, 1.0)]) for x in a]
    total = [graph.zero] * len(q)
    nodes, faster = _frames(q, v), _frames(q, a)
    for weight, strains_here in felt_strains(order, nodes, numbers):
        for stiffness, strain in zip(section.stiffness(), strains_here, strict=True):
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
