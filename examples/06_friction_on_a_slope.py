"""A block on a slope that is less steep than its friction: it should come to rest and stay.

Sliding down with v0, it loses energy until its weight along the slope and friction balance. Laws without
stiction balance only while moving: SmoothCoulomb creeps with v0 atanh(tan(slope)/mu), ModifiedCoulomb
with v0 + (v1 - v0) tan(slope)/mu. LuGre bends its bristles by z = tan(slope)/sigma0 instead and stands
still. The work of friction is in every case the energy lost: m v^2/2 plus weight along the slope times
way.
"""

import math

import gudgeon as gd

SLOPE, MU = math.radians(10.0), 0.3
LAWS = {
    "SmoothCoulomb": gd.SmoothCoulomb(MU, v0="5 mm/s"),
    "ModifiedCoulomb": gd.ModifiedCoulomb(MU, v0="1 mm/s", v1="10 mm/s"),
    "LuGre": gd.LuGre(MU, static_coefficient=0.35, stiffness=1e4, damping=20.0),
}


def slide(friction: gd.FrictionLaw) -> gd.Run:
    """The slope lies along x and gravity leans instead; the block starts on it with 0.5 m/s."""
    gravity = (9.81 * math.sin(SLOPE), -9.81 * math.cos(SLOPE))
    m = gd.Mechanism("block", gravity=gravity, start="given")
    block = m.body("block", mass=1.0, inertia=2e-3, at=(0, -1e-3), velocity=(0.5, 0))
    # a law with a damper of its own: one scaled by the speed of first touch says nothing of a block that lies
    wall = gd.KelvinVoigt(stiffness="1e6 N/m", damping="500 N s/m")
    fit = gd.Clearance("1 mm", wall=wall, friction=friction)
    m.translational("floor", journal=block, bearing=m.ground, journal_point=(0, 0), bearing_point=(0, 0),
                    axis=(1, 0), length=0.2, width=0.05, fit={"slot": fit})  # fmt: skip
    return gd.simulate(m, duration="1 s")


def main() -> dict[str, float]:
    found = {}
    for name, law in LAWS.items():
        run = slide(law)
        way, speed, work = run["block.x"][-1], run["block.vx"][-1], run["energy.friction"][-1]
        print(f"{name:<16} way {way * 1e3:.3f} mm, then {speed * 1e3:.6f} mm/s, friction took {work:.5f} J")
        figure = gd.plot(run, "mechanism", "block.vx", "energy", window=(0.0, 0.3), title=name)
        figure.save(f"out/examples/slope_{name}.svg")
        found |= {f"{name} speed": float(speed), f"{name} way": float(way), f"{name} work": float(work)}
    return found


if __name__ == "__main__":
    main()
