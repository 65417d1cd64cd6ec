"""A mechanism with something of everything, for twins of its code."""

from __future__ import annotations

import gudgeon as gd

LN = gd.LankaraniNikravesh(gd.STEEL, restitution=0.9)


def rich() -> gd.Mechanism:
    """Friction with a state, a stop, a bushing with a wall, springs, loads, a crank driven in time."""
    m = gd.Mechanism("everything", gravity=(0.0, -9.81))
    m.body("crank", mass=0.3, inertia=1e-4, at=(0.025, 0.0))
    m.body("rod", mass=0.2, inertia=2.5e-4, at=(0.11, 0.0))
    m.body("slider", mass=0.14, inertia=1e-4, at=(0.17, 0.0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal="crank", bearing="rod", at=(0.05, 0.0), radius="10 mm",
               fit=gd.Bushing(gd.LinearLiner(1e7, 1e3), wall=gd.Hertz(stiffness=1e10), thickness="0.05 mm"))
    m.revolute("pin", journal="rod", bearing="slider", at=(0.17, 0.0), radius="10 mm",
               fit=gd.Clearance("0.1 mm", wall=LN, friction=gd.LuGre(0.05, static_coefficient=0.08),
                                liner=gd.LinearLiner(1e7, 10.0), liner_thickness="0.02 mm"))  # fmt: skip
    play = gd.Clearance("0.05 mm", wall=gd.Hertz(stiffness=1e9), friction=gd.SmoothCoulomb(0.1))
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.17, 0.0), length="40 mm", width="20 mm",
                    fit=play)  # fmt: skip
    m.stop("guide", lower="-60 mm", wall=gd.Hertz(stiffness=1e9))
    m.spring("spring", "slider", m.ground, stiffness=1e3, damping=5.0, at_i=(0.17, 0.0), at_j=(0.3, 0.02))
    m.torsion_spring("twist", "main", stiffness=2.0, damping=0.1)
    m.force("slider", (lambda t: 3.0 * gd.sin(100.0 * t), lambda t: 1.0 if t < 1e-3 else 2.0))
    m.torque("rod", 0.3, reaction="crank")
    m.drive("main", speed=lambda t: 300.0 * gd.tanh(500.0 * t))
    return m
