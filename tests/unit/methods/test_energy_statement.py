"""Energy and decay: what they keep and take in long runs with contacts, and of vibrations they cannot see."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis.rest.flexible import ACCELERATIONS, tangent_matrix
from gudgeon.assemble import Needs, assemble
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.methods.implicit.energy.method import Decay, Energy
from gudgeon.model import Section

STIFFNESS = 2e5  # of the contact [N/m^1.5]


def ring() -> gd.Mechanism:
    """A free beam whose end runs loose in a ring: no loads, nothing is lost."""
    m = gd.Mechanism("free beam in a loose ring", start="given")
    section = Section(EA=1e5, GA=4e4, EI=50.0, mass=1.0, inertia=1e-2)
    beam = m.beam(
        "beam", a=(0.0, 0.0), b=(1.0, 0.0), section=section, elements=3, order=2, velocity=(0.0, 0.5), spin=6.0
    )
    body = m.body("ring", mass=0.5, inertia=0.01, at=(1.0, 0.0), velocity=(0.3, 0.2), spin=-3.0)
    m.revolute("pin", journal=beam, bearing=body, at=(1.0, 0.0), radius=0.05)
    return m.refit(pin=gd.Clearance(0.01, wall=gd.Hertz(stiffness=STIFFNESS)))


def energy(run: gd.Run) -> np.ndarray:
    """Kinetic energy, that of strain, and that of the contact in closed form."""
    depth = np.maximum(run["pin.depth"], 0.0)
    return run["energy.kinetic"] + run["energy.potential"] + 0.4 * STIFFNESS * depth**2.5


def momenta(m: gd.Mechanism, y: np.ndarray) -> np.ndarray:
    system = assemble(m, Needs(form="residual"))
    n = system.velocities
    p, q = tangent_matrix(system, y[: system.states], ACCELERATIONS)[:n, :n] @ y[n : 2 * n], y[:n]
    return np.array([p[0::3].sum(), p[1::3].sum(), p[2::3].sum() + (q[0::3] * p[1::3] - q[1::3] * p[0::3]).sum()])


@pytest.fixture(scope="module")
def kept() -> gd.Run:
    """Steps of 2 ms: the first bending mode of the beam has a period of 80 ms, the fastest of 0.6 ms."""
    return gd.simulate(ring(), duration=10.0, method=Energy(rtol=1e-2, step=2e-3))


def test_energy_is_kept_over_ten_thousand_steps_with_contacts(kept):
    total = energy(kept)
    assert kept.evidence.steps > 10_000 and len(kept.contacts) > 100
    assert np.abs(np.diff(total)).max() < 1e-10 * total[0]
    assert abs(total[-1] - total[0]) < 1e-8 * total[0]


def test_the_ledger_says_the_same(kept):
    balance = kept["energy.balance"]
    assert np.abs(np.diff(balance)).max() < 1e-10 * balance[0]


def test_momenta_are_kept(kept):
    before, after = momenta(ring(), assemble(ring(), Needs(form="residual")).y0), momenta(ring(), kept.end.y)
    assert np.allclose(before, [0.15, 0.6, 0.88], rtol=1e-12)
    assert np.allclose(after, before, rtol=1e-10)


def test_decay_never_adds_energy_with_the_same_steps():
    run = gd.simulate(ring(), duration=4.0, method=Decay(rtol=1e-2, step=2e-3))
    total = energy(run)
    assert len(run.contacts) > 20
    assert np.diff(total).max() < 1e-12 * total[0]
    assert total[-1] < 0.9 * total[0]
    assert np.allclose(momenta(ring(), run.end.y)[:2], [0.15, 0.6], rtol=1e-10)


def test_decay_never_adds_energy_with_dampers_and_hysteresis():
    m = ring().refit(pin=gd.Clearance(0.01, wall=gd.HuntCrossley(stiffness=STIFFNESS, restitution=0.8)))
    total = energy(gd.simulate(m, duration=1.0, method=Decay(rtol=1e-2, step=5e-3)))
    assert np.diff(total).max() < 1e-12 * total[0]


def shaken() -> gd.Mechanism:
    """A bob on a pendulum, with a small mass on a spring 1000 times as fast."""
    m = gd.Mechanism("a fast part on a slow one", gravity=(0.0, -9.81))
    bob = m.body("bob", mass=1.0, inertia=0.02, at=(0.3, 0.0))
    part = m.body("part", mass=1e-3, inertia=1e-5, at=(0.4, 0.0), velocity=(2.0, 0.0))
    m.revolute("pivot", journal=bob, bearing=m.ground, at=(0.0, 0.0))
    m.translational("slide", journal=part, bearing=bob, at=(0.4, 0.0), axis=(1.0, 0.0))
    m.spring("spring", bob, part, at_i=(0.2, 0.0), at_j=(0.4, 0.0), stiffness=4e4)
    return m


@pytest.mark.parametrize("method", [Energy, Decay])
def test_what_is_too_fast_for_the_step_dies_out_with_decay_alone(method):
    """The step is ten periods of the spurious mode long, which has 2 mJ at the start."""
    run = gd.simulate(shaken(), duration=0.5, method=method(rtol=1e-2, step=1e-2))
    slow = gd.simulate(shaken(), duration=0.5, method="dopri5", rtol=1e-9, output=0.1)
    total = run["energy.kinetic"] + run["energy.potential"]
    taken = (total[0] - total[run.t > 0.1][0]) / 2e-3
    if method is Energy:
        assert abs(taken) < 1e-6
    else:
        assert 0.98 < taken < 1.1
        assert np.abs(np.diff(run["slide.travel"][run.t > 0.1])).max() < 1e-6
    assert abs(run["bob.angle"][-1] - slow["bob.angle"][-1]) < 5e-3


@pytest.mark.parametrize("method", [Energy, Decay, Alpha])
def test_hard_walls_bounce_as_instants_do(method):
    m = gd.Mechanism("pendulum on a stop", gravity=(0.0, -9.81))
    bob = m.body("bob", mass=1.2, inertia=0.02, at=(0.3, 0.0))
    wall = gd.ExactRestitution(stiffness=1e7, restitution=0.9)
    m.revolute("pivot", journal=bob, bearing=m.ground, at=(0.0, 0.0), stop=gd.Stop(lower=-1.0, wall=wall))
    exact = gd.simulate(m, duration=2.0, method="impact", rtol=1e-10, output=0.05)
    run = gd.simulate(m, duration=2.0, method=method(rtol=1e-7, hard=True), output=0.05)
    assert len(run.contacts) == len(exact.contacts) == 4
    assert np.abs(run["bob.angle"] - exact["bob.angle"]).max() < 2e-4
    assert run["pivot.stop.lower.depth"].max() < 1e-9
    taken = exact["energy.contact"][-1]
    assert run["energy.contact"][-1] == pytest.approx(taken, rel=1e-3)


@pytest.mark.parametrize("method", [Decay, Alpha])
def test_hard_races_are_the_limit_of_stiff_ones(method):
    """A flexible pendulum hangs loose in its bearing and settles on the race: stiffer and stiffer walls come close."""

    def pendulum(stiffness=1e9):
        m = gd.Mechanism("loose flexible pendulum", gravity=(0.0, -9.81), start="given")
        section = Section(EA=1e6, GA=4e5, EI=200.0, mass=1.0, inertia=1e-3)
        arm = m.beam("arm", a=(0.0, 0.0), b=(0.6, 0.0), section=section, elements=2, order=2, damping=1e-4)
        m.revolute("pivot", journal=arm, bearing=m.ground, at=(0.0, 0.0), radius=0.02)
        wall = gd.ExactRestitution(stiffness=stiffness, restitution=0.2)
        return m.refit(pivot=gd.Clearance(2e-3, wall=wall))

    hard = gd.simulate(pendulum(), duration=0.4, method=method(rtol=1e-6, hard=True), output=0.01)
    assert hard["pivot.depth"].max() < 1e-8
    apart = []
    for stiffness in (1e6, 1e8):
        soft = gd.simulate(pendulum(stiffness), duration=0.4, method=Alpha(rtol=1e-7), output=0.01)
        apart.append(np.abs(soft["arm.50.x"] - hard["arm.50.x"]).max())
    assert apart[1] < 0.5 * apart[0] and apart[1] < 2e-3


def bouncing(restitution: float) -> gd.Mechanism:
    wall = gd.ExactRestitution(stiffness=STIFFNESS, restitution=restitution)
    return ring().refit(pin=gd.Clearance(0.01, wall=wall))


@pytest.mark.parametrize("restitution", [1.0, 0.8, 0.05, 0.04])
def test_energy_falls_by_what_strikes_record_and_nothing_else(restitution):
    """Also where strikes end in lasting contact, as those of the least restitution do."""
    run = gd.simulate(bouncing(restitution), duration=1.0, method=Energy(rtol=1e-4, hard=True))
    total = run["energy.kinetic"] + run["energy.potential"]
    assert len(run.contacts) > 50 and all(r.ended for r in run.contacts[:-1])
    assert np.abs(np.diff(run["energy.balance"])).max() < 1e-10 * total[0]
    lost = sum(r.energy_lost for r in run.contacts)
    assert total[0] - total[-1] == pytest.approx(lost, abs=1e-8 * total[0])
    assert lost == 0.0 if restitution == 1.0 else 0.3 * total[0] < lost < 0.6 * total[0]


@pytest.mark.parametrize("restitution", [1.0, 0.8])
def test_decay_never_adds_energy_on_hard_walls(restitution):
    run = gd.simulate(bouncing(restitution), duration=1.0, method=Decay(rtol=1e-4, hard=True))
    total = run["energy.kinetic"] + run["energy.potential"]
    assert len(run.contacts) > 50
    assert np.diff(total).max() < 1e-9 * total[0]  # at instants of impact
