"""A robot's elbow with backlash in its gear: a motor swings the arm to and fro, and the arm follows late.

Between shaft and arm the gear has play b to each side: a joint that is rigid but for a loose key. At every reversal the
shaft crosses 2 b before it takes the arm along, and meets it with the speed it has won. What the encoder on the shaft
reports is then wrong by b at the arm, and by b times its length at the hand.
"""

import math

import gudgeon as gd

BACKLASH, ARM = math.radians(0.5), 0.4  # to each side [rad], [m]


def elbow(backlash: float | None = BACKLASH) -> gd.Mechanism:
    m = gd.Mechanism("elbow")
    shaft = m.body("shaft", mass=0.5, inertia=2e-3, at=(0, 0))
    arm = m.body("arm", mass=1.5, inertia=0.025, at=(ARM / 2, 0))
    m.revolute("bearing", journal=shaft, bearing=m.ground, at=(0, 0))
    m.rigid("gear", journal=arm, bearing=shaft, at=(0, 0))
    m.motor("bearing", voltage=lambda t: 20.0 * gd.sin(4 * math.pi * t), resistance="1.2 ohm", back_emf="0.06 V s/rad",
            inductance="0.8 mH", rotor_inertia=3e-5, gear=40)  # fmt: skip
    m.torsion_spring("drag", "bearing", stiffness=0.0, damping=0.4)
    if backlash is None:
        return m
    teeth = gd.KelvinVoigt(stiffness=4e4, damping=25.0)  # [N m/rad], [N m s/rad]
    return m.refit(gear={"key": gd.Clearance(angular_clearance=backlash, wall=teeth)})


def main() -> dict[str, float]:
    ideal, real = (gd.simulate(elbow(b), duration="1.5 s", output="0.2 ms") for b in (None, BACKLASH))
    late = real.after(0.5)
    lost = late["arm.angle"] - late["shaft.angle"]
    hits = [record for record in real.contacts if record.t_on > 0.5 and record.speed_on > 0.01]
    print(f"arm against shaft {math.degrees(lost.min()):+.3f} to {math.degrees(lost.max()):+.3f} deg")
    print(f"the hand is off by up to {1e3 * ARM * abs(lost).max():.2f} mm; {len(hits)} hits, "
          f"the hardest {max(r.peak_force for r in hits):.0f} N m")  # fmt: skip
    figure = gd.compare(ideal, real, "mechanism", "arm.angle", "arm.spin", "bearing.current")
    figure.save("out/examples/robot_joint.svg")
    return {
        "lost": float(lost.max() - lost.min()),
        "hits": float(len(hits)),
        "hardest": max(r.peak_force for r in hits),
        "deepest": max(r.max_depth for r in real.contacts),
    }


if __name__ == "__main__":
    main()
