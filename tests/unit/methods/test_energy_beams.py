"""Energy and decay with beams of space: what they keep of free flexible systems in contact, their order, other methods
and the plane."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flying_beams import spaghetti

import gudgeon as gd
from gudgeon.analysis.rest.flexible import ACCELERATIONS, tangent_matrix
from gudgeon.assemble import Needs, assemble
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.methods.implicit.energy.method import Decay, Energy
from gudgeon.model import Section, SpatialSection
from gudgeon.papers.bauchau2002 import space
from gudgeon.space.spatial import Vector, rotation_matrix

HERTZ = 1e6  # [N/m^1.5]
SOFT = SpatialSection((1e4, 1e4, 1e4, 60.0, 50.0, 40.0), (1.0, 1.0, 1.0, 0.20, 0.05, 0.15))
STEEL = {"E": 190e9, "nu": 0.33, "rho": 7850.0}


def full_section() -> SpatialSection:
    """Every entry of both matrices; the centre of mass lies beside the line of the nodes."""
    rng = np.random.default_rng(1)
    a, b, c, mass = rng.normal(size=(6, 6)), rng.normal(size=(3, 3)), np.array([0.01, 0.05, -0.03]), 1.3
    cross = np.array([[0.0, -c[2], c[1]], [c[2], 0.0, -c[0]], [-c[1], c[0], 0.0]])
    moments = 0.01 * b @ b.T + 0.02 * np.eye(3) - mass * cross @ cross
    inertia = np.block([[mass * np.eye(3), -mass * cross], [mass * cross, moments]])
    return SpatialSection((20.0 * a @ a.T + 100.0 * np.eye(6)).tolist(), inertia.tolist())


def flying(section: SpatialSection = SOFT, order: int = 1, elements: int = 3, gap: float = 5e-3, hinged: bool = True,
           **more: object) -> gd.Mechanism:  # fmt: skip
    """A free beam that tumbles and bends, where `hinged` a body on its end, and another one that a spring keeps
    rattling in a loose ball between two of its nodes."""
    m = gd.Mechanism("flying", planar=False, start="given")
    tip, seat = (1.0, 0.5, -0.3), (0.46, 0.2, 0.0)
    beam = m.beam("beam", a=(0.1, 0.0, 0.2), b=tip, section=section, elements=elements, order=order,
                  velocity=(0.5, -0.2, 0.3), spin=(3.0, -5.0, 4.0), **more)  # fmt: skip
    if hinged:
        bob = m.body("bob", mass=0.5, inertia=(0.02, 0.03, 0.04), at=(1.1, 0.6, -0.3), velocity=(0.15, 2.95, 3.9),
                     spin=(3.0, -3.0, 6.0))  # fmt: skip
        m.revolute("hinge", journal=bob, bearing=beam, at=tip, axis=(0.0, 1.0, 1.0))
    ring = m.body("ring", mass=0.3, inertia=(0.01, 0.02, 0.015), at=(0.5, 0.3, 0.1), velocity=(0.5, 0.5, 0.0))
    m.spherical("ball", journal=ring, bearing=beam, at=seat, radius=0.05)
    m.spring("spring", ring, beam, at_i=(0.5, 0.3, 0.1), at_j=(0.3, 0.1, 0.1), stiffness=200.0, preload=-3.0)
    return m.refit(ball=gd.Clearance(gap, wall=gd.Hertz(stiffness=HERTZ)))


def energy(run: gd.Run) -> np.ndarray:
    """Kinetic energy, that of beam and spring, and that of the contact in closed form."""
    depth = np.maximum(run["ball.depth"], 0.0)
    return run["energy.kinetic"] + run["energy.potential"] + 0.4 * HERTZ * depth**2.5


def momenta(m: gd.Mechanism, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Linear momentum, and angular momentum about the origin, from the mass matrix."""
    system = assemble(m, Needs(form="step"))
    layout = system.residual.layout
    n, nq = layout.velocities, layout.positions
    p = (tangent_matrix(system, y, ACCELERATIONS)[:n, :n] @ y[nq : nq + n]).reshape(-1, 6)
    turn = np.zeros(3)
    for each, q in zip(p, y[:nq].reshape(-1, 7), strict=True):
        spin = rotation_matrix(tuple(q[3:])) @ Vector(*each[3:])
        turn += np.array(tuple(spin)) + np.cross(q[:3], each[:3])
    return p[:, :3].sum(axis=0), turn


def kept(m: gd.Mechanism, steps: int, step: float) -> tuple[gd.Run, float, float, float]:
    """A run, and changes of energy per step, of momentum and of angular momentum, relative to what there is."""
    first = gd.simulate(m, duration=0.1, method=Energy(rtol=1e-2, step=step))
    run = gd.simulate(m, duration=steps * step, method=Energy(rtol=1e-2, step=step), resume=first, output="steps")
    before, after, total = momenta(m, first.end.y), momenta(m, run.end.y), energy(run)
    apart = [np.abs(x - y).max() / np.linalg.norm(y) for x, y in zip(after, before, strict=True)]
    return run, float(np.abs(np.diff(total)).max() / total[0]), *apart


def test_energy_and_momenta_are_kept_with_contacts():
    run, change, push, turn = kept(flying(), 300, 2e-3)
    assert run.evidence.steps >= 300 and len(run.contacts) > 5
    assert run["energy.potential"].max() > 0.05 * energy(run)[0]
    assert change < 1e-12
    assert max(push, turn) < 1e-11


@pytest.mark.slow
@pytest.mark.parametrize("order, elements", [(1, 4), (2, 2), (3, 1)])
def test_energy_and_momenta_are_kept_over_ten_thousand_steps(order, elements):
    run, change, push, turn = kept(flying(order=order, elements=elements), 10_000, 2e-3)
    assert run.evidence.steps > 10_000 and len(run.contacts) > 200
    assert change < 1e-12
    assert np.ptp(energy(run)) < 1e-10 * energy(run)[0]
    assert max(push, turn) < 1e-11


@pytest.mark.slow
def test_a_bent_beam_with_full_matrices_keeps_energy():
    """Where centres of mass lie beside the line angular momentum is kept to the order of the step."""
    found = []
    for step in (4e-3, 5e-4):
        m = flying(full_section(), through=[(0.5, 0.35, 0.1)], gap=4e-2, hinged=False)
        _, change, push, turn = kept(m, round(0.4 / step), step)
        assert change < 1e-12 and push < 1e-11
        found.append(turn)
    assert found[0] < 1e-4
    assert math.log(found[0] / found[1], 8) == pytest.approx(2.0, abs=0.3)


def test_decay_never_adds_energy_and_ends_what_is_too_fast():
    """A step of many periods of the stretching of an element."""
    for step in (2e-3, 2e-2):
        total = energy(gd.simulate(flying(), duration=0.4, method=Decay(rtol=1e-2, step=step)))
        assert np.diff(total).max() < 1e-12 * total[0]
    assert total[-1] < 0.98 * total[0]


def swinging(**more: object) -> gd.Mechanism:
    """A bent and damped beam that falls about a tilted hinge with a motor, a body on its end."""
    m = gd.Mechanism("swinging", planar=False, gravity=(0.0, 0.0, -9.81))
    beam = m.beam("beam", a=(0.0, 0.0, 0.0), b=(1.0, 0.0, 0.0), through=[(0.5, 0.1, 0.1)], section=SOFT, elements=2,
                  order=1, damping=2e-3)  # fmt: skip
    bob = m.body("bob", mass=0.5, inertia=(0.02, 0.03, 0.04), at=(1.0, 0.1, 0.0))
    m.revolute("pivot", journal=beam, bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(0.2, 1.0, 0.3))
    m.spherical("ball", journal=bob, bearing=beam, at=(1.0, 0.0, 0.0))
    m.motor("pivot", voltage=24.0, resistance=0.5, back_emf=0.2, torque_constant=0.25, inductance=5e-3,
            rotor_inertia=1e-2, gear=2.0)  # fmt: skip
    return m


def test_the_ledger_closes_with_weight_damping_and_a_motor():
    run = gd.simulate(swinging(), duration=0.3, method=Energy(rtol=1e-4))
    swing = np.ptp(run["energy.kinetic"])
    assert run["energy.damper"][-1] > 1e-3 * swing
    assert np.abs(np.diff(run["energy.balance"])).max() < 1e-12 * swing


@pytest.mark.parametrize("method", [Energy, Decay])
def test_motion_is_that_of_alpha_and_of_order_two(method):
    exact = gd.simulate(swinging(), duration=0.3, method=Alpha(rtol=1e-9), output=0.02)
    errors = []
    for step in (2e-3, 1e-3):
        run = gd.simulate(swinging(), duration=0.3, method=method(rtol=1e-2, step=step), output=0.02)
        names = ("bob.x", "bob.vz", "beam.100.y", "beam.50.e1", "pivot.current")
        errors.append([np.abs(run[c] - exact[c]).max() / np.ptp(exact[c]) for c in names])
    assert max(errors[1]) < 1e-2
    assert math.log2(max(errors[0]) / max(errors[1])) == pytest.approx(2.0, abs=0.3)


def crank(planar: bool) -> gd.Mechanism:
    """A slider-crank with a flexible arm, in the plane or in the same plane of space."""
    m = gd.Mechanism("slider-crank", planar=planar)
    place = (lambda x: (x, 0.0)) if planar else (lambda x: (x, 0.0, 0.0))
    kind = Section if planar else SpatialSection
    axes = [{}] * 3 if planar else [{"up": (0.0, 1.0, 0.0)}, {"axis": (0.0, 0.0, 1.0)}, {"axis": (1.0, 0.0, 0.0)}]
    more, z, x = axes
    turning = (lambda j: j) if planar else (lambda j: (j, j, j))
    arm = m.beam("arm", a=place(0.25), b=place(1.0), section=kind.rectangle(0.010, 0.030, **STEEL), elements=4, order=1,
                 **more)  # fmt: skip
    body = m.body("crank", mass=1.0, inertia=turning(0.02), at=place(0.125))
    slider = m.body("slider", mass=4.0, inertia=turning(1.0), at=place(1.0))
    m.revolute("main", journal=body, bearing=m.ground, at=place(0.0), **z)
    m.revolute("elbow", journal=body, bearing=arm, at=place(0.25), **z)
    m.revolute("pin", journal=arm, bearing=slider, at=place(1.0), **z)
    m.translational("guide", journal=slider, bearing=m.ground, at=place(1.0), **x)
    m.drive("main", speed=lambda t: 15.0 * gd.tanh(5.0 * t) ** 2)
    return m


@pytest.mark.parametrize("method", [Energy, Decay])
def test_a_mechanism_in_the_plane_moves_as_in_the_plane(method):
    """Its curvatures are interpolated otherwise, which matters with the cube of the curvature."""
    runs = [gd.simulate(crank(planar), duration=0.2, method=method(rtol=1e-2, step=1e-3)) for planar in (True, False)]
    flat, space = runs
    for channel in ("slider.x", "slider.vx", "main.torque", "arm.50.y", "arm.50.moment"):
        other = "arm.50.moment_z" if channel == "arm.50.moment" else channel
        assert np.abs(space[other] - flat[channel]).max() < 1e-5 * np.ptp(flat[channel]), channel
    assert np.abs(space["arm.50.z"]).max() < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("method", [Energy, Decay])
def test_the_crank_slider_of_bauchau_in_space(method):
    """Its tip is free to leave the plane, and a pulse pushes it aside."""
    m = space.crank_slider(elements=1)
    exact = gd.simulate(m, duration=0.1, method=Alpha(rtol=1e-9), output=2e-3)
    run = gd.simulate(m, duration=0.1, method=method(rtol=1e-8), output=2e-3)
    for channel, near in (("slider.x", 1e-5), ("arm.0.z", 1e-2), ("main.torque", 2e-2)):
        assert np.abs(run[channel] - exact[channel]).max() < near * np.abs(exact[channel]).max(), channel


@pytest.mark.slow
def test_the_flying_spaghetti():
    """When the push has ended energy and momenta stay, with steps of a twentieth of a second."""
    m, method = spaghetti(), Energy(rtol=1e-2, step=0.05)
    early = gd.simulate(m, duration=3.5, method=method)
    late = gd.simulate(m, duration=20.0, method=method, resume=early)
    total = late["energy.kinetic"] + late["energy.potential"]
    assert np.abs(np.diff(total)).max() < 1e-12 * total[0]
    for before, after in zip(momenta(m, early.end.y), momenta(m, late.end.y), strict=True):
        assert np.abs(after - before).max() < 1e-11 * np.linalg.norm(before)
    assert early["energy.applied"][-1] == pytest.approx(total[0], rel=1e-10)
    # the sudden push leaves vibrations of some tenths of a millimetre that are too fast for the step
    exact = gd.simulate(m, duration=6.0, method=Alpha(rtol=1e-9), output=0.5)
    run = gd.simulate(m, duration=6.0, method=Energy(rtol=1e-2, step=0.02), output=0.5)
    for axis in "xyz":
        assert np.abs(run[f"beam.100.{axis}"] - exact[f"beam.100.{axis}"]).max() < 0.01
