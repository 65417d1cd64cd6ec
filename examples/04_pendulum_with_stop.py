"""A pendulum that falls from the horizontal against a stop: a limit on the free direction of a revolute
joint.

It arrives with w = sqrt(2 m g d / (I + m d^2)). On a rotation the stop's stiffness is a moment per
angle, and a linear spring with damper gives every impact the same restitution exp(-(b/w_d) (pi - atan(2
b w_d / (w_d^2 - b^2)))), with b the decay rate and w_d the damped frequency, if the contact ends where
the force does (Schwager and Poeschel 2007).
"""

import gudgeon as gd

MASS, INERTIA, ARM = 2.0, 0.01, 0.2  # [kg], about the centre [kg m^2], pivot to centre [m]
STIFFNESS, DAMPING = 5.0e4, 20.0  # [N m/rad], [N m s/rad]


def main() -> dict[str, float]:
    m = gd.Mechanism("pendulum", gravity=(0.0, -9.81))
    arm = m.body("arm", mass=MASS, inertia=INERTIA, at=(ARM, 0))
    m.revolute("pivot", journal=arm, bearing=m.ground, at=(0, 0))
    m.stop("pivot", lower="-90 deg", wall=gd.KelvinVoigt(stiffness=STIFFNESS, damping=DAMPING))
    run = gd.simulate(m, duration="2 s")

    first, second = run.contacts[:2]
    print(run.contacts)
    gd.plot(run, "mechanism", "arm.angle", "arm.spin", "energy").save("out/examples/pendulum.svg")
    print(f"arrives with {first.speed_on:.4f} rad/s, restitution {first.restitution:.4f}")
    return {"arrival": first.speed_on, "restitution": first.restitution, "second arrival": second.speed_on}


if __name__ == "__main__":
    main()
