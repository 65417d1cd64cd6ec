"""A MacPherson strut: how much play the lower ball joint may have, and what its rear bushing does to it.

The arm hangs in two bushings, stiff in front and soft behind; the knuckle is held by the arm's ball joint, the track
rod and the strut, whose rod slides in the knuckle against a bump stop and turns in the top mount. A pad below the tyre
moves up and down by 20 mm, and the tyre pushes left and right in the same time.

The strut takes the weight, so that the ball is held by little more than the side force: every time it changes its sign
the ball crosses its play. Peak forces hardly tell; the wheel's acceleration across the car does.

Axes: x forward, y to the left, z up; a left wheel.
"""

import math

import gudgeon as gd

# joints [m]
FRONT, REAR, BALL = (0.02, 0.35, 0.20), (-0.28, 0.36, 0.20), (0.0, 0.71, 0.18)
TOP, SLIDE, SEAT = (-0.03, 0.58, 0.80), (-0.0175, 0.61375, 0.55), (-0.0125, 0.62725, 0.45)
RACK, STEER = (-0.12, 0.36, 0.24), (-0.14, 0.70, 0.24)
HUB, PATCH = (0.0, 0.75, 0.30), (0.0, 0.75, 0.0)
STIFF, SOFT = (12e6, 12e6, 1e6, 500.0, 500.0, 60.0), (8e5, 2e6, 1e6, 200.0, 200.0, 60.0)  # [N/m], [N m/rad]
DAMPING = (6e3, 6e3, 2e3, 3.0, 3.0, 3.0)  # [N s/m], [N m s/rad]
PERIOD = 0.5  # [s] of the road
SEATED = gd.KelvinVoigt(stiffness="50 kN/mm", damping="5 kN s/m")  # of a ball in its cup of plastic
BUMP = gd.KelvinVoigt(stiffness="300 N/mm", damping="500 N s/m")


def corner(play: float | str | None = "0.2 mm") -> gd.Mechanism:
    """play: radial clearance of the lower ball joint, None for an ideal one."""
    m = gd.Mechanism("MacPherson strut", planar=False, gravity=(0, 0, -9.81))
    arm = m.body("arm", mass=3.5, inertia=(0.05, 0.03, 0.07), at=(-0.05, 0.48, 0.19))
    knuckle = m.body("knuckle", mass=32.0, inertia=(0.9, 1.2, 0.9), at=(0.0, 0.72, 0.31))
    piston = m.body("piston", mass=2.0, inertia=(0.02, 0.02, 0.001), at=(-0.02, 0.60, 0.65))
    rod = m.body("rod", mass=0.7, inertia=(6e-3, 1e-4, 6e-3), at=(-0.13, 0.53, 0.24))
    pad = m.body("pad", mass=20.0, inertia=(1.0, 1.0, 1.0), at=PATCH)
    m.mount("front", journal=arm, bearing=m.ground, at=FRONT, axis=(1, 0, 0), fit=gd.Elastic(STIFF, damping=DAMPING))
    m.mount("rear", journal=arm, bearing=m.ground, at=REAR, axis=(0, 0, 1), fit=gd.Elastic(SOFT, damping=DAMPING))
    fit = gd.Ideal() if play is None else gd.Clearance(play, wall=SEATED)
    m.spherical("ball", journal=knuckle, bearing=arm, at=BALL, radius="13 mm", fit=fit)
    along = tuple(a - b for a, b in zip(TOP, SLIDE, strict=True))
    m.translational("strut", journal=piston, bearing=knuckle, at=SLIDE, axis=along, stop=gd.Stop("-60 mm", wall=BUMP))
    m.spherical("top", journal=piston, bearing=m.ground, at=TOP)
    m.universal("rack", journal=rod, bearing=m.ground, at=RACK, journal_axis=(1, 0, 0), bearing_axis=(0, 0, 1))
    m.spherical("steer", journal=rod, bearing=knuckle, at=STEER)
    m.translational("post", journal=pad, bearing=m.ground, at=PATCH, axis=(0, 0, 1))
    m.spring("spring", knuckle, m.ground, stiffness="25 kN/m", damping="1.8 kN s/m", free_length=0.5, at_i=SEAT,
             at_j=TOP)  # fmt: skip
    m.spring("tyre", knuckle, pad, stiffness="200 kN/m", damping="300 N s/m", at_i=HUB, at_j=PATCH, free_length=0.32)
    m.force(knuckle, (0, lambda t: 1500.0 * gd.sin(2 * math.pi / PERIOD * t), 0), at=PATCH, name="side")
    m.drive("post", motion=lambda t: 0.02 * gd.sin(2 * math.pi / PERIOD * t))
    return m


def main() -> dict[str, float]:
    study = gd.Study(
        corner(),
        vary={"ball.radial_clearance": ["0.05 mm", "0.2 mm", "0.4 mm"], "rear.stiffness.x": ["400 N/mm", "1600 N/mm"]},
        measure=["rms knuckle.ay", "peak ball.force"],
        duration=3 * PERIOD, after=2 * PERIOD, rtol=1e-8,
    )  # fmt: skip
    table = study.run("out/examples/strut", processes=0, progress=False)
    print(table.judge({"rms knuckle.ay": "2 m/s^2"}))
    found = {}
    for play, stiffness, ay, force in zip(
        *(table[name] for name in ("ball.radial_clearance", "rear.stiffness.x", "rms knuckle.ay", "peak ball.force")),
        strict=True,
    ):
        print(f"play {1e3 * play:.2f} mm, bushing {stiffness / 1e3:4.0f} N/mm: {ay:.3f} m/s², up to {force:.0f} N")
        found |= {f"ay {1e3 * play:g} {stiffness / 1e3:g}": ay, f"force {1e3 * play:g} {stiffness / 1e3:g}": force}
    tight, loose = (
        gd.simulate(corner(play), duration=3 * PERIOD, after=2 * PERIOD, rtol=1e-8) for play in (None, "0.4 mm")
    )
    found |= {"ideal ay": tight.rms("knuckle.ay"), "ideal force": tight.maximum("ball.force")}
    figure = gd.compare(tight, loose, "mechanism", "knuckle.ay", "ball.force", "ball.orbit")
    figure.save("out/examples/macpherson_strut.svg")
    return {name: float(value) for name, value in found.items()}


if __name__ == "__main__":
    main()
