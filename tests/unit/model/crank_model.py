"""The slider-crank that the tests of this folder change and break."""

from gudgeon.laws import STEEL, Hertz, LankaraniNikravesh
from gudgeon.model import Mechanism

LN = LankaraniNikravesh(STEEL, restitution=0.9)
HARD = Hertz(stiffness=1e9)


def slider_crank() -> Mechanism:
    m = Mechanism("slider-crank", planar=True)
    crank = m.body("crank", mass=0.300, inertia=1.0e-5, at=(0.025, 0))
    rod = m.body("rod", mass="210 g", inertia=2.5e-4, at=("110 mm", 0))
    slider = m.body("slider", mass=0.140, inertia=1.0e-4, at=(0.170, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("big", journal=crank, bearing=rod, at=(0.05, 0))
    m.revolute("pin", journal=rod, bearing="slider", at=(0.17, 0), radius="10 mm", length="20 mm")
    m.translational("guide", journal=slider, bearing=m.ground, at=(0.17, 0), axis=(2, 0))
    m.drive("main", speed="5000 rpm")
    return m
