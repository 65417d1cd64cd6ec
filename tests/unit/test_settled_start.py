"""A settled start: journals begin at rest under the load of the ideal joint."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.papers import schwab2002


def hanging(planar: bool = True) -> gd.Mechanism:
    """A weight of 2 kg hangs from a loose pin, or a ball in a loose socket, below the support."""
    wall = gd.Hertz(stiffness=1e9)
    if planar:
        m = gd.Mechanism("hanging", gravity=(0.0, -9.81))
        bob = m.body("bob", mass=2.0, inertia=0.01, at=(0.0, -0.2))
        m.revolute("pin", journal=bob, bearing=m.ground, at=(0.0, 0.0), radius=0.01,
                   fit=gd.Clearance(1e-4, wall=wall))  # fmt: skip
    else:
        m = gd.Mechanism("hanging", planar=False, gravity=(0.0, 0.0, -9.81))
        bob = m.body("bob", mass=2.0, inertia=(0.01, 0.01, 0.01), at=(0.0, 0.0, -0.2))
        m.spherical("pin", journal=bob, bearing=m.ground, at=(0.0, 0.0, 0.0), radius=0.01,
                    fit=gd.Clearance(1e-4, wall=wall))  # fmt: skip
    return m


@pytest.mark.parametrize("planar", [True, False])
def test_a_weight_hangs_still_at_its_static_depth(planar):
    """By hand: the depth d with K d^1.5 = m g, straight down; nothing moves afterwards."""
    run = gd.simulate(hanging(planar), duration=0.01, start="settled", method="dopri5", rtol=1e-10)
    weight, down = 2.0 * 9.81, "pin.ey" if planar else "pin.ez"
    depth = (weight / 1e9) ** (2.0 / 3.0)
    assert run["pin.depth"][0] == pytest.approx(depth, rel=1e-5)
    assert abs(run[down][0]) == pytest.approx(1e-4 + depth, rel=1e-6)
    assert np.abs(run["pin.force"] / weight - 1.0).max() < 1e-4
    assert len(run.contacts) == 1
    assert any("settled start: pressed" in note for note in run.evidence.notes)
    assert run.evidence.touch_error == 0.0


def test_the_first_turn_of_a_press_is_no_artefact_of_the_start():
    """From mid-air the first impact is the hardest; settled, the journal follows the load first."""
    described = gd.simulate(schwab2002.hertz(), duration=2e-3)
    settled = gd.simulate(schwab2002.hertz(), duration=2e-3, start="settled")
    ideal = gd.simulate(schwab2002.ideal(), duration=2e-3)
    assert described.peak("pin.force").value > 5.0 * ideal.peak("pin.force").value
    assert settled.peak("pin.force").value < 2.2 * ideal.peak("pin.force").value
    assert settled["pin.force"][0] == pytest.approx(ideal["pin.force"][0], rel=1e-3)


def test_a_lined_journal_rests_in_its_liner():
    """By hand: the liner carries the weight before the wall is reached, at the depth m g / K."""
    liner = {"liner": gd.LinearLiner(1e6, 100.0), "liner_thickness": 5e-4}
    fit = gd.Clearance(1e-4, wall=gd.Hertz(stiffness=1e9), **liner)
    run = gd.simulate(hanging().refit(pin=fit), duration=1e-3, start="settled", method="dopri5", rtol=1e-10)
    assert run["pin.liner.depth"][0] == pytest.approx(2.0 * 9.81 / 1e6, rel=1e-5)
    assert abs(run["pin.ey"][0]) == pytest.approx(1e-4 + 2.0 * 9.81 / 1e6, rel=1e-6)


def test_what_cannot_start_settled_says_so():
    with pytest.raises(gd.GudgeonError, match="settled"):
        gd.simulate(schwab2002.hertz(), duration=1e-3, start="setled")
    with pytest.raises(gd.GudgeonError, match="law of force"):
        gd.simulate(schwab2002.hertz(), duration=1e-3, start="settled", method="impact")


def shaft_in_oil(film: gd.FilmLaw, load: float, speed: float, **fit: object) -> gd.Mechanism:
    """A driven shaft in a fixed bearing of 20 mm and 10 mm length, with a load downwards."""
    m = gd.Mechanism("shaft in oil", gravity=(0.0, 0.0))
    shaft = m.body("shaft", mass=1.0, inertia=1e-3, at=(0.0, 0.0), spin=speed)
    m.revolute("bearing", journal=shaft, bearing=m.ground, at=(0.0, 0.0), radius=0.01, length=0.01,
               fit=gd.Lubricated(5e-5, film=film, **fit))  # fmt: skip
    m.force(shaft, (0.0, -load))
    return m


@pytest.mark.parametrize("load", [2.0, 60.0, 500.0])
def test_a_journal_in_oil_starts_where_the_film_carries_the_load(load):
    """Short bearing at rest: tan(attitude) = pi sqrt(1 - e^2) / (4 e), and its load by Ocvirk's formula."""
    viscosity, speed, radius, length, gap = 0.05, 200.0, 0.01, 0.01, 5e-5
    run = gd.simulate(shaft_in_oil(gd.Ocvirk(viscosity), load, speed), duration=1e-4, start="settled")
    x, y = run["bearing.ex"][0], run["bearing.ey"][0]
    e = np.hypot(x, y) / gap
    attitude = np.arctan2(abs(x), -y)
    assert np.tan(attitude) == pytest.approx(np.pi * np.sqrt(1.0 - e**2) / (4.0 * e), rel=1e-3)
    carried = viscosity * speed * radius * length**3 / (4.0 * gap**2) * e / (1.0 - e**2) ** 2
    assert carried * np.sqrt(16.0 * e**2 + np.pi**2 * (1.0 - e**2)) == pytest.approx(load, rel=1e-3)
    assert x > 0.0, "a shaft that turns anticlockwise climbs to the right"
    assert np.hypot(run["bearing.ex"] - x, run["bearing.ey"] - y).max() < 1e-3 * gap
    assert any("carried by its film" in note for note in run.evidence.notes)


def test_a_journal_in_oil_that_does_not_turn_rests_on_its_wall():
    """Oil at rest carries nothing for long: the wall takes the load where there is one, else nothing is moved."""
    wall = {"wall": gd.Hertz(stiffness=1e10), "minimum_film": 1e-6}
    on_wall = gd.simulate(shaft_in_oil(gd.Ocvirk(0.05), 60.0, 0.0, **wall), duration=1e-5, start="settled")
    depth = (60.0 / 1e10) ** (2.0 / 3.0)
    assert on_wall["bearing.ey"][0] == pytest.approx(-(4.9e-5 + depth), rel=1e-5)
    described = gd.simulate(shaft_in_oil(gd.Ocvirk(0.05), 60.0, 0.0), duration=1e-5, start="settled")
    assert described["bearing.ey"][0] == 0.0
    assert any("as described" in note for note in described.evidence.notes)


def test_a_ball_in_oil_starts_where_the_film_carries_the_load():
    """The ball turns about x under a load along z; it stays where it starts."""
    m = gd.Mechanism("ball in oil", planar=False, gravity=(0.0, 0.0, 0.0))
    ball = m.body("ball", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), at=(0.0, 0.0, 0.0), spin=(200.0, 0.0, 0.0))
    m.spherical("joint", journal=ball, bearing=m.ground, at=(0.0, 0.0, 0.0), radius=0.01,
                fit=gd.Lubricated(5e-5, film=gd.Sphere(0.05)))  # fmt: skip
    m.force(ball, (0.0, 0.0, -60.0))
    run = gd.simulate(m, duration=1e-5, start="settled")
    places = np.array([run[f"joint.e{a}"] for a in "xyz"])
    forces = np.array([run[f"joint.f{a}"][0] for a in "xyz"])
    assert np.abs(np.abs(forces) - (0.0, 0.0, 60.0)).max() < 1e-2
    assert np.hypot(places[1, 0], places[2, 0]) > 0.1 * 5e-5
    assert np.abs(places - places[:, :1]).max() < 1e-3 * 5e-5


def follower(gap: float = 0.0, spring: float = 200.0) -> gd.Mechanism:
    """A roller of 0.35 kg above an eccentric disc that turns 8 mm about its shaft, pressed by a spring."""
    m = gd.Mechanism("follower", gravity=(0.0, -9.81))
    cam = m.body("cam", mass=1.0, inertia=5e-4, at=(0.0, 0.0))
    roller = m.body("roller", mass=0.35, inertia=1e-4, at=(0.0, 0.034 + gap))
    m.revolute("shaft", journal=cam, bearing=m.ground, at=(0.0, 0.0))
    m.translational("guide", journal=roller, bearing=m.ground, at=(0.0, 0.034 + gap), axis=(0.0, 1.0))
    m.contact("touch", journal=roller, bearing=cam, journal_point=(0.0, 0.0), bearing_point=(0.0, -0.008),
              journal_radius=0.012, radius=0.030,
              fit=gd.Touching(wall=gd.KelvinVoigt("20 kN/mm", "0.5 N s/mm")))  # fmt: skip
    m.force(roller, (0.0, -spring))
    m.drive("shaft", speed=100.0)
    return m


def test_a_roller_starts_pressed_onto_its_cam():
    """By hand: at the lowest place both middles are 42 mm apart, r = 8 mm below the shaft, and the lift of the rigid
    pair begins with a = r w^2 (1 - r/42 mm); the contact carries m (g + a) and the spring, and nothing jumps."""
    run = gd.simulate(follower(), duration=1e-3, start="settled")
    lift = 0.008 * 100.0**2 * (1.0 - 0.008 / 0.042)
    assert run["touch.force"][0] == pytest.approx(200.0 + 0.35 * (9.81 + lift), rel=1e-4)
    assert np.abs(np.diff(run["touch.force"])).max() < 1.0
    assert run["touch.depth"][0] == pytest.approx(run["touch.force"][0] / 2e7, rel=1e-3)
    assert any('pressed onto what it touches: "touch"' in note for note in run.evidence.notes)


def test_a_roller_described_a_little_above_its_cam_is_put_down_and_a_high_one_falls():
    near = gd.simulate(follower(gap=5e-6), duration=1e-4, start="settled")
    assert near["touch.force"][0] == pytest.approx(gd.simulate(follower(), duration=1e-4, start="settled")
                                                   ["touch.force"][0], rel=1e-3)  # fmt: skip
    high = gd.simulate(follower(gap=2e-3), duration=1e-4, start="settled")
    assert high["touch.force"][0] < 1e-100
    assert high["roller.y"][0] == pytest.approx(0.036, abs=1e-12)


def test_a_roller_that_nothing_presses_is_left_alone():
    lifted = gd.simulate(follower(spring=-100.0), duration=1e-4, start="settled")
    assert lifted["touch.force"].max() < 1.0
    assert any("as described" in note for note in lifted.evidence.notes)


def test_loads_of_loose_joints_include_contacts_that_press():
    """A loose shaft under a pressed roller: its journal starts pressed by the roller, too."""
    loose = follower().refit(shaft=gd.Clearance(2e-5, wall=gd.Hertz(stiffness=1e9)))
    ideal = gd.simulate(follower(), duration=1e-5, start="settled")
    run = gd.simulate(loose, duration=1e-5, start="settled")
    assert run["shaft.force"][0] == pytest.approx(ideal["shaft.force"][0], rel=1e-2)
    assert run["touch.force"][0] == pytest.approx(ideal["touch.force"][0], rel=1e-2)
