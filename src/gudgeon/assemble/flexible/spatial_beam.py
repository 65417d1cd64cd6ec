"""Beams of space on symbols: their nodes and seats, their channels, and the places of their kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.assemble.flexible.planar_beam import FACTORS, Flexible
from gudgeon.assemble.flexible.spatial_kernels import (
    COORDINATES,
    VELOCITIES,
    BeamKernel,
    Pattern,
    moving,
    stretching,
)
from gudgeon.assemble.solve.elimination import product
from gudgeon.compile.graph.loop import Element, Loop
from gudgeon.model.parts import SpatialBeam
from gudgeon.space.flexible import GAUSS, shape
from gudgeon.space.flexible.spatial import (
    FORCE_NAMES,
    STRAIN_NAMES,
    SpatialNode,
    interpolate,
    line,
    section_strains,
    weighed,
)
from gudgeon.space.mate import Number
from gudgeon.space.spatial import Frame, Vector
from gudgeon.space.spatial.geometry.rotation import (
    Rotation,
    after,
    conjugate,
    parameters_of,
    rotation_matrix,
    unit_parameters,
)

if TYPE_CHECKING:
    from gudgeon.assemble.trace.trace import Trace

ROUNDING = 1e-14  # of the length: what is left of a zero when a point is turned into the beam's axes
UNITS = ("N", "N", "N", "Nm", "Nm", "Nm")
STRAIN_UNITS = ("1", "1", "1", "1/m", "1/m", "1/m")


class SpatialFlexible(Flexible):
    """One beam of space in a trace: what a body has to answer, its channels and its loops."""

    width = VELOCITIES
    node = SpatialNode

    def _numbers(self, trace: Trace) -> None:
        beam: SpatialBeam = self.beam
        section, number = beam.section, trace.parameters.number
        above = [(k, m) for k in range(6) for m in range(k, 6)]
        self.pattern = Pattern(
            tuple(pair for pair in above if section.stiffness[pair[0]][pair[1]] != 0.0),
            tuple(k for k in range(3) if section.centre[k] != 0.0),
            tuple((k - 3, m - 3) for k, m in above if k >= 3 and section.inertia[k][m] != 0.0),
            beam.damping != 0.0,
        )
        stiffness = {f"stiffness.{k}{m}": section.stiffness[k][m] for k, m in self.pattern.stiffness}
        centre = {f"centre.{k}": section.centre[k] for k in self.pattern.centre}
        moments = {f"moment.{k}{m}": section.inertia[k + 3][m + 3] for k, m in self.pattern.moments}
        gravity = {f"gravity.{a}": x for a, x in zip("xyz", trace.mechanism.gravity, strict=True)}
        elastic = {**stiffness, "damping": beam.damping}
        weighing = {"mass": section.mass, **centre, **moments, **gravity}
        self.symbols: dict[str, Any] = {}
        self.seats: dict[float, Frame] = {}  # sections between nodes that carry something, by station
        self.length, self.common, self.points = beam.length / beam.elements, [], []
        for values, count in zip((elastic, weighing), (beam.order, beam.order + 1), strict=True):
            self.common.append(len(trace.parameters) + np.arange(len(values)))
            self.symbols |= {name: number(f"{beam.name}.{name}", x) for name, x in values.items()}
            self.points.append(np.array([self._point(trace, *at) for at in GAUSS[count]]))
        self.same = trace.parameters.block(beam.name, {"other": 0.0, "same": 1.0})
        self._built(trace)

    def built_nodes(self) -> list[Any]:
        poses = [self.beam.built(k / (self.beam.nodes - 1)) for k in range(self.beam.nodes)]
        return [SpatialNode(tuple(map(float, pose)), (0.0,) * VELOCITIES) for pose in poses]

    def _point(self, trace: Trace, x: float, weight: float) -> np.ndarray:
        """Places of the weight, values and slopes of the polynomials at one of Gauss's points."""
        at = shape(self.beam.order, x)
        numbers = (weight * self.length, *at.values, *(slope / self.length for slope in at.slopes))
        start = len(trace.parameters)
        for k, value in enumerate(numbers):
            trace.parameters.number(f"{self.beam.name}.point.{start + k}", value)
        return start + np.arange(len(numbers))

    # -- as a body --------------------------------------------------------------------------------------------

    def seat(self, point: tuple[float, ...]) -> tuple[Any, tuple[float, ...]]:
        frame, local = super().seat(point)
        station, _ = self.beam.section_of(point)
        if not any(frame is node.frame for node in self.nodes):
            self.seats[station] = frame
        return frame, tuple(0.0 if abs(x) <= ROUNDING * self.beam.length else x for x in local)

    def _between(self, e: int, x: float) -> Frame:
        return interpolate(self._nodes(e), shape(self.beam.order, x))

    def sections(self) -> list[Any]:
        sections: list[Any] = []
        for station, frame in self.seats.items():
            e, x = self._place(station)
            first = self.first // self.width + self.beam.order * e
            sections.append((first, shape(self.beam.order, x).values, frame.rotation, self._parameters(station)))
        return sections

    # -- forces -----------------------------------------------------------------------------------------------

    def _strains_of(self, nodes: Sequence[Any], x: float, length: Any) -> Sequence[Number]:
        at = shape(self.beam.order, x)
        return section_strains(line(nodes, at.values, [s / length for s in at.slopes]))

    def forces(self, strain: Sequence[Number]) -> tuple[Number, ...]:
        """Normal force, shear forces [N], torsion and bending moments [N m] of a section, damping included."""
        damping = self.symbols["damping"]
        felt = [e + damping * self.ddt(e) for e in strain] if self.pattern.damped else list(strain)
        stiffness = {pair: self.symbols[f"stiffness.{pair[0]}{pair[1]}"] for pair in self.pattern.stiffness}
        return tuple(product(stiffness, felt))

    def channels(self, add: Any) -> None:
        """How the middle moves, as of a body, and what is reported at the stations."""
        name, values = self.beam.name, self._motion()
        units = (*SpatialNode.units, *SpatialNode.velocity_units)
        for key, unit, value in zip((*SpatialNode.coordinates, *SpatialNode.velocities), units, values, strict=True):
            add(f"{name}.{key}", unit, f"{key} of the middle", value)
        for station in self.beam.stations:
            percent = f"{100 * station:g}"
            prefix, where = f"{name}.{percent.replace('.', '_')}", f"at {percent} % of {name}"
            frame, strain = self.frame(station), self.strains_at(station)
            values = (*frame.origin, *self._parameters(station))
            for key, unit, value in zip(SpatialNode.coordinates, SpatialNode.units, values, strict=True):
                add(f"{prefix}.{key}", unit, f"{key} {where}", value)
            for keys, each, numbers in ((FORCE_NAMES, UNITS, self.forces(strain)),
                                        (STRAIN_NAMES, STRAIN_UNITS, strain)):  # fmt: skip
                for key, unit, value in zip(keys, each, numbers, strict=True):
                    add(f"{prefix}.{key}", unit, f"{key.replace('_', ' ')} {where}", value)

    def _motion(self) -> tuple[Number, ...]:
        """Coordinates and velocities of the rigid link as its middle carries it."""
        middle, turn = self.frame(0.5), self._parameters(0.5)
        if self.beam.curve is None:
            return (*middle.origin, *turn, *middle.velocity, *middle.spin)
        x, y, z, *own = map(float, self.beam.built(0.5))
        bent = rotation_matrix(own)
        origin = middle.point(bent.back(Vector(-x, -y, -z)))
        whole = after(turn, (own[0], *(-a for a in own[1:])))
        return (*origin, *whole, *middle.velocity_at(origin), *(bent @ middle.spin))

    def _parameters(self, station: float) -> tuple[Number, ...]:
        """Euler parameters of a section."""
        e, x = self._place(station)
        at = shape(self.beam.order, x).values
        return unit_parameters(weighed([node.parameters for node in self._nodes(e)], at))

    # -- loops ------------------------------------------------------------------------------------------------

    def _kernels(self) -> tuple[BeamKernel, BeamKernel]:
        order, pattern, bent = self.beam.order, self.pattern, self.built_places is not None
        elastic = stretching(order, pattern.stiffness, pattern.damped, bent)
        return elastic, moving(order, pattern.centre, pattern.moments)

    def kernels(self) -> tuple[Element, ...]:
        return tuple(element for kernel in self._kernels() for element in (kernel.point, kernel.pair))

    def loops(self, layout: Any, index: dict[tuple[int, int], int], prepared: int, work: int) -> tuple[list[Any], int]:
        """Gauss's points of all elements and pairs of nodes at each of them."""
        loops: list[Any] = []
        factors = layout.factors + np.arange(FACTORS)
        for k, (kernel, energies) in enumerate(zip(self._kernels(), ((1, 2), (0, 1)), strict=True)):
            loop, pairs = self.run(kernel, k, layout, factors, index, prepared, work, energies)
            prepared += loop.derived + pairs.derived
            work += kernel.width * loop.count
            loops += [(loop, {"residual": "residual", "tangent": "changes", "energies": "energies"}),
                      (pairs, {"tangent": "tangent"})]  # fmt: skip
        return loops, work

    def at_points(self, k: int) -> tuple[np.ndarray, ...]:
        """For the elastic kernels, k = 0, or the moving ones, by points of all elements: the first node, the places of
        coordinates and of velocities, those of the polynomials, and of all that kernels read from p."""
        points = len(self.points[k])
        count = self.beam.elements * points
        place = np.tile(self.points[k], (self.beam.elements, 1))
        node = self.first // self.width + self.beam.order * np.repeat(np.arange(self.beam.elements), points)
        rows = np.repeat(self.velocities, points, axis=0)
        q = COORDINATES * node[:, None] + np.arange(COORDINATES * (self.beam.order + 1))
        built = [] if k or self.built_places is None else [self.built_places.reshape(count, -1)]
        return node, q, rows, place, np.hstack([np.tile(self.common[k], (count, 1)), *built, place])

    def run(self, kernel: BeamKernel, k: int, layout: Any, factors: np.ndarray, index: dict[tuple[int, int], int],
            prepared: int, work: int, energies: tuple[int, int] = (0, 0)) -> tuple[Loop, Loop]:  # fmt: skip
        """Both loops of a kernel, with the places of the factors of accelerations, velocities and positions."""
        node, q, rows, place, p = self.at_points(k)
        left = work + kernel.width * np.arange(len(node))[:, None] + np.arange(kernel.width)
        y = np.hstack([q, layout.positions + rows, layout.accelerations + rows])
        results = {"residual": rows, "changes": left, "energies": np.tile(energies, (len(node), 1))}
        loop = Loop(kernel.point, {"y": y, "p": p}, results, prepared)
        return loop, self._pairs(k, kernel, layout, factors, index, prepared + loop.derived, node, place, left)

    def _pairs(self, k: int, kernel: BeamKernel, layout: Any, factors: np.ndarray, index: dict[tuple[int, int], int],
               prepared: int, node: np.ndarray, place: np.ndarray, left: np.ndarray) -> Loop:  # fmt: skip
        """Every pair of nodes of every point, of which `node` has the first node and `place` the polynomials."""
        n = self.beam.order + 1
        i, j = (np.tile(x.ravel(), len(node)) for x in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
        each = np.repeat(np.arange(len(node)), n * n)
        one, two = node[each] + i, node[each] + j
        four, three = np.arange(3, 7), np.arange(3, 6)
        y = np.hstack([
            COORDINATES * one[:, None] + four, COORDINATES * two[:, None] + four,
            layout.positions + VELOCITIES * two[:, None] + three,
            layout.accelerations + VELOCITIES * two[:, None] + three,
            np.tile(factors, (len(each), 1)),
        ])  # fmt: skip
        value, slope = (np.column_stack([place[each, shift + x] for x in (i, j)]) for shift in (1, 1 + n))
        first = value if k else slope
        shares = [np.column_stack([first[:, side], value[:, side], slope[:, side]]) for side in range(2)]
        p = np.hstack([*shares, self.same + (i == j)[:, None]])
        entry = [[index[int(VELOCITIES * a + r), int(VELOCITIES * b + c)] for r in range(6) for c in range(6)]
                 for a, b in zip(one, two, strict=True)]  # fmt: skip
        return Loop(kernel.pair, {"y": y, "p": p, "w": left[each]}, {"tangent": np.array(entry)}, prepared)

    def start(self, pose: np.ndarray, speed: np.ndarray) -> tuple[list[float], list[float]]:
        """Coordinates and velocities of the nodes when the beam lies undeformed as a rigid body does."""
        turn, spin = self._described(tuple(map(float, pose[3:])), Vector(*map(float, speed[3:])))
        body = SpatialNode((*map(float, pose[:3]), *turn), (*map(float, speed[:3]), *spin))
        q: list[float] = []
        v: list[float] = []
        for k in range(self.beam.nodes):
            built = tuple(map(float, self.beam.built(k / (self.beam.nodes - 1))))
            place = body.frame.point(Vector(*built[:3]))
            q += [*place, *(turn if self.beam.curve is None else after(turn, built[3:]))]
            own = spin if self.beam.curve is None else rotation_matrix(built[3:]).back(spin)
            v += [*body.frame.velocity_at(place), *own]
        return q, v

    def _described(self, turn: tuple[float, ...], spin: Vector) -> tuple[tuple[float, ...], Vector]:
        """Euler parameters and spin of the axes that points are described in, from those of the principal axes."""
        principal = self.beam.stiff.principal.described
        if principal is None:
            return turn, spin
        own = Rotation(*principal.columns)
        return after(turn, conjugate(parameters_of(own))), own @ spin
