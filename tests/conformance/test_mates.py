"""Every registered mate keeps the promises of the contract; a new mate is found and tested here.

Only positions are written by hand in a mate, so everything here is compared with differences of those positions, taken
on plain floats.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon.space.planar
from gudgeon.assemble.contact.contacts import ContactBuilder
from gudgeon.assemble.solve.equations import Equations
from gudgeon.assemble.trace.parameters import Parameters
from gudgeon.assemble.trace.states import States
from gudgeon.compile.graph import Graph, Module
from gudgeon.compile.graph.python import compile_module
from gudgeon.laws import Hertz, LinearLiner, Pair, SmoothCoulomb
from gudgeon.space.mate import Mate, Sizes
from gudgeon.space.planar import PlanarPlace, PlanarRigidBody, PlanarVector

MATES = sorted(Mate.registry.values(), key=lambda mate: mate.name)
RADIUS, LENGTH, WIDTH, GAP = 0.012, 0.08, 0.03, 0.0007
SIZES = Sizes(RADIUS, LENGTH, WIDTH, GAP, journal_radius=0.4)
TURNED = 0.7  # direction of the axis in the journal's body, when both are described

every_mate = pytest.mark.parametrize("mate", MATES, ids=lambda mate: mate.name)
every_seed = pytest.mark.parametrize("seed", range(4))


def places(q, v) -> tuple[PlanarPlace, PlanarPlace]:
    """Journal and bearing on two bodies, on floats or on symbols."""
    bodies = [PlanarRigidBody(q[k : k + 3], v[k : k + 3], 1.3, 0.02) for k in (0, 3)]
    i = PlanarPlace(bodies[0].frame, PlanarVector(0.03, -0.02), PlanarVector(math.cos(TURNED), math.sin(TURNED)), 0.4)
    j = PlanarPlace(bodies[1].frame, PlanarVector(-0.05, 0.01), PlanarVector(math.cos(0.2), math.sin(0.2)), -0.1)
    return i, j


def contact_points(mate: type[Mate], i: PlanarPlace, j: PlanarPlace) -> list[PlanarVector]:
    """Where the surfaces of each touch meet, written down a second time. A key has no such point."""
    if mate.name == "pin":
        e = i.point - j.point
        return [i.point + e * ((RADIUS - GAP) / math.hypot(e.x, e.y))]
    if mate.name == "slot":
        half = WIDTH / 2 - GAP
        return [i.point + i.axis * (end * LENGTH / 2) + i.normal * (side * half) for end in (1, -1) for side in (1, -1)]
    if mate.name == "groove":
        return [i.point + j.normal * (side * (WIDTH / 2 - GAP)) for side in (1, -1)]
    if mate.name == "outside":
        e = i.point - j.point
        return [j.point + e * (RADIUS / math.hypot(e.x, e.y))]
    assert mate.angular or not mate.rubs, f"tell here where the surfaces of the new mate {mate.name} meet"
    return []


def along(mate: type[Mate], touch: int, j: PlanarPlace, normal: PlanarVector) -> PlanarVector:
    """The direction in which slip is positive."""
    return j.axis if mate.name in ("slot", "groove") else normal.turned


class Pairing:
    """One mate between two bodies in a random pose, as symbols; formulas are evaluated by the Python back end."""

    def __init__(self, mate: type[Mate], seed: int) -> None:
        random = np.random.default_rng([seed, *mate.name.encode()])
        self.mate = mate
        self.q = random.uniform(-1.0, 1.0, 6) * np.tile([0.1, 0.1, 2.0], 2)
        self.v = random.uniform(-3.0, 3.0, 6)
        self.graph = graph = Graph()
        self.time = graph.input("t")
        self.parameters = Parameters(graph)
        graph.input("p", 0)
        q, v = graph.inputs("y", 6), graph.inputs("y", 6, 6)
        self.bodies = [PlanarRigidBody(q[k : k + 3], v[k : k + 3], 1.3, 0.02) for k in (0, 3)]
        self.i, self.j = places(q, v)
        self.equations = Equations(graph, self.time, self.bodies)
        self.contacts = ContactBuilder(self.equations, self.parameters, States(graph, 6, 6))

    def numbers(self, formulas, memory=()) -> np.ndarray:
        outputs = [self.graph.scalar(x) for x in formulas]
        module = Module(self.graph, {"values": outputs}, len(self.parameters))
        p = np.zeros(len(self.parameters) + module.prepared + 1)
        p[: len(self.parameters)] = self.parameters.values
        functions = compile_module(module)
        functions["prepare"](0.0, np.zeros(1), p, np.zeros(1), p[len(self.parameters) :])
        out = np.zeros(len(outputs))
        functions["values"](0.0, np.concatenate([self.q, self.v]), p, np.array([*memory, 0.0]), out)
        return out

    def gradients(self, formulas) -> np.ndarray:
        rows = [self.equations.gradient(x) for x in formulas]
        return self.numbers([row.get(k, 0.0) for row in rows for k in range(6)]).reshape(len(rows), 6)

    def generalised(self, contact, memory=()) -> np.ndarray:
        """All forces of a contact on (x, y, angle) of journal and bearing."""
        total = [self.graph.zero] * 6
        for force in contact.forces:
            for k, x in force.items():
                total[k] = total[k] + x
        return self.numbers(total, memory)


def positions(mate: type[Mate], q) -> dict[str, float]:
    """All position formulas of a mate on floats, in the order of `formulas`."""
    i, j = places([float(x) for x in q], [0.0] * 6)
    return formulas(mate, i, j)


def formulas(mate: type[Mate], i: PlanarPlace, j: PlanarPlace) -> dict[str, object]:
    found = {f"row {label}": x for label, x in mate.rows(i, j).items()}
    found |= {f"opening {touch.label}": touch.opening for touch in mate.touches(i, j, SIZES)}
    for label, offset in mate.offsets(i, j, SIZES).items():
        found |= {f"offset {label} {k}": x for k, x in enumerate(offset)}
    return found


def values(mate: type[Mate], q) -> np.ndarray:
    return np.array([float(x) for x in positions(mate, q).values()])


def derivative(f, h: float) -> np.ndarray:
    """Central difference of order 4."""
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)


def second_derivative(f, h: float) -> np.ndarray:
    return (16 * (f(h) + f(-h)) - (f(2 * h) + f(-2 * h)) - 30 * f(0.0)) / (12 * h * h)


def test_the_plane_has_its_mates():
    assert gudgeon.space.planar.__all__
    assert {"pin", "slot", "key", "outside"} <= set(Mate.registry)


@every_mate
@every_seed
def test_formulas_give_the_same_number_on_floats_and_on_symbols(mate, seed):
    pairing = Pairing(mate, seed)
    symbolic = pairing.numbers(formulas(mate, pairing.i, pairing.j).values())
    assert symbolic == pytest.approx(values(mate, pairing.q), rel=1e-14, abs=1e-15)


@every_mate
@every_seed
def test_gradients_are_slopes_of_positions(mate, seed):
    pairing = Pairing(mate, seed)
    found = pairing.gradients(formulas(mate, pairing.i, pairing.j).values())
    for k in range(6):
        unit = np.eye(6)[k]
        slope = derivative(lambda x, unit=unit: values(mate, pairing.q + x * unit), 3e-5)
        assert found[:, k] == pytest.approx(slope, rel=1e-9, abs=1e-10)


@every_mate
@every_seed
def test_rates_and_accelerations_follow_the_motion(mate, seed):
    """With velocities held, positions move along q + v t; ddt gives the first and ddt(ddt) the second derivative."""
    pairing = Pairing(mate, seed)
    symbols = list(formulas(mate, pairing.i, pairing.j).values())
    ddt = pairing.equations.ddt

    def motion(t: float) -> np.ndarray:
        return values(mate, pairing.q + pairing.v * t)

    assert pairing.numbers([ddt(x) for x in symbols]) == pytest.approx(derivative(motion, 2e-5), rel=1e-8, abs=1e-9)
    curvature = pairing.numbers([ddt(ddt(x)) for x in symbols])
    assert curvature == pytest.approx(second_derivative(motion, 2e-4), rel=1e-5, abs=1e-6)


@every_mate
def test_rows_vanish_where_the_surfaces_coincide(mate):
    """Journal and bearing at one point with parallel axes: the described pose, turned and moved as a whole."""
    turn = 1.1
    q = np.zeros(6)
    q[2], q[5] = turn + 0.4, turn - 0.1
    i, j = places(list(q), [0.0] * 6)
    q[:2] = [j.point.x - i.point.x + 0.3, j.point.y - i.point.y - 0.2]
    q[3:5] = [0.3, -0.2]
    i, j = places([float(x) for x in q], [0.0] * 6)
    assert list(mate.rows(i, j).values()) == pytest.approx([0.0] * len(mate.rows(i, j)), abs=1e-15)


@every_mate
@every_seed
def test_rows_touches_and_offsets_do_not_depend_on_the_observer(mate, seed):
    """Turned and moved together, the bodies are as open and as far off as before (rows: as satisfied as before)."""
    pairing = Pairing(mate, seed)
    turn, shift = 0.9, np.array([0.4, -0.7])
    c, s = math.cos(turn), math.sin(turn)
    moved = pairing.q.copy()
    for k in (0, 3):
        moved[k : k + 2] = np.array([[c, -s], [s, c]]) @ pairing.q[k : k + 2] + shift
        moved[k + 2] += turn
    before, after = positions(mate, pairing.q), positions(mate, moved)
    for name in before:
        if not name.startswith("row"):
            assert after[name] == pytest.approx(before[name], rel=1e-12, abs=1e-14), name
    size = [math.hypot(*(p[n] for n in p if n.startswith("row"))) for p in (before, after)]
    assert size[1] == pytest.approx(size[0], rel=1e-12)


@every_mate
@every_seed
def test_the_normal_is_a_unit_vector_along_which_the_opening_grows(mate, seed):
    pairing = Pairing(mate, seed)
    i, j = places(list(pairing.q), list(pairing.v))
    for k, touch in enumerate(mate.touches(i, j, SIZES)):
        if mate.angular:
            continue
        n = np.array([touch.normal.x, touch.normal.y])
        assert n @ n == pytest.approx(1.0, rel=1e-14)

        def opening(x: float, n=n, k=k) -> float:
            q = pairing.q.copy()
            q[:2] += x * n
            moved = places([float(v) for v in q], [0.0] * 6)
            return mate.touches(*moved, SIZES)[k].opening

        assert derivative(opening, 1e-4) == pytest.approx(1.0, rel=1e-9)


@every_mate
@every_seed
def test_slip_is_the_relative_velocity_of_the_surface_points(mate, seed):
    """Each body's material point at the contact is followed over a short time; the difference along the touch is
    the slip."""
    pairing = Pairing(mate, seed)
    i, j = places([float(x) for x in pairing.q], [float(x) for x in pairing.v])
    points = contact_points(mate, i, j)
    touches = mate.touches(i, j, SIZES)
    if not points:
        assert [touch.slip for touch in touches] == [0.0] * len(touches)
        return
    assert len(points) == len(touches)
    for k, (point, touch) in enumerate(zip(points, touches, strict=True)):
        local_i, local_j = i.frame.local(point), j.frame.local(point)

        def apart(t: float, local_i=local_i, local_j=local_j) -> np.ndarray:
            moved = places([float(x) for x in pairing.q + pairing.v * t], [0.0] * 6)
            gap = moved[0].frame.point(local_i) - moved[1].frame.point(local_j)
            return np.array([gap.x, gap.y])

        velocity = derivative(apart, 1e-4)
        tangent = along(mate, k, j, touch.normal)
        assert touch.slip == pytest.approx(velocity @ [tangent.x, tangent.y], rel=1e-8, abs=1e-9)


def resultant(pairing: Pairing, force: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Sum of both forces, total moment about the origin, and the size to compare with."""
    x, y = pairing.q[[0, 3]], pairing.q[[1, 4]]
    fx, fy, couple = force[[0, 3]], force[[1, 4]], force[[2, 5]]
    moment = (couple + x * fy - y * fx).sum()
    return np.array([fx.sum(), fy.sum()]), moment, np.abs(force).max()


@every_mate
@every_seed
def test_a_contact_pushes_apart_and_rubs_against_slip_with_equal_and_opposite_forces(mate, seed):
    """Hertz and Coulomb on every touch, far closed so that it acts: power = -normal x rate + friction x slip exactly,
    friction takes power, and what one body feels the other feels the other way round about any point."""
    pairing = Pairing(mate, seed)
    touches = mate.touches(pairing.i, pairing.j, SIZES)
    wall, friction = Hertz(stiffness=1e4), None if mate.angular or not mate.rubs else SmoothCoulomb(0.3)
    for k, touch in enumerate(touches):
        rubs = None if friction is None else pairing.parameters.block("j.friction", friction.pack(Pair()))
        block = pairing.parameters.block("j.wall", wall.pack(Pair()))
        contact = pairing.contacts.touch("j", touch, "wall", wall, Pair(), pairing.graph.scalar(-10.0), 0.0,
                                         block=block, friction=friction, friction_block=rubs)  # fmt: skip
        memory = [0.0] * (2 * k) + [1.0, 0.1]
        scalars = [contact.normal, contact.rate, contact.friction, contact.slip]
        normal, rate, rub, slip = pairing.numbers(scalars, memory)
        force = pairing.generalised(contact, memory)
        sums, moment, size = resultant(pairing, force)
        assert normal > 0.0
        assert sums == pytest.approx([0.0, 0.0], abs=1e-12 * size)
        assert moment == pytest.approx(0.0, abs=1e-12 * size)
        assert force @ pairing.v == pytest.approx(-normal * rate + rub * slip, rel=1e-11)
        if friction is not None:
            assert rub * slip < 0.0
        # the push alone does negative work on a growing opening
        push = pairing.numbers([contact.forces[0].get(c, 0.0) for c in range(6)], memory)
        slope = pairing.gradients([touch.opening])[0]
        assert push @ slope < 0.0
        assert push == pytest.approx(-normal * slope, rel=1e-12, abs=1e-12 * size)
        absorbed, rubbed = pairing.numbers([contact.absorbed, contact.rubbed], memory)
        assert absorbed + rubbed == pytest.approx(-(force @ pairing.v), rel=1e-11)


@every_mate
@every_seed
def test_a_bushing_pulls_back_with_equal_and_opposite_forces(mate, seed):
    """Spring and damper on every offset. Nothing acts between the bodies as a whole, and the power is the absorbed one:
    d/dt (K r^2 / 2) + b |rate|^2."""
    pairing = Pairing(mate, seed)
    stiffness, damping = 3e4, 40.0
    liner = LinearLiner(stiffness, damping)
    block = pairing.parameters.block("j.liner", liner.pack(Pair()))
    for label, offset in mate.offsets(pairing.i, pairing.j, SIZES).items():
        contact = pairing.contacts.bush("j", label, offset, liner, Pair(), block)
        force = pairing.generalised(contact)
        sums, moment, size = resultant(pairing, force)
        assert sums == pytest.approx([0.0, 0.0], abs=1e-12 * size)
        assert moment == pytest.approx(0.0, abs=1e-12 * size)
        ddt = pairing.equations.ddt
        parts, rates = pairing.numbers(offset), pairing.numbers([ddt(x) for x in offset])
        power = -stiffness * (parts @ rates) - damping * (rates @ rates)
        assert force @ pairing.v == pytest.approx(power, rel=1e-10)
        assert pairing.numbers([contact.absorbed])[0] == pytest.approx(-power, rel=1e-10)


@every_mate
@every_seed
def test_bodies_that_turn_together_feel_no_damping(mate, seed):
    """A rigid motion of both bodies leaves offsets, openings and slips as they are."""
    pairing = Pairing(mate, seed)
    spin, vx, vy = 4.0, 0.7, -1.2
    for k in (0, 3):
        pairing.v[k : k + 3] = [vx - spin * pairing.q[k + 1], vy + spin * pairing.q[k], spin]
    ddt = pairing.equations.ddt
    touches = mate.touches(pairing.i, pairing.j, SIZES)
    still = [ddt(x) for offset in mate.offsets(pairing.i, pairing.j, SIZES).values() for x in offset]
    still += [x for touch in touches for x in (ddt(touch.opening), touch.slip)]
    assert pairing.numbers(still) == pytest.approx([0.0] * len(still), abs=1e-14)
