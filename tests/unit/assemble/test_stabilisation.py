"""Constraints over a run: projection keeps them to rounding, Baumgarte's feedback lets them drift a little."""

from __future__ import annotations

import pytest
from at_start import at_start, channels_of

import gudgeon as gd
from gudgeon.assemble import Baumgarte, assemble
from gudgeon.papers import flores2007

OPEN = ("main.offset", "big.offset", "pin.offset", "rocker.offset")


def worst(run: gd.Run) -> float:
    """How far a joint stands open where the run ended; rows between two steps are interpolated."""
    system = assemble(run.mechanism)
    end = channels_of(system, run.end.t, run.end.y)
    return max(abs(end[name]) for name in OPEN)


def two_turns(**options) -> gd.Run:
    return gd.simulate(flores2007.four_bar(None), revolutions=2, **options)


def test_projection_keeps_the_loop_closed_to_rounding():
    run = two_turns()
    assert worst(run) < 5e-15
    assert run.evidence.drift < 1e-12  # before projection
    assert run.evidence.stabilisation == "projection"


def test_baumgarte_runs_and_drifts_more():
    feedback = Baumgarte(alpha=50.0, beta=50.0)
    fine = two_turns(stabilisation=feedback)
    assert fine.complete
    assert "Baumgarte" in fine.evidence.stabilisation
    assert 20 * worst(two_turns()) < worst(fine) < 1e-11
    # the looser the steps the wider the joints stand open, and the motion is right as far as that lets it
    coarse = two_turns(stabilisation=feedback, rtol=1e-5, output="4 ms")
    assert 1e3 * worst(fine) < worst(coarse) < 1e-4
    assert coarse["follower.spin"][-1] == pytest.approx(fine["follower.spin"][-1], rel=1e-3)


def test_feedback_adds_its_terms_to_the_accelerations():
    """A pivot that is open by e and opens with v is closed with 2 alpha v + beta^2 e. One free body held at its centre:
    a = -(2 alpha v + beta^2 e) for every start; the assembled start has e = v = 0, so the spin alone is left."""
    m = gd.Mechanism("wheel", start="given")
    m.body("wheel", mass=1.0, inertia=0.1, at=(0.0, 0.0), spin=3.0)
    m.revolute("axle", journal="wheel", bearing=m.ground, at=(0.0, 0.0))
    system = assemble(m, stabilisation=Baumgarte(alpha=7.0, beta=11.0))
    y = system.y0.copy()
    y[0], y[3] = 1e-3, 0.02  # x and vx
    assert channels_of(system, y=y)["wheel.ax"] == pytest.approx(-(2 * 7.0 * 0.02 + 121.0 * 1e-3), rel=1e-13)
    assert at_start(m)["wheel.ax"] == 0.0
