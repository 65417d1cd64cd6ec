"""Every registered law keeps the promises of its family; a law without a sample fails here."""

from __future__ import annotations

import ctypes
import math
import re
from dataclasses import fields

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gudgeon.compile.native.scalar import opaque
from gudgeon.laws import (
    FAMILIES,
    ContactLaw,
    FilmLaw,
    FrictionLaw,
    LankaraniNikravesh,
    LinerLaw,
    Material,
    ModifiedKelvinVoigt,
    Pair,
    effective_restitution,
)

PIN = Pair(bearing_radius=0.010, journal_radius=0.0095, length=0.020, name="pin")
REGISTERED = [c for f in FAMILIES for c in f.registry.values() if c.__module__.startswith("gudgeon.")]
SAMPLES = [law for kind in REGISTERED for law in kind.examples()]


def samples(family):
    chosen = [law for law in SAMPLES if isinstance(law, family)]
    return pytest.mark.parametrize("law", chosen, ids=lambda law: type(law).__name__)


def block(law):
    return np.array(list(law.pack(PIN).values()))


# -- every law -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", REGISTERED, ids=lambda kind: kind.__name__)
def test_law_is_sampled_and_described(kind):
    assert all(type(law) is kind for law in kind.examples()), "examples() gives laws of its own class"
    assert re.search(r"\d{4}|user's data", kind.reference), "the reference names a year"
    assert kind.validity.endswith(".")
    described = "\n".join(base.__doc__ or "" for base in kind.__mro__)
    for item in fields(kind):
        assert re.search(rf"^ *{item.name} \[.+\]", described, re.M), f"{item.name} has no unit"


@pytest.mark.parametrize("law", SAMPLES, ids=lambda law: type(law).__name__)
def test_block_is_plain_numbers(law):
    packed = law.pack(PIN)
    assert packed and all(type(value) is float and not math.isnan(value) for value in packed.values())


# -- plain python equals machine code ------------------------------------------------------------------------


def machine(function, arguments):
    """The function as the engine calls it: by address, p a C pointer."""
    number = ctypes.c_double
    signature = ctypes.CFUNCTYPE(number, *[number] * arguments, ctypes.POINTER(number))
    return signature(opaque(function, arguments).address)


def arguments_of(law):
    if isinstance(law, ContactLaw):
        depths, rates, touches = (1e-9, 2e-6, 2.5e-5, 3e-4), (-0.3, 0.0, 0.01, 0.4), (0.0, 0.2)
        return [(d, v, v0) for d in depths for v in rates for v0 in touches]
    if isinstance(law, FilmLaw):
        speeds = (-0.3, 0.0, 0.02)
        return [(x, v, w) for x in (0.0, 0.3, 0.95, 0.9995, 1.0) for v in speeds for w in speeds]
    if isinstance(law, LinerLaw):
        return [(d, v) for d in (0.0, 1e-6, 2.5e-5, 3e-4) for v in (-0.3, 0.0, 0.4)]
    slips, normals, states = (-1.0, -2e-3, 0.0, 5e-3, 2.0), (-10.0, 300.0), (-1e-5, 0.0, 2e-6)
    return [(v, n, z) for v in slips for n in normals for z in states]


def functions_of(law):
    if isinstance(law, FilmLaw):
        more = (law.swivel,) if law.shape == "sphere" else ()
        return law.radial, law.tangential, law.couple, law.pressure, *more
    return (law.force, law.state_rate) if getattr(law, "states", 0) else (law.force,)


@pytest.mark.parametrize("law", SAMPLES, ids=lambda law: type(law).__name__)
def test_plain_python_equals_machine_code(law):
    p = block(law)
    pointer = p.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    # a film subtracts, and fused operations round once where Python rounds twice
    rel, zero = (1e-11, 1e-12) if isinstance(law, FilmLaw) else (1e-13, 1e-300)
    for function in functions_of(law):
        native = machine(function, len(arguments_of(law)[0]))
        for arguments in arguments_of(law):
            fast = native(*arguments, pointer)
            assert fast == pytest.approx(function(*arguments, p), rel=rel, abs=zero, nan_ok=True)


# -- contact -------------------------------------------------------------------------------------------------


def free_impact(law, speed, mass=0.145, pair=PIN):
    """Speed after one impact of a mass [kg] at speed [m/s], and the largest depth [m]."""
    p = np.array(list(law.pack(pair).values()))

    def motion(_, y):
        return y[1], -law.force(y[0], y[1], speed, p) / mass if y[0] > 0.0 else 0.0

    def leaves(_, y):
        return y[0]

    def turns(_, y):
        return y[1]

    leaves.terminal, leaves.direction = True, -1
    run = solve_ivp(motion, (0.0, 10.0), (0.0, speed), method="DOP853", events=(leaves, turns), rtol=1e-11,
                    atol=(1e-17, 1e-12), first_step=1e-9)  # fmt: skip
    assert run.status == 1
    return -run.y_events[0][-1][1], run.y_events[1][0][0]


@samples(ContactLaw)
def test_force_begins_at_zero(law):
    p = block(law)
    first, full = law.force(1e-13, 0.1, 0.1, p), law.force(1e-5, 0.1, 0.1, p)
    assert (abs(first) < 1e-6 * full) == law.continuous_at_zero


@samples(ContactLaw)
def test_force_grows_with_depth(law):
    p = block(law)
    forces = [law.force(depth, 0.0, 0.1, p) for depth in np.geomspace(1e-9, 5e-4, 400)]
    assert np.all(np.diff(forces) > 0.0)


@samples(ContactLaw)
@pytest.mark.parametrize("speed", [0.02, 0.5])
def test_impact_loses_energy(law, speed):
    after, _ = free_impact(law, speed)
    assert 0.0 <= after <= speed * (1.0 + 1e-9)


@samples(ContactLaw)
def test_effective_restitution(law):
    if law.hysteresis is None:
        assert law.effective_restitution is None
        return
    after, _ = free_impact(law, 0.5)
    assert after / 0.5 == pytest.approx(effective_restitution(law.hysteresis), rel=1e-6)
    assert law.effective_restitution == effective_restitution(law.hysteresis)


@samples(ContactLaw)
def test_warnings_are_sentences(law):
    assert all(isinstance(line, str) for line in law.warnings(PIN, 1e-2, 1e3, 1e9))


def test_sphere_on_concave_barrier():
    """Case S1 of Schwab, Meijaard, Meijers 2002: 40-digit reference."""
    law = LankaraniNikravesh(Material("steel", 2.06e11, 0.3, 7800.0), restitution=0.95)
    after, depth = free_impact(law, 5.0)
    assert after == pytest.approx(4.76753022571, rel=1e-9)
    assert depth == pytest.approx(8.45320211996e-5, rel=1e-9)


@pytest.mark.parametrize(("ratio", "expected"), [(1, 0.1608552), (2, 0.1181888), (20, 0.1001982)])
def test_modified_kelvin_voigt_tends_to_the_root_of_the_energy_ratio(ratio, expected):
    after, _ = free_impact(ModifiedKelvinVoigt(1e5, 0.01, 0.1), 0.1 * ratio, mass=1.0)
    assert after / (0.1 * ratio) == pytest.approx(expected, abs=1e-6)


# -- liner ---------------------------------------------------------------------------------------------------


@samples(LinerLaw)
def test_liner_is_stiff_from_zero_and_grows(law):
    p = block(law)
    assert law.force(0.0, 0.0, p) == 0.0
    assert law.force(2e-9, 0.0, p) / law.force(1e-9, 0.0, p) == pytest.approx(2.0, rel=1e-4)
    forces = [law.force(x, 0.0, p) for x in np.linspace(0.0, 3e-4, 200)]
    assert np.all(np.diff(forces) > 0.0)


@samples(LinerLaw)
def test_liner_damps(law):
    p = block(law)
    assert next(iter(law.pack(PIN))) == "tangential_damping"
    assert p[0] == law.tangential_damping == law.damping
    assert law.force(1e-5, 0.1, p) - law.force(1e-5, 0.0, p) == pytest.approx(0.1 * law.damping)


# -- friction ------------------------------------------------------------------------------------------------


@samples(FrictionLaw)
def test_friction_opposes_slip_is_odd_and_bounded(law):
    p = block(law)
    top = getattr(law, "static_coefficient", law.coefficient)
    for slip in (1e-4, 2e-3, 8e-3, 0.5, 3.0):
        z = steady_state(law, slip, p)
        force = law.force(slip, 200.0, z, p)
        assert force <= 0.0
        assert law.force(-slip, 200.0, -z, p) == -force
        assert law.force(slip, -200.0, z, p) == -force
        assert abs(force) <= 200.0 * (top + getattr(law, "viscous", 0.0) * slip) * (1.0 + 1e-12)
    assert law.force(3.0, 200.0, steady_state(law, 3.0, p), p) <= -200.0 * law.coefficient * (1.0 - 1e-12)


def steady_state(law, slip, p):
    # z' is linear in z, so two values give its root
    if not law.states:
        return 0.0
    at_zero, at_one = law.state_rate(slip, 1.0, 0.0, p), law.state_rate(slip, 1.0, 1.0, p)
    return at_zero / (at_zero - at_one)


@samples(FrictionLaw)
def test_state_stays_bounded(law):
    if not law.states:
        assert law.state_rate(1.0, 1.0, 0.3, block(law)) == 0.0
        return
    p, step, z = block(law), 1e-6, 0.0
    bound = law.static_coefficient / law.stiffness
    for k in range(20000):
        z += step * law.state_rate(0.5 * math.sin(600.0 * k * step), 100.0, z, p)
        assert abs(z) <= bound


def with_states():
    return [law for law in SAMPLES if isinstance(law, FrictionLaw) and law.states]


@pytest.mark.parametrize("law", with_states(), ids=lambda law: type(law).__name__)
def test_a_state_in_two_directions_is_that_of_a_line_in_every_direction(law):
    """Components of slip and state along one line give force and rate of that line, whichever way it is turned."""
    p = block(law)
    for slip, z in ((0.3, 2e-6), (-1e-3, 1e-5), (2.0, -8e-6), (0.0, 1e-6)):
        force, rate = law.force(slip, 200.0, z, p), law.state_rate(slip, 200.0, z, p)
        for angle in (0.0, 0.7, 2.5, 4.0):
            for share in (math.cos(angle), math.sin(angle)):
                arguments = (slip * share, abs(slip), 200.0, z * share, p)
                assert law.component(*arguments) == pytest.approx(force * share, rel=1e-12, abs=1e-12 * abs(force))
                assert law.component_rate(*arguments) == pytest.approx(rate * share, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("law", with_states(), ids=lambda law: type(law).__name__)
def test_sliding_in_circles_only_takes_energy(law):
    """A slip that turns and stops and comes back: the work done by friction is never more than what was done on it."""
    p, step, normal, work, least = block(law), 1e-6, 100.0, 0.0, 0.0
    z = [0.0, 0.0]
    for k in range(20000):
        t = k * step
        slip = (0.4 * math.sin(500.0 * t), 0.3 * math.sin(900.0 * t + 1.0))
        speed = math.hypot(*slip)
        work -= step * sum(law.component(v, speed, normal, x, p) * v for v, x in zip(slip, z, strict=True))
        z = [x + step * law.component_rate(v, speed, normal, x, p) for v, x in zip(slip, z, strict=True)]
        least = min(least, work)
        assert math.hypot(*z) <= law.static_coefficient / law.stiffness * (1.0 + 1e-9)
    assert work > 0.0 and least >= -1e-9 * work
