"""Where contacts begin: generalized-alpha stops at the wall, however slow the touch and stiff the links."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import Needs, assemble
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.methods.march import columns
from gudgeon.methods.march.driver import run
from gudgeon.model import Section
from gudgeon.papers import bauchau2002

# depths are solved for to a part of the tolerance: 1e-4 rtol at the size of the mechanism
NOISE = 1e-4


def events(m: gd.Mechanism, rtol: float, duration: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Depths at onsets and at releases [m], and what the equations are solved for to [m]."""
    system = assemble(m, Needs(form="residual"))
    tape = run(system, Alpha(rtol=rtol), 0.0, duration, output=duration, on_rows=len)
    assert tape.complete
    began = tape.events[:, columns.KIND] == columns.ONSET
    depths = np.abs(tape.events[:, columns.DEPTH])
    return depths[began], depths[~began], NOISE * rtol * system.size


def loose_cranks(seed: int) -> gd.Mechanism:
    """Flexible crank and arm with a loose pin; walls, play, stiffness and damping at random."""
    random = np.random.default_rng(seed)
    wall = gd.Hertz(stiffness=10.0 ** random.uniform(8.5, 11.0))
    fit = gd.Clearance(random.uniform(1e-4, 5e-4), wall=wall)
    return bauchau2002.crank_slider(fit=fit, stiffer=10.0 ** random.uniform(-0.3, 1.5), elements=1,
                                    damping=10.0 ** random.uniform(-5.0, -4.0))  # fmt: skip


def bouncing_flap() -> gd.Mechanism:
    """A flexible flap that falls on a stop again and again."""
    m = gd.Mechanism("flap", gravity=(0.0, -9.81))
    section = Section.rectangle(0.010, 0.004, E=207e9, nu=0.3, rho=7800.0)
    flap = m.beam("flap", a=(0.0, 0.0), b=(0.3, 0.0), section=section, elements=1, damping=1e-4)
    m.revolute("hinge", journal=flap, bearing=m.ground, at=(0.0, 0.0))
    m.stop("hinge", lower="-2 deg", wall=gd.HuntCrossley(stiffness=2e4, restitution=0.7, exponent=1.5))
    return m


@pytest.mark.parametrize("rtol", [1e-5, 1e-6, 1e-7])
def test_contacts_begin_and_end_on_the_wall(rtol):
    """Some 350 for each tolerance: at 1e-6 none is farther from the wall than 0.14 nm."""
    count, worst = 0, 0.0
    for seed in range(8):
        onsets, releases, noise = events(loose_cranks(seed), rtol, 0.4)
        count, worst = count + len(onsets), max(worst, onsets.max() / noise, releases.max() / noise)
    assert count > 300
    assert worst < 1.01


@pytest.mark.parametrize("elements", [1, 2, 4])
@pytest.mark.parametrize("rtol", [3e-4, 1e-4, 1e-5])
def test_coarse_steps_begin_and_end_on_the_wall(elements, rtol):
    """Steps that are long beside a contact. How fast the iterations of earlier steps closed in does not hold where a
    contact ends within the step: two solutions of one step were a few um apart, and releases up to 180 times as far off
    as depths are solved for."""
    m = bauchau2002.crank_slider(fit=bauchau2002.clearance(), elements=elements)
    onsets, releases, noise = events(m, rtol, 1.2)
    assert len(onsets) > 20
    assert max(onsets.max(), releases.max()) < 1.01 * noise


def test_a_flap_touches_its_stop():
    onsets, releases, noise = events(bouncing_flap(), 1e-6, 0.6)
    assert len(onsets) > 5
    assert max(onsets.max(), releases.max()) < 1.01 * noise
