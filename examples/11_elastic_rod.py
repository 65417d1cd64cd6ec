"""A connecting rod that bends a little, with play in its pin: `modal_link` in the place of `body`, and every method.

For small vibrations a few modes on a rigid frame do what a beam does, without its cost. Between two pins the rod of
length L has the frequency pi^2 sqrt(EI/m) / L^2; while the loose pin is in flight one end is free, and the frequency is
3.9266^2 sqrt(EI/m) / L^2. Its crank end is accelerated across itself by r w^2, the other end hardly, so that it is
loaded by m r w^2 per length falling to zero along it, and bends in the middle by 5 (m r w^2 / 2) L^4 / (384 EI).
"""

import math

import gudgeon as gd
from gudgeon.analysis import modes

CRANK, ROD = 0.05, 0.25  # [m]
SPEED = 100.0  # [rad/s]
SECTION = gd.Section.rectangle("10 mm", "20 mm", gd.STEEL)
PLAY = gd.Clearance("0.1 mm", wall=gd.LankaraniNikravesh(gd.STEEL, restitution=0.9))


def slider_crank(elastic: bool) -> gd.Mechanism:
    m = gd.Mechanism("slider-crank")
    mass = SECTION.mass * ROD
    crank = m.body("crank", mass=0.3, inertia=1.0e-4, at=(CRANK / 2, 0))
    if elastic:
        rod = m.modal_link("rod", a=(CRANK, 0), b=(CRANK + ROD, 0), section=SECTION, modes=4, damping=0.05)
    else:
        rod = m.body("rod", mass=mass, inertia=mass * ROD**2 / 12, at=(CRANK + ROD / 2, 0))
    slider = m.body("slider", mass=0.5, inertia=1.0e-3, at=(CRANK + ROD, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("big", journal=crank, bearing=rod, at=(CRANK, 0))
    m.revolute("pin", journal=rod, bearing=slider, at=(CRANK + ROD, 0), radius="10 mm", length="20 mm")
    m.translational("guide", journal=slider, bearing=m.ground, at=(CRANK + ROD, 0), axis=(1, 0))
    m.drive("main", speed=SPEED)
    return m


def main() -> dict[str, float]:
    bent, turn = gd.simulate(slider_crank(True), revolutions=2), 2 * math.pi / SPEED
    late = bent.after(turn)
    found = {
        "deflection": late.maximum("rod.50.deflection"),
        "moment": late.maximum("rod.50.moment"),
        "held": float(modes(slider_crank(True), at="start").frequencies[0]),
        "in flight": float(modes(slider_crank(True).refit(pin=PLAY), at="start").frequencies[0]),
    }
    loose = {way: gd.simulate(slider_crank(way).refit(pin=PLAY), revolutions=1) for way in (True, False)}
    print(loose[True].evidence)
    found |= {"lost in the rod": loose[True]["energy.damper"][-1], "lost in the pin": loose[True]["energy.contact"][-1]}
    print(f"bends by up to {found['deflection'] * 1e6:.1f} um; {found['moment']:.2f} N m in the middle")
    print(f"{found['held']:.0f} Hz between its pins, {found['in flight']:.0f} Hz while one of them is in flight")
    print(f"impacts lose {found['lost in the pin']:.4f} J in the pin, {found['lost in the rod']:.4f} J by bending")
    figure = gd.compare(loose[False], loose[True], "mechanism", "pin.force", "main.torque")
    figure.save("out/examples/elastic_rod.svg")
    return found


if __name__ == "__main__":
    main()
