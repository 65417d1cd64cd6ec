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
