"""One mechanism, three fits of its pin: ideal, with clearance, in a rubber bushing. Only `refit`
changes.

A bushing of stiffness K gives way by F/K under the joint's force F, and the slider of mass m rings in it
with sqrt(K/m): at the dead centre the driven crank holds the rod along its length, so no other mass
takes part. Once the ringing has died away, the journal's offset at the end of a revolution is the ideal
joint force there divided by K.
"""

import gudgeon as gd

STIFFNESS = 2.0e7  # [N/m]


def slider_crank() -> gd.Mechanism:
    m = gd.Mechanism("slider-crank")
    crank = m.body("crank", mass=0.300, inertia=1.0e-5, at=(0.025, 0))
    rod = m.body("rod", mass=0.210, inertia=2.5e-4, at=(0.110, 0))
    slider = m.body("slider", mass=0.140, inertia=1.0e-4, at=(0.170, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("big", journal=crank, bearing=rod, at=(0.05, 0))
    m.revolute("pin", journal=rod, bearing=slider, at=(0.17, 0), radius="10 mm", length="20 mm")
    m.translational("guide", journal=slider, bearing=m.ground, at=(0.17, 0), axis=(1, 0))
    m.drive("main", speed="5000 rpm")
    return m


def main() -> dict[str, float]:
    m = slider_crank()
    fits = {
        "ideal": gd.Ideal(),
        "clearance": gd.Clearance("0.1 mm", wall=gd.LankaraniNikravesh(gd.STEEL, restitution=0.9)),
        "bushing": gd.Bushing(gd.LinearLiner(stiffness=STIFFNESS, damping=500.0)),
    }
    runs = {name: gd.simulate(m.refit(pin=fit), revolutions=1) for name, fit in fits.items()}
    for name, run in runs.items():
        force, acceleration = run.maximum("pin.force"), abs(run.peak("slider.ax").value)
        print(f"{name:<10} pin force up to {force:6.0f} N, slider acceleration up to {acceleration:7.0f} m/s²")
    figure = gd.compare(runs["ideal"], runs["bushing"], "mechanism", "slider.ax", "pin.orbit")
    figure.save("out/examples/bushing.svg")
    bushing = runs["bushing"]
    return {
        "offset": float(bushing["pin.offset"][-1]),
        "ideal force": float(runs["ideal"]["pin.force"][-1]),
        "first speed": runs["clearance"].contacts[0].speed_on,
    }


if __name__ == "__main__":
    print(main())
