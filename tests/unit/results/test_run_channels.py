"""Channels of a run: their names and units, peaks between samples, modes and parts of a run."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bouncing import falling_run, loose_run, resting_run, sphere_run

import gudgeon as gd
from gudgeon.papers import schwab2002
from gudgeon.quantity import parse_unit
from gudgeon.results.extremes import extremum
from gudgeon.results.run import CONTACT, FREE, IMPACT


def test_a_loose_driven_mechanism_has_every_channel():
    run = loose_run()
    bodies = {
        f"{body}.{what}"
        for body in ("crank", "rod", "slider")
        for what in ("x", "y", "angle", "vx", "vy", "spin", "ax", "ay", "alpha")
    }
    joints = {f"{j}.{what}" for j in ("main", "big", "pin", "guide") for what in ("fx", "fy", "force", "travel")}
    joints |= {f"{j}.{what}" for j in ("main", "big", "pin") for what in ("ex", "ey", "offset")}
    contact = {f"pin.{what}" for what in ("eccentricity", "depth", "rate", "normal", "friction", "slip", "mode")}
    ledger = ("drive", "applied", "contact", "liner", "film", "friction", "damper")
    energies = {f"energy.{what}" for what in ("kinetic", "potential", *ledger, "balance")}
    assert set(run.channels) == bodies | joints | contact | energies | {"main.torque", "guide.moment", "pin.moment"}
    assert all(len(run[name]) == len(run.t) for name in run.channels)
    assert all(np.isfinite(run[name]).all() for name in run.channels)


UNITS = {
    "slider.x": "m", "slider.vx": "m/s", "slider.ax": "m/s^2", "rod.angle": "rad", "rod.spin": "rad/s",
    "rod.alpha": "rad/s^2", "main.torque": "Nm", "guide.moment": "Nm", "guide.travel": "m", "main.travel": "rad",
    "pin.force": "N", "pin.eccentricity": "1", "pin.depth": "m", "pin.rate": "m/s", "pin.slip": "m/s", "pin.mode": "1",
    "energy.kinetic": "J",
}  # fmt: skip


def test_units_and_labels():
    run = loose_run()
    assert {name: run.channel(name).unit for name in UNITS} == UNITS
    for name in run.channels:
        channel = run.channel(name)
        assert channel.name == name
        assert channel.label
        parse_unit(channel.unit)  # every unit is one that gudgeon itself can read


def test_angular_contacts_have_angular_units():
    """The depth into a stop of a rotation is an angle and its normal force a moment."""
    m = gd.Mechanism("flap", gravity=(0.0, -9.81))
    m.body("flap", mass=0.5, inertia=2e-3, at=(0.2, 0.0))
    m.revolute("hinge", journal="flap", bearing=m.ground, at=(0.0, 0.0))
    m.stop("hinge", lower=-0.01, wall=gd.Hertz(stiffness=1e5))
    run = gd.simulate(m, duration=0.02)
    units = [run.channel(f"hinge.stop.lower.{what}").unit for what in ("depth", "rate", "normal")]
    assert units == ["rad", "rad/s", "Nm"]


def test_an_unknown_channel_is_answered_with_the_likely_one():
    run = sphere_run()
    with pytest.raises(gd.GudgeonError, match=r'no channel "sphere\.vz"; did you mean "sphere\.v'):
        run["sphere.vz"]
    with pytest.raises(gd.GudgeonError, match=r'did you mean "pin\.force"'):
        run.peak("pin.forse")
    with pytest.raises(gd.GudgeonError, match=r"recorded: sphere\.x"):
        run["1234567890123456789012345678"]
    assert "pin.force" in run
    assert "pin.forse" not in run


def test_peaks_lie_between_samples():
    """A sine sampled 40 times per period: the parabola through three samples finds the 1 at pi/2 to 1e-5."""
    t = np.linspace(0.0, 2 * math.pi, 41) + 0.05
    peak = extremum(t, np.sin(t))
    assert np.sin(t).max() < 1.0 - 1e-3
    assert peak.value == pytest.approx(1.0, abs=1e-5)
    assert peak.time == pytest.approx(math.pi / 2, abs=2e-3)
    assert float(peak) == peak.value
    low = extremum(t, np.sin(t), -1.0)
    assert low.value == pytest.approx(-1.0, abs=1e-5)
    assert low.time == pytest.approx(3 * math.pi / 2, abs=2e-3)


def test_a_parabola_is_found_exactly_on_uneven_samples():
    t = np.array([0.0, 0.3, 0.9, 1.0, 1.7])
    peak = extremum(t, 5.0 - (t - 0.8) ** 2)
    assert (peak.value, peak.time) == pytest.approx((5.0, 0.8))


def test_an_end_and_a_jump_are_taken_as_sampled():
    t = np.linspace(0.0, 1.0, 11)
    assert extremum(t, t).value == 1.0
    # a jump recorded on both sides of one instant
    assert extremum(np.array([0.0, 1.0, 1.0, 2.0]), np.array([0.0, 1.0, 5.0, 4.0])).value == 5.0


def test_the_largest_magnitude_keeps_its_sign():
    t = np.linspace(0.0, 1.0, 5)
    assert extremum(t, np.array([0.0, 1.0, 0.0, -3.0, 0.0])).value == -3.0


def test_modes_follow_the_contacts():
    run = falling_run()
    mode = run["path.mode"]
    assert set(mode) == {FREE, IMPACT}
    for record in run.contacts:
        inside = (run.t > record.t_on) & (run.t < record.t_off)
        assert inside.sum() > 5
        assert (mode[inside] == IMPACT).all()
    # at an event there is a row before it and a row after it: the former still has the old mode
    between = (run.t > run.contacts[0].t_off) & (run.t < run.contacts[1].t_on)
    assert (mode[between] == FREE).all()
    rest = resting_run()
    assert rest["path.mode"][0] == FREE
    assert (rest["path.mode"][rest.t > rest.contacts[0].t_on] == CONTACT).all()


def test_touching_is_the_share_of_time_in_contact():
    run = falling_run()
    closed = sum(record.duration for record in run.contacts if record.ended)
    assert all(record.ended for record in run.contacts)
    assert run.touching("path") == pytest.approx(closed / run.t[-1], rel=1e-9)
    assert sphere_run().touching("pin") == pytest.approx(50.9637545752e-6 / 2e-4, rel=1e-6)


def test_a_loose_joint_that_never_touches_is_in_free_flight():
    run = gd.simulate(schwab2002.hertz(), duration=1e-4)
    assert not run.contacts
    assert (run["pin.mode"] == FREE).all()
    assert run.touching("pin") == 0.0


def test_after_keeps_what_comes_later():
    run = falling_run()
    first, second = run.contacts[0], run.contacts[1]
    late = run.after(0.5 * (first.t_off + second.t_on))
    assert late.t[0] >= 0.5 * (first.t_off + second.t_on)
    assert late.contacts[0] == second
    assert len(late["ball.y"]) == len(late.t) < len(run.t)
    assert late["ball.y"][-1] == run["ball.y"][-1]
    assert late.channels == run.channels


def test_after_knows_of_a_contact_that_began_before():
    late = resting_run().after(0.02)
    assert (late["path.mode"] == CONTACT).all()
    assert late.touching("path") == 1.0


def test_after_finds_the_largest_force_of_a_contact_that_goes_on():
    """Between rows too: those of this run are far apart."""
    m = gd.Mechanism("rest", gravity=(0.0, -9.81))
    m.body("block", mass=1.0, inertia=1e-3, at=(0.0, 0.0))
    m.translational("path", journal="block", bearing=m.ground, at=(0.0, 0.0), axis=(0.0, 1.0))
    m.stop("path", lower=-1e-9, wall=gd.LankaraniNikravesh(stiffness=1e8, restitution=0.999))
    dense = gd.simulate(m, duration=0.02, rtol=1e-10)
    sparse = gd.simulate(m, duration=0.02, rtol=1e-10, output=3.1e-4)
    start = 2.0 * dense.contacts[0].peak_time
    expected, found = dense.after(start).contacts[0], sparse.after(start).contacts[0]
    assert expected.peak_time > start
    assert found.peak_force == pytest.approx(expected.peak_force, rel=1e-6)


def test_a_run_says_what_it_is():
    assert repr(sphere_run()).startswith("<Run sphere in a socket: 0.0002 s, ")
    assert repr(sphere_run()).endswith("1 contacts>")
    assert loose_run().period == pytest.approx(2 * math.pi / schwab2002.SPEED)
    assert sphere_run().period is None
