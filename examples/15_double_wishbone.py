"""A double-wishbone corner of a car: what rubber bushings do to the wheel when the car is turned and braked.

Each wishbone is held to the chassis by two bushings (mounts with six stiffnesses), the upright by ball joints and a
track rod. The tyre pushes up; after one second it also pushes sideways and backwards. With ideal hinges the wheel has
one motion left, that of the spring; with rubber it also toes, leans and gives way sideways.

Axes: x forward, y to the left, z up; a left wheel.
"""

import math

import numpy as np

import gudgeon as gd

# joints [m]: two bushings and the ball of each wishbone, both ends of the track rod, the spring, the tyre's patch
LOWER = {"front": (0.18, 0.35, 0.20), "rear": (-0.16, 0.35, 0.20), "ball": (0.0, 0.72, 0.18)}
UPPER = {"front": (0.14, 0.42, 0.46), "rear": (-0.12, 0.42, 0.45), "ball": (-0.02, 0.68, 0.48)}
RACK, STEER = (-0.12, 0.36, 0.22), (-0.13, 0.70, 0.21)
SEAT, TOWER = (0.0, 0.58, 0.20), (0.0, 0.45, 0.62)
PATCH = (0.0, 0.76, 0.0)
CENTRE = (0.0, 0.74, 0.32)  # of mass of the upright
RUBBER = (6e6, 6e6, 8e5, 400.0, 400.0, 30.0)  # [N/m], softer along the sleeve's axis; [N m/rad]
DAMPING = (6e3, 6e3, 2e3, 2.0, 2.0, 2.0)  # [N s/m], [N m s/rad]
STRAIGHT, CURVE = (0.0, 0.0, 4000.0), (-500.0, -3000.0, 0.0)  # at the patch [N], and what comes to it


def middle(*points: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(float(x) for x in np.mean(points, axis=0))


def corner(rubber: float | None = 1.0) -> gd.Mechanism:
    """rubber: a factor on the stiffness of the bushings but for turning in them, None for ideal hinges."""
    m = gd.Mechanism("double wishbone", planar=False, gravity=(0, 0, -9.81))
    lower = m.body("lower", mass=4.0, inertia=(0.05, 0.04, 0.08), at=middle(*LOWER.values()))
    upper = m.body("upper", mass=2.0, inertia=(0.02, 0.02, 0.03), at=middle(*UPPER.values()))
    upright = m.body("upright", mass=25.0, inertia=(0.8, 0.9, 0.8), at=CENTRE)
    rod = m.body("rod", mass=0.6, inertia=(6e-3, 1e-4, 6e-3), at=middle(RACK, STEER))
    for name, arm, points in (("lower", lower, LOWER), ("upper", upper, UPPER)):
        axis = tuple(float(x) for x in np.subtract(points["front"], points["rear"]))
        if rubber is None:
            hinge = middle(points["front"], points["rear"])
            m.revolute(f"{name}_hinge", journal=arm, bearing=m.ground, at=hinge, axis=axis)
        else:
            for end in ("front", "rear"):
                fit = gd.Elastic([rubber * k for k in RUBBER[:5]] + [RUBBER[5]], damping=DAMPING)
                m.mount(f"{name}_{end}", journal=arm, bearing=m.ground, at=points[end], axis=axis, fit=fit)
        m.spherical(f"{name}_ball", journal=upright, bearing=arm, at=points["ball"])
    along = np.subtract(STEER, RACK)
    across = np.cross(along, (0, 0, 1))
    m.universal("rack", journal=rod, bearing=m.ground, at=RACK, journal_axis=tuple(map(float, across)),
                bearing_axis=tuple(map(float, np.cross(across, along))))  # fmt: skip
    m.spherical("steer", journal=rod, bearing=upright, at=STEER)
    m.spring("spring", lower, m.ground, stiffness="45 kN/m", damping="6 kN s/m", at_i=SEAT, at_j=TOWER,
             free_length=math.dist(SEAT, TOWER) + 0.11)  # fmt: skip
    m.force(upright, STRAIGHT, at=PATCH, name="tyre")
    side = [lambda t, f=f: 0.5 * f * (1.0 + gd.tanh((t - 1.2) / 0.05)) for f in CURVE]
    m.force(upright, tuple(side), at=PATCH, name="curve")
    return m


def pose(run: gd.Run, row: int) -> np.ndarray:
    """Toe and camber [rad], and the patch's place across the car [m]: the upright's axes were those of the world."""
    e0, e1, e2, e3 = (run[f"upright.e{k}"][row] for k in range(4))
    turn = np.array([[1 - 2 * (e2**2 + e3**2), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
                     [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1**2 + e3**2), 2 * (e2 * e3 - e0 * e1)],
                     [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1**2 + e2**2)]])  # fmt: skip
    axle, arm = turn @ (0.0, 1.0, 0.0), turn @ np.subtract(PATCH, CENTRE)
    return np.array([math.atan2(-axle[0], axle[1]), math.asin(axle[2]), run["upright.y"][row] + arm[1]])


def curve(rubber: float | None) -> tuple[gd.Run, np.ndarray]:
    """The run, and what the curve changes."""
    run = gd.simulate(corner(rubber), duration="2.2 s", output="2 ms", rtol=1e-7)
    return run, pose(run, -1) - pose(run, int(np.searchsorted(run.t, 0.95)))


def main() -> dict[str, float]:
    runs, found = {}, {}
    for name, rubber in (("ideal", None), ("rubber", 1.0)):
        runs[name], (toe, camber, sideways) = curve(rubber)
        found |= {f"{name} toe": toe, f"{name} camber": camber, f"{name} sideways": sideways}
        print(f"{name:<6} in the curve: toe {math.degrees(toe):+.4f} deg, camber {math.degrees(camber):+.4f} deg, "
              f"patch {1e3 * sideways:+.3f} mm sideways")  # fmt: skip
    gd.compare(runs["ideal"], runs["rubber"], "mechanism", "upright.z", "upright.y", "lower_ball.force").save(
        "out/examples/double_wishbone.svg"
    )
    return {name: float(value) for name, value in found.items()}


if __name__ == "__main__":
    main()
