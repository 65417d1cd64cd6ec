"""The table of contacts against closed forms."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from bouncing import G, falling_run, loose_run, resting_run, sphere_run

import gudgeon as gd
from gudgeon.papers import schwab2002
from gudgeon.results.contacts import FIELDS, ContactRecord, ContactRecords, classify

# cases/planar.md S1, by 40-digit arithmetic; times from first touch
F_MAX, T_F_MAX, DEPTH_MAX = 51234.584684, 24.2495788755e-6, 8.45320211996e-5
CONTACT_TIME, REBOUND, LOSS = 50.9637545752e-6, 4.76753022571, 0.164622527153


def test_sphere_in_a_socket():
    (record,) = sphere_run().contacts
    assert (record.joint, record.contact, record.kind) == ("pin", "pin", "impact")
    # 0.5 mm of free flight at 5 m/s
    assert record.t_on == pytest.approx(1e-4, abs=1e-14)
    assert record.speed_on == pytest.approx(5.0, rel=1e-13)
    assert record.angle == pytest.approx(0.0, abs=1e-12)
    assert record.duration == pytest.approx(CONTACT_TIME, rel=1e-9)
    assert record.speed_off == pytest.approx(-REBOUND, rel=1e-9)
    assert record.restitution == pytest.approx(REBOUND / 5.0, rel=1e-9)
    assert record.peak_force == pytest.approx(F_MAX, rel=1e-9)
    assert record.peak_time - record.t_on == pytest.approx(T_F_MAX, rel=1e-6)
    assert record.energy_lost == pytest.approx(LOSS, rel=1e-8)


def test_the_largest_depth_is_found_between_steps_too():
    (record,) = sphere_run().contacts
    assert record.max_depth == pytest.approx(DEPTH_MAX, rel=1e-6)


def test_the_table_does_not_depend_on_the_output():
    coarse = gd.simulate(schwab2002.sphere(), duration=2e-4, rtol=1e-10, output=1e-4)
    (a,), (b,) = coarse.contacts, sphere_run().contacts
    for field in ("t_on", "t_off", "speed_off", "peak_force", "energy_lost"):
        assert getattr(a, field) == pytest.approx(getattr(b, field), rel=1e-8), field
    assert a.kind == b.kind == "impact"


@pytest.mark.parametrize("direction", [0.3, 2.5, -1.9])
def test_the_angle_is_seen_from_the_bearing(direction):
    v = (3.0 * math.cos(direction), 3.0 * math.sin(direction))
    m = gd.Mechanism("thrown", start="given")
    m.body("ball", mass=0.1, inertia=1e-5, at=(0.2, 0.1), velocity=v)
    fit = gd.Clearance("1 mm", wall=gd.Hertz(stiffness=1e9))
    m.revolute("socket", journal="ball", bearing=m.ground, at=(0.2, 0.1), fit=fit)
    (record,) = gd.simulate(m, duration=5e-4).contacts
    assert record.angle == pytest.approx(direction, abs=1e-10)


def test_a_ball_that_falls_again_and_again():
    """First touch after sqrt(2 h/g) with sqrt(2 g h). Each bounce halves the speed and so the time of flight; the
    weight acts during the contact, too, which is what the tolerance is for."""
    records = falling_run().contacts
    height = 0.020
    assert records[0].t_on == pytest.approx(math.sqrt(2 * height / G), rel=1e-12)
    assert records[0].speed_on == pytest.approx(math.sqrt(2 * G * height), rel=1e-12)
    assert len(records) == 3
    for one, other in itertools.pairwise(records):
        assert one.kind == "impact"
        assert math.isnan(one.angle)  # a stop has no angle
        assert one.restitution == pytest.approx(0.5, rel=0.01)
        # free flight between floor and floor: 2 v / g, back with the same speed
        assert other.t_on - one.t_off == pytest.approx(-2 * one.speed_off / G, rel=1e-9)
        assert other.speed_on == pytest.approx(-one.speed_off, rel=1e-9)
        # the contact takes the difference of the kinetic energies
        assert one.energy_lost == pytest.approx(0.1 * (one.speed_on**2 - one.speed_off**2), rel=1e-6)


def test_a_contact_that_lasts_is_open_at_the_end():
    (record,) = resting_run().contacts
    assert not record.ended
    assert math.isnan(record.t_off)
    assert math.isnan(record.duration)
    assert record.kind == "contact"
    assert record.speed_on == pytest.approx(math.sqrt(2 * G * 1e-9), rel=1e-6)
    # at rest the depth is (m g / K)^(2/3), and the peak was above the weight
    assert resting_run()["path.stop.lower.depth"][-1] == pytest.approx((G / 1e8) ** (2 / 3), rel=1e-2)
    assert record.peak_force > G
    assert record.max_depth >= resting_run()["path.stop.lower.depth"].max()


def test_columns_joints_and_impacts():
    table = loose_run().contacts
    assert table.column("speed_on") == pytest.approx([r.speed_on for r in table])
    assert table.of("pin") == table
    assert table.of("main") == []
    assert isinstance(table.of("pin"), ContactRecords)
    assert all(r.kind == "impact" and r.ended for r in table.impacts)
    assert np.all(np.diff(table.column("t_on")) > 0)


def test_the_table_prints_a_line_per_contact():
    table = loose_run().contacts
    lines = str(table).splitlines()
    assert len(lines) == 1 + len(table)
    heads = ["contact", "t_on [ms]", "v_on [m/s]", "angle [deg]", "t_off [ms]", "v_off [m/s]", "peak [N]", "lost [J]"]
    assert lines[0].split() == " ".join([*heads, "kind"]).split()
    assert f"{table[0].t_on * 1e3:.5g}" in lines[1]


def test_what_is_an_impact_and_what_is_contact():
    """Hertz's contact time is 2.94 depth / speed: here 29.4 us."""
    assert classify(30e-6, 1e-5, 1.0, 1.0) == "impact"
    assert classify(60e-6, 1e-5, 1.0, 1.0) == "contact"
    assert classify(math.nan, 1e-5, 1.0, 1.0) == "contact"  # not ended
    assert classify(30e-6, 1e-5, 0.0, 0.0) == "contact"
    # pressed in by a load: deep for its speed, which fools the time, but the rates betray it
    assert classify(6e-3, 3e-5, 0.0154, 0.12) == "contact"


def test_a_slow_touch_under_load_is_no_impact():
    """A push of 2 kN for 6 ms on a contact that began with 1 mm/s: it ends, and it was no impact."""
    m = gd.Mechanism("pressed", start="given")
    m.body("block", mass=0.145, inertia=1e-4, at=(0.0, 0.0), velocity=(1e-3, 0.0))
    m.translational("line", journal="block", bearing=m.ground, at=(0.0, 0.0), axis=(1.0, 0.0))
    m.stop("line", upper=1e-9, wall=gd.LankaraniNikravesh(stiffness=6.6e10, restitution=0.9))
    m.force("block", (lambda t: 2000.0 * gd.sin(math.pi * t / 6e-3), 0.0))
    run = gd.simulate(m, duration=9e-3)
    record = run.contacts[0]
    assert record.ended
    assert record.duration > 5e-3
    assert record.kind == "contact"
    assert not run.evidence.restitution  # nothing to compare a restitution with


def test_a_long_table_prints_its_beginning():
    record = ContactRecord(**dict.fromkeys(FIELDS, 0.0) | {"joint": "pin", "contact": "pin", "kind": "impact"})
    many, few = ContactRecords([record] * 187), ContactRecords([record] * 40)
    assert str(many).splitlines()[-1] == "... and 147 more; to_pandas() has all of them"
    assert len(str(many).splitlines()) == 42 and len(str(few).splitlines()) == 41


def test_a_part_of_a_run_has_the_contacts_in_progress_with_their_numbers():
    """The press settles into one lasting contact: from within it, the part has that contact and its largest force."""
    run = gd.simulate(schwab2002.hertz(), revolutions=0.2)
    lasting = max((r for r in run.contacts if r.ended), key=lambda r: r.duration)
    begin = 0.5 * (lasting.t_on + lasting.t_off)
    part = run.after(begin)
    first = part.contacts[0]
    assert (first.t_on, first.number) == (lasting.t_on, run.contacts.index(lasting) + 1)
    assert [r.number for r in part.contacts] == list(range(first.number, len(run.contacts) + 1))
    inside = (run.t >= begin) & (run.t <= lasting.t_off)
    assert begin <= first.peak_time <= lasting.t_off
    assert first.peak_force == pytest.approx(run["pin.normal"][inside].max(), rel=1e-2)
    assert part.contacts.of("pin") == part.contacts
    # what ended before, or begins later, is as it was
    assert part.contacts[1:] == [r for r in run.contacts if r.t_on >= begin]
