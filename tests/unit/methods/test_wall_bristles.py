"""Friction with a state on hard walls: bristles advance with the multiplier as the normal force."""

from __future__ import annotations

import numpy as np
import pytest
from test_energy_walls import GRAVITY, guided, loose, steps

import gudgeon as gd
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.methods.implicit.energy.method import Decay, Energy

METHODS = [Energy, Decay, Alpha]


@pytest.mark.parametrize("method", METHODS)
def test_a_block_slides_by_the_level_of_its_law(method):
    """Bristles bent to the level mu_k / sigma0 slow the block by mu_k g."""
    law = gd.LuGre(0.3, static_coefficient=0.4, stiffness=1e4)
    run = gd.simulate(guided(law), duration=0.25, method=method(rtol=1e-6, hard=True))
    lasting = run.t > 0.1
    t, v = run.t[lasting], run["block.vx"][lasting]
    slope = np.polyfit(t, v, 1)[0]
    assert slope == pytest.approx(-0.3 * GRAVITY, rel=1e-4)
    if method is not Alpha:
        assert np.diff(run["energy.friction"]).min() > -1e-9


@pytest.mark.parametrize("method", METHODS)
def test_a_block_that_sticks_swings_on_its_bristles(method):
    """sigma0 N is a spring: the period is 2 pi / sqrt(sigma0 g)."""
    law, speed = gd.LuGre(0.5, static_coefficient=0.6, stiffness=1e4), 2e-5
    m = gd.Mechanism("block on bristles", gravity=(0.0, -GRAVITY), start="given")
    block = m.body("block", mass=2.0, inertia=0.01, at=(0.0, 0.0), velocity=(speed, 0.0))
    m.translational("guide", journal=block, bearing=m.ground, at=(0.0, 0.0), axis=(1.0, 0.0), length=0.1, width=0.05)
    wall = gd.LankaraniNikravesh(stiffness=1e9, restitution=0.0)
    m = m.refit(guide=gd.Clearance(1e-6, wall=wall, friction=law))
    run = gd.simulate(m, duration=0.1, method=method(rtol=1e-6, hard=True, step=2e-4))
    t, v = run.t, run["block.vx"]
    falls = np.flatnonzero((v[:-1] > 0.0) & (v[1:] <= 0.0) & (t[:-1] > 0.01))  # through zero, when both corners rest
    crossings = t[falls] + (t[falls + 1] - t[falls]) * v[falls] / (v[falls] - v[falls + 1])
    assert len(crossings) == 5 and max(r.t_on for r in run.contacts) < 0.01
    assert np.diff(crossings) == pytest.approx(2.0 * np.pi / np.sqrt(1e4 * GRAVITY), rel=2e-3)


@pytest.mark.parametrize("method", [Energy, Decay])
def test_bristles_at_hard_walls_close_the_ledger(method):
    law = gd.LuGre(0.1, static_coefficient=0.15, stiffness=1e4)
    run = gd.simulate(loose(0.3, law), duration=0.1, method=method(rtol=1e-4, hard=True))
    found = steps(run)
    assert run.complete and len(run.contacts) > 2
    assert (np.abs(found).max() if method is Energy else found.max()) < 1e-9
