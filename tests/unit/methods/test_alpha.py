"""Generalized-alpha: order, constraints, contacts, internal states, and what it does to fast vibrations."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis.rest.flexible import ACCELERATIONS, tangent_matrix
from gudgeon.assemble import Needs, assemble
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.methods.march import columns
from gudgeon.methods.march import driver as runner
from gudgeon.model import Section
from gudgeon.papers import bauchau2002, schwab2002

STEEL = {"E": 190e9, "nu": 0.33, "rho": 7850.0}


def pendulum():
    m = gd.Mechanism("pendulum", gravity=(0.0, -9.81))
    bob = m.body("bob", mass=1.2, inertia=0.02, at=(0.3, 0.0))
    m.revolute("pivot", journal=bob, bearing=m.ground, at=(0.0, 0.0))
    return m


@pytest.fixture(scope="module")
def swing():
    return gd.simulate(pendulum(), duration=1.0, rtol=1e-12, output=0.1)


def test_error_falls_with_the_square_of_the_step(swing):
    errors = {}
    for rtol in (1e-7, 1e-10):
        run = gd.simulate(pendulum(), duration=1.0, method=Alpha(rtol=rtol), output=0.1)
        worst = max(np.abs(run[c] - swing[c]).max() for c in ("bob.x", "bob.y", "bob.vx", "bob.vy", "pivot.force"))
        errors[run.evidence.steps] = worst
    (few, large), (many, small) = errors.items()
    assert math.log(large / small) / math.log(many / few) == pytest.approx(2.0, abs=0.3)
    assert small < 1e-4


def test_constraints_are_kept_and_energy_without_numerical_damping():
    run = gd.simulate(pendulum(), duration=3.0, method=Alpha(rtol=1e-8, rho=1.0))
    assert run.evidence.drift < 1e-11
    total = run["energy.kinetic"] + run["energy.potential"]
    assert np.abs(total - total[0]).max() < 1e-5 * 1.2 * 9.81 * 0.3


def slider_crank():
    wall = gd.LankaraniNikravesh(gd.STEEL, restitution=0.95)
    return schwab2002.ideal().refit(pin=gd.Clearance("0.5 mm", wall=wall, friction=gd.ModifiedCoulomb(0.05)))


def test_contacts_are_those_of_other_methods():
    """Onset is located on the step itself; the end of a contact suffers from all its steps."""
    exact = gd.simulate(slider_crank(), duration=7e-4, rtol=1e-11).contacts
    found = gd.simulate(slider_crank(), duration=7e-4, method=Alpha(rtol=1e-9)).contacts
    assert len(found) == len(exact) == 1
    for a, b in zip(found, exact, strict=True):
        assert a.t_on == pytest.approx(b.t_on, abs=1e-8)
        assert a.t_off == pytest.approx(b.t_off, abs=1e-7)
        assert a.peak_force == pytest.approx(b.peak_force, rel=2e-3)


def test_internal_states_are_solved_for_too():
    """A motor with inductance runs a flywheel up: two exponentials."""
    m = gd.Mechanism("run-up")
    wheel = m.body("wheel", mass=1.0, inertia=0.02, at=(0.0, 0.0))
    m.revolute("shaft", journal=wheel, bearing=m.ground, at=(0.0, 0.0))
    m.motor("shaft", voltage=24.0, resistance=0.5, back_emf=0.2, inductance=5e-3, rotor_inertia=0.01)
    runs = [gd.simulate(m, duration=0.5, method=method, output=0.01) for method in (Alpha(rtol=1e-9), "dop853")]
    for name in ("shaft.current", "shaft.speed"):
        assert np.abs(runs[0][name] - runs[1][name]).max() < 2e-4 * np.abs(runs[1][name]).max()


def spaghetti(**options):
    """The free beam of Simo and Vu-Quoc 1986, pushed and turned at one end for 2.5 s, here smoothly."""
    section = Section(EA=1e4, GA=1e4, EI=500.0, mass=1.0, inertia=10.0)
    m = gd.Mechanism("flying spaghetti")
    beam = m.beam("beam", a=(0.0, 6.0), b=(8.0, 0.0), section=section, **options)
    rise = lambda t: 0.5 - 0.5 * gd.tanh(20.0 * (t - 1.5))  # noqa: E731
    m.force(beam, (lambda t: 8.0 * rise(t), 0.0), at=(8.0, 0.0))
    m.torque(beam, lambda t: -80.0 * rise(t), at=(8.0, 0.0))
    return m


def momenta(m, run):
    system = assemble(m, Needs(form="residual"))
    n, y = system.velocities, run.end.y
    p = tangent_matrix(system, y, ACCELERATIONS)[:n, :n] @ y[n : 2 * n]
    q = y[:n]
    return p[0::3].sum(), p[1::3].sum(), p[2::3].sum() + (q[0::3] * p[1::3] - q[1::3] * p[0::3]).sum()


def test_a_free_beam_keeps_energy_and_momenta():
    m = spaghetti(elements=5)
    method = Alpha(rtol=1e-6, rho=1.0)
    early = gd.simulate(m, duration=3.5, method=method)
    late = gd.simulate(m, duration=6.0, method=method, resume=early)
    before, after = momenta(m, early), momenta(m, late)
    assert before[0] == pytest.approx(12.0, rel=1e-4)  # 8 N for 1.5 s
    assert after[:2] == pytest.approx(before[:2], rel=1e-9, abs=1e-9)
    assert after[2] == pytest.approx(before[2], rel=1e-5)
    total = late["energy.kinetic"] + late["energy.potential"]
    assert np.abs(total / total[0] - 1.0).max() < 1e-4
    assert late["energy.potential"].max() > 0.05 * total[0]  # it bends


def test_numerical_damping_ends_fast_vibrations_and_leaves_slow_ones():
    """A bar that is suddenly pulled and bent: the stretch vibrates a hundred times as fast and is not followed."""
    section = Section.rectangle(0.010, 0.010, **STEEL)

    def left(rho):
        m = gd.Mechanism("bar")
        bar = m.beam("bar", a=(0.0, 0.0), b=(0.5, 0.0), section=section)
        m.rigid("root", journal=bar, bearing=m.ground, at=(0.0, 0.0))
        m.force(bar, (100.0, 1.0), at=(0.5, 0.0))
        run = gd.simulate(m, duration=0.1, method=Alpha(rtol=1e-5, rho=rho))
        late = run.t > 0.05
        return np.ptp(run["bar.0.normal_force"][late]), np.ptp(run["bar.0.moment"][late])

    stretch, bending = zip(left(1.0), left(0.3), strict=True)
    assert stretch[1] < 0.2 * stretch[0]
    assert bending[1] == pytest.approx(bending[0], rel=0.1)


@pytest.mark.parametrize("rho, near", [(1.0, 0.02), (0.6, 0.02), (0.0, 0.06)])
def test_vibrations_are_late_by_what_the_eigenvalues_of_a_step_say(rho, near):
    """A period in 40 steps; docs/theory/derivations/methods/alpha.md."""
    m = gd.Mechanism("weight on a spring")
    weight = m.body("weight", mass=1.0, inertia=0.02, at=(0.11, 0.0))
    m.spring("spring", weight, m.ground, point_i=(0.0, 0.0), point_j=(0.0, 0.0), free_length=0.1,
             stiffness=4.0 * math.pi**2)  # fmt: skip
    run = gd.simulate(m, duration=20.0, method=Alpha(rtol=1e-2, step=1.0 / 40, rho=rho), output=1e-3)
    x = run["weight.x"] - 0.1
    rising = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0) & (run.t[:-1] > 2.0))  # behind the first, shorter steps
    times = run.t[rising] - x[rising] * 1e-3 / (x[rising + 1] - x[rising])
    period = (times[-1] - times[0]) / (len(times) - 1)
    delta, turn = (1.0 - rho) / (1.0 + rho), 2.0 * math.pi / 40
    assert period - 1.0 == pytest.approx((1.0 / 12.0 + 0.375 * delta**2) * turn**2, rel=near)
    lasting = [np.abs(x[(run.t > start) & (run.t < start + 1.0)]).max() for start in (2.0, 18.0)]
    lost = math.log(lasting[0] / lasting[1]) / 16.0
    assert lost == pytest.approx(math.pi * delta**3 * turn**3, rel=2.0 * near, abs=1e-6)


def test_a_very_stiff_beam_is_a_rigid_body():
    def mechanism(stiffer):
        m = gd.Mechanism("crank and slider")
        section = Section.rectangle(0.010, 0.030, **STEEL).scaled(stiffer)
        crank = m.beam("crank", a=(0.0, 0.0), b=(0.25, 0.0), section=section, elements=1, damping=1e-5)
        arm = m.beam("arm", a=(0.25, 0.0), b=(1.0, 0.0), section=section, elements=1, damping=1e-5)
        slider = m.body("slider", mass=4.0, inertia=1.0, at=(1.0, 0.0))
        m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
        m.revolute("elbow", journal=crank, bearing=arm, at=(0.25, 0.0))
        m.revolute("pin", journal=arm, bearing=slider, at=(1.0, 0.0))
        m.translational("guide", journal=slider, bearing=m.ground, at=(1.0, 0.0))
        m.drive("main", speed=lambda t: 15.0 * gd.tanh(20.0 * t) ** 2)
        return m

    stiff = gd.simulate(mechanism(1e3), duration=0.8, output=0.01, rtol=1e-8)
    rigid = gd.simulate(mechanism(1.0).stiffened(), duration=0.8, output=0.01)
    for name in ("main.torque", "pin.force", "slider.x"):
        assert np.abs(stiff[name] - rigid[name]).max() < 2e-3 * np.abs(rigid[name]).max()


def test_a_beam_is_stretched_by_its_spin():
    """The spin-up manoeuvre of Kane, Ryan and Banerjee 1987: 10 m, from rest to 6 rad/s in 15 s."""
    section = Section(EA=2.8e7, GA=1e7, EI=1.4e4, mass=1.2, inertia=6e-4)
    m = gd.Mechanism("spin-up")
    beam = m.beam("beam", a=(0.0, 0.0), b=(10.0, 0.0), section=section, damping=1e-3)
    m.revolute("hub", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    m.drive("hub", motion=lambda t: 0.4 * (0.5 * t**2 + (7.5 / math.pi) ** 2 * (gd.cos(2 * math.pi * t / 15) - 1.0)))
    run = gd.simulate(m, duration=15.0, rtol=1e-6)
    c, s = np.cos(run["beam.0.angle"]), np.sin(run["beam.0.angle"])
    along = c * run["beam.100.x"] + s * run["beam.100.y"]
    across = c * run["beam.100.y"] - s * run["beam.100.x"]
    assert across.min() == pytest.approx(-0.57, abs=0.03)
    assert along[-1] - 10.0 == pytest.approx(1.2 * 36.0 * 1000.0 / (3 * 2.8e7), rel=0.03)
    assert run["beam.0.normal_force"][-1] == pytest.approx(1.2 * 36.0 * 50.0, rel=0.01)


@pytest.mark.parametrize("rho", [-0.1, 1.1])
def test_options_are_checked(rho):
    with pytest.raises(gd.GudgeonError, match="rho"):
        Alpha(rho=rho)


def test_other_methods_refuse_beams():
    with pytest.raises(gd.GudgeonError, match="alpha"):
        gd.simulate(spaghetti(), duration=0.1, method="dopri5")


def test_events_are_located_no_closer_than_equations_are_solved():
    """Closer, the depth is noise: 13 tries were made for each where three do."""
    m = bauchau2002.crank_slider(fit=bauchau2002.clearance(), stiffer=50.0, elements=1)
    system = assemble(m, Needs(form="residual"))
    tape = runner.run(system, Alpha(rtol=1e-6), 0.0, 0.2, output=1e-3, on_rows=lambda rows: None)
    assert tape.complete and len(tape.events) > 20
    assert tape.locations < 5 * len(tape.events)
    assert np.median(np.abs(tape.events[:, columns.DEPTH])) < 2e-10  # 25 um are the deepest
