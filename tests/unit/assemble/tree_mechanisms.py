"""Mechanisms whose ideal joints form trees: every joint, either way round, with drives and loads."""

from __future__ import annotations

import gudgeon as gd

SKEW = (0.01, 0.02, 0.015, 0.001, -0.002, 0.0005)


def hung_in_plane() -> gd.Mechanism:
    m = gd.Mechanism("hung in the plane", gravity=(0.0, -9.81))
    m.body("a", mass=1.0, inertia=0.02, at=(0.2, 0.1), angle=0.3)
    m.body("b", mass=0.5, inertia=0.01, at=(0.5, 0.3), angle=-0.4, spin=2.0)
    m.body("c", mass=0.3, inertia=0.02, at=(0.7, 0.1))
    m.body("d", mass=0.3, inertia=0.02, at=(0.9, 0.1))
    m.body("e", mass=0.3, inertia=0.02, at=(1.5, 0.1), velocity=(0.1, 0.2), spin=1.0)
    m.revolute("j1", journal=m.ground, bearing="a", at=(0.0, 0.0))
    m.revolute("j2", journal="b", bearing="a", at=(0.4, 0.2))
    m.translational("j3", journal="b", bearing="c", at=(0.6, 0.2), axis=(1.0, 0.5))
    m.rigid("j4", journal="d", bearing="c", at=(0.8, 0.1))
    m.spring("s", "a", m.ground, at_i=(0.3, 0.1), at_j=(0.3, -0.2), stiffness=200.0, damping=1.0)
    m.spring("t", "e", "d", at_i=(1.4, 0.1), at_j=(1.0, 0.2), stiffness=20.0, damping=0.1)
    m.force("c", (0.3, lambda t: gd.sin(30.0 * t)), at=(0.75, 0.1))
    m.force("b", (0.3, -0.2), at=(0.55, 0.1), frame="body")
    m.torque("b", 0.2)
    m.torque("c", 0.1, reaction="a")
    m.torsion_spring("u", "j2", stiffness=3.0, damping=0.01)
    m.stop("j2", lower=-0.01, upper=0.01, wall=gd.KelvinVoigt(100.0, 1.0))
    m.force("e", ("-(2 N s/m)*e.vx*abs(rate(j3.travel))/(1 m/s)", "(3 N/m)*(d.y - e.y)*cos(j2.travel)"), at=(1.45, 0.1))
    m.torque("d", lambda t, s: -0.3 * s["e.spin"] * gd.tanh(s.rate("j2.travel") + t), reaction="a")
    return m


def driven_in_plane() -> gd.Mechanism:
    m = gd.Mechanism("driven in the plane", gravity=(0.0, -9.81))
    m.body("a", mass=1.0, inertia=0.02, at=(0.2, 0.1), angle=0.3)
    m.body("b", mass=0.5, inertia=0.01, at=(0.5, 0.3), angle=-0.4)
    m.body("c", mass=0.3, inertia=0.02, at=(0.7, 0.1))
    m.body("d", mass=0.2, inertia=0.01, at=(0.9, 0.1))
    m.translational("j1", journal=m.ground, bearing="a", at=(0.0, 0.0), axis=(1.0, 0.2))
    m.revolute("j2", journal="a", bearing="b", at=(0.4, 0.2))
    m.translational(
        "j3", journal="c", bearing="b", journal_point=(0.0, 0.1), bearing_point=(0.05, 0.0), axis=(1.0, 0.5)
    )
    m.revolute("j4", journal="d", bearing="c", at=(0.8, 0.1))
    m.drive("j1", motion=lambda t: 0.05 * gd.sin(20.0 * t))
    m.drive("j2", speed=lambda t: 5.0 * gd.tanh(10.0 * t))
    m.drive("j4", speed=7.0)
    m.force("d", ("-(2 N s/m)*c.vx", "step(j2.travel, -0.5 rad, 1 rad)*(3 N) - (4 N s/m)*rate(j1.travel)"))
    return m


def hung_in_space() -> gd.Mechanism:
    m = gd.Mechanism("hung in space", planar=False, gravity=(0.3, -1.0, -9.81))
    m.body("a", mass=1.0, inertia=(0.02, 0.03, 0.025), at=(0.2, 0.1, 0.0), orientation=(0.3, 0.1, 0.2))
    m.body("b", mass=0.6, inertia=SKEW, at=(0.5, 0.2, 0.1), orientation=(-0.2, 0.4, 0.1))
    m.body("c", mass=0.5, inertia=SKEW, at=(0.8, 0.3, 0.1), orientation=(0.1, 0.1, 0.5))
    m.body("d", mass=0.4, inertia=(0.01, 0.012, 0.015), at=(1.1, 0.3, 0.2))
    m.body("e", mass=0.4, inertia=SKEW, at=(1.3, 0.3, 0.2), spin=(1.0, 2.0, -1.0))
    m.body("f", mass=0.2, inertia=SKEW, at=(1.4, 0.3, 0.2))
    m.revolute("j1", journal=m.ground, bearing="a", at=(0.0, 0.0, 0.0), axis=(1.0, 1.0, 0.3))
    m.cylindrical("j2", journal="b", bearing="a", at=(0.35, 0.15, 0.05), axis=(0.2, 1.0, 0.3))
    m.universal("j3", journal="b", bearing="c", at=(0.65, 0.25, 0.1), journal_axis=(0.0, 1.0, 0.0),
                bearing_axis=(0.0, 0.0, 1.0))  # fmt: skip
    m.spherical("j4", journal="d", bearing="c", at=(0.95, 0.3, 0.15))
    m.translational("j5", journal="d", bearing="e", at=(1.2, 0.3, 0.2), axis=(1.0, 0.1, 0.0))
    m.revolute("j6", journal="f", bearing=m.ground, at=(1.4, 0.2, 0.2), axis=(0.0, 0.0, 1.0))
    m.spring("s", "d", "f", at_i=(1.1, 0.35, 0.2), at_j=(1.4, 0.4, 0.2), stiffness=50.0, damping=0.2)
    m.force("c", (0.3, 0.1, lambda t: gd.sin(30.0 * t)), at=(0.85, 0.3, 0.1))
    m.torque("e", (0.1, 0.0, 0.2))
    m.torque("b", (0.1, 0.0, 0.2), reaction="a", frame="body")
    m.force("f", ("-(2 N s/m)*b.vz", "(3 N)*sin(j2.turn) - (1 N s/m)*rate(j2.travel)", "-(5 N/m)*min(e.x, f.z)"))
    m.torque("e", (0.0, "-(0.1 Nm s)*e.wy", lambda t, s: -0.2 * s.rate(gd.sin(s["j1.travel"]))), frame="body")
    return m


def driven_in_space() -> gd.Mechanism:
    m = gd.Mechanism("driven in space", planar=False, gravity=(0.0, 0.0, -9.81))
    m.body("a", mass=1.0, inertia=(0.02, 0.03, 0.025), at=(0.2, 0.1, 0.0), orientation=(0.3, 0.1, 0.2))
    m.body("b", mass=0.6, inertia=(0.01, 0.02, 0.015), at=(0.5, 0.2, 0.1))
    m.body("c", mass=0.5, inertia=SKEW, at=(0.8, 0.3, 0.1))
    m.body("d", mass=0.5, inertia=SKEW, at=(1.0, 0.3, 0.1))
    m.body("e", mass=0.5, inertia=SKEW, at=(1.2, 0.3, 0.1))
    m.body("f", mass=0.5, inertia=SKEW, at=(1.2, 0.5, 0.1))
    m.body("g", mass=0.5, inertia=(0.01, 0.02, 0.015), at=(1.0, 0.9, 0.1), spin=(1.0, 0.0, 2.0))
    m.revolute("j1", journal="a", bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0))
    m.cylindrical("j2", journal="a", bearing="b", at=(0.35, 0.15, 0.05), axis=(0.0, 0.0, 1.0))
    m.flat("j3", journal="c", bearing="b", at=(0.65, 0.25, 0.1), axis=(0.0, 1.0, 0.0))
    m.rigid("j4", journal="d", bearing="c", at=(0.9, 0.3, 0.1), axis=(1.0, 0.0, 0.0))
    m.flat("j5", journal="d", bearing="e", at=(1.1, 0.3, 0.1), axis=(0.1, 1.0, 0.0))
    m.universal("j6", journal="f", bearing="e", at=(1.2, 0.4, 0.1), journal_axis=(1.0, 0.0, 0.0),
                bearing_axis=(0.0, 0.0, 1.0))  # fmt: skip
    m.drive("j1", speed=12.0)
    m.drive("j2", motion=lambda t: 0.02 * gd.sin(20.0 * t), direction="translation")
    m.drive("j5", speed=lambda t: 3.0 * gd.tanh(10.0 * t))
    return m


def sleeves_in_space() -> gd.Mechanism:
    """A loose sleeve with friction beside ideal joints, a bushing, a stop."""
    m = gd.Mechanism("sleeves", planar=False, gravity=(0.0, 0.0, -9.81))
    m.body("a", mass=1.0, inertia=(0.02, 0.03, 0.025), at=(0.2, 0.0, 0.0))
    m.body("b", mass=0.6, inertia=SKEW, at=(0.5, 0.0, 0.0))
    m.body("c", mass=0.6, inertia=SKEW, at=(0.8, 0.0, 0.0))
    wall = gd.LankaraniNikravesh(stiffness=1e8, restitution=0.8)
    loose = gd.Clearance("0.2 mm", wall=wall, friction=gd.ModifiedCoulomb(0.1, v0=0.01, v1=0.1))
    m.revolute("j1", journal="a", bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0))
    m.revolute("j2", journal="b", bearing="a", at=(0.4, 0.0, 0.0), axis=(0.0, 1.0, 0.0), radius="10 mm",
               length="20 mm", strips=2, fit=loose)  # fmt: skip
    m.spherical("j3", journal="c", bearing="b", at=(0.65, 0.0, 0.0), fit=gd.Bushing(gd.LinearLiner(1e5, 20.0)))
    m.cylindrical("j4", journal="c", bearing=m.ground, at=(0.8, 0.0, 0.0), axis=(1.0, 0.0, 0.0))
    m.stop("j4", lower="-1 mm", upper="0.1 mm", wall=gd.KelvinVoigt(1e5, 10.0))
    return m


def closed_in_space() -> gd.Mechanism:
    """A loop closed by a ball, and a drive on the joint that closes another."""
    m = gd.Mechanism("closed in space", planar=False, gravity=(0.0, 0.0, -9.81))
    m.body("a", mass=1.0, inertia=(0.02, 0.03, 0.025), at=(0.1, 0.0, 0.0))
    m.body("b", mass=0.6, inertia=SKEW, at=(0.3, 0.1, 0.1))
    m.body("c", mass=0.6, inertia=SKEW, at=(0.5, 0.1, 0.2))
    m.revolute("j1", journal="a", bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0))
    m.spherical("j2", journal="b", bearing="a", at=(0.2, 0.0, 0.0))
    m.spherical("j3", journal="c", bearing="b", at=(0.4, 0.2, 0.2))
    m.revolute("j4", journal="c", bearing=m.ground, at=(0.6, 0.0, 0.2), axis=(0.0, 1.0, 0.2))
    return m
