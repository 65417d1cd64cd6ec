"""Errors of position by play, against closed forms: slider-crank, distributions, Ting's four-bar."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis.tolerance import influences
from gudgeon.analysis.tolerance.distribution import PLACES, probability, quantile, sample, variance
from gudgeon.quantity import GudgeonError

CRANK, ROD, PLAY = 0.05, 0.12, 1e-4
SOFT = gd.Clearance(PLAY, wall=gd.KelvinVoigt(stiffness=1e7, damping=1e3))
FIT = gd.Clearance(PLAY, wall=gd.LankaraniNikravesh(gd.STEEL, restitution=0.9))


def slider_crank(driven=True, **fits):
    """Play at both ends of the rod, unless other fits are given."""
    m = gd.Mechanism("slider-crank")
    crank = m.body("crank", mass=0.3, inertia=1e-5, at=(CRANK / 2, 0.0))
    rod = m.body("rod", mass=0.2, inertia=1e-4, at=(CRANK + ROD / 2, 0.0))
    slider = m.body("slider", mass=0.1, inertia=1e-4, at=(CRANK + ROD, 0.0))
    fits = fits or {"big": FIT, "pin": FIT}
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
    for name, body, other, x in (("big", crank, rod, CRANK), ("pin", rod, slider, CRANK + ROD)):
        m.revolute(name, journal=body, bearing=other, at=(x, 0.0), radius=0.01, fit=fits.get(name, gd.Ideal()))
    m.translational("guide", journal=slider, bearing=m.ground, at=(CRANK + ROD, 0.0), axis=(1, 0), length=0.04,
                    width=0.02, fit=fits.get("guide", gd.Ideal()))  # fmt: skip
    if driven:
        m.drive("main", speed="60 rpm")
    return m


def four_bar():
    """All four pins loose."""
    m = gd.Mechanism("four-bar")
    lower, upper = (0.02, 0.03), (0.11, 0.06)
    crank = m.body("crank", mass=0.1, inertia=1e-5, at=(0.01, 0.015))
    coupler = m.body("coupler", mass=0.2, inertia=1e-4, at=(0.065, 0.045))
    rocker = m.body("rocker", mass=0.2, inertia=1e-4, at=(0.105, 0.03))
    m.revolute("a", journal=crank, bearing=m.ground, at=(0, 0), radius=0.01, fit=FIT)
    m.revolute("b", journal=crank, bearing=coupler, at=lower, radius=0.01, fit=FIT)
    m.revolute("c", journal=coupler, bearing=rocker, at=upper, radius=0.01, fit=FIT)
    m.revolute("d", journal=rocker, bearing=m.ground, at=(0.1, 0), radius=0.01, fit=FIT)
    m.drive("a", speed="60 rpm")
    return m


def test_play_at_either_end_of_the_rod_adds_up_over_the_cosine_of_its_angle():
    found = influences(slider_crank(), ["slider.x"], instants=180)
    cosine = np.sqrt(1.0 - (CRANK * np.sin(2.0 * np.pi * found.times) / ROD) ** 2)
    assert found.sizes("slider.x") == pytest.approx(np.stack([1.0 / cosine] * 2, axis=1), rel=1e-9)
    assert found.worst("slider.x") == pytest.approx(2.0 * PLAY / cosine, rel=1e-9)
    # along the rod alone, which is the bearing of the big end: what is across it only turns it
    along = found.worst_deviations(45, "slider.x")[:2] / PLAY
    assert np.abs(along) == pytest.approx([1.0, 0.0], abs=1e-9)


def test_the_largest_error_lies_between_two_positions():
    error = gd.tolerance(slider_crank(), "slider.x", instants=10)["slider.x"]
    assert error.worst == pytest.approx(2.0 * PLAY / math.sqrt(1.0 - (CRANK / ROD) ** 2), rel=1e-6)
    assert error.time % 0.5 == pytest.approx(0.25, abs=1e-3)


@pytest.mark.parametrize("place, factor", [("within", 2.0), ("wall", math.sqrt(2.0))])
def test_the_standard_deviation_of_the_slider_is_known(place, factor):
    error = gd.tolerance(slider_crank(pin=FIT), "slider.x", place=place)["slider.x"]
    cosine = math.sqrt(1.0 - (CRANK / ROD) ** 2)
    assert error.deviation == pytest.approx(PLAY / (factor * cosine), rel=1e-9)
    both = gd.tolerance(slider_crank(), "slider.x", place=place)["slider.x"]
    assert both.deviation == pytest.approx(math.sqrt(2.0) * error.deviation, rel=1e-9)
    assert [part.of_variance for part in both.contributions] == pytest.approx([0.5, 0.5])


def test_percentiles_of_one_pin_are_those_of_the_semicircle_and_the_arcsine():
    largest = PLAY / math.sqrt(1.0 - (CRANK / ROD) ** 2)
    wall = gd.tolerance(slider_crank(pin=FIT), "slider.x", place="wall")["slider.x"]
    for share, value in wall.percentiles.items():
        assert value == pytest.approx(largest * math.sin(0.5 * math.pi * share), rel=1e-9)
    within = gd.tolerance(slider_crank(pin=FIT), "slider.x")["slider.x"]
    for share, value in within.percentiles.items():
        x = value / largest
        assert 2.0 / math.pi * (math.asin(x) + x * math.sqrt(1.0 - x * x)) == pytest.approx(share, rel=1e-9)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("amplitudes, dimensions", [
    ([1.0, 0.7], [2, 2]), ([1.0, 0.7, 0.3], [2, 1, 3]), ([0.4, 1.0, 0.2, 0.9, 0.9], [3, 2, 2, 2, 1]),
    ([1.0, 0.2], [1, 1]),
])  # fmt: skip
def test_distributions_are_those_of_samples(amplitudes, dimensions, place):
    """Within 4.5 standard errors of the binomial distribution."""
    count, rng = 40_000, np.random.default_rng(7)
    errors = sum(a * sample(rng, count, d, place)[:, 0] for a, d in zip(amplitudes, dimensions, strict=True))
    assert np.mean(errors**2) == pytest.approx(variance(amplitudes, dimensions, place), rel=0.03)
    for share in (0.5, 0.95, 0.99):
        size = quantile(amplitudes, dimensions, share, place) * (1.0 + 1e-9)
        reached = probability(amplitudes, dimensions, size, place)
        allowed = 4.5 * math.sqrt(reached * (1.0 - reached) / count) + 1e-12
        assert np.mean(np.abs(errors) <= size) == pytest.approx(reached, abs=allowed)
        assert reached >= share - 1e-6


def test_equal_clearances_contribute_equally_to_directions_in_one_loop():
    """Ting, Zhu and Watkins (2000): whatever the joint and the position."""
    found = influences(four_bar(), ["coupler.angle", "rocker.angle"])
    for name in ("coupler.angle", "rocker.angle"):
        sizes = found.sizes(name)
        assert sizes.shape[1] == 4
        assert sizes == pytest.approx(np.repeat(sizes[:, :1], 4, axis=1), rel=1e-9)


def test_what_the_first_order_leaves_out_is_of_second_order():
    """Against the mechanism assembled with the same deviations."""
    left = []
    for play in (1e-4, 1e-5):
        fit = gd.Clearance(play, wall=FIT.wall)
        found = influences(slider_crank(big=fit, pin=fit), ["slider.x"], instants=8)
        moved = found.assembled(1, found.worst_deviations(1, "slider.x"))[0] - found.values[1, 0]
        left.append(abs(moved - found.worst("slider.x")[1]))
    assert left[1] == pytest.approx(0.01 * left[0], rel=0.02)


def test_the_worst_distance_of_a_point_is_no_less_than_that_of_any_deviations():
    found = influences(four_bar(), ["tool"], points={"tool": ("coupler", (0.06, 0.09))}, instants=9)
    worst, rows = found.worst("tool"), found.matrices[:, found.output("tool")]
    angles = np.linspace(0.0, 2.0 * np.pi, 10, endpoint=False)
    most = np.zeros(len(worst))
    for four in itertools.product(angles, repeat=4):
        e = PLAY * np.array([x for a in four for x in (math.cos(a), math.sin(a))])
        most = np.maximum(most, np.linalg.norm(rows @ e, axis=1))
    assert (most <= worst * (1.0 + 1e-12)).all()
    assert (most >= 0.9 * worst).all()
    there = found.worst_instant("tool")
    reached = np.linalg.norm(there.matrices[0, there.output("tool")] @ there.worst_deviations(0, "tool"))
    assert reached == pytest.approx(there.worst("tool")[0], rel=1e-6)


def test_ends_of_a_loose_guide_count_by_themselves():
    """Tilting the slider by c at one end and -c at the other moves its middle not at all, and a point ahead of it."""
    ahead = 0.1
    found = influences(slider_crank(guide=SOFT), ["slider.y", "tool.y", "slider.angle"],
                       points={"tool": ("slider", (CRANK + ROD + ahead, 0.0))}, instants=4)  # fmt: skip
    assert [play.name for play in found.plays] == ["guide.front", "guide.rear"]
    assert found.worst("slider.y") == pytest.approx(PLAY, rel=1e-9)
    assert found.worst("slider.angle") == pytest.approx(2.0 * PLAY / 0.04, rel=1e-9)
    assert found.worst("tool.y") == pytest.approx(PLAY * (abs(0.5 + ahead / 0.04) + abs(0.5 - ahead / 0.04)), rel=1e-9)


def test_in_space_a_slider_crank_has_the_errors_of_the_plane():
    plane = influences(slider_crank(pin=FIT), ["slider.x"], instants=6)
    m = gd.Mechanism("slider-crank", planar=False)
    crank = m.body("crank", mass=0.3, inertia=(1e-5, 1e-5, 1e-5), at=(CRANK / 2, 0, 0))
    rod = m.body("rod", mass=0.2, inertia=(1e-4, 1e-4, 1e-4), at=(CRANK + ROD / 2, 0, 0))
    slider = m.body("slider", mass=0.1, inertia=(1e-4, 1e-4, 1e-4), at=(CRANK + ROD, 0, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0, 0), axis=(0, 0, 1))
    m.spherical("big", journal=crank, bearing=rod, at=(CRANK, 0, 0))
    m.spherical("pin", journal=rod, bearing=slider, at=(CRANK + ROD, 0, 0), radius=0.01, fit=FIT)
    m.translational("guide", journal=slider, bearing=m.ground, at=(CRANK + ROD, 0, 0), axis=(1, 0, 0))
    m.drive("main", speed="60 rpm")
    found = influences(m, ["slider.x"], instants=6)  # the rod may spin about itself, which changes nothing
    assert found.sizes("slider.x") == pytest.approx(plane.sizes("slider.x"), rel=1e-9)
    assert [play.dimension for play in found.plays] == [3]


def test_a_limit_says_what_keeps_it():
    found = gd.tolerance(slider_crank(), ["slider.x"], limits={"slider.x": "0.15 mm"})
    error = found["slider.x"]
    assert not error.kept and error.factor == pytest.approx(0.15e-3 / error.worst)
    for part in error.contributions:  # tightened alone to what is allowed, the limit is just kept
        tight = gd.Clearance(part.allowed, wall=FIT.wall)
        other = {"big": FIT, "pin": FIT} | {part.play.joint: tight}
        assert gd.tolerance(slider_crank(**other), "slider.x")["slider.x"].worst == pytest.approx(0.15e-3, rel=1e-9)
    assert error.within == pytest.approx(0.95, abs=0.02)


def test_iso_fits_count_by_their_largest_clearance():
    fit = gd.Clearance.from_iso("20 H7/f7", wall=FIT.wall)
    (play,) = influences(slider_crank(pin=fit), ["slider.x"], instants=4).plays
    assert play.clearance == pytest.approx(0.5 * 62e-6) and play.fit == "20 H7/f7"


@pytest.mark.parametrize("asked, change, words", [
    (["slider.z"], {}, 'no position; did you mean "slider.y"'),
    ([], {}, "say which position, for instance"),
    (["slider.x"], {"limits": {"slider.x": "-1 mm"}}, "must be positive"),
    (["slider.x"], {"place": "middle"}, 'place "middle" is not known'),
    (["slider.x"], {"instants": 1}, "instants 1"),
    (["tool"], {"points": {"tool": ("rodd", (0, 0))}}, 'body "rodd" is not known; did you mean "rod"'),
    (["tool"], {"points": {"tool": ("rod", (0, 0, 0))}}, "has 3 coordinates; give 2"),
    (["tool"], {"points": {"tool": "rod"}}, "is no body and place"),
])  # fmt: skip
def test_mistakes_are_named(asked, change, words):
    with pytest.raises(GudgeonError, match=words):
        gd.tolerance(slider_crank(), asked, **change)


def test_what_cannot_be_known_is_refused():
    with pytest.raises(GudgeonError, match=r"no joint of .* has play"):
        gd.tolerance(slider_crank(pin=gd.Ideal()), "slider.x")
    undriven = slider_crank(driven=False)
    with pytest.raises(GudgeonError, match="no joint that is driven at constant speed"):
        gd.tolerance(undriven, "slider.x")
    with pytest.raises(GudgeonError, match="changes with a motion that nothing drives"):
        gd.tolerance(undriven, "slider.x", period=1.0)
