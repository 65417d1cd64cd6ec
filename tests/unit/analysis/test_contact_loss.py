"""Contact loss from the ideal motion: closed forms, and simulations with contact well away from the border."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import gudgeon as gd
from gudgeon.analysis.contact_loss.following import Follower, Load, follow
from gudgeon.analysis.contact_loss.ideal_load import ideal_loads
from gudgeon.quantity import GudgeonError

MASS, CLEARANCE = 0.4, 2e-4
SAME = np.array([1.0 / MASS, 0.0, 1.0 / MASS])


def load_of(times, x, y, mobility=SAME, period=None):
    force = np.stack(np.broadcast_arrays(x, y), axis=1).astype(float)
    return Load(times, force, np.tile(mobility, (len(times), 1)), period)


def test_a_load_that_turns_evenly_is_followed_at_any_speed():
    times = np.arange(360) * (2.0 * math.pi / 360)
    follower = Follower(load_of(times, 3.0 * np.cos(times), 3.0 * np.sin(times), period=2.0 * math.pi), CLEARANCE)
    assert follower.turning.number(CLEARANCE) == pytest.approx(MASS * CLEARANCE / 3.0, rel=1e-6)
    way = follower.way()
    assert way.lost is None
    assert way.least == pytest.approx(3.0 + MASS * CLEARANCE, rel=1e-8)  # the load and the centrifugal force
    assert follower.largest_clearance() == math.inf


def test_a_load_that_only_changes_its_sign_loses_contact_where_it_is_zero():
    times = np.arange(720) * (2.0 * math.pi / 720)
    follower = Follower(load_of(times, 1.0 + 2.0 * np.cos(times), 0.0, period=2.0 * math.pi), CLEARANCE)
    way = follower.way(k=0)
    assert way.lost == pytest.approx(math.acos(-0.5), abs=2.0 * math.pi / 720)
    assert way.lost >= math.acos(-0.5)
    assert follower.largest_clearance() == 0.0


def independent_border():
    """The least b for which s cos θ - b sin θ = θ'' keeps b cos θ + s sin θ + θ'² positive, from a dense solution."""

    def least(b, span=20.0):
        size = math.hypot(span, b)
        behind = 2.0 * span * b / size**4 / size
        start = [math.atan2(-span, b) - behind, b / size**2]
        solution = solve_ivp(lambda s, x: [x[1], s * math.cos(x[0]) - b * math.sin(x[0])], (-span, span), start,
                             method="DOP853", rtol=1e-10, atol=1e-11, dense_output=True)  # fmt: skip
        s = np.linspace(-2.0, 6.0, 20_001)
        angle, rate = solution.sol(s)
        return float((b * np.cos(angle) + s * np.sin(angle) + rate**2).min())

    return brentq(least, 0.25, 0.4, xtol=1e-7)


def test_a_passage_near_zero_has_one_border_in_dimensionless_numbers():
    border = independent_border()
    assert border**-3 == pytest.approx(30.901, rel=1e-4)  # as the page of theory has it
    slope = 2.0
    scale = (MASS * CLEARANCE / slope) ** (1.0 / 3.0)
    times = np.linspace(-40.0, 40.0, 4001) * scale
    for share, kept in ((1.002, True), (0.998, False)):
        least = share * border * slope * scale
        follower = Follower(load_of(times, least, slope * times), CLEARANCE)
        near = follower.near_extremes.number(CLEARANCE).max()
        assert near == pytest.approx((share * border) ** -3, rel=1e-6)
        assert (follower.way(k=0).lost is None) is kept


def test_a_mass_that_differs_by_direction_conserves_energy():
    inverse = np.array([[3.0, 0.8], [0.8, 1.1]])
    load, mass = np.array([2.0, -1.0]), np.linalg.inv(inverse)

    def energy(state):
        angle, spin = state[:2]
        place = CLEARANCE * np.array([math.cos(angle), math.sin(angle)])
        velocity = CLEARANCE * spin * np.array([-math.sin(angle), math.cos(angle)])
        return 0.5 * velocity @ mass @ velocity - load @ place

    table = np.tile([*load, inverse[0, 0], inverse[0, 1], inverse[1, 1]], (4, 1))
    state = np.array([math.atan2(-1.0, 2.0) + 0.7, 0.0, np.inf, 0.0])
    before, swing = energy(state), math.sqrt(0.5 * CLEARANCE / 2.3)
    assert follow(table, CLEARANCE, swing / 200.0, 0, 4000, state) == 4000
    assert state[1] != 0.0
    assert energy(state) == pytest.approx(before, rel=1e-9)


def arm(speed, clearance=CLEARANCE, gravity=9.81, length=0.05, **about):
    """A weight on the pin of an arm that turns evenly; nothing else holds it, and its spin does not matter."""
    m = gd.Mechanism("arm", gravity=(0.0, -gravity))
    turning = m.body("turning", mass=0.3, inertia=1e-4, at=(length / 2, 0.0))
    weight = m.body("weight", mass=MASS, inertia=1e-4, at=(length, 0.0))
    m.revolute("main", journal=turning, bearing=m.ground, at=(0, 0))
    wall = gd.KelvinVoigt(stiffness=2e6, damping=300.0)
    m.revolute("pin", journal=weight, bearing=turning, at=(length, 0.0), radius=0.01, length=0.02,
               fit=gd.Clearance(clearance, wall=wall, **about))  # fmt: skip
    m.drive("main", speed=speed)
    return m


def test_reaction_mass_and_number_of_a_weight_on_a_turning_arm():
    speed, length = 20.0, 0.05
    found = gd.contact_loss(arm(speed), rtol=1e-12)["pin"]
    inertial, weight = length * speed**2, 9.81  # per mass; the load is least with the weight on top
    assert found.reaction == pytest.approx(MASS * (inertial - weight), rel=1e-7)
    assert found.mass == pytest.approx(MASS, rel=1e-9)
    assert found.turning == pytest.approx(speed * inertial / (inertial - weight), rel=1e-6)
    exact = CLEARANCE * speed**2 * inertial**2 / (inertial - weight) ** 3
    assert found.number == pytest.approx(exact, rel=1e-6)
    assert found.rate_by_force == pytest.approx(speed * inertial / (inertial - weight) ** 2 / MASS, rel=1e-6)
    assert 360.0 * found.of_cycle(found.worst) == pytest.approx(90.0, abs=0.1)
    level = gd.contact_loss(arm(speed, gravity=0.0), rtol=1e-12)["pin"]
    assert level.number == pytest.approx(CLEARANCE / length, rel=1e-9)
    assert level.kept


@pytest.mark.parametrize("speed, kept", [(20.0, True), (14.1, False), (7.0, True)])
def test_a_simulation_with_contact_confirms_the_verdict_of_the_arm(speed, kept):
    found = gd.contact_loss(arm(speed))["pin"]
    assert found.kept is kept
    run = gd.simulate(arm(speed), revolutions=1.5, start="settled", rtol=1e-7)
    assert (run.minimum("pin.depth") > 0.0) is kept


def test_the_largest_clearance_is_where_the_verdict_changes():
    found = gd.contact_loss(arm(15.0))["pin"]
    assert 0.1 * CLEARANCE < found.largest_clearance < CLEARANCE
    for share, kept in ((0.9, True), (0.99, True), (1.003, False)):
        assert gd.contact_loss(arm(15.0, share * found.largest_clearance))["pin"].kept is kept


CRANK, ROD, SLIDER, SPEED = 0.05, 0.12, 0.14, 300.0


def slider_crank():
    """The rod's centre of mass a third along it; the pin at the slider is loose."""
    m = gd.Mechanism("slider-crank")
    crank = m.body("crank", mass=0.3, inertia=1e-5, at=(CRANK / 2, 0.0))
    rod = m.body("rod", mass=0.2, inertia=3e-4, at=(CRANK + ROD / 3, 0.0))
    slider = m.body("slider", mass=SLIDER, inertia=1e-4, at=(CRANK + ROD, 0.0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal=crank, bearing=rod, at=(CRANK, 0.0))
    m.revolute("pin", journal=rod, bearing=slider, at=(CRANK + ROD, 0.0), radius=0.01, length=0.02,
               fit=gd.Clearance(1e-4, wall=gd.KelvinVoigt(1e7, 1e3)))  # fmt: skip
    m.translational("guide", journal=slider, bearing=m.ground, at=(CRANK + ROD, 0.0), axis=(1, 0))
    m.drive("main", speed=SPEED)
    return m


def test_load_and_mass_of_a_slider_crank_are_those_of_newton_and_euler():
    """By complex numbers: crank pin a = r e^(iθ), rod direction e^(iφ), l sin φ = -r sin θ."""
    load = ideal_loads(slider_crank(), rtol=1e-12)["pin"]
    theta = SPEED * load.times
    sine = -CRANK / ROD * np.sin(theta)
    cosine = np.sqrt(1.0 - sine**2)
    rate = -CRANK / ROD * np.cos(theta) / cosine * SPEED
    bend = (CRANK / ROD * np.sin(theta) * SPEED**2 + rate**2 * sine) / cosine
    rod, pin = cosine + 1j * sine, -CRANK * SPEED**2 * np.exp(1j * theta)
    turn = (1j * bend - rate**2) * rod
    slider, centre = pin + ROD * turn, pin + ROD / 3 * turn
    # moments about the crank pin, force F on the rod at the slider: Im(conj(l u) F) = J φ'' + Im(conj(l/3 u) m a)
    moment = 3e-4 * bend + (np.conj(ROD / 3 * rod) * 0.2 * centre).imag
    across = -SLIDER * slider.real  # along x, from the slider
    force = -np.stack([across, (moment + ROD * sine * across) / (ROD * cosine)], axis=1)
    assert np.abs(slider.imag).max() < 1e-9 * np.abs(slider.real).max()
    assert np.abs(load.force - force).max() < 1e-9 * np.abs(force).max()
    share = ROD**2 / (3e-4 + 0.2 * (ROD / 3) ** 2)
    mobility = np.stack([1.0 / SLIDER + share * sine**2, -share * sine * cosine, share * cosine**2], axis=1)
    assert np.abs(load.mobility - mobility).max() < 1e-9 * mobility.max()
    assert load.period == pytest.approx(2.0 * math.pi / SPEED)


def test_what_cannot_be_judged_is_refused_with_a_remedy():
    with pytest.raises(GudgeonError, match=r'no planar pin with a clearance; give a revolute joint one'):
        gd.contact_loss(arm(20.0).refit(pin=gd.Ideal()))
    m = gd.Mechanism("falling", gravity=(0, -9.81))
    weight = m.body("weight", mass=1.0, inertia=1e-3, at=(0.1, 0))
    m.revolute("pin", journal=weight, bearing=m.ground, at=(0, 0), radius=0.01, length=0.02,
               fit=gd.Clearance(1e-4, wall=gd.KelvinVoigt(stiffness=1e6, damping=100.0)))  # fmt: skip
    with pytest.raises(GudgeonError, match="give duration="):
        gd.contact_loss(m)
    assert gd.contact_loss(m, duration=0.2)["pin"].cycle is None
    with pytest.raises(GudgeonError, match='did you mean "pin"'):
        gd.contact_loss(m, duration=0.2)["pni"]
