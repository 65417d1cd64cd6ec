"""A slider-crank whose connecting rod bends: one line makes the body a beam, and its joints stay as they are.

The rod of length L is held by its pins. Its crank end is accelerated by r w^2, its other end hardly across itself, so
that inertia loads it across by up to m r w^2 per length, falling to zero along it. A supported beam bears that with the
moment m r w^2 L^2 / 16 in its middle, up and down once per turn, when the first vibration of pi^2 sqrt(EI/m) / L^2
has died out. Rods that turn fast enough to meet that frequency are another matter.
"""

import math

import gudgeon as gd
from gudgeon.analysis import modes

CRANK, ROD = 0.05, 0.25  # [m]
SPEED = 100.0  # [rad/s]
SECTION = gd.Section.rectangle("10 mm", "20 mm", gd.STEEL)


def slider_crank(flexible: bool) -> gd.Mechanism:
    m = gd.Mechanism("slider-crank")
    mass = SECTION.mass * ROD
    crank = m.body("crank", mass=0.3, inertia=1.0e-4, at=(CRANK / 2, 0))
    if flexible:
        rod = m.beam("rod", a=(CRANK, 0), b=(CRANK + ROD, 0), section=SECTION, damping="20 us")
    else:
        rod = m.body("rod", mass=mass, inertia=mass * ROD**2 / 12, at=(CRANK + ROD / 2, 0))
    slider = m.body("slider", mass=0.5, inertia=1.0e-3, at=(CRANK + ROD, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("big", journal=crank, bearing=rod, at=(CRANK, 0))
    m.revolute("pin", journal=rod, bearing=slider, at=(CRANK + ROD, 0))
    m.translational("guide", journal=slider, bearing=m.ground, at=(CRANK + ROD, 0), axis=(1, 0))
    m.drive("main", speed=SPEED)
    return m


def main() -> dict[str, float]:
    flexible, rigid = (gd.simulate(slider_crank(way), revolutions=3) for way in (True, False))
    print(flexible.evidence)
    late = flexible.after(2 * 2 * math.pi / SPEED)
    moment, frequency = late.maximum("rod.50.moment"), float(modes(slider_crank(True), at="start").frequencies[0])
    print(f"moment in the middle of the rod up to {moment:.2f} N m; it vibrates with {frequency:.0f} Hz")
    print(f"torque up to {flexible.maximum('main.torque'):.2f} N m, rigid {rigid.maximum('main.torque'):.2f} N m")
    gd.compare(rigid, flexible, "mechanism", "main.torque", "pin.force").save("out/examples/flexible_rod.svg")
    return {
        "moment": moment,
        "frequency": frequency,
        "torque": late.maximum("main.torque"),
        "rigid torque": rigid.maximum("main.torque"),
    }


if __name__ == "__main__":
    main()
