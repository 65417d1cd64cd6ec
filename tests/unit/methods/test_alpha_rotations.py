"""Generalized-alpha in space: order on rotations, momenta and energy of free beams, beams that turn fast, and beams
that are those of the plane or rigid bodies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flying_beams import spaghetti

import gudgeon as gd
from gudgeon.analysis.rest.flexible import ACCELERATIONS, tangent_matrix
from gudgeon.assemble import Needs, assemble
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.model import Section, SpatialSection
from gudgeon.space.spatial import Vector, rotation_matrix
from gudgeon.space.spatial.geometry.rotation import about

STEEL = {"E": 190e9, "nu": 0.33, "rho": 7850.0}


def top():
    m = gd.Mechanism("top", planar=False, gravity=(0.0, 0.0, -9.81))
    body = m.body("top", mass=1.2, inertia=(0.02, 0.025, 0.01), at=(0.1, 0.0, 0.3), spin=(0.5, 0.0, 20.0))
    m.spherical("pivot", journal=body, bearing=m.ground, at=(0.0, 0.0, 0.0))
    return m


def test_error_falls_with_the_square_of_the_step():
    """A heavy top with three different moments, from two turns per second up."""
    exact = gd.simulate(top(), duration=1.0, rtol=1e-12, output=0.1)
    errors = {}
    for rtol in (1e-7, 1e-10):
        run = gd.simulate(top(), duration=1.0, method=Alpha(rtol=rtol), output=0.1)
        names = ("top.x", "top.z", "top.e0", "top.e2", "top.wx", "top.wy", "pivot.fx", "pivot.fz")
        errors[run.evidence.steps] = max(np.abs(run[c] - exact[c]).max() / max(1.0, np.ptp(exact[c])) for c in names)
        lengths = sum(run[f"top.e{k}"] ** 2 for k in range(4))
        assert np.abs(lengths - 1.0).max() < 1e-12
        assert run.evidence.drift < 1e-9
    (few, large), (many, small) = errors.items()
    assert math.log(large / small) / math.log(many / few) == pytest.approx(2.0, abs=0.3)
    assert small < 1e-4


def momenta(m, run):
    """Linear momentum, and angular momentum about the origin, from the mass matrix."""
    system = assemble(m, Needs(form="residual"))
    layout, y = system.residual.layout, run.end.y
    n, nq = layout.velocities, layout.positions
    p = (tangent_matrix(system, y, ACCELERATIONS)[:n, :n] @ y[nq : nq + n]).reshape(-1, 6)
    push, turn = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
    for each, q in zip(p, y[:nq].reshape(-1, 7), strict=True):
        push = push + Vector(*each[:3])
        turn = turn + rotation_matrix(tuple(q[3:])) @ Vector(*each[3:]) + Vector(*q[:3]).cross(Vector(*each[:3]))
    return tuple(push), tuple(turn)


def test_a_free_beam_keeps_energy_and_momenta():
    m, method = spaghetti(), Alpha(rtol=1e-6, rho=1.0)
    early = gd.simulate(m, duration=3.5, method=method)
    late = gd.simulate(m, duration=6.0, method=method, resume=early)
    before, after = momenta(m, early), momenta(m, late)
    assert before[0] == pytest.approx((12.0, 0.0, 0.0), rel=1e-4, abs=1e-3)  # 8 N for 1.5 s
    assert after[0] == pytest.approx(before[0], abs=1e-9)
    size = np.linalg.norm(before[1])
    assert after[1] == pytest.approx(before[1], abs=3e-5 * size)
    total = late["energy.kinetic"] + late["energy.potential"]
    assert np.abs(total / total[0] - 1.0).max() < 1e-4
    assert late["energy.potential"].max() > 0.02 * total[0]  # it bends
    assert np.ptp(late["beam.0.z"] - late["beam.100.z"]) > 1.0  # out of the plane


def test_a_beam_that_is_spun_up():
    """Simo and Vu-Quoc 1986 (after Kane): a beam of 10 m is brought to 6 rad/s in 15 s, here about a tilted axis. Its
    tip lags behind by some 0.6 m and comes forward again; at the end it is longer by w^2 m L^3 / (3 EA) = 5.14e-4 m."""
    section = SpatialSection((2.8e7, 1e7, 1e7, 1e4, 1.4e4, 1.4e4), (1.2, 1.2, 1.2, 1.2e-3, 6e-4, 6e-4))
    axis, along = Vector(2 / 3, 2 / 3, 1 / 3), Vector(-2 / 3, 1 / 3, 2 / 3)
    m = gd.Mechanism("spin-up", planar=False)
    beam = m.beam("beam", a=(0.0, 0.0, 0.0), b=tuple(along * 10.0), section=section, elements=2, damping=0.01,
                  up=tuple(axis.cross(along)), stations=(1.0,))  # fmt: skip
    m.revolute("hub", journal=beam, bearing=m.ground, at=(0.0, 0.0, 0.0), axis=tuple(axis))
    rate = 2.0 * math.pi / 15.0
    motion = lambda t: 0.4 * (0.5 * t * t + (gd.cos(rate * t) - 1.0) / rate**2)  # noqa: E731
    m.drive("hub", motion=motion)
    run = gd.simulate(m, duration=15.0, output=0.05, method=Alpha(rtol=1e-6))
    angle = 0.4 * (0.5 * run.t**2 + (np.cos(rate * run.t) - 1.0) / rate**2)
    place = np.column_stack([run[f"beam.100.{a}"] for a in "xyz"])
    side = np.array([tuple(rotation_matrix(about(axis, x)) @ axis.cross(along)) for x in angle])
    lag = np.einsum("ij,ij->i", place, side)
    assert lag.min() == pytest.approx(-0.6, abs=0.06)
    assert lag.max() < 0.15
    assert np.abs(place @ np.array(tuple(axis))).max() < 1e-6  # it stays in its plane
    assert np.linalg.norm(place[-1]) - 10.0 == pytest.approx(5.14e-4, rel=0.05)


def flat():
    m, section = gd.Mechanism("flat"), Section.rectangle(0.010, 0.030, **STEEL)
    more = {"section": section, "elements": 1, "damping": 1e-4}
    crank = m.beam("crank", a=(0.0, 0.0), b=(0.25, 0.0), **more)
    arm = m.beam("arm", a=(0.25, 0.0), b=(1.0, 0.0), **more)
    slider = m.body("slider", mass=4.0, inertia=1.0, at=(1.0, 0.0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
    m.revolute("elbow", journal=crank, bearing=arm, at=(0.25, 0.0))
    m.revolute("pin", journal=arm, bearing=slider, at=(1.0, 0.0))
    m.translational("guide", journal=slider, bearing=m.ground, at=(1.0, 0.0))
    m.drive("main", speed=lambda t: 5.0 * gd.tanh(5.0 * t) ** 2)
    return m


def in_space(stiffer=1.0):
    m, section = gd.Mechanism("space", planar=False), SpatialSection.rectangle(0.010, 0.030, **STEEL).scaled(stiffer)
    more = {"section": section, "elements": 1, "damping": 1e-4, "up": (0.0, 1.0, 0.0)}
    z = (0.0, 0.0, 1.0)
    crank = m.beam("crank", a=(0.0, 0.0, 0.0), b=(0.25, 0.0, 0.0), **more)
    arm = m.beam("arm", a=(0.25, 0.0, 0.0), b=(1.0, 0.0, 0.0), **more)
    slider = m.body("slider", mass=4.0, inertia=(1.0, 1.0, 1.0), at=(1.0, 0.0, 0.0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0, 0.0), axis=z)
    m.revolute("elbow", journal=crank, bearing=arm, at=(0.25, 0.0, 0.0), axis=z)
    m.revolute("pin", journal=arm, bearing=slider, at=(1.0, 0.0, 0.0), axis=z)
    m.translational("guide", journal=slider, bearing=m.ground, at=(1.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0))
    m.drive("main", speed=lambda t: 5.0 * gd.tanh(5.0 * t) ** 2)
    return m


def test_a_mechanism_in_the_plane_is_the_one_of_the_plane():
    planar, spatial = (
        gd.simulate(m, duration=0.5, output=0.05, method=Alpha(rtol=1e-10)) for m in (flat(), in_space())
    )
    for one, other, near in (("slider.x", "slider.x", 1e-8), ("arm.50.x", "arm.50.x", 1e-8),
                             ("slider.vx", "slider.vx", 1e-6), ("main.torque", "main.torque", 1e-4)):  # fmt: skip
        assert np.abs(spatial[other] - planar[one]).max() < near * np.ptp(planar[one]), one
    assert np.abs(spatial["arm.50.z"]).max() < 1e-14


def test_a_very_stiff_beam_is_a_rigid_body():
    stiff = gd.simulate(in_space(30.0), duration=0.6, output=0.02, method=Alpha(rtol=1e-7))
    rigid = gd.simulate(in_space().stiffened(), duration=0.6, output=0.02, rtol=1e-9)
    for name, near in (("slider.x", 1e-5), ("slider.vx", 1e-3), ("main.torque", 0.02)):
        assert np.abs(stiff[name] - rigid[name]).max() < near * np.abs(rigid[name]).max(), name
