"""Energy and decay with beams built bent, joints along beams, layers and links with modes: energy changes by
what acts alone, and the motion is that of other methods."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis.rest.flexible import ACCELERATIONS, tangent_matrix
from gudgeon.assemble import Needs, assemble
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.methods.implicit.energy.method import Decay, Energy
from gudgeon.model import Section
from gudgeon.papers.bauchau2002.quick_return import quick_return

WALL = gd.HuntCrossley(stiffness=1e8, restitution=0.5)


def bent() -> gd.Mechanism:
    """A pendulum of a circular arc, soft enough to open."""
    m = gd.Mechanism("bent pendulum", gravity=(0.0, -9.81))
    section = Section(EA=1e5, GA=4e4, EI=5.0, mass=1.0, inertia=1e-3)
    arm = m.beam("link", a=(0.0, 0.0), b=(1.0, 0.0), section=section, elements=2, order=2, sweep=1.0)
    m.revolute("pivot", journal=arm, bearing=m.ground, at=(0.0, 0.0))
    return m


def along(fit: object = None) -> gd.Mechanism:
    """A bead that runs over the border between the elements of a free beam, which turns and bends."""
    m = gd.Mechanism("bead on a beam")
    soft = Section(EA=1e5, GA=1e5, EI=0.5, mass=1.0, inertia=1e-6)
    beam = m.beam("link", a=(0.0, 0.0), b=(1.0, 0.0), section=soft, elements=3, order=2, spin=2.0)
    bead = m.body("bead", mass=0.3, inertia=1e-4, at=(0.25, 0.0), velocity=(1.0, -0.5))
    m.sliding("eye", journal=bead, bearing=beam, at=(0.25, 0.0), width=0.02, fit=fit)
    return m


def modal() -> gd.Mechanism:
    """A soft pendulum of two modes, whose mass matrix changes as it turns and bends."""
    m = gd.Mechanism("modal pendulum", gravity=(0.0, -9.81))
    arm = m.modal_link("link", a=(0.0, 0.0), b=(1.0, 0.0), EI=5.0, mass=1.0, modes=2, spin=5.0)
    m.revolute("pivot", journal=arm, bearing=m.ground, at=(0.0, 0.0))
    return m


def layered(fit: object) -> gd.Mechanism:
    """A pendulum in a bearing with layers."""
    m = gd.Mechanism("layered pendulum", gravity=(0.0, -9.81))
    bob = m.body("link", mass=1.2, inertia=0.02, at=(0.3, 0.0))
    m.revolute("pivot", journal=bob, bearing=m.ground, at=(0.0, 0.0), radius=0.01, length=0.02)
    return m.refit(pivot=fit)


LINER = gd.LinearLiner(stiffness=1e5, damping=5.0)
SOFT = gd.HuntCrossley(stiffness=1e7, restitution=0.5)
LAYERS = {
    "liner and wall": gd.Bushing(LINER, wall=SOFT, thickness=1e-4),
    "play, liner and wall": gd.Clearance(1e-4, wall=SOFT, liner=LINER, liner_thickness=1e-4),
}
MECHANISMS = {
    "bent": bent(),
    "modes": modal(),
    "along a beam": along(),
    "along a beam with play": along(gd.Clearance(1e-3, wall=WALL)),
    **{name: layered(fit) for name, fit in LAYERS.items()},
}


@cache
def exact(name: str) -> gd.Run:
    return gd.simulate(MECHANISMS[name], duration=0.2, method=Alpha(rtol=1e-7), output=5e-3)


@pytest.mark.parametrize("method", [Energy, Decay])
@pytest.mark.parametrize("name", MECHANISMS)
def test_energy_changes_by_what_acts_alone_and_the_motion_is_that_of_alpha(name, method):
    run, other = gd.simulate(MECHANISMS[name], duration=0.2, method=method(rtol=1e-7)), exact(name)
    balance, scale = run["energy.balance"], run["energy.kinetic"].max()
    if method is Energy:
        assert np.abs(np.diff(balance)).max() < 1e-10 * scale
        assert abs(balance[-1] - balance[0]) < 1e-9 * scale
    else:
        assert np.diff(balance).max() < 1e-7 * scale
        assert -1e-3 * scale < balance[-1] - balance[0] <= 1e-9 * scale
    if "along" in name:
        assert run["eye.travel"][-1] > 0.1  # over the border at 1/3
    if "play" in name:
        assert len(run.contacts) == len(other.contacts) > 2
    run = gd.simulate(MECHANISMS[name], duration=0.2, method=method(rtol=1e-7), output=5e-3)
    for channel in ("link.x", "link.y"):
        assert np.abs(run[channel] - other[channel]).max() < 2e-4 * np.ptp(other["link.y"]), channel


def test_layers_store_what_they_give_back():
    """Without damping a liner and the wall behind it are springs, whatever the step: the energy is the same in every
    position the journal comes back to."""
    fit = gd.Bushing(gd.LinearLiner(1e5), wall=gd.Hertz(stiffness=1e7), thickness=1e-4)
    m = gd.Mechanism("block on layers", gravity=(0.0, -9.81))
    block = m.body("block", mass=2.0, inertia=0.02, at=(0.0, 0.0))
    m.revolute("pivot", journal=block, bearing=m.ground, at=(0.0, 0.0), radius=0.01, length=0.02)
    run = gd.simulate(m.refit(pivot=fit), duration=0.2, method=Energy(rtol=1e-2, step=2e-3))
    y, total = run["block.y"], run["energy.kinetic"] + run["energy.potential"]
    assert y.min() < -2e-4 and len(run.contacts) > 4  # well beyond the liner
    inside = np.abs(y) < 1e-4
    kept = (total + 0.5e5 * y**2)[inside]
    assert inside.sum() > 10 and np.ptp(kept) < 1e-10 * np.ptp(run["energy.kinetic"])


@pytest.mark.parametrize("method", [Energy, Decay])
def test_links_with_modes_keep_energy_and_momentum_in_flight(method):
    """A free link that bends and knocks against a ring at its end; only the moment of momentum is not exact."""
    m = gd.Mechanism("modal link in a loose ring", start="given")
    arm = m.modal_link("link", a=(0.0, 0.0), b=(1.0, 0.0), EI=5.0, mass=1.0, modes=3, velocity=(0.3, 0.2), spin=5.0)
    ring = m.body("ring", mass=0.5, inertia=0.01, at=(1.0, 0.0))
    m.revolute("pin", journal=arm, bearing=ring, at=(1.0, 0.0), radius=0.02)
    m = m.refit(pin=gd.Clearance(5e-3, wall=gd.Hertz(stiffness=2e5)))
    run = gd.simulate(m, duration=0.5, method=method(rtol=1e-2, step=1e-3))
    balance, scale = run["energy.balance"], run["energy.kinetic"][0]
    assert len(run.contacts) > 20
    if method is Energy:
        assert np.abs(np.diff(balance)).max() < 1e-10 * scale
    else:
        assert np.diff(balance).max() < 1e-7 * scale and balance[-1] < balance[0]
    system = assemble(m, Needs(form="residual"))
    n = system.velocities
    before, after = (tangent_matrix(system, y[: system.states], ACCELERATIONS)[:n, :n] @ y[n : 2 * n]
                     for y in (system.y0, run.end.y))  # fmt: skip
    for axis in (0, 1):
        momenta = [p[axis] + p[3 + axis] for p in (before, after)]  # ring, then link
        assert momenta[1] == pytest.approx(momenta[0], rel=1e-8)  # what corrections leave


@pytest.mark.slow
@pytest.mark.parametrize("method", [Energy, Decay])
def test_the_quick_return_mechanism(method):
    """Bauchau and Rodriguez 2002, section 7.3, coarse: motor, damped beams, a collar that slides along one of them."""
    m = quick_return(elements=2, others=1)
    exact = gd.simulate(m, duration=0.2, method=Alpha(rtol=1e-6), output=5e-3)
    run = gd.simulate(m, duration=0.2, method=method(rtol=1e-5))
    balance, scale = run["energy.balance"], exact["energy.kinetic"].max()
    if method is Energy:
        assert np.abs(np.diff(balance)).max() < 1e-10 * scale
    else:
        assert np.diff(balance).max() < 1e-6 * scale
    for channel, near in (("shuttle.x", 2e-3), ("slide.travel", 2e-3), ("motor.torque", 5e-2)):
        apart = np.abs(np.interp(exact.t, run.t, run[channel]) - exact[channel]).max()
        assert apart < near * np.ptp(exact[channel]), channel
