"""Accelerations and motions that a textbook gives in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest
from at_start import at_start

import gudgeon as gd
from gudgeon.papers import schwab2002

G = 9.81


def test_free_fall():
    m = gd.Mechanism("stone", gravity=(0.0, -G), start="given")
    m.body("stone", mass=2.0, inertia=0.1, at=(0.0, 1.0), velocity=(3.0, 0.5), spin=2.0)
    start = at_start(m)
    assert (start["stone.ax"], start["stone.ay"], start["stone.alpha"]) == (0.0, -G, 0.0)
    run = gd.simulate(m, duration=0.4)
    # a parabola is integrated exactly, to rounding
    assert run["stone.x"][-1] == pytest.approx(3.0 * 0.4, rel=1e-13)
    assert run["stone.y"][-1] == pytest.approx(1.0 + 0.5 * 0.4 - G * 0.08, rel=1e-13)
    assert run["stone.angle"][-1] == pytest.approx(0.8, rel=1e-13)


def pendulum(angle: float, spin: float = 0.0, mass: float = 1.5, inertia: float = 0.03, arm: float = 0.4):
    """Hanging from the origin; angle from the vertical."""
    m = gd.Mechanism("pendulum", gravity=(0.0, -G))
    at = (arm * math.sin(angle), -arm * math.cos(angle))
    velocity = (arm * spin * math.cos(angle), arm * spin * math.sin(angle))
    m.body("bob", mass=mass, inertia=inertia, at=at, angle=angle, velocity=velocity, spin=spin)
    m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0))
    return m


@pytest.mark.parametrize("angle", [0.0, 0.3, math.pi / 2, 2.5])
@pytest.mark.parametrize("spin", [0.0, -4.0])
def test_pendulum(angle, spin):
    """alpha = -m g l sin / (I + m l^2); the pivot gives m (a - g) to the bob."""
    mass, inertia, arm = 1.5, 0.03, 0.4
    start = at_start(pendulum(angle, spin))
    alpha = -mass * G * arm * math.sin(angle) / (inertia + mass * arm**2)
    s, c = math.sin(angle), math.cos(angle)
    ax, ay = arm * (alpha * c - spin**2 * s), arm * (alpha * s + spin**2 * c)
    assert start["bob.alpha"] == pytest.approx(alpha, rel=1e-13, abs=1e-13)
    assert (start["bob.ax"], start["bob.ay"]) == pytest.approx((ax, ay), rel=1e-12, abs=1e-12)
    force = (mass * ax, mass * (ay + G))
    assert (start["pivot.fx"], start["pivot.fy"]) == pytest.approx(force, rel=1e-12, abs=1e-12)
    assert start["pivot.force"] == pytest.approx(math.hypot(*force))


def test_large_swings_take_the_time_of_the_elliptic_integral():
    """T = 4 K(sin(amplitude/2)) / omega0, K by the arithmetic-geometric mean."""
    amplitude, mass, inertia, arm = 2.0, 1.5, 0.03, 0.4
    omega0 = math.sqrt(mass * G * arm / (inertia + mass * arm**2))
    a, b = 1.0, math.cos(amplitude / 2)
    for _ in range(8):
        a, b = (a + b) / 2, math.sqrt(a * b)
    period = 2 * math.pi / (omega0 * a)
    run = gd.simulate(pendulum(amplitude), duration=period, rtol=1e-11)
    assert run["bob.angle"][-1] == pytest.approx(amplitude, abs=1e-8)
    assert run["bob.spin"][-1] == pytest.approx(0.0, abs=1e-8)


def test_double_pendulum():
    """Lagrange's equations of two compound pendulums, angles a and b from the vertical, written out by hand:

    (I1 + m1 c1^2 + m2 l^2) a'' + m2 l c2 cos(a-b) b'' = -m2 l c2 sin(a-b) b'^2 - (m1 c1 + m2 l) g sin a
    m2 l c2 cos(a-b) a'' + (I2 + m2 c2^2) b''          =  m2 l c2 sin(a-b) a'^2 - m2 c2 g sin b
    """
    m1, m2, i1, i2, c1, c2, length = 1.2, 0.8, 0.02, 0.015, 0.25, 0.2, 0.5
    a, b, da, db = 0.7, -0.4, 1.5, -2.0
    m = gd.Mechanism("double pendulum", gravity=(0.0, -G))

    def along(angle: float, distance: float) -> np.ndarray:
        return distance * np.array([math.sin(angle), -math.cos(angle)])

    def moving(angle: float, distance: float, spin: float) -> np.ndarray:
        return distance * spin * np.array([math.cos(angle), math.sin(angle)])

    elbow = along(a, length)
    m.body("upper", mass=m1, inertia=i1, at=along(a, c1), angle=a, velocity=moving(a, c1, da), spin=da)
    m.body("lower", mass=m2, inertia=i2, at=elbow + along(b, c2), angle=b,
           velocity=moving(a, length, da) + moving(b, c2, db), spin=db)  # fmt: skip
    m.revolute("shoulder", journal="upper", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("elbow", journal="lower", bearing="upper", at=elbow)
    matrix = np.array([
        [i1 + m1 * c1**2 + m2 * length**2, m2 * length * c2 * math.cos(a - b)],
        [m2 * length * c2 * math.cos(a - b), i2 + m2 * c2**2],
    ])  # fmt: skip
    coupling = m2 * length * c2 * math.sin(a - b)
    right = [
        -coupling * db**2 - (m1 * c1 + m2 * length) * G * math.sin(a),
        coupling * da**2 - m2 * c2 * G * math.sin(b),
    ]
    expected = np.linalg.solve(matrix, right)
    start = at_start(m)
    assert (start["upper.alpha"], start["lower.alpha"]) == pytest.approx(expected, rel=1e-12)


def test_mass_on_a_spring():
    """x = A cos(omega t) about the free length, omega = sqrt(k/m) = 20 rad/s."""
    m = gd.Mechanism("oscillator", start="given")
    m.body("mass", mass=0.5, inertia=1e-3, at=(0.32, 0.0))
    m.translational("guide", journal="mass", bearing=m.ground, at=(0.32, 0.0), axis=(1.0, 0.0))
    m.spring("spring", "mass", m.ground, stiffness=200.0, at_i=(0.32, 0.0), at_j=(0.0, 0.0), free_length=0.3)
    run = gd.simulate(m, duration=1.0, rtol=1e-11)
    expected = 0.3 + 0.02 * np.cos(20.0 * run.t)
    assert np.abs(run["mass.x"] - expected).max() < 1e-11
    # it starts at rest and comes back after half a period
    assert at_start(m)["mass.ax"] == pytest.approx(-200.0 * 0.02 / 0.5)


def test_two_masses_on_one_spring_share_the_motion():
    """Free in space: omega^2 = k (1/m1 + 1/m2), the centre of mass rests."""
    m1, m2, k = 0.4, 0.1, 500.0
    m = gd.Mechanism("two masses", start="given")
    m.body("left", mass=m1, inertia=1e-3, at=(0.0, 0.0))
    m.body("right", mass=m2, inertia=1e-3, at=(0.25, 0.0))
    m.spring("spring", "left", "right", stiffness=k, at_i=(0.0, 0.0), at_j=(0.25, 0.0), free_length=0.2)
    omega = math.sqrt(k * (1 / m1 + 1 / m2))
    run = gd.simulate(m, duration=4 * math.pi / omega, rtol=1e-11)
    length = run["right.x"] - run["left.x"]
    assert np.abs(length - (0.2 + 0.05 * np.cos(omega * run.t))).max() < 1e-11
    assert np.abs(m1 * run["left.x"] + m2 * run["right.x"] - m2 * 0.25).max() < 1e-13


def test_atwood_like_balance():
    """Two masses at the ends of a lever of arm r, inertia J: alpha = (m1 - m2) g r / (J + (m1 + m2) r^2)."""
    m1, m2, r, lever = 0.7, 0.5, 0.3, 0.01
    m = gd.Mechanism("balance", gravity=(0.0, -G))
    m.body("lever", mass=1.0, inertia=lever, at=(0.0, 0.0))
    m.body("one", mass=m1, inertia=1e-6, at=(-r, 0.0))
    m.body("two", mass=m2, inertia=1e-6, at=(r, 0.0))
    m.revolute("middle", journal="lever", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("left", journal="one", bearing="lever", at=(-r, 0.0))
    m.revolute("right", journal="two", bearing="lever", at=(r, 0.0))
    start = at_start(m)
    assert start["lever.alpha"] == pytest.approx((m1 - m2) * G * r / (lever + (m1 + m2) * r**2), rel=1e-12)
    # the pin in each mass's centre does not turn it
    assert start["one.alpha"] == pytest.approx(0.0, abs=1e-9)


def test_slider_crank_moves_as_its_geometry_says():
    """x = r cos + sqrt(L^2 - r^2 sin^2), differentiated twice by hand at constant speed."""
    r, length, speed = schwab2002.CRANK, schwab2002.ROD, schwab2002.SPEED
    run = gd.simulate(schwab2002.ideal(), revolutions=1, output=2 * math.pi / speed / 24, rtol=1e-12)
    angle = speed * run.t
    s, c = np.sin(angle), np.cos(angle)
    root = np.sqrt(length**2 - (r * s) ** 2)
    first = -(r**2) * s * c / root
    second = (-(r**2) * (c**2 - s**2) - first**2) / root
    assert np.abs(run["slider.x"] - (r * c + root)).max() < 1e-12 * length
    assert np.abs(run["slider.vx"] - speed * (-r * s + first)).max() < 1e-11 * speed * r
    assert np.abs(run["slider.ax"] - speed**2 * (-r * c + second)).max() < 1e-10 * speed**2 * r
    assert np.abs(run["rod.angle"] + np.arcsin(r * s / length)).max() < 1e-12
    assert np.abs(run["main.travel"] - angle).max() < 1e-12 * angle[-1]


def placed(shift: tuple[float, float], turn: float, fit=None) -> gd.Mechanism:
    """The slider-crank of Schwab 2002, moved and turned as a whole."""
    r, length, mass = schwab2002.CRANK, schwab2002.ROD, schwab2002.MASS
    c, s = math.cos(turn), math.sin(turn)

    def at(x: float, y: float = 0.0) -> tuple[float, float]:
        return shift[0] + c * x - s * y, shift[1] + s * x + c * y

    m = gd.Mechanism("placed", gravity=(3.0 * s, -3.0 * c))
    m.body("crank", mass=mass, inertia=1e-4, at=at(r / 2), angle=turn)
    m.body("rod", mass=mass, inertia=2e-4, at=at(r + length / 2), angle=0.3)
    m.body("slider", mass=mass, inertia=1e-4, at=at(r + length), angle=turn)
    m.revolute("main", journal="crank", bearing=m.ground, at=at(0.0))
    m.revolute("big", journal="crank", bearing="rod", at=at(r))
    m.revolute("pin", journal="rod", bearing="slider", at=at(r + length), radius=0.01, fit=fit)
    m.translational("guide", journal="slider", bearing=m.ground, at=at(r + length), axis=(c, s))
    m.drive("main", speed=300.0)
    return m


WALL = gd.LankaraniNikravesh(gd.STEEL, restitution=0.8)


@pytest.mark.parametrize("fit", [None, gd.Clearance("0.2 mm", wall=WALL)], ids=["ideal", "loose"])
def test_where_a_mechanism_stands_and_which_way_it_lies_does_not_matter(fit):
    """Internal results of a mechanism that is moved by (0.4, -0.3) m and turned by 2.1 rad."""
    here = gd.simulate(placed((0.0, 0.0), 0.0, fit), duration=1e-3, output=1e-4, rtol=1e-11)
    there = gd.simulate(placed((0.4, -0.3), 2.1, fit), duration=1e-3, output=1e-4, rtol=1e-11)
    for name in ("main.torque", "pin.force", "big.force", "guide.force", "guide.travel", "rod.alpha"):
        # in contact, depth is a small difference of coordinates that are larger there
        tolerance = (1e-10 if fit is None else 1e-6) * np.abs(here[name]).max()
        assert np.abs(here[name] - there[name]).max() < tolerance, name
    assert len(here.contacts) == len(there.contacts)
    assert bool(here.contacts) == (fit is not None)
    for a, b in zip(here.contacts, there.contacts, strict=True):
        assert a.t_on == pytest.approx(b.t_on, rel=1e-8)
        assert math.cos(b.angle - a.angle - 2.1) == pytest.approx(1.0, abs=1e-12)
