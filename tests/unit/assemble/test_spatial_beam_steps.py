"""Beams of space over a step: work is the change of energy, of strain and of motion, forces and momenta have no
resultant, tangents are right."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from full_sections import full_section
from test_spatial_steps import HERTZ, Pair, matrix, moved

import gudgeon as gd
from gudgeon.model import SpatialSection

PLAIN = SpatialSection((1e4, 1e4, 1e4, 500.0, 400.0, 300.0), (1.0, 1.0, 1.0, 0.20, 0.05, 0.15))


def beam(section: SpatialSection, order: int, elements: int = 2, heavy: bool = False, **more: object) -> gd.Mechanism:
    m = gd.Mechanism("beam", planar=False, gravity=(0.3, -9.0, 1.0) if heavy else (0.0, 0.0, 0.0))
    m.beam("beam", a=(0.1, 0.0, 0.2), b=(1.0, 0.5, -0.3), up=(0.2, 0.1, 1.0), section=section, elements=elements,
           order=order, **more)  # fmt: skip
    return m


def carrying(order: int, kind: str, elements: int) -> gd.Mechanism:
    """A body on a beam, between two of its nodes."""
    m = beam(PLAIN, order, elements)
    body = m.body("lump", mass=1.0, inertia=(0.2, 0.3, 0.4), at=(0.4, 0.2, 0.3), orientation=(0.8, 0.6, 0.0, 0.0))
    along = {"at": (0.37, 0.25, 0.05), "radius": 0.1}  # beside the line
    if kind == "spherical":
        m.spherical("seat", journal=body, bearing="beam", **along)
        return m.refit(seat=gd.Clearance(1e-3, wall=gd.Hertz(stiffness=HERTZ)))
    m.revolute("seat", journal=body, bearing="beam", axis=(0.0, 1.0, 0.0), **along)
    return m


MECHANISMS = {
    "linear": lambda: beam(PLAIN, 1),
    "quadratic": lambda: beam(PLAIN, 2),
    "cubic": lambda: beam(PLAIN, 3, 1),
    "full": lambda: beam(full_section(), 2, 1),
    "heavy": lambda: beam(full_section(), 1, 2, heavy=True),
    "bent": lambda: beam(PLAIN, 1, through=[(0.4, 0.3, 0.1)]),
    "loose ball on it": lambda: carrying(1, "spherical", 1),
    "hinge on it": lambda: carrying(2, "revolute", 2),
}


QUICK = ("bent", "loose ball on it")
NAMES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in MECHANISMS]


@cache
def pair_of(name: str) -> Pair:
    pair = Pair(MECHANISMS[name](), size=0.02)
    rng, n = np.random.default_rng(5), pair.n
    pair.v_a = rng.normal(size=n)
    pair.v_b = 2.0 * pair.step - pair.v_a  # steps of one second
    # velocities of a, then w_p, w_k, c_w, w_t, w_w
    pair.start = pair.s.states + pair.nq + 2 + pair.layout.internal
    pair.y[pair.nq : pair.nq + n], pair.y[pair.start : pair.start + n] = pair.v_b, pair.v_a
    return pair


def inertia(pair: Pair, weights: tuple[float, ...], y: np.ndarray | None = None) -> np.ndarray:
    """With weights of momenta at b, K, ψ x p and w x p."""
    y, own = (pair.y if y is None else y).copy(), pair.start + pair.n
    y[[own, own + 1, own + 3, own + 4]] = weights
    return pair.call("inertia", y)[: pair.n]


def kinetic(pair: Pair, q: np.ndarray, v: np.ndarray) -> float:
    y, names = pair.at(q), [c.name for c in pair.s.channels]
    y[pair.nq : pair.nq + pair.n] = v
    return float(pair.call("channels", y)[names.index("energy.kinetic")])


def resultant(forces: np.ndarray, pair: Pair) -> tuple[np.ndarray, np.ndarray]:
    """Push and moment about the origin of forces on all bodies over a step."""
    push, moment = np.zeros(3), np.zeros(3)
    for force, a, b in zip(forces.reshape(-1, 6), pair.a.reshape(-1, 7), pair.b.reshape(-1, 7), strict=True):
        push += force[:3]
        mean = 0.5 * (matrix(tuple(a[3:])) + matrix(tuple(b[3:])))
        moment += mean @ force[3:] + np.cross(0.5 * (a[:3] + b[:3]), force[:3])
    return push, moment


def momenta(pair: Pair) -> tuple[np.ndarray, np.ndarray]:
    """At a and at b, along the velocities."""
    y = pair.y.copy()
    y[: pair.nq], y[pair.nq : pair.nq + pair.n] = pair.a, pair.v_a
    return inertia(pair, (1.0, 0.0, 0.0, 0.0), y), inertia(pair, (1.0, 0.0, 0.0, 0.0))


@pytest.mark.parametrize("name", NAMES)
def test_work_is_the_change_of_what_is_stored(name):
    pair = pair_of(name)
    work, change = pair.call("conservative")[: pair.n] @ pair.step, pair.stored(pair.b) - pair.stored(pair.a)
    assert abs(change) > 1e-3
    assert work == pytest.approx(change, rel=1e-10)


@pytest.mark.parametrize("name", NAMES)
def test_work_of_momenta_is_the_change_of_kinetic_energy(name):
    pair = pair_of(name)
    p_a, p_b = momenta(pair)
    work = pair.step @ (p_b - p_a + inertia(pair, (0.0, 1.0, 1.0, 0.0)))
    change = [kinetic(pair, q, v) for q, v in ((pair.a, pair.v_a), (pair.b, pair.v_b))]
    rigid = 0.0
    for k in range(len(pair.s.mechanism.bodies)):
        mass = np.array([1.0, 1.0, 1.0, 0.2, 0.3, 0.4])
        rigid += 0.5 * mass @ (pair.v_b[6 * k : 6 * k + 6] ** 2 - pair.v_a[6 * k : 6 * k + 6] ** 2)
    assert work == pytest.approx(change[1] - change[0] - rigid, rel=1e-10)
    assert abs(pair.step @ inertia(pair, (0.0, 0.0, 1.0, 0.0))) < 1e-12  # what turns momenta does not work
    assert abs(pair.step @ inertia(pair, (0.0, 1.0, 0.0, 0.0))) > 1e-6


@pytest.mark.parametrize("name", [name for name, each in zip(NAMES, MECHANISMS, strict=True) if each != "heavy"])
def test_forces_have_no_resultant_and_no_moment(name):
    pair = pair_of(name)
    y = pair.y.copy()
    y[pair.layout.multipliers :][: pair.layout.rows] = 0.0
    forces = pair.call("conservative", y)[: pair.n]
    push, moment = resultant(forces, pair)
    assert np.abs(push).max() < 1e-12 * np.abs(forces).max()
    assert np.abs(moment).max() < 1e-12 * np.abs(forces).max()
    if name != "full":
        push, moment = resultant(inertia(pair, (0.0, 1.0, 0.0, 0.0)), pair)
        assert np.abs(push).max() + np.abs(moment).max() < 1e-13
    # momenta of all nodes change as their turns say
    p_a, p_b = momenta(pair)
    turned = inertia(pair, (0.0, 0.0, 1.0, 0.0))
    _, moment = resultant(p_b - p_a + turned, pair)
    world = [np.zeros(3), np.zeros(3)]
    for end, (q, momentum) in enumerate(((pair.a, p_a), (pair.b, p_b))):
        world[end] = resultant_at(q, momentum)
    mean = 0.5 * (p_a + p_b).reshape(-1, 6)
    more = sum(np.cross(step[:3], each[:3]) for step, each in zip(pair.step.reshape(-1, 6), mean, strict=True))
    assert world[1] - world[0] == pytest.approx(moment + more, abs=1e-12)


def resultant_at(q: np.ndarray, momentum: np.ndarray) -> np.ndarray:
    """Angular momentum about the origin."""
    parts = zip(q.reshape(-1, 7), momentum.reshape(-1, 6), strict=True)
    return sum(matrix(tuple(x[3:])) @ each[3:] + np.cross(x[:3], each[:3]) for x, each in parts)


@pytest.mark.parametrize("name", NAMES)
def test_tangents_are_those_of_differences(name):
    """By the steps and by the velocities of both ends."""
    pair, tiny = pair_of(name), 1e-6
    layout, n, start = pair.layout, pair.n, pair.s.states
    weights = (0.7, 1.3, 0.8, -0.6)
    functions = {"conservative": (n + layout.rows, pair.reached), "inertia": (n, lambda y: inertia(pair, weights, y))}
    for function, (count, call) in functions.items():
        for side in range(4 if function == "inertia" else 2):
            given, own = pair.y.copy(), pair.start + n
            given[layout.factors : layout.factors + 3], given[own + 2] = 0.0, 0.0
            given[[own, own + 1, own + 3, own + 4]] = weights
            given[(layout.factors, layout.factors + 1, layout.factors + 2, own + 2)[side]] = 1.0
            found = pair.s.residual.plan.dense(pair.call(f"{function}_tangent", given))[:count, :n]
            expected = np.zeros((count, n))
            for j in range(n):
                for sign in (tiny, -tiny):
                    y, more = pair.y.copy(), np.zeros(n)
                    more[j] = sign
                    if side > 1:
                        y[(pair.nq, pair.start)[side - 2] + j] += sign
                    else:
                        if side == 1:
                            y[start : start + pair.nq] = moved(pair.a, more)
                        step = pair.step + (more if side == 0 else -more)
                        y[: pair.nq] = moved(y[start : start + pair.nq], step)
                        pair.put(y, step)
                    expected[:, j] += call(y)[:count] / (2.0 * sign)
            assert np.abs(found - expected).max() < 1e-6 * np.abs(expected).max()
