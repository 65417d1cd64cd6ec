"""The plane as a special case of space: the same two bodies described twice give the same openings, rates and slips."""

from __future__ import annotations

import numpy as np
import pytest

from gudgeon.assemble.solve.equations import Equations
from gudgeon.compile.graph import Graph, Module
from gudgeon.compile.graph.python import compile_module
from gudgeon.space import planar, spatial
from gudgeon.space.mate import Sizes

SIZES = Sizes(radius=0.012, length=0.04, gap=0.0007)
Z = spatial.Vector(0.0, 0.0, 1.0)
PIN, FLAT_KEY = planar.MATES["pin"], planar.MATES["key"]
SLEEVE, BALL, KEY = (spatial.SPATIAL_MATES[name] for name in ("sleeve", "ball", "key"))


class Scene:
    """Formulas of two bodies as symbols, evaluated by the Python back end."""

    def __init__(self, body: type, q: np.ndarray, v: np.ndarray, inertia: object) -> None:
        self.y = np.concatenate([q, v])
        self.graph = graph = Graph()
        n, m = len(q) // 2, len(v) // 2
        qs, vs = graph.inputs("y", 2 * n), graph.inputs("y", 2 * m, 2 * n)
        self.bodies = [body(qs[n * k : n * k + n], vs[m * k : m * k + m], 1.0, inertia) for k in range(2)]
        self.equations = Equations(graph, graph.input("t"), self.bodies)

    def numbers(self, formulas) -> np.ndarray:
        module = Module(self.graph, {"values": [self.graph.scalar(x) for x in formulas]}, 0)
        p, out, functions = np.zeros(module.prepared + 1), np.zeros(len(formulas)), compile_module(module)
        functions["prepare"](0.0, np.zeros(1), p, np.zeros(1), p)
        functions["values"](0.0, self.y, p, np.zeros(1), out)
        return out


def twins(seed: int) -> tuple[Scene, tuple, Scene, tuple]:
    random = np.random.default_rng(seed)
    angle = random.uniform(-1.5, 1.5, 2)
    points = random.uniform(-0.05, 0.05, (2, 2))
    turned = [np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in angle]
    at = [-m @ s for m, s in zip(turned, points, strict=True)]
    at[0] = at[0] + random.uniform(-1e-3, 1e-3, 2)
    v = random.uniform(-2.0, 2.0, 6)
    flat = Scene(planar.PlanarRigidBody, np.array([*at[0], angle[0], *at[1], angle[1]]), v, 0.1)
    space = Scene(
        spatial.RigidBody,
        np.array(
            [x for p, a in zip(at, angle, strict=True) for x in (*p, 0.0, np.cos(a / 2), 0.0, 0.0, np.sin(a / 2))]
        ),
        np.array([v[0], v[1], 0, 0, 0, v[2], v[3], v[4], 0, 0, 0, v[5]]),
        (0.1, 0.1, 0.1),
    )
    flat_places, space_places = [], []
    for k in range(2):
        point, axis = planar.PlanarVector(*points[k]), planar.PlanarVector(1.0, 0.0)
        flat_places.append(planar.PlanarPlace(flat.bodies[k].frame, point, axis))
        here = spatial.Vector(*points[k], 0.0)
        axes = spatial.Vector(1.0, 0.0, 0.0), spatial.Vector(0.0, 1.0, 0.0), Z
        space_places.append(spatial.Place(space.bodies[k].frame, here, *axes))
    return flat, tuple(flat_places), space, tuple(space_places)


every_seed = pytest.mark.parametrize("seed", range(5))


def pin(flat: Scene, places: tuple) -> np.ndarray:
    (touch,) = PIN.touches(*places, SIZES)
    force = flat.equations.velocity_gradient(touch.slip)
    arms = [force.get(k, 0.0) for k in (0, 1, 2, 3, 4, 5)]
    return flat.numbers([touch.opening, flat.equations.ddt(touch.opening), touch.slip, *arms])


@every_seed
@pytest.mark.parametrize("strips", [1, 3])
def test_a_sleeve_in_the_plane_is_a_pin(seed, strips):
    flat, flat_places, space, places = twins(seed)
    sizes = Sizes(radius=0.012, length=0.04, gap=0.0007, strips=strips)
    expected = pin(flat, flat_places)
    for touch in SLEEVE.touches(*places, sizes):
        around, along = touch.slip
        force = space.equations.velocity_gradient(around)
        arms = [force.get(k, 0.0) for k in (0, 1, 5, 6, 7, 11)]
        found = space.numbers([touch.opening, space.equations.ddt(touch.opening), around, *arms])
        assert found == pytest.approx(expected, rel=1e-11, abs=1e-14)
        assert space.numbers([along])[0] == pytest.approx(0.0, abs=1e-15)


@every_seed
def test_a_ball_in_the_plane_is_a_pin(seed):
    flat, flat_places, space, places = twins(seed)
    (touch,) = BALL.touches(*places, SIZES)
    tangent = Z.cross(touch.normal)
    slip = sum(a * b for a, b in zip(touch.slip, tangent, strict=True))
    found = space.numbers([touch.opening, space.equations.ddt(touch.opening), slip])
    assert found == pytest.approx(pin(flat, flat_places)[:3], rel=1e-11, abs=1e-14)
    assert np.linalg.norm(space.numbers(touch.slip)) == pytest.approx(abs(found[2]), rel=1e-12)


@every_seed
def test_a_key_in_the_plane_is_a_key(seed):
    flat, flat_places, space, places = twins(seed)
    ours, theirs = KEY.touches(*places, SIZES), FLAT_KEY.touches(*flat_places, SIZES)
    for a, b in zip(ours, theirs, strict=True):
        found = space.numbers([a.opening, space.equations.ddt(a.opening)])
        assert found == pytest.approx(flat.numbers([b.opening, flat.equations.ddt(b.opening)]), rel=1e-12, abs=1e-14)


@every_seed
def test_bushings_have_the_same_offsets(seed):
    flat, flat_places, space, places = twins(seed)
    expected = flat.numbers(PIN.offsets(*flat_places, SIZES)[""])
    assert space.numbers(SLEEVE.offsets(*places, SIZES)["radial"]) == pytest.approx(
        expected, rel=1e-12, abs=1e-16
    )
    assert space.numbers(SLEEVE.offsets(*places, SIZES)["conical"]) == pytest.approx([0, 0], abs=1e-15)
    offsets = space.numbers(BALL.offsets(*places, SIZES)[""])
    assert offsets[:2] == pytest.approx(expected, rel=1e-12, abs=1e-16)
