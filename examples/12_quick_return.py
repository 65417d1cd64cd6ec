"""A quick return: a collar on a crank slides along an arm that bends, and the arm swings a shuttle to and fro.

The crank turns evenly, and the arm swings back quickly while the collar is near its pivot. With d between the pivots
and a crank of r < d the collar is d + r or d - r from the arm's pivot when the arm is upright, so that the arm turns
with r w / (d + r) one way and with -r w / (d - r) the other. The shuttle has the same ratio of speeds, (d + r)/(d - r),
as long as the arm is stiff. A bending arm is late where the shuttle is accelerated and makes up for it afterwards: its
end is then faster than that. `m.collar` holds the collar on the bent arm, through all of its elements.
"""

import math

import numpy as np

import gudgeon as gd

CRANK, PIVOTS, ARM, LINK = 0.10, 0.25, 0.60, 0.40  # [m]
SPEED = 12.0  # of the crank [rad/s]
SECTION = gd.Section.rectangle("15 mm", "30 mm", gd.STEEL)


def quick_return(flexible: bool) -> gd.Mechanism:
    m = gd.Mechanism("quick return")
    pin, end = (0, PIVOTS + CRANK), (LINK, ARM)
    crank = m.body("crank", mass=1.0, inertia=1.0e-3, at=(0, PIVOTS + CRANK / 2))
    if flexible:
        arm = m.beam("arm", a=(0, 0), b=(0, ARM), section=SECTION, elements=8, damping="100 us")
    else:
        mass = SECTION.mass * ARM
        arm = m.body("arm", mass=mass, inertia=mass * ARM**2 / 12, at=(0, ARM / 2), angle=math.pi / 2)
    collar = m.body("collar", mass=0.4, inertia=2.0e-4, at=pin)
    link = m.body("link", mass=1.0, inertia=1.0 * LINK**2 / 12, at=(LINK / 2, ARM))
    shuttle = m.body("shuttle", mass=20.0, inertia=0.1, at=end)
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, PIVOTS))
    m.revolute("pivot", journal=arm, bearing=m.ground, at=(0, 0))
    m.revolute("pin", journal=collar, bearing=crank, at=pin)
    m.collar("slide", journal=collar, bearing=arm, at=pin, axis=(0, 1))
    m.revolute("tip", journal=arm, bearing=link, at=(0, ARM))
    m.revolute("end", journal=link, bearing=shuttle, at=end)
    m.translational("guide", journal=shuttle, bearing=m.ground, at=end, axis=(1, 0))
    m.drive("main", speed=SPEED)
    return m


def main() -> dict[str, float]:
    options = {"revolutions": 3, "output": "0.2 ms"}
    flexible = gd.simulate(quick_return(True), rtol=1e-6, **options)
    rigid = gd.simulate(quick_return(False), **options)
    print(flexible.evidence)
    period = 2 * math.pi / SPEED
    results = {}
    for name, run in (("rigid ", rigid), ("", flexible)):
        late = run.after(2 * period)
        # the link is level when the arm is upright, half a turn after the start
        forth, back = np.abs(np.interp([2 * period, 2.5 * period], run.t, run["shuttle.vx"]))
        results |= {f"{name}ratio": float(back / forth), f"{name}torque": late.maximum("main.torque")}
    late = flexible.after(2 * period)
    results["travel"] = late.maximum("slide.travel") - late.minimum("slide.travel")
    results["moment"] = late.maximum("arm.50.moment")
    print(f"back over forth {results['ratio']:.3f}, rigid {results['rigid ratio']:.3f}")
    print(f"torque up to {results['torque']:.0f} N m, rigid {results['rigid torque']:.0f} N m")
    figure = gd.compare(rigid, flexible, "mechanism", "shuttle.vx", "main.torque")
    figure.save("out/examples/quick_return.svg")
    return results


if __name__ == "__main__":
    main()
