"""Radau on stiff mechanisms: what it costs, counted, against explicit methods, and against a closed form."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.methods.implicit import radau, radau_linear
from gudgeon.methods.march.driver import run
from gudgeon.methods.march.memory import March
from gudgeon.papers import schwab2002
from gudgeon.simulation import prepare

TURN = 2.0 * math.pi / schwab2002.SPEED
STATES = ("slider.x", "slider.vx", "rod.x", "rod.y", "rod.angle", "rod.vx", "rod.vy")


def coefficients():
    """Nodes and matrix of the method, and the transformation with its inverse, as in the source."""
    nodes = np.array([radau.C1, radau.C2, 1.0])
    a, v = (np.array([[getattr(radau, f"{name}{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)]) for name in "AV")
    t = np.array([[getattr(radau, f"T{i}{j}") for j in (1, 2, 3)] for i in (1, 2)] + [[1.0, 1.0, 0.0]])
    return nodes, a, t, v


def test_coefficients_are_those_of_collocation():
    nodes, a, t, v = coefficients()
    for power in (1, 2, 3):
        assert np.allclose(a @ nodes ** (power - 1), nodes**power / power, rtol=0.0, atol=1e-15)
    for power in (4, 5):  # the last row integrates exactly up to degree 4
        assert a[2] @ nodes ** (power - 1) == pytest.approx(1.0 / power, abs=1e-15)
    gamma, alpha, beta = radau_linear.GAMMA, radau_linear.ALPHA, radau_linear.BETA
    apart = np.array([[gamma, 0.0, 0.0], [0.0, alpha, -beta], [0.0, beta, alpha]])
    assert np.allclose(v @ t, np.eye(3), rtol=0.0, atol=1e-14)
    assert np.allclose(v @ np.linalg.inv(a) @ t, apart, rtol=0.0, atol=1e-12)


def test_error_formula_has_order_three():
    """h (GAMMA/h) e = h f(y) + E z vanishes for slopes up to degree 2: z_i = c_i^p / p then, and not for degree 3."""
    nodes = coefficients()[0]
    weights = np.array([radau.E1, radau.E2, radau.E3])
    for power in (1, 2, 3):
        start = 1.0 if power == 1 else 0.0
        assert start + weights @ (nodes**power / power) == pytest.approx(0.0, abs=1e-14)
    assert abs(weights @ (nodes**4 / 4)) > 1e-3


def hanging(stiffness: float, damping: float) -> gd.Mechanism:
    """A weight at 0.3 m on a spring of 0.2 m with a strong damper, along one line."""
    m = gd.Mechanism("weight on a damper", gravity=(0.0, -9.81))
    weight = m.body("weight", mass=1.2, inertia=0.02, at=(0.0, -0.3))
    m.spring("strut", weight, m.ground, point_i=(0.0, 0.0), point_j=(0.0, 0.0), free_length=0.2,
             stiffness=stiffness, damping=damping)  # fmt: skip
    return m


@pytest.mark.parametrize("rtol", [1e-6, 1e-9, 1e-10])
def test_closed_form_of_a_stiff_linear_problem(rtol):
    """m x'' + c x' + k x = m g: rates of 10 and 83,000 per second. Below 1e-10 rounding decides: the strut of 1e6 N/m
    makes some 1e-10 N of it in positions of 0.3 m, in each of 200 steps."""
    mass, k, c = 1.2, 1e6, 1e5
    root = math.sqrt(c * c - 4.0 * mass * k)
    slow, fast = -2.0 * k / (c + root), -(c + root) / (2.0 * mass)
    run = gd.simulate(hanging(k, c), duration=0.3, method="radau", rtol=rtol, output=0.01)
    t = run.t
    share = (fast * np.exp(slow * t) - slow * np.exp(fast * t)) / (fast - slow)
    rest = mass * 9.81 / k
    error = np.abs(run["weight.y"] + 0.2 + rest + (0.1 - rest) * share).max()
    assert error < 10.0 * rtol
    # the fast part limits no step, while those of dopri5 could not be longer than 3.3 / 83,000 s
    assert run.evidence.steps < 300 < 0.3 * -fast / 3.3 / 20.0
    assert run.evidence.jacobians == 1


def both(m: gd.Mechanism, rtol: float, **options):
    """Radau and the explicit method that needs fewer evaluations, with rows at the same times."""
    explicit = [gd.simulate(m, method=name, rtol=rtol, **options) for name in ("dopri5", "dop853")]
    return gd.simulate(m, method="radau", rtol=rtol, **options), min(explicit, key=lambda x: x.evidence.evaluations)


def apart(a: gd.Run, b: gd.Run) -> float:
    return max(np.abs(a[name] - b[name]).max() / np.abs(b[name]).max() for name in STATES)


def test_hard_and_strongly_damped_bushing():
    """Measured: 678 evaluations and 34 Jacobians, where dopri5 needs 929,017."""
    m = schwab2002.ideal().refit(pin=gd.Bushing(gd.LinearLiner(stiffness=1e9, damping=1e7)))
    implicit, explicit = both(m, 1e-9, revolutions=0.2, output=TURN / 200)
    assert implicit.evidence.evaluations * 500 < explicit.evidence.evaluations
    assert apart(implicit, explicit) < 1e-6
    assert implicit.evidence.balance < 1e-6 * implicit.evidence.energy_scale
    assert 0 < implicit.evidence.jacobians < implicit.evidence.factorisations
    assert "Jacobians" in str(implicit.evidence) and "Jacobian" not in str(explicit.evidence)


def test_pendulum_on_a_spring_and_damper():
    """The stiff direction turns. Measured: 6,116 evaluations, where dopri5 needs 278,695."""
    m = gd.Mechanism("spring pendulum", gravity=(0.0, -9.81))
    bob = m.body("bob", mass=1.2, inertia=0.02, at=(0.3, 0.0))
    m.spring("rod", bob, m.ground, point_i=(0.0, 0.0), point_j=(0.0, 0.0), stiffness=1e6, damping=1e5)
    implicit, explicit = both(m, 1e-9, duration=1.0, output=0.01)
    assert implicit.evidence.evaluations * 25 < explicit.evidence.evaluations
    assert max(np.abs(implicit[name] - explicit[name]).max() for name in ("bob.x", "bob.y", "bob.vx", "bob.vy")) < 1e-6


def test_bristles_in_a_loose_joint():
    """Contact with LuGre's friction, events included. Measured: 1,446 evaluations, where dopri5 needs 8,716."""
    friction = gd.LuGre(0.1, static_coefficient=0.15, stribeck_speed=1e-2, stiffness=1e6)
    wall = gd.LankaraniNikravesh(gd.STEEL, restitution=0.5)
    m = schwab2002.ideal().refit(pin=gd.Clearance("0.1 mm", wall=wall, friction=friction))
    implicit, explicit = both(m, 1e-9, revolutions=0.03, output=TURN / 2000)
    assert implicit.evidence.evaluations * 5 < explicit.evidence.evaluations
    assert apart(implicit, explicit) < 1e-5
    assert implicit.evidence.balance < 1e-6 * implicit.evidence.energy_scale
    assert len(implicit.contacts) == len(explicit.contacts) == 2
    for ours, theirs in zip(implicit.contacts, explicit.contacts, strict=True):
        assert abs(ours.t_on - theirs.t_on) < 1e-9
        assert ours.speed_on == pytest.approx(theirs.speed_on, rel=1e-5)


def test_differences_serve_as_well_as_the_formula_of_the_jacobian():
    """A film, as of equations of which no formula was compiled: as many steps and factorisations, but for rounding."""
    prepared = prepare(schwab2002.film(), revolutions=0.1, method="radau", rtol=1e-8, output=TURN / 200)
    code = prepared.system.code
    without = replace(code, addresses={name: at for name, at in code.addresses.items() if name != "jacobian"})
    formula, differences = prepared.run(), replace(prepared, system=replace(prepared.system, code=without)).run()
    a, b = formula.evidence, differences.evidence
    assert apart(differences, formula) < 1e-6
    assert b.jacobians == pytest.approx(a.jacobians, rel=0.1, abs=2)
    assert b.factorisations == pytest.approx(a.factorisations, rel=0.1, abs=2)
    assert b.evaluations > a.evaluations + 10 * b.jacobians


@pytest.mark.parametrize("rtol", [1e-2, 1e-4, 1e-6])
def test_steps_grow_again_after_events_at_loose_tolerances(rtol):
    """A step so short that its stages are good as predicted must still grow."""
    run = gd.simulate(schwab2002.hertz(), revolutions=0.1, method="radau", rtol=rtol)
    assert run.complete and len(run.contacts) == 4
    assert run.evidence.steps < 250  # no longer than 1/720 turn each: 72 at least


def test_a_system_without_jacobian_is_refused():
    with pytest.raises(gd.GudgeonError, match="Radau needs the Jacobian"):
        run(assemble(hanging(1e6, 1e5)), radau.Radau(), 0.0, 1.0, on_rows=len)


NUMBER, NUMBERS = ctypes.c_double, ctypes.POINTER(ctypes.c_double)
FUNCTION = ctypes.CFUNCTYPE(None, NUMBER, NUMBERS, NUMBERS, NUMBERS, NUMBERS)


@pytest.mark.parametrize("wrong", [math.inf, -math.inf, math.nan, 1e125])
def test_what_is_no_derivative_counts_as_zero(wrong):
    """Two coordinates, two velocities, one more state and an integral; the pairs are found from the Jacobian."""
    true = np.array(
        [[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [-4e9, 0, -3, 0, 1, 0], [1, 2, 3, 4, 5, 0], [0, 7, 0, 0, 8, 0]]
    )
    given = true.astype(float)
    given[2, 1] = given[4, 0] = wrong

    def write(t, y, p, m, out):
        for place, value in enumerate(given.ravel()):
            out[place] = value

    function, n = FUNCTION(write), 5
    w, systems = March(), radau_linear.radau_systems(n, 6)
    w.controlled, w.jacobian_at, w.y = n, ctypes.cast(function, ctypes.c_void_p).value, np.zeros(6)
    radau_linear.linearise(w, systems)
    j = systems.jacobian[:, :n].copy()
    assert np.array_equal(j, true[:, :n])
    assert systems.pairs == 2 and w.jacobians == 1
    # the reduced systems solve the whole ones
    random = np.random.default_rng(1).normal(size=(3, n))
    for h in (1e-6, 1e-3, 1.0):
        assert radau_linear.factorise(w, systems, h)
        real, re, im = (row.copy() for row in random)
        radau_linear.solve_real(w, systems, h, real)
        radau_linear.solve_complex_pair(w, systems, h, re, im)
        assert np.allclose(real, np.linalg.solve(np.eye(n) * radau_linear.GAMMA / h - j, random[0]), rtol=1e-9)
        s = complex(radau_linear.ALPHA, radau_linear.BETA) / h
        whole = np.linalg.solve(np.eye(n) * s - j, random[1] + 1j * random[2])
        assert np.allclose(re + 1j * im, whole, rtol=1e-9)


@dataclass(frozen=True)
class RootLaw(gd.ContactLaw):
    """A law whose slope is infinite where contact begins."""

    stiffness: float = 3e4

    @staticmethod
    def force(depth, rate, rate0, p):
        return p[0] * math.sqrt(depth)


gd.ContactLaw.registry.pop("RootLaw")


def test_an_infinite_slope_at_first_touch():
    m = schwab2002.ideal().refit(pin=gd.Clearance("0.1 mm", wall=RootLaw()))
    implicit, explicit = (gd.simulate(m, method=name, rtol=1e-9, revolutions=0.05) for name in ("radau", "dopri5"))
    assert len(implicit.contacts) == len(explicit.contacts) > 0
    for ours, theirs in zip(implicit.contacts, explicit.contacts, strict=True):
        assert abs(ours.t_on - theirs.t_on) < 1e-8


def test_thin_film() -> None:
    """Measured: 482 evaluations and 24 Jacobians, where dopri5 needs 121,621. The pin starts at the centre, where the
    film's force has no derivative."""
    m = schwab2002.ideal().refit(pin=gd.Lubricated("0.02 mm", film=gd.Moes(schwab2002.VISCOSITY)))
    implicit, explicit = both(m, 1e-9, revolutions=0.2, output=TURN / 200)
    assert implicit.evidence.evaluations * 100 < explicit.evidence.evaluations
    assert apart(implicit, explicit) < 1e-6
    assert implicit.evidence.balance < 1e-6 * implicit.evidence.energy_scale
