"""Hard walls on beams of space: a loose joint at the tip strikes with the restitution asked for, with and without
friction, and the ledger closes."""

from __future__ import annotations

import numpy as np
import pytest
from test_energy_beams import momenta

import gudgeon as gd
from gudgeon.assemble import Needs, assemble
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.methods.implicit.energy.method import Decay, Energy
from gudgeon.model import SpatialSection
from gudgeon.space.spatial import Vector, rotation_matrix

SECTION = SpatialSection((1e4, 1e4, 1e4, 60.0, 50.0, 40.0), (1.0, 1.0, 1.0, 0.20, 0.05, 0.15))
RESTITUTION, COEFFICIENT, TIP = 0.6, 0.3, (0.8, 0.1, -0.2)


def arm(friction: object = None) -> gd.Mechanism:
    """An arm that hangs by a ball from the ground, its tip loose in a socket of the ground."""
    m = gd.Mechanism("arm with a loose tip", planar=False, gravity=(0.0, 0.0, -9.81), start="given")
    beam = m.beam("arm", a=(0.0, 0.0, 0.0), b=TIP, section=SECTION, elements=1, spin=(6.0, -0.4, 0.8))
    m.spherical("root", journal=beam, bearing=m.ground, at=(0.0, 0.0, 0.0), radius=0.02)
    m.spherical("tip", journal=beam, bearing=m.ground, at=TIP, radius=0.03)
    wall = gd.ExactRestitution(stiffness=1e9, restitution=RESTITUTION)
    return m.refit(tip=gd.Clearance(2e-3, wall=wall, friction=friction))


def blows(run: gd.Run) -> list[int]:
    """Rows just before every touch."""
    return sorted({int(np.searchsorted(run.t, r.t_on, side="left")) for r in run.contacts})


ROUGH = gd.SmoothCoulomb(COEFFICIENT)
CASES = [(Energy, ROUGH), (Decay, ROUGH), *(pytest.param(*pair, marks=pytest.mark.slow) for pair in (
    (Alpha, ROUGH), (Energy, None), (Decay, None), (Alpha, None)))]  # fmt: skip


@pytest.mark.parametrize("method, friction", CASES)
def test_the_tip_of_a_beam_strikes_a_hard_wall(method, friction):
    run = gd.simulate(arm(friction), duration=0.15, method=method(rtol=1e-5, hard=True))
    assert run.complete and len(run.contacts) > 5
    first = run.contacts[0]
    assert first.speed_off == pytest.approx(-RESTITUTION * first.speed_on, rel=1e-9)
    scale = run["energy.kinetic"].max()
    balance, kinetic = run["energy.balance"], run["energy.kinetic"]
    rows = np.array(blows(run))
    assert np.array_equal(run.t[rows], run.t[rows + 1])
    assert np.diff(balance)[rows].max() < 1e-12 * scale  # what a blow takes is counted
    assert np.abs(balance[rows[0] + 1] - balance[rows[0]]) < 1e-12 * scale
    assert (kinetic[rows + 1] - kinetic[rows]).max() < 1e-12 * scale
    if method is not Alpha:
        found = np.diff(balance) / scale
        assert (np.abs(found).max() if method is Energy else found.max()) < 1e-11
    if friction is not None:
        taken = run["energy.friction"]
        assert taken[rows[0] + 1] > taken[rows[0]] and np.diff(taken).min() > -1e-12 * scale


@pytest.mark.slow
@pytest.mark.parametrize("coefficient, slides", [(0.05, True), (2.0, False)])
def test_a_blow_on_a_beam_has_the_impulse_by_hand(coefficient, slides):
    """Angular momentum about the root, which bears no moment, changes by that of one impulse at the contact: where it
    slides this is s (-n - mu t), t along the slip; else there is no slip behind it."""
    m = arm(gd.SmoothCoulomb(coefficient))
    method = Energy(rtol=1e-6, hard=True)
    t_on = gd.simulate(m, duration=0.01, method=method).contacts[0].t_on
    ends = [gd.simulate(m, duration=t_on + x, method=method).end.y for x in (-1e-8, 1e-8)]
    layout = assemble(m, Needs(form="step", contact="multiplier")).residual.layout
    nq, nv = layout.positions, layout.velocities
    place, turn = ends[1][nq - 7 : nq - 4], rotation_matrix(tuple(ends[1][nq - 4 : nq]))
    n = place - TIP
    n /= np.linalg.norm(n)
    lever = n * (0.03 - 2e-3)
    slips = []
    for y in ends:
        speed, spin = y[nq + nv - 6 : nq + nv - 3], tuple(turn @ Vector(*y[nq + nv - 3 : nq + nv]))
        slips.append(speed + np.cross(spin, lever))
        slips[-1] -= n * (n @ slips[-1])
    before, after = (momenta(m, y)[1] for y in ends)
    assert np.linalg.norm(slips[0]) > 0.1
    if slides:
        along = slips[1] / np.linalg.norm(slips[1])
        moment = np.cross(place + lever, -n - coefficient * along)
        impulse = (after - before) @ moment / (moment @ moment)
        assert impulse > 0.0 and np.linalg.norm(slips[1]) < np.linalg.norm(slips[0])
        assert np.abs(after - before - impulse * moment).max() < 1e-5 * np.abs(after - before).max()
    else:
        assert np.linalg.norm(slips[1]) < 1e-5 * np.linalg.norm(slips[0])
