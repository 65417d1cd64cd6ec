"""Natural frequencies against closed forms, in the plane and in space."""

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis import modes
from gudgeon.assemble import assemble

G = 9.81


def pendulum(angle: float = 0.3, damping: float = 0.0) -> gd.Mechanism:
    """A rod of 1 m on a pin, `angle` from hanging."""
    m = gd.Mechanism("pendulum", gravity=(0, -G))
    at = (0.5 * math.sin(angle), -0.5 * math.cos(angle))
    rod = m.body("rod", mass=2, inertia=2 / 12, at=at, angle=angle - math.pi / 2)
    m.revolute("pivot", journal=rod, bearing=m.ground, at=(0, 0))
    if damping:
        m.torsion_spring("drag", "pivot", stiffness=0, damping=damping)
    return m


def test_pendulum():
    found = modes(pendulum())
    assert found.frequencies == pytest.approx([math.sqrt(1.5 * G) / (2 * math.pi)], rel=1e-10)
    assert found.unbalanced < 1e-9
    assert found.stable
    assert found[0].shares == {"rod": pytest.approx(1.0)}
    line = f"1 {math.sqrt(1.5 * G) / (2 * math.pi):.6g} Hz oscillates, damping 0"
    assert str(found).splitlines()[1].split() == line.split()
    assert abs(found[0].shape["rod.vx"] / found[0].shape["rod.spin"]) == pytest.approx(0.5)


def test_damped_pendulum():
    found = modes(pendulum(damping=0.4))
    natural = math.sqrt(1.5 * G)
    assert found[0].frequency == pytest.approx(natural / (2 * math.pi), rel=1e-9)
    assert found[0].damping == pytest.approx(0.4 / (2 * natural * 2 / 3), rel=1e-9)
    slow = modes(pendulum(damping=40.0))
    rates = np.roots([2 / 3, 40.0, G])
    assert sorted(mode.root.real for mode in slow) == pytest.approx(sorted(rates), rel=1e-9)
    assert [mode.kind for mode in slow] == ["decays", "decays"]


def test_upright_pendulum_is_unstable_by_an_imaginary_frequency():
    found = modes(pendulum(math.pi), at="start")
    assert found.undamped == pytest.approx([-1.5 * G], rel=1e-10)
    assert not found.stable
    assert found[0].kind == "unstable"
    assert found[0].root == pytest.approx(math.sqrt(1.5 * G))
    assert found[0].text == f"{math.sqrt(1.5 * G) / (2 * math.pi):.6g}i"
    damped = modes(pendulum(math.pi, damping=0.4), at="start")
    assert sorted(mode.kind for mode in damped) == ["decays", "unstable"]
    assert sorted(mode.root.real for mode in damped) == pytest.approx(sorted(np.roots([2 / 3, 0.4, -G])), rel=1e-9)


def test_a_position_out_of_balance_says_so():
    m = pendulum(0.5)
    assert modes(m, at="start").unbalanced == pytest.approx(1.5 * G * math.sin(0.5) * assemble(m).size, rel=1e-9)


@pytest.mark.parametrize("planar", [True, False])
def test_double_pendulum(planar):
    m = gd.Mechanism("double", planar=planar, gravity=(0, -G) if planar else (0, -G, 0))
    more = () if planar else (0,)
    moments = (0.05, 0.02) if planar else ((0.05,) * 3, (0.02,) * 3)
    upper = m.body("upper", mass=3, inertia=moments[0], at=(0.0, -0.7, *more))
    lower = m.body("lower", mass=2, inertia=moments[1], at=(0.0, -1.2, *more))
    axis = {} if planar else {"axis": (0, 0, 1)}
    m.revolute("top", journal=upper, bearing=m.ground, at=(0, 0, *more), **axis)
    m.revolute("mid", journal=lower, bearing=upper, at=(0, -0.7, *more), **axis)
    mass = np.array([[5 * 0.49 + 0.05, 2 * 0.7 * 0.5], [2 * 0.7 * 0.5, 2 * 0.25 + 0.02]])
    stiffness = np.diag([5 * G * 0.7, 2 * G * 0.5])
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(mass, stiffness)))
    assert modes(m).frequencies == pytest.approx(np.sqrt(squares) / (2 * math.pi), rel=1e-9)


def test_chain_of_masses_and_springs():
    count, k, mass = 5, 800.0, 0.5
    m = gd.Mechanism("chain")
    before = m.ground
    for n in range(count):
        body = m.body(f"m{n}", mass=mass, inertia=1e-3, at=(1.0 + n, 0))
        m.translational(f"rail{n}", journal=body, bearing=m.ground, at=(1.0 + n, 0), axis=(1, 0))
        m.spring(f"k{n}", before, body, at_i=(float(n), 0), at_j=(1.0 + n, 0), stiffness=k)
        before = body
    m.spring("last", before, m.ground, at_i=(float(count), 0), at_j=(count + 1.0, 0), stiffness=k)
    n = np.arange(1, count + 1)
    expected = 2.0 * math.sqrt(k / mass) * np.sin(n * math.pi / (2 * (count + 1)))
    found = modes(m)
    assert 2 * math.pi * found.frequencies == pytest.approx(expected, rel=1e-10)
    # shapes are half waves: sin(n k pi / 6)
    for j, mode in enumerate(found, 1):
        shape = np.array([mode.shape[f"m{i}.vx"].real for i in range(count)])
        wave = np.sin(n * j * math.pi / (count + 1))
        assert shape == pytest.approx(wave / wave[np.abs(shape).argmax()], abs=1e-9)


def test_a_body_on_a_bushing_has_six_modes():
    m = gd.Mechanism("mounted", planar=False)
    body = m.body("block", mass=2.0, inertia=(0.02, 0.03, 0.04), at=(0.1, 0.2, 0.3))
    radial = gd.Bushing(gd.LinearLiner(stiffness=1e5, damping=3.0),
                        conical=gd.LinearLiner(stiffness=500.0, damping=0.0))  # fmt: skip
    m.joint("rigid", "mount", journal=body, bearing=m.ground, at=(0.1, 0.2, 0.3), axis=(0, 0, 1), radius=0.02,
            fit={"sleeve": radial, "shoulder": gd.Bushing(gd.LinearLiner(stiffness=4e5, damping=0.0)),
                 "key": gd.Bushing(gd.LinearLiner(stiffness=900.0, damping=0.0))})  # fmt: skip
    found = modes(m)
    expected = np.sqrt([500 / 0.02, 500 / 0.03, 900 / 0.04, 1e5 / 2, 1e5 / 2, 4e5 / 2])
    assert 2 * math.pi * found.frequencies == pytest.approx(np.sort(expected), rel=1e-7)
    radial_damping = [mode.damping for mode in found if abs(abs(mode.root) - math.sqrt(5e4)) < 1e-3]
    assert radial_damping == pytest.approx([3.0 / (2 * math.sqrt(1e5 * 2))] * 2, rel=1e-6)


def test_a_free_body_has_free_motions():
    m = gd.Mechanism("puck")
    m.body("puck", mass=1, inertia=1, at=(0, 0))
    found = modes(m)
    assert [mode.kind for mode in found] == ["free"] * 3
    assert found[0].text == "0"
    assert found.stable


def test_drives_hold_and_rotors_weigh():
    def wheel(**extra) -> gd.Mechanism:
        m = gd.Mechanism("wheel")
        disc = m.body("disc", mass=1, inertia=0.02, at=(0, 0))
        m.revolute("main", journal=disc, bearing=m.ground, at=(0, 0))
        m.torsion_spring("spring", "main", stiffness=50.0)
        if extra:
            m.motor("main", **extra)
        return m

    heavy = modes(wheel(voltage=0, resistance=1e9, back_emf=1e-6, rotor_inertia=1e-3, gear=10))
    assert heavy.frequencies == pytest.approx([math.sqrt(50 / 0.12) / (2 * math.pi)], rel=1e-9)
    assert heavy[0].shares == {"disc": pytest.approx(1 / 6), "rotors": pytest.approx(5 / 6)}
    # a shorted motor damps through its winding: three roots
    motor = modes(wheel(voltage=0, resistance=0.5, inductance=0.01, back_emf=0.3))
    matrix = [[0, 1, 0], [-2500, 0, 15], [0, -30, -50]]
    roots = np.linalg.eigvals(matrix)
    expected = sorted((z for z in roots if z.imag >= 0), key=abs)
    assert [mode.root for mode in motor] == pytest.approx(expected, rel=1e-9)
    held = wheel()
    held.drive("main", speed="100 rpm")
    assert len(modes(held)) == 0


def test_modes_at_the_end_of_a_run():
    run = gd.simulate(pendulum(0.4), duration=0.37, rtol=1e-10)
    found = modes(run.mechanism, at=run)
    angle = run["rod.angle"][-1] + math.pi / 2
    assert found.undamped == pytest.approx([1.5 * G * math.cos(angle)], rel=1e-8)
    with pytest.raises(gd.GudgeonError, match="at 3: give"):
        modes(run.mechanism, at=3)
    assert gd.analysis.modes is modes


def test_modes_match_a_run_in_a_slider_crank_on_springs():
    """The slowest mode against the period of a small free motion."""
    m = gd.Mechanism("press", gravity=(0, -G))
    crank = m.body("crank", mass=1, inertia=0.01, at=(0.03, 0.04), angle=math.atan2(4, 3))
    rod = m.body("rod", mass=1, inertia=0.02, at=(0.06 + 0.15 * math.cos(-0.27), 0.04))
    slider = m.body("slider", mass=2, inertia=0.01, at=(0.35, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("big", journal=crank, bearing=rod, at=(0.06, 0.08))
    m.revolute("small", journal=rod, bearing=slider, journal_point=(0.15, 0), bearing_point=(0, 0))
    m.translational("guide", journal=slider, bearing=m.ground, at=(0.35, 0), axis=(1, 0))
    m.spring("spring", m.ground, slider, at_i=(0.8, 0), at_j=(0.35, 0), stiffness=3000)
    rest = gd.analysis.equilibrium(m)
    found = modes(m, at=rest)
    pushed = rest.standstill.mechanism.vary("slider.mass", 2.0)
    pushed.force("slider", (lambda t: 2.0 * gd.exp(-(((t - 0.1) / 0.01) ** 2)), 0.0))
    # begin where it rests: a run from the described position would swing far
    run = gd.simulate(_placed(pushed, rest), duration=6.0, rtol=1e-11)
    x = run["slider.x"] - rest["slider.x"]
    rising = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0) & (run.t[1:] > 0.3))
    crossings = run.t[rising] - x[rising] * (run.t[rising + 1] - run.t[rising]) / (x[rising + 1] - x[rising])
    period = np.diff(crossings).mean()
    assert 1e-4 < np.abs(x).max() < 1e-3
    assert 1.0 / period == pytest.approx(found.frequencies[0], rel=1e-5)


def _placed(mechanism: gd.Mechanism, rest) -> gd.Mechanism:
    """The mechanism described where it rests."""
    from dataclasses import replace

    for name, body in mechanism.bodies.items():
        at = rest[f"{name}.x"], rest[f"{name}.y"]
        mechanism._bodies[name] = replace(body, at=at, angle=rest[f"{name}.angle"])
    spring = mechanism.springs["spring"]
    mechanism._springs["spring"] = replace(spring, free_length=0.45)
    return mechanism
