"""A door that sags: two worn hinges, one above the other, carry its weight at half its width.

The weight W at the distance w/2 from the hinges pulls the upper pin out and presses the lower one in, each with
W w / (2 h), h apart; each carries W/2 as well. With play c a pin lies in its bore where the force points, at an angle
beta from the vertical with tan(beta) = w/h. So the upper pin is off by c sin(beta) to one side and the lower one to the
other, the door leans by 2 c sin(beta) / h, and both have come down by c cos(beta).
"""

import math

import gudgeon as gd
from gudgeon.analysis import equilibrium

WIDTH, APART, MASS = 0.9, 1.6, 40.0  # [m], [m], [kg]
PLAY, RADIUS = 1.0e-3, 6e-3  # [m]


def door(play: float = PLAY) -> gd.Mechanism:
    """Seen from the front: x along the door, y up. A hinge holds both directions of this plane."""
    m = gd.Mechanism("door", gravity=(0, -9.81))
    leaf = m.body("leaf", mass=MASS, inertia=MASS * (WIDTH**2 + 2.0**2) / 12, at=(WIDTH / 2, 1.0))
    wall = gd.KelvinVoigt(stiffness="5e7 N/m", damping="5e3 N s/m")
    for name, height in (("lower", 0.2), ("upper", 0.2 + APART)):
        m.revolute(name, journal=leaf, bearing=m.ground, at=(0, height), radius=RADIUS, length="40 mm",
                   fit=gd.Clearance(play, wall=wall, friction=gd.SmoothCoulomb(0.2)))  # fmt: skip
    return m


def main() -> dict[str, float]:
    found = {}
    for play in (PLAY, 3 * PLAY):
        rest = equilibrium(door(play))
        lean, sinks = -rest["leaf.angle"], 1.0 - rest["leaf.y"]
        edge = sinks + WIDTH / 2 * math.sin(lean)
        print(f"play {1e3 * play:g} mm: leans {math.degrees(lean):.4f} deg, the edge hangs {1e3 * edge:.2f} mm low, "
              f"hinges carry {rest['lower.force']:.0f} and {rest['upper.force']:.0f} N")  # fmt: skip
        found |= {f"lean {1e3 * play:g}": lean, f"edge {1e3 * play:g}": edge, "upper": rest["upper.force"]}
    # let go from the middle of its play, it drops and settles
    run = gd.simulate(door(), duration="1 s", output="0.2 ms")
    figure = gd.plot(run, "mechanism", "leaf.angle", "upper.force", "lower.orbit", "upper.orbit")
    figure.save("out/examples/door_hinge.svg")
    return found | {"dropped": -float(run["leaf.angle"][-1]), "still": float(abs(run["leaf.spin"][-1]))}


if __name__ == "__main__":
    main()
