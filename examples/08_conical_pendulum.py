"""A rod on a ball joint that circles in space at a constant angle, then with play in the joint.

With the rod's angle a from the vertical, its centre at d below the joint and moments I about the joint across the rod
and J along it, the rod circles steadily at w when

    w^2 cos(a) (I - J) = m g d

and the joint carries m sqrt(g^2 + (w^2 d sin(a))^2).
"""

import math

import gudgeon as gd

MASS, ARM, TILT = 0.5, 0.3, math.radians(40)  # [kg], joint to centre [m]
ACROSS, ALONG = 0.02, 1e-4  # about the centre [kg m^2]


def main() -> dict[str, float]:
    gravity = 9.81
    spin = math.sqrt(MASS * gravity * ARM / ((ACROSS + MASS * ARM**2 - ALONG) * math.cos(TILT)))
    x, z = ARM * math.sin(TILT), -ARM * math.cos(TILT)

    m = gd.Mechanism("conical pendulum", planar=False, gravity=(0, 0, -gravity), start="given")
    rod = m.body("rod", mass=MASS, inertia=(ACROSS, ACROSS, ALONG), at=(x, 0, z), orientation=(0, -TILT, 0),
                 velocity=(0, spin * x, 0), spin=(0, 0, spin))  # fmt: skip
    m.spherical("ball", journal=rod, bearing=m.ground, at=(0, 0, 0), radius="10 mm")
    turn = 2 * math.pi / spin
    ideal = gd.simulate(m, duration=2 * turn)
    wall = gd.LankaraniNikravesh(gd.STEEL, restitution=0.7)
    loose = gd.simulate(m.refit(ball=gd.Clearance("0.1 mm", wall=wall)), duration=2 * turn)

    sinks = max(ideal["rod.z"]) - min(ideal["rod.z"])
    print(f"ideal: circles at {spin:.4f} rad/s, carries {ideal['ball.force'][-1]:.4f} N, height keeps to {sinks:.1e} m")
    print(f"loose: {len(loose.contacts)} contacts, at most {loose.peak('ball.force').value:.1f} N")
    gd.plot(loose, "mechanism", "rod.x", "rod.z", "ball.force").save("out/examples/conical.svg")
    return {"force": float(ideal["ball.force"][-1]), "sinks": float(sinks), "contacts": float(len(loose.contacts)),
            "loose peak": loose.peak("ball.force").value}  # fmt: skip


if __name__ == "__main__":
    main()
