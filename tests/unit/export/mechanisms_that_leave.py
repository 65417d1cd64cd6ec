"""Mechanisms that are exported in several tests."""

from __future__ import annotations

import gudgeon as gd


def pushed() -> gd.Mechanism:
    """A crank on a motor that lifts a loose weight, and what pushes it."""
    m = gd.Mechanism("pushed", gravity=(0.0, -9.81))
    m.body("crank", mass=1.0, inertia=1e-2, at=(0.1, 0.0))
    m.body("bob", mass=0.5, inertia=1e-3, at=(0.2, -0.1))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    wall = gd.KelvinVoigt(1e6, 100.0)
    m.revolute("pin", journal="bob", bearing="crank", at=(0.2, 0.0), radius="5 mm", length="20 mm",
               fit=gd.Clearance("0.2 mm", wall=wall))  # fmt: skip
    m.motor("main", voltage="3 V", resistance=0.5, back_emf=0.2, inductance=1e-3)
    m.force("bob", (0.0, "2*sin(9*t)"), name="push")
    m.torque("crank", 1.0, name="rub")
    m.spring("band", m.ground, "bob", at_i=(0.3, 0.0), at_j=(0.2, -0.1), stiffness=30.0, damping=0.2)
    return m
