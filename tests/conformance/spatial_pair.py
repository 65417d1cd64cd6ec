"""Two bodies of space in a random pose, a place on each, as floats and as symbols."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from gudgeon.assemble.contact.contacts import ContactBuilder
from gudgeon.assemble.solve.equations import Equations
from gudgeon.assemble.trace.parameters import Parameters
from gudgeon.assemble.trace.states import States
from gudgeon.compile.graph import Graph, Module
from gudgeon.compile.graph.python import compile_module
from gudgeon.space.mate import Mate, Sizes
from gudgeon.space.spatial import Place, RigidBody, Rotation, Vector, rotation_matrix
from gudgeon.space.spatial.geometry.rotation import about, parameters_of
from gudgeon.space.spatial.geometry.triad import direction, on_body, triad

RADIUS, LENGTH, GAP = 0.012, 0.04, 0.0007
MASS, INERTIA = 1.3, (0.02, 0.03, 0.025)
SIZES = Sizes(radius=RADIUS, length=LENGTH, gap=GAP, strips=3, journal_radius=0.007)

# described attitudes of journal and bearing, and the turn from the bearing's described axes to its principal ones
ATTITUDES = (about(direction((1, 2, -1)), 0.8), about(direction((-1, 1, 3)), 2.1))
TURNED = rotation_matrix(about(direction((2, -1, 1)), 0.6))
TRIAD = triad(direction((1, -2, 2)))
POINTS = (Vector(0.03, -0.02, 0.05), Vector(-0.05, 0.01, 0.02))


def bodies(q: Sequence, v: Sequence) -> list[RigidBody]:
    return [
        RigidBody(q[:7], v[:6], MASS, INERTIA),
        RigidBody(q[7:], v[6:], MASS, INERTIA, TURNED),
    ]


def attitudes() -> list[Rotation]:
    """Rotations of the described axes; those of the second body's principal axes follow from it."""
    return [rotation_matrix(p) for p in ATTITUDES]


def places(q: Sequence, v: Sequence) -> tuple[Place, Place]:
    sides = [
        Place(body.frame, point, *on_body(attitude, TRIAD), lead=0.003, near=0.02)
        for body, point, attitude in zip(bodies(q, v), POINTS, attitudes(), strict=True)
    ]
    return sides[0], sides[1]


def described() -> np.ndarray:
    """Coordinates in which both points coincide and both triads are parallel."""
    first, second = attitudes()
    # principal axes: the described attitude after the inverse of the turn
    inverse = Rotation.of_columns(TURNED.x, TURNED.y, TURNED.z)
    q = np.array([0, 0, 0, *parameters_of(first), 0.4, -0.3, 0.2, *parameters_of(second.after(inverse))], dtype=float)
    i, j = places(list(q), [0.0] * 12)
    q[:3] += np.array([*(j.point - i.point)])
    return q


def quaternion_product(p: np.ndarray, r: np.ndarray) -> np.ndarray:
    e, f = p[1:], r[1:]
    return np.array([p[0] * r[0] - e @ f, *(p[0] * f + r[0] * e + np.cross(e, f))])


def moved(q: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
    """Where constant velocities lead: straight on, and a steady turn about a body-fixed axis."""
    q = np.array(q, dtype=float)
    for k in range(2):
        q[7 * k : 7 * k + 3] += t * v[6 * k : 6 * k + 3]
        w = v[6 * k + 3 : 6 * k + 6]
        angle = t * float(np.linalg.norm(w))
        turn = np.array([math.cos(angle / 2), *(0.5 * t * w * np.sinc(angle / (2 * math.pi)))])
        q[7 * k + 3 : 7 * k + 7] = quaternion_product(q[7 * k + 3 : 7 * k + 7], turn)
    return q


def formulas(mate: type[Mate], i: Place, j: Place, sizes: Sizes) -> dict[str, object]:
    found: dict[str, object] = {f"row {label}": x for label, x in mate.rows(i, j).items()}
    for label, offset in mate.offsets(i, j, sizes).items():
        found |= {f"offset {label} {k}": x for k, x in enumerate(offset)}
    return found | {f"opening {touch.label}": touch.opening for touch in mate.touches(i, j, sizes)}


def values(mate: type[Mate], q: np.ndarray, sizes: Sizes) -> np.ndarray:
    i, j = places([float(x) for x in q], [0.0] * 12)
    return np.array([float(x) for x in formulas(mate, i, j, sizes).values()])


def derivative(f: Callable[[float], np.ndarray], h: float) -> np.ndarray:
    """Central difference of order 4."""
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)


def second_derivative(f: Callable[[float], np.ndarray], h: float) -> np.ndarray:
    return (16 * (f(h) + f(-h)) - (f(2 * h) + f(-2 * h)) - 30 * f(0.0)) / (12 * h * h)


class Pairing:
    """The pair near its described position, off by what `reach` [m, rad] says, and moving."""

    def __init__(self, seed: Sequence[int], reach: float = 0.08, width: float = 1e-3) -> None:
        random = np.random.default_rng(seed)
        shift = random.uniform(-1.0, 1.0, 12) * np.tile([width] * 3 + [reach] * 3, 2)
        self.q = moved(described(), shift, 1.0)
        self.v = random.uniform(-3.0, 3.0, 12)
        self.graph = graph = Graph()
        self.time = graph.input("t")
        self.parameters = Parameters(graph)
        graph.input("p", 0)
        q, v = graph.inputs("y", 14), graph.inputs("y", 12, 14)
        self.bodies = bodies(q, v)
        self.i, self.j = places(q, v)
        self.equations = Equations(graph, self.time, self.bodies)
        self.contacts = ContactBuilder(self.equations, self.parameters, States(graph, 14, 12))

    @property
    def y(self) -> np.ndarray:
        return np.concatenate([self.q, self.v])

    def numbers(self, formulas: Sequence) -> np.ndarray:
        outputs = [self.graph.scalar(x) for x in formulas]
        module = Module(self.graph, {"values": outputs}, len(self.parameters))
        p = np.zeros(len(self.parameters) + module.prepared + 1)
        p[: len(self.parameters)] = self.parameters.values
        functions = compile_module(module)
        functions["prepare"](0.0, np.zeros(1), p, np.zeros(1), p[len(self.parameters) :])
        out = np.zeros(len(outputs))
        functions["values"](0.0, self.y, p, np.zeros(1), out)
        return out

    def row(self, entries: dict) -> np.ndarray:
        return self.numbers([entries.get(k, 0.0) for k in range(12)])

    def resultant(self, force: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Sum of the forces on both bodies, and of the moments about the origin."""
        total = np.zeros(6)
        for k, body in enumerate(bodies(list(self.q), list(self.v))):
            total += np.array(body.wrench(list(force[6 * k : 6 * k + 6]), Vector(0.0, 0.0, 0.0)))
        return total[:3], total[3:]
