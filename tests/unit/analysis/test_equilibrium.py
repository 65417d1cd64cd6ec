"""Where mechanisms rest, against calculations by hand."""

import math

import numpy as np
import pytest
from scipy import optimize

import gudgeon as gd
from gudgeon.analysis import equilibrium

G = 9.81
WALL = gd.LankaraniNikravesh(stiffness=1e9, restitution=0.7)


def pendulum(angle: float, planar: bool = True) -> gd.Mechanism:
    m = gd.Mechanism("pendulum", planar=planar, gravity=(0, -G) if planar else (0, -G, 0))
    at = (0.5 * math.sin(angle), -0.5 * math.cos(angle))
    if planar:
        rod = m.body("rod", mass=2, inertia=2 / 12, at=at, angle=angle)
        m.revolute("pivot", journal=rod, bearing=m.ground, at=(0, 0))
    else:
        rod = m.body("rod", mass=2, inertia=(1e-3, 2 / 12, 2 / 12), at=(*at, 0), orientation=(0, 0, angle))
        m.revolute("pivot", journal=rod, bearing=m.ground, at=(0, 0, 0), axis=(0, 0, 1))
    return m


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("angle", [0.2, 1.9, -3.0])
def test_a_pendulum_hangs(angle, planar):
    rest = equilibrium(pendulum(angle, planar))
    assert rest["rod.x"] == pytest.approx(0.0, abs=1e-10)
    assert rest["rod.y"] == pytest.approx(-0.5, abs=1e-12)
    assert rest["pivot.force"] == pytest.approx(2 * G)
    assert rest.stable
    assert rest.verdict == "stable"
    assert rest.stiffness == pytest.approx([1.5 * G])


def test_an_upright_pendulum_stays_where_it_is_but_is_unstable():
    rest = equilibrium(pendulum(math.pi))
    assert rest["rod.y"] == pytest.approx(0.5, abs=1e-12)
    assert not rest.stable
    assert rest.verdict == "unstable: 1 of 1 motions move away from it"
    assert str(rest).splitlines()[::2][:2] == [f"pendulum · at rest, {rest.verdict}", "  rod.y 0.5 m"]
    with pytest.raises(gd.GudgeonError, match=r'channel "rod\.z" is not known; did you mean "rod'):
        _ = rest["rod.z"]


def test_a_loaded_four_bar_rests_where_its_virtual_work_vanishes():
    """Crank 0.1, coupler 0.3, rocker 0.25, ground 0.3 m; torsion spring and weights, against a minimum of energy."""
    lengths, masses = (0.1, 0.3, 0.25), (1.0, 2.0, 1.5)
    spring, base = 8.0, np.array([0.3, 0.0])

    def places(angle: float) -> tuple[np.ndarray, np.ndarray]:
        a = lengths[0] * np.array([math.cos(angle), math.sin(angle)])
        d = base - a
        reach = math.hypot(*d)
        along = (lengths[1] ** 2 - lengths[2] ** 2 + reach**2) / (2 * reach)
        up = math.sqrt(lengths[1] ** 2 - along**2)
        return a, a + along * d / reach + up * np.array([-d[1], d[0]]) / reach

    def energy(angle: float) -> float:
        a, b = places(angle)
        heights = 0.5 * a[1], 0.5 * (a[1] + b[1]), 0.5 * (b[1] + base[1])
        return 0.5 * spring * (angle - 1.0) ** 2 + G * sum(m * y for m, y in zip(masses, heights, strict=True))

    def angle_of(v: np.ndarray) -> float:
        return math.atan2(v[1], v[0])

    m = gd.Mechanism("four-bar", gravity=(0, -G))
    a, b = places(1.0)
    crank = m.body("crank", mass=masses[0], inertia=1e-3, at=tuple(a / 2), angle=1.0)
    coupler = m.body("coupler", mass=masses[1], inertia=1e-3, at=tuple((a + b) / 2), angle=angle_of(b - a))
    rocker = m.body("rocker", mass=masses[2], inertia=1e-3, at=tuple((b + base) / 2), angle=angle_of(b - base))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("first", journal=crank, bearing=coupler, at=tuple(a))
    m.revolute("second", journal=coupler, bearing=rocker, at=tuple(b))
    m.revolute("pivot", journal=rocker, bearing=m.ground, at=tuple(base))
    m.torsion_spring("spring", "main", stiffness=spring)
    rest = equilibrium(m)
    least = optimize.minimize_scalar(energy, bounds=(0.3, 1.6), method="bounded", options={"xatol": 1e-12}).x
    slope = optimize.brentq(lambda x: (energy(x + 1e-5) - energy(x - 1e-5)) / 2e-5, least - 0.1, least + 0.1)
    assert rest["crank.angle"] == pytest.approx(slope, abs=1e-8)
    assert abs(rest["main.travel"]) > 0.1
    assert rest.stable
    # the pins carry the weight of all
    total = sum(masses) * G
    assert rest["main.fy"] + rest["pivot.fy"] == pytest.approx(total, rel=1e-9)


@pytest.mark.parametrize("planar", [True, False])
def test_a_pin_lies_on_the_bottom_of_its_bore(planar):
    m = gd.Mechanism("shaft", planar=planar, gravity=(0, -G) if planar else (0, -G, 0))
    fit = gd.Clearance("0.1 mm", wall=WALL)
    if planar:
        shaft = m.body("shaft", mass=5, inertia=0.01, at=(0, 0))
        m.revolute("bore", journal=shaft, bearing=m.ground, at=(0, 0), radius=0.02, fit=fit)
    else:
        shaft = m.body("shaft", mass=5, inertia=(0.01,) * 3, at=(0, 0, 0))
        m.spherical("bore", journal=shaft, bearing=m.ground, at=(0, 0, 0), radius=0.02, fit=fit)
    rest = equilibrium(m)
    assert rest["bore.force"] == pytest.approx(5 * G, rel=1e-8)
    assert rest["bore.ey"] == pytest.approx(-1e-4 - (5 * G / 1e9) ** (1 / 1.5), rel=1e-9)
    assert rest["bore.ex"] == pytest.approx(0.0, abs=1e-12)
    assert rest.free == (1 if planar else 3)
    assert "free" in rest.verdict


def test_a_gate_leans_on_its_stop():
    m = gd.Mechanism("gate", gravity=(0, -G))
    arm = m.body("arm", mass=4, inertia=0.1, at=(0.5, 0))
    pivot = m.revolute("pivot", journal=arm, bearing=m.ground, at=(0, 0))
    m.stop(pivot, lower="-10 deg", wall=gd.LankaraniNikravesh(stiffness=1e6, restitution=0.5, exponent=1.0))
    rest = equilibrium(m)
    turn = optimize.brentq(lambda x: 1e6 * (-math.radians(10) - x) - 4 * G * 0.5 * math.cos(x), -0.2, -0.17)
    assert rest["pivot.travel"] == pytest.approx(turn, rel=1e-10)
    assert rest["pivot.stop.lower.normal"] == pytest.approx(4 * G * 0.5 * math.cos(turn), rel=1e-9)


def test_motors_and_drives_at_rest():
    m = pendulum(0.1)
    m.motor("pivot", voltage=12, resistance=2.0, inductance=0.1, back_emf=0.5)
    rest = equilibrium(m)
    assert rest["pivot.current"] == pytest.approx(6.0)
    assert rest["rod.x"] == pytest.approx(3.0 / (2 * G), rel=1e-10)
    stalled = pendulum(0.7)
    stalled.drive("pivot", speed="60 rpm")
    held = equilibrium(stalled)
    assert held["pivot.torque"] == pytest.approx(2 * G * 0.5 * math.sin(0.7))
    assert held.verdict == "fixed: its drives and joints leave no motion"
    endless = pendulum(0.1)
    endless.motor("pivot", voltage=12, resistance=0, inductance=0.1, back_emf=0.5)
    with pytest.raises(gd.GudgeonError, match='"pivot": without resistance its current never becomes constant'):
        equilibrium(endless)


def test_loads_count_at_the_instant_asked_for():
    m = pendulum(0.1)
    m.force("rod", (lambda t: 10.0 * t, 0.0), name="push")
    assert equilibrium(m)["rod.x"] == pytest.approx(0.0, abs=1e-10)
    pushed = equilibrium(m, time="2 s")
    assert pushed["rod.x"] / -pushed["rod.y"] == pytest.approx(20.0 / (2 * G), rel=1e-9)


def test_what_falls_for_ever_is_told():
    m = gd.Mechanism("stone", gravity=(0, -G))
    m.body("stone", mass=1, inertia=1, at=(0, 0))
    with pytest.raises(gd.GudgeonError, match='"stone" finds no rest, 100 % of its forces are not balanced'):
        equilibrium(m)


def test_a_film_without_a_wall_carries_nothing_at_rest():
    m = gd.Mechanism("shaft", gravity=(0, -G))
    shaft = m.body("shaft", mass=5, inertia=0.01, at=(0, 0))
    film = gd.Lubricated("0.1 mm", film=gd.Moes("400 cP"))
    m.revolute("bore", journal=shaft, bearing=m.ground, at=(0, 0), radius=0.02, length=0.03, fit=film)
    with pytest.raises(gd.GudgeonError, match=r'finds no rest, .* and body "shaft" is pushed most'):
        equilibrium(m)


def test_a_body_hangs_in_three_springs_of_space():
    m = gd.Mechanism("hung", planar=False, gravity=(0, 0, -G))
    body = m.body("weight", mass=3, inertia=(0.02, 0.03, 0.04), at=(0, 0, -1))
    for k in range(3):
        x, y = math.cos(2 * math.pi * k / 3), math.sin(2 * math.pi * k / 3)
        m.spring(f"s{k}", m.ground, body, at_i=(x, y, 0), at_j=(0, 0, -1), stiffness=100, free_length=1.0)
    rest = equilibrium(m)
    depth = optimize.brentq(lambda z: 3 * 100 * (math.hypot(1, z) - 1) * z / math.hypot(1, z) - 3 * G, 0.1, 5)
    assert rest["weight.z"] == pytest.approx(-depth, rel=1e-10)
    assert rest.free == 3  # it may turn: the springs end in its centre
