"""Every registered film takes energy, does not see a common rotation, and is right in the centre and at rest."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gudgeon.laws import FilmLaw, Pair

PAIR = Pair(bearing_radius=0.020, journal_radius=0.01996, length=0.024, name="big end")
REGISTERED = [kind for kind in FilmLaw.registry.values() if kind.__module__.startswith("gudgeon.")]
BLOCKS = {kind: list(kind("20 cP").pack(PAIR).values()) for kind in REGISTERED}

films = pytest.mark.parametrize("law", REGISTERED, ids=lambda kind: kind.__name__)
ratios = st.one_of(st.floats(0.0, 0.999), st.floats(1e-9, 1.0).map(lambda gap: 1.0 - gap))
angles = st.one_of(st.floats(-math.pi, math.pi), st.sampled_from([0.0, 0.5 * math.pi, math.pi, -0.5 * math.pi]))
speeds = st.floats(1e-6, 1e2)
spins = st.floats(-1e3, 1e3)


def force(law, ratio, squeeze, sweep):
    p = BLOCKS[law]
    return np.array([law.radial(ratio, squeeze, sweep, p), law.tangential(ratio, squeeze, sweep, p)])


def test_there_are_films():
    assert len(REGISTERED) >= 5


@films
@settings(deadline=None, max_examples=150)
@given(ratio=ratios, angle=angles, speed=speeds)
@example(ratio=1.0 - 1e-9, angle=2.4375, speed=1.0)  # a parabola through three pressures led out of the film
def test_a_film_takes_energy(law, ratio, angle, speed):
    velocity = speed * np.array([math.cos(angle), math.sin(angle)])
    f = force(law, ratio, *velocity)
    assert np.all(np.isfinite(f))
    assert f @ velocity <= 1e-15 * np.linalg.norm(f) * speed
    assert BLOCKS[law][0] ** 3 * law.pressure(ratio, *velocity, BLOCKS[law]) > 0.0


@films
@settings(deadline=None, max_examples=100)
@given(ratio=ratios, angle=angles, speed=speeds)
def test_a_film_is_linear_in_speed_and_has_no_hand(law, ratio, angle, speed):
    squeeze, sweep = speed * math.cos(angle), speed * math.sin(angle)
    radial, tangential = force(law, ratio, squeeze, sweep)
    assert force(law, ratio, squeeze, -sweep) == pytest.approx((radial, -tangential), rel=1e-13, abs=0.0)
    assert force(law, ratio, 4.0 * squeeze, 4.0 * sweep) == pytest.approx((4.0 * radial, 4.0 * tangential), rel=1e-13)
    p = BLOCKS[law]
    assert law.pressure(ratio, squeeze, -sweep, p) == law.pressure(ratio, squeeze, sweep, p)


def planar_force(law, e, rate, spin_i, spin_j):
    """Force on the journal in the plane, from its place and velocity and both spins, as a joint would do it."""
    size = np.linalg.norm(e)
    outward = e / size
    across = np.array([-outward[1], outward[0]])
    sweep = across @ rate - 0.5 * (spin_i + spin_j) * size
    radial, tangential = force(law, size / BLOCKS[law][0], outward @ rate, sweep)
    return radial * outward + tangential * across


@films
@settings(deadline=None, max_examples=100)
@given(ratio=st.floats(0.01, 0.99), place=angles, angle=angles, turned=angles, spin_i=spins, spin_j=spins, common=spins)
def test_a_film_is_objective(law, ratio, place, angle, turned, spin_i, spin_j, common):
    """An observer who turns sees the same force, turned: rates and spins all change, the force does not."""
    e = ratio * BLOCKS[law][0] * np.array([math.cos(place), math.sin(place)])
    rate = 0.02 * np.array([math.cos(angle), math.sin(angle)])
    q = np.array([[math.cos(turned), -math.sin(turned)], [math.sin(turned), math.cos(turned)]])
    seen = q @ rate + common * np.array([-(q @ e)[1], (q @ e)[0]])
    here = planar_force(law, e, rate, spin_i, spin_j)
    there = planar_force(law, q @ e, seen, spin_i + common, spin_j + common)
    # forces beside a velocity of 1e-5 of the terms it comes from lose that many digits
    assert there == pytest.approx(q @ here, rel=1e-6, abs=1e-6 * np.linalg.norm(here) + 1e-6)


@films
def test_the_centre_has_no_direction(law):
    p = BLOCKS[law]
    size = -law.radial(0.0, 1.0, 0.0, p)
    peak = law.pressure(0.0, 1.0, 0.0, p)
    assert size > 0.0
    for angle in np.linspace(-math.pi, math.pi, 17):
        velocity = np.array([math.cos(angle), math.sin(angle)])
        assert force(law, 0.0, *velocity) == pytest.approx(-size * velocity, rel=1e-12, abs=1e-12 * size)
        assert force(law, 1e-9, *velocity) == pytest.approx(-size * velocity, rel=1e-7, abs=1e-7 * size)
        assert law.pressure(0.0, *velocity, p) == pytest.approx(peak, rel=1e-12)


@films
@pytest.mark.parametrize("ratio", [0.0, 0.5, 0.9999])
def test_at_rest_there_is_nothing_but_shear(law, ratio):
    p = BLOCKS[law]
    assert law.radial(ratio, 0.0, 0.0, p) == 0.0 and law.tangential(ratio, 0.0, 0.0, p) == 0.0
    assert law.pressure(ratio, 0.0, 0.0, p) == 0.0
    assert law.couple(ratio, 0.0, 0.0, p) > 0.0


@films
@pytest.mark.parametrize("ratio", [1.0, 1.5, math.nan])
def test_there_is_no_film_in_the_wall(law, ratio):
    for function in (law.radial, law.tangential, law.couple, law.pressure):
        assert math.isnan(function(ratio, 0.1, 0.2, BLOCKS[law]))


@films
def test_the_wall_is_never_reached(law):
    """The force against an approach and the pressure grow without bound."""
    p = BLOCKS[law]
    gaps = np.geomspace(1.0, 1e-9, 60)
    inward = [-law.radial(1.0 - gap, 1.0, 0.0, p) for gap in gaps]
    peaks = [law.pressure(1.0 - gap, 1.0, 0.0, p) for gap in gaps]
    assert np.all(np.diff(inward) > 0.0) and np.all(np.diff(peaks) > 0.0)
    # as the inverse gap where surfaces meet in a point, faster where they meet along a line
    assert inward[-1] > (1e8 if law.shape == "sphere" else 1e10) * inward[0]


@films
def test_the_force_is_smooth_in_the_ratio(law):
    """No jump and no kink from one step of the ratio to the next."""
    for fixed in (0.3, 1.9, 3.0):
        values = np.array([force(law, x, math.cos(fixed), math.sin(fixed)) for x in np.arange(0.0, 0.95, 1e-3)])
        steps = np.linalg.norm(np.diff(values, axis=0), axis=1) / np.linalg.norm(values[1:], axis=1)
        assert np.max(steps) < 0.08 and np.max(np.abs(np.diff(steps))) < 0.01
