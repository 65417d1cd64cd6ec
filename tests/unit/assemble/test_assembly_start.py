"""The start of a run: freedoms counted, redundant rows named, approximate positions closed, nonsense refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from at_start import at_start, channels_of

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.assemble.trace.trace import Trace
from gudgeon.papers import flores2007, schwab2002


def chain(links: int) -> gd.Mechanism:
    m = gd.Mechanism("chain")
    for k in range(links):
        m.body(f"link_{k}", mass=1.0, inertia=0.1, at=(k + 0.5, 0.0))
        m.revolute(f"joint_{k}", journal=f"link_{k}", bearing=f"link_{k - 1}" if k else m.ground, at=(float(k), 0.0))
    return m


def freed(m: gd.Mechanism) -> tuple[int, list[str]]:
    system = assemble(m)
    return system.start.dof, system.report.redundant


def test_degrees_of_freedom():
    free = gd.Mechanism("free")
    free.body("stone", mass=1.0, inertia=1.0, at=(0.0, 0.0))
    assert freed(free) == (3, [])
    assert freed(chain(1)) == (1, [])
    assert freed(chain(4)) == (4, [])
    # a driven slider-crank has none left; play at its pin gives two back
    assert freed(schwab2002.ideal()) == (0, [])
    assert freed(schwab2002.hertz()) == (2, [])
    assert freed(flores2007.four_bar(None)) == (0, [])


def test_a_second_guide_on_a_slider_is_redundant_and_named():
    m = gd.Mechanism("two rails", gravity=(2.0, -9.81))
    m.body("slider", mass=2.0, inertia=0.01, at=(0.0, 0.0))
    m.translational("rail", journal="slider", bearing=m.ground, at=(0.0, 0.1), axis=(1.0, 0.0))
    m.translational("second", journal="slider", bearing=m.ground, at=(0.0, -0.1), axis=(1.0, 0.0))
    assert freed(m) == (1, ["second.across", "second.angle"])
    start = at_start(m)
    # the rails share everything and the motion is that of one rail
    assert start["slider.ax"] == pytest.approx(2.0)
    assert (start["rail.fy"], start["second.fy"]) == pytest.approx((9.81, 9.81))
    evidence = gd.simulate(m, duration=0.01).evidence
    assert evidence.redundant == ("second.across", "second.angle")
    assert '2 redundant constraints: reactions of "rail" and "second" are not unique' in str(evidence)


def test_a_third_crank_of_a_parallelogram_is_redundant_and_the_motion_is_right():
    """n cranks of length l (inertia i about the pivot, mass c) carry a beam of mass b, all at the angle a:
    alpha = -g sin(a) (n c l/2 + b l) / (n i + b l^2)."""
    n, length, angle, c, b, own = 3, 0.4, 0.6, 0.3, 2.0, 0.004
    s, k = math.sin(angle), math.cos(angle)
    m = gd.Mechanism("parallelogram", gravity=(0.0, -9.81))
    m.body("beam", mass=b, inertia=0.2, at=(0.5 + length * s, -length * k))
    for number, x in enumerate((0.0, 0.5, 1.0)):
        name = f"crank_{number}"
        m.body(name, mass=c, inertia=own, at=(x + length / 2 * s, -length / 2 * k))
        m.revolute(f"top_{number}", journal=name, bearing=m.ground, at=(x, 0.0))
        m.revolute(f"foot_{number}", journal=name, bearing="beam", at=(x + length * s, -length * k))
    dof, redundant = freed(m)
    assert dof == 1
    assert len(redundant) == 1
    assert redundant[0].startswith("foot_2.")
    inertia = own + c * (length / 2) ** 2
    alpha = -9.81 * s * (n * c * length / 2 + b * length) / (n * inertia + b * length**2)
    start = at_start(m)
    assert [start[f"crank_{j}.alpha"] for j in range(n)] == pytest.approx([alpha] * n, rel=1e-11)
    assert start["beam.alpha"] == pytest.approx(0.0, abs=1e-11)
    run = gd.simulate(m, duration=0.5)
    assert np.abs(run["foot_2.offset"]).max() < 1e-12  # the row that was left out holds all the same


def test_a_drive_that_fights_a_locked_mechanism_is_refused():
    m = gd.Mechanism("truss")
    m.body("left", mass=1.0, inertia=0.1, at=(-0.5, -0.5))
    m.body("right", mass=1.0, inertia=0.1, at=(0.5, -0.5))
    m.revolute("support", journal="left", bearing=m.ground, at=(-1.0, 0.0))
    m.revolute("other", journal="right", bearing=m.ground, at=(1.0, 0.0))
    m.revolute("knot", journal="left", bearing="right", at=(0.0, -1.0))
    m.drive("support", speed=0.0)
    with pytest.raises(gd.GudgeonError, match=r'drive of "support".*already fix this motion \(0 degrees of freedom'):
        assemble(m)


def test_drives_that_contradict_each_other_are_refused():
    m = schwab2002.ideal()
    m.drive("guide", speed=3.0)  # at top dead centre the slider rests
    with pytest.raises(gd.GudgeonError, match="contradict each other"):
        assemble(m)


def bridge(length: float) -> gd.Mechanism:
    """Two bars of this length between supports one metre apart."""
    m = gd.Mechanism("bridge")
    m.body("left", mass=1.0, inertia=0.1, at=(0.25, -0.2))
    m.body("right", mass=1.0, inertia=0.1, at=(0.75, -0.2))
    half = length / 2
    m.revolute("near", journal="left", bearing=m.ground, journal_point=(-half, 0.0), bearing_point=(0.0, 0.0))
    m.revolute("far", journal="right", bearing=m.ground, journal_point=(half, 0.0), bearing_point=(1.0, 0.0))
    m.revolute("crown", journal="left", bearing="right", journal_point=(half, 0.0), bearing_point=(-half, 0.0))
    return m


def test_bars_that_are_too_short_are_refused_with_the_joint_that_stays_open():
    """2 x 0.4 m do not reach over 1 m."""
    with pytest.raises(gd.GudgeonError, match=r'cannot be assembled: joint "(near|far|crown)" stays open by 0\.[12]'):
        assemble(bridge(0.4))


def test_approximate_positions_are_closed_and_what_moved_is_said():
    """Bars of 0.65 m: the crown goes to (0.5, -h) with h = sqrt(0.65^2 - 0.5^2), the centres to half of it."""
    system = assemble(bridge(0.65))
    start = channels_of(system)
    for name in ("near.offset", "far.offset", "crown.offset"):
        assert start[name] < 1e-12
    h = math.sqrt(0.65**2 - 0.25)
    expected = (0.25, -h / 2, -math.atan2(h, 0.5))
    assert (start["left.x"], start["left.y"], start["left.angle"]) == pytest.approx(expected, abs=1e-12)
    assert set(system.start.moved) == {"left", "right"}
    assert system.start.moved["left"] == pytest.approx(abs(h / 2 - 0.2), abs=1e-12)
    run = gd.simulate(bridge(0.65), duration=1e-3)
    assert run.evidence.moved == pytest.approx(system.start.moved)
    assert "assembly moved 2 bodies" in str(run.evidence)
    assert f"by {1e3 * abs(h / 2 - 0.2):.3g} mm" in str(run.evidence)


def test_positions_that_fit_do_not_move():
    assert assemble(schwab2002.ideal()).start.moved == {}
    assert assemble(flores2007.four_bar(None)).start.moved == {}


def test_velocities_are_projected_onto_the_joints():
    """A pendulum at rest in x, thrown along and across its rod: what is along is lost. Across 2 m/s at the centre
    with spin 0 has the angular momentum m l 2 about the pivot and keeps it: spin = m l 2 / (I + m l^2)."""
    m = gd.Mechanism("thrown", start="given")
    m.body("bob", mass=1.5, inertia=0.06, at=(0.0, -0.4), velocity=(2.0, 5.0))
    m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0))
    start = at_start(m)
    spin = 1.5 * 0.4 * 2.0 / (0.06 + 1.5 * 0.16)
    assert start["bob.spin"] == pytest.approx(spin, rel=1e-12)
    assert (start["bob.vx"], start["bob.vy"]) == pytest.approx((0.4 * spin, 0.0), abs=1e-12)


def test_a_loose_mechanism_starts_on_the_motion_of_the_ideal_one():
    """start="ideal": the pin is centred and follows the bore, though nothing holds it."""
    ideal, loose = at_start(schwab2002.ideal()), at_start(schwab2002.hertz())
    for name in ("rod.vx", "rod.vy", "rod.spin", "slider.vx", "crank.spin", "rod.x", "slider.x"):
        assert loose[name] == pytest.approx(ideal[name], rel=1e-12, abs=1e-12), name
    assert ideal["crank.spin"] == pytest.approx(schwab2002.SPEED)
    assert loose["pin.offset"] < 1e-15
    # nothing touches: the slider is not accelerated
    assert loose["slider.ax"] == 0.0
    assert ideal["slider.ax"] == pytest.approx(-(schwab2002.SPEED**2) * 0.05 * (1 + 0.05 / 0.12), rel=1e-12)


def test_a_mechanism_without_bodies_is_refused():
    with pytest.raises(gd.GudgeonError, match="no bodies"):
        assemble(gd.Mechanism("empty"))


def test_an_unknown_back_end_is_refused():
    with pytest.raises(gd.GudgeonError, match='backend "cuda" is not known'):
        assemble(schwab2002.ideal(), backend="cuda")


def parallelogram(angle: float) -> gd.Mechanism:
    """Two cranks of 0.1 m, 0.3 m apart, and their coupler: one freedom, but flat at angle 0."""
    m = gd.Mechanism("parallelogram")
    c, s = 0.1 * math.cos(angle), 0.1 * math.sin(angle)
    for name, x in (("left", 0.0), ("right", 0.3)):
        m.body(name, mass=1.0, inertia=1e-3, at=(x + c / 2, s / 2), angle=angle)
        m.revolute(f"{name}_foot", journal=name, bearing=m.ground, at=(x, 0.0))
    m.body("coupler", mass=1.0, inertia=1e-2, at=(0.15 + c, s))
    m.revolute("left_head", journal="coupler", bearing="left", at=(c, s))
    m.revolute("right_head", journal="coupler", bearing="right", at=(0.3 + c, s))
    return m


def test_a_singular_start_is_no_redundant_row():
    assert freed(parallelogram(0.3)) == (1, [])
    with pytest.raises(gd.GudgeonError, match=r"singular position.*right_head.*a little away"):
        assemble(parallelogram(0.0))


@pytest.mark.parametrize("method, most", [("dopri5", 2), ("impact", 2), ("alpha", 1)])
def test_a_mechanism_is_traced_at_most_twice(monkeypatch, method, most):
    """By the coordinates of its bodies, with the start and its ideal twin, and by those of a tree if there is one."""
    traced, trace = [], Trace.__init__
    monkeypatch.setattr(Trace, "__init__", lambda self, *a, **k: (traced.append(k), trace(self, *a, **k))[1])
    wall = gd.LankaraniNikravesh(gd.STEEL, restitution=0.9123)  # a number of its own: nothing like it is remembered
    gd.simulate(schwab2002.ideal().refit(pin=gd.Clearance("0.5 mm", wall=wall)), duration=1e-6, method=method)
    assert 1 <= len(traced) <= most


def pressed(angle: float, **drive) -> gd.Mechanism:
    """A slider-crank whose slider is driven, described with its crank at an angle [rad]."""
    m, r, rod = gd.Mechanism("press"), 0.05, 0.12
    pin = (r * math.cos(angle), r * math.sin(angle))
    end = pin[0] + math.sqrt(rod**2 - pin[1] ** 2)
    crank = m.body("crank", mass=0.3, inertia=1e-4, at=(pin[0] / 2, pin[1] / 2))
    coupler = m.body("rod", mass=0.2, inertia=1e-4, at=((pin[0] + end) / 2, pin[1] / 2))
    slider = m.body("slider", mass=0.2, inertia=1e-4, at=(end, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("big", journal=crank, bearing=coupler, at=pin)
    m.revolute("small", journal=coupler, bearing=slider, at=(end, 0))
    m.translational("guide", journal=slider, bearing=m.ground, at=(end, 0))
    m.drive("guide", **drive)
    return m


@pytest.mark.parametrize("drive", [{"speed": 1.0}, {"motion": lambda t: 0.01 * t * t}])
def test_a_dead_centre_is_called_so(drive):
    """A slider at the end of its travel can have no speed: no drive is too many."""
    words = r'drive of "guide": the mechanism starts at a dead centre, .* describe it a little away from there, or '
    with pytest.raises(gd.GudgeonError, match=words + 'drive another joint, for instance "main"') as error:
        assemble(pressed(0.0, **drive))
    assert "remove" not in str(error.value)
    assemble(pressed(0.3, **drive))


def test_two_drives_for_one_freedom():
    m = pressed(0.3, speed=1.0)
    m.drive("main", speed=1.0)
    with pytest.raises(gd.GudgeonError, match=r"1 degree of freedom without them.*; remove one of these drives"):
        assemble(m)
