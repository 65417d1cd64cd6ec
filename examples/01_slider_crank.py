"""A slider-crank with half a millimetre of play in its pin (the mechanism of Flores et al. 2007).

With ideal joints the slider follows x = r cos(wt) + sqrt(l^2 - r^2 sin^2(wt)); its acceleration is
largest at the outer dead centre, r w^2 (1 + r/l). With play the pin first flies free: nothing pulls at
the slider until the journal has crossed the clearance, and then the whole difference in speed is made up
within some fifty microseconds.
"""

import gudgeon as gd


def main() -> dict[str, float]:
    m = gd.Mechanism("slider-crank", planar=True)
    crank = m.body("crank", mass=0.300, inertia=1.0e-5, at=(0.025, 0))
    rod = m.body("rod", mass=0.210, inertia=2.5e-4, at=(0.110, 0))
    slider = m.body("slider", mass=0.140, inertia=1.0e-4, at=(0.170, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("big", journal=crank, bearing=rod, at=(0.05, 0))
    m.revolute("pin", journal=rod, bearing=slider, at=(0.17, 0), radius="10 mm", length="20 mm")
    m.translational("guide", journal=slider, bearing=m.ground, at=(0.17, 0), axis=(1, 0))
    m.drive("main", speed="5000 rpm")

    wall = gd.LankaraniNikravesh(gd.STEEL, restitution=0.9)
    loose = m.refit(pin=gd.Clearance("0.5 mm", wall=wall, friction=gd.ModifiedCoulomb(0.03)))
    ideal, real = gd.simulate(m, revolutions=2), gd.simulate(loose, revolutions=2)

    print(real.evidence)
    figure = gd.compare(ideal, real, "mechanism", "slider.ax", "main.torque", "pin.orbit")
    figure.save("out/examples/slider_crank.svg")

    first = real.contacts[0]
    largest = abs(ideal.peak("slider.ax").value)
    print(f"ideal joints: |a| up to {largest:.0f} m/s²")
    print(f"loose pin: at {first.t_on * 1e3:.4f} ms, {first.speed_on:.3f} m/s, {first.peak_force:.0f} N")
    return {
        "ideal acceleration": largest,
        "first touch": first.t_on,
        "first speed": first.speed_on,
        "first peak": first.peak_force,
    }


if __name__ == "__main__":
    main()
