"""A drawer pulled beside its middle: play in a guide lets it tilt, and friction at two corners holds it
back.

A drawer of length L with play c on each side tilts until opposite corners touch, by 2c/L. Pulled with F
at a distance h from its middle, each of these corners carries N = F h / L, so that friction leaves the
acceleration F/m (1 - 2 mu h/L). At mu = L / (2 h) nothing is left: the drawer jams, however hard one
pulls.
"""

import math

import gudgeon as gd

PULL, BESIDE, MASS, LENGTH, PLAY, FRICTION = 10.0, 0.15, 2.0, 0.4, 1e-3, 0.2


def main() -> dict[str, float]:
    m = gd.Mechanism("drawer")
    drawer = m.body("drawer", mass=MASS, inertia=0.05, at=(0, 0))
    wall = gd.Flores2011(restitution=0.2, stiffness=1e8)
    fit = gd.Clearance(PLAY, wall=wall, friction=gd.SmoothCoulomb(FRICTION, v0="1 mm/s"))
    m.translational("guide", journal=drawer, bearing=m.ground, at=(0, 0), axis=(1, 0),
                    length=LENGTH, width=0.3, fit={"slot": fit})  # fmt: skip
    m.force(drawer, (PULL, 0.0), point=(0.0, BESIDE))
    run = gd.simulate(m, duration="1.5 s")

    late = run.after(1.0)
    tilt = -float(late["drawer.angle"].mean())
    acceleration = float((late["drawer.vx"][-1] - late["drawer.vx"][0]) / (late.t[-1] - late.t[0]))
    print(f"tilt {math.degrees(tilt):.4f} deg, acceleration {acceleration:.4f} m/s² instead of {PULL / MASS}")
    figure = gd.plot(run, "mechanism", "drawer.vx", "drawer.angle", "guide.front_right.normal")
    figure.save("out/examples/loose_guide.svg")
    return {
        "tilt": tilt,
        "acceleration": acceleration,
        "corner force": late.maximum("guide.front_right.normal"),
    }


if __name__ == "__main__":
    main()
