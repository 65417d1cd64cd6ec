"""Evidence: the ledger, restitution asked and got, warnings where a law no longer means what it says."""

from __future__ import annotations

import pytest
from bouncing import falling_run, loose_run, resting_run, sphere_run

import gudgeon as gd
from gudgeon.laws.restitution import effective_restitution, lankarani_nikravesh_hysteresis
from gudgeon.papers import schwab2002
from gudgeon.results.build import _one_per_joint


def test_the_ledger_adds_up():
    evidence, run = loose_run().evidence, loose_run()
    e = evidence.energy
    taken = e["contact"] + e["friction"] + e["liner"] + e["film"] + e["damper"]
    left = e["kinetic"] + e["potential"] + taken - e["drive"] - e["applied"]
    assert abs(left) <= evidence.balance * (1 + 1e-6)
    assert evidence.balance < 1e-6 * run["energy.kinetic"].max()
    assert e["contact"] == pytest.approx(run["energy.contact"][-1] - run["energy.contact"][0])
    assert e["friction"] > 0.0
    assert evidence.energy_scale == max(abs(x) for x in e.values())
    line = str(evidence).splitlines()[0]
    assert line.split()[:4] == ["evidence", "energy", "in", "[J]:"]
    assert f"drives {e['drive']:.4g} = kinetic {e['kinetic']:.4g} + contact" in line
    assert f"unexplained {evidence.balance:.1e}" in line


def test_what_contacts_took_is_in_the_ledger():
    run = falling_run()
    assert sum(r.energy_lost for r in run.contacts) == pytest.approx(run.evidence.energy["contact"], rel=1e-9)


def test_restitution_of_one_impact_is_what_the_law_gives():
    """Lankarani-Nikravesh asked for 0.95 gives 0.953506045142 (cases/planar.md S1), whatever mass and speed."""
    (row,) = sphere_run().evidence.restitution
    assert (row.contact, row.asked, row.impacts) == ("pin", 0.95, 1)
    assert row.law == pytest.approx(0.953506045142, rel=1e-11)
    assert row.law == effective_restitution(lankarani_nikravesh_hysteresis(0.95))
    assert row.got == pytest.approx(row.law, rel=1e-8)
    assert row.low == row.high == row.got
    assert "given 0.95 (0.9535 by the law), observed 0.9535 in 1 impact" in str(sphere_run().evidence)


@pytest.mark.parametrize("law", [gd.ExactRestitution, gd.HuntCrossley, gd.Flores2011, gd.Gonthier])
def test_restitution_got_is_the_effective_one_of_every_such_law(law):
    wall = law(schwab2002.STEEL, restitution=0.8)
    m = schwab2002.sphere(speed=1.0).refit(pin=gd.Clearance("0.5 mm", wall=wall))
    (row,) = gd.simulate(m, duration=8e-4, rtol=1e-10).evidence.restitution
    assert row.asked == 0.8
    assert row.got == pytest.approx(wall.effective_restitution, rel=1e-6)
    if law is gd.ExactRestitution:
        assert row.got == pytest.approx(0.8, rel=1e-6)


def stale(run: gd.Run) -> list[str]:
    return [text for text in run.evidence.warnings if "no longer corresponds to the restitution" in text]


def test_a_lasting_contact_with_a_tiny_first_speed_is_warned_about():
    (text,) = stale(resting_run())
    assert text.startswith("path.stop.lower: contact 1 lasts to the end; it began at 0.00014 m/s and later reaches")
    assert text in str(resting_run().evidence)


def test_contacts_of_one_joint_warn_once_by_the_one_with_the_largest_force():
    said = [
        ("guide.front", "damping is 32.1 N, 83% of the force", 39.0),
        ("guide.rear", "damping is 1.5e+03 N, 19% of the force", 7.8e3),
        ("guide.rear", "the depth is 2 mm", 7.8e3),
        ("pin", "damping is 7 N, 1% of the force", 1.0),
    ]
    assert _one_per_joint(said) == [
        'guide.rear: damping is 1.5e+03 N, 19% of the force; likewise "front"', "guide.rear: the depth is 2 mm",
        "pin: damping is 7 N, 1% of the force",
    ]  # fmt: skip


def test_impacts_are_not_warned_about():
    assert not stale(sphere_run())
    assert not stale(falling_run())


def test_an_elastic_law_cannot_be_stale():
    m = gd.Mechanism("rest", gravity=(0.0, -9.81))
    m.body("block", mass=1.0, inertia=1e-3, at=(0.0, 0.0))
    m.translational("path", journal="block", bearing=m.ground, at=(0.0, 0.0), axis=(0.0, 1.0))
    m.stop("path", lower=-1e-9, wall=gd.Hertz(stiffness=1e8))
    run = gd.simulate(m, duration=0.05)
    assert run.contacts
    assert not stale(run)


def test_a_law_that_leaves_its_validity_is_named_even_between_two_outputs():
    """5 m/s on steel is far beyond the elastic limit; no row of this run lies in the contact."""
    run = gd.simulate(schwab2002.sphere(), duration=2e-4, output=9e-5)
    assert not (run["pin.depth"] > 0.0).any()
    assert any("elastic limit" in text for text in run.evidence.warnings)


def test_counts_method_and_references():
    evidence = sphere_run().evidence
    assert evidence.located == 2
    assert evidence.dof == 3
    assert evidence.rtol == 1e-10
    assert evidence.steps > 100
    assert evidence.evaluations > 5 * evidence.steps
    assert evidence.touch_error < 1e-13
    assert evidence.moved == {}
    assert any(text.startswith("LankaraniNikravesh: Lankarani, Nikravesh 1990") for text in evidence.references)
    assert any("Dormand" in text for text in evidence.references)
    assert "3 degrees of freedom" in str(evidence)


def test_what_did_not_happen_is_not_measured():
    """No onset, no accuracy of onsets; and nothing is called smaller than zero."""
    m = gd.Mechanism("pendulum", gravity=(0, -9.81))
    arm = m.body("arm", mass=1.0, inertia=0.1, at=(0.5, 0.0))
    m.revolute("top", journal=arm, bearing=m.ground, at=(0, 0))
    text = str(gd.simulate(m, duration=0.1).evidence)
    assert "constraints satisfied to rounding" in text
    assert "onset" not in text and "0.0e+00 m" not in text
    assert "onset located to" in str(sphere_run().evidence)


def test_the_place_of_a_key_is_asked_for_where_its_shaft_is_loose():
    """The motion across the guide follows from where its key lies; a play of 0.1 mm over 50 mm leaves that small."""

    def run(play: float, arm: tuple[float, float, float] | None) -> gd.Run:
        m = gd.Mechanism("guide", planar=False, gravity=(0.0, 0.0, -9.81))
        m.body("bar", mass=1.0, inertia=(0.01, 0.01, 0.01), at=(0.1, 0.02, 0.0))
        sleeve = gd.Clearance(play, wall=gd.KelvinVoigt(stiffness=1e6, damping=100.0))
        m.translational("guide", journal="bar", bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0), arm=arm,
                        radius=0.01, length=0.05, strips=2, fit={"sleeve": sleeve})  # fmt: skip
        return gd.simulate(m, duration=0.05)

    (told,) = run(5e-4, None).evidence.warnings
    assert "guide: the shaft can tilt by 0.02 rad" in told and "(0, 1, 0) is taken" in told
    upright, across = run(5e-4, (0.0, 0.0, 1.0)), run(5e-4, (0.0, 1.0, 0.0))
    assert not upright.evidence.warnings and not run(1e-4, None).evidence.warnings
    assert abs(upright["bar.y"][-1] - 0.02) < 1e-9 < 1e-6 < abs(across["bar.y"][-1] - 0.02)
