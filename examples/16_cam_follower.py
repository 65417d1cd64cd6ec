"""A roller that jumps off its cam: an eccentric disk turns below a roller which a spring holds down.

While they touch, centre of the disk and centre of the roller are l = R + r apart, so that the follower moves like a
slider-crank, y = e sin(wt) + sqrt(l^2 - e^2 cos^2(wt)). At the top its acceleration is -e w^2 (1 + e/l): the spring
preload F0 + k (y - y0) must give m times that, less the weight. Faster, the roller leaves the cam near its top and
lands hard.
"""

import math

import gudgeon as gd

ECCENTRICITY, CAM, ROLLER = 0.008, 0.030, 0.012  # [m]
MASS, STIFFNESS, PRELOAD = 0.35, 15e3, 60.0  # [kg], [N/m], [N]
GRAVITY = 9.81


def limit() -> float:
    """Speed [rad/s] at which nothing presses at the top any more."""
    l = CAM + ROLLER
    spring = PRELOAD + STIFFNESS * ((ECCENTRICITY + l) - math.sqrt(l * l - ECCENTRICITY**2))
    return math.sqrt((spring + MASS * GRAVITY) / (MASS * ECCENTRICITY * (1 + ECCENTRICITY / l)))


def cam(speed: float) -> gd.Mechanism:
    """Begins with the eccentric to the right: the roller stands above the axis, at sqrt(l^2 - e^2)."""
    height = math.sqrt((CAM + ROLLER) ** 2 - ECCENTRICITY**2)
    m = gd.Mechanism("cam", gravity=(0, -GRAVITY), start="given")
    disk = m.body("disk", mass=1.0, inertia=5e-4, at=(0, 0), spin=speed)
    follower = m.body("follower", mass=MASS, inertia=1e-4, at=(0, height), velocity=(0, ECCENTRICITY * speed))
    m.revolute("shaft", journal=disk, bearing=m.ground, at=(0, 0))
    m.drive("shaft", speed=speed)
    m.translational("guide", journal=follower, bearing=m.ground, at=(0, height), axis=(0, 1))
    wall = gd.KelvinVoigt(stiffness="2e7 N/m", damping="1500 N s/m")
    m.contact("cam", journal=follower, bearing=disk, journal_point=(0, 0), bearing_point=(ECCENTRICITY, 0),
              journal_radius=ROLLER, radius=CAM, fit=gd.Touching(wall=wall))  # fmt: skip
    m.spring("spring", follower, m.ground, stiffness=STIFFNESS, at_i=(0, height), at_j=(0, height + 0.1),
             preload=-PRELOAD)  # fmt: skip
    return m


def main() -> dict[str, float]:
    critical = limit()
    runs = {share: gd.simulate(cam(share * critical), revolutions=3, output="20 us") for share in (0.9, 1.2)}
    jumps = {}
    for share, run in runs.items():
        late = run.after(2 * math.pi / (share * critical))  # the first turn settles
        jumps[share] = sum(record.t_on > late.t[0] for record in run.contacts)
        print(f"{share:.1f} of {critical * 30 / math.pi:.0f} rpm: {jumps[share]} landings in two turns, "
              f"cam force {late.minimum('cam.normal'):.0f} to {late.maximum('cam.normal'):.0f} N")  # fmt: skip
    slow = runs[0.9]
    gd.compare(slow, runs[1.2], "mechanism", "follower.y", "cam.normal").save("out/examples/cam_follower.svg")
    late = slow.after(2 * math.pi / (0.9 * critical))
    return {
        "limit": critical,
        "lift": float(late["follower.y"].max() - late["follower.y"].min()),
        "least force": late.minimum("cam.normal"),
        "slow landings": float(jumps[0.9]),
        "fast landings": float(jumps[1.2]),
        "fast force": runs[1.2].after(2 * math.pi / (1.2 * critical)).maximum("cam.normal"),
    }


if __name__ == "__main__":
    main()
