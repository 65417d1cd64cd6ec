"""A sealing jaw on a four-bar, 240 strokes a minute: where it stands when it closes, with a new and with a worn pin.

The jaw is the rocker. Play c in the pin between coupler and rocker lets the rocker turn by d, as far as the journal can
go along the coupler: the coupler acts across the rocker of length L with the sine of the transmission angle mu between
both, so that c shifts the jaw by c / (L sin(mu)) to either side of where it should be, as long as nothing swings.
"""

import math

import gudgeon as gd

CRANK, COUPLER, ROCKER, FRAME = 0.05, 0.22, 0.15, 0.20  # [m]
START = math.radians(60)


def rocker_end(angle: float) -> tuple[float, float]:
    """Where the circles of coupler and rocker meet, above the frame."""
    ax, ay = CRANK * math.cos(angle), CRANK * math.sin(angle)
    dx, dy = FRAME - ax, -ay
    d = math.hypot(dx, dy)
    along = (COUPLER**2 - ROCKER**2 + d * d) / (2 * d)
    high = math.sqrt(COUPLER**2 - along**2)
    return ax + along * dx / d - high * dy / d, ay + along * dy / d + high * dx / d


def four_bar(clearance: str | None = None) -> gd.Mechanism:
    crank_pin = (CRANK * math.cos(START), CRANK * math.sin(START))
    end = rocker_end(START)
    m = gd.Mechanism("packaging four-bar", gravity=(0, -9.81))
    crank = m.body("crank", mass=0.5, inertia=4e-4, at=(crank_pin[0] / 2, crank_pin[1] / 2), angle=START)
    middle = ((crank_pin[0] + end[0]) / 2, (crank_pin[1] + end[1]) / 2)
    coupler = m.body("coupler", mass=0.6, inertia=2.6e-3, at=middle)
    jaw = m.body("jaw", mass=1.5, inertia=6e-3, at=((FRAME + end[0]) / 2, end[1] / 2))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("crank_pin", journal=crank, bearing=coupler, at=crank_pin)
    m.revolute("pin", journal=coupler, bearing=jaw, at=end, radius="8 mm", length="20 mm")
    m.revolute("pivot", journal=jaw, bearing=m.ground, at=(FRAME, 0))
    m.drive("main", speed="240 rpm")
    if clearance is None:
        return m
    wall = gd.LankaraniNikravesh((gd.STEEL, gd.BRONZE), restitution=0.8)
    return m.refit(pin=gd.Clearance(clearance, wall=wall, friction=gd.ModifiedCoulomb(0.1)))


def main() -> dict[str, float]:
    options = {"revolutions": 2, "output": "0.1 ms"}
    ideal = gd.simulate(four_bar(), **options)
    found = {}
    for name, clearance in (("new", "0.02 mm"), ("worn", "0.2 mm")):
        run = gd.simulate(four_bar(clearance), **options)
        error = abs(run["jaw.angle"] - ideal["jaw.angle"])[len(run.t) // 2 :].max()
        found |= {f"{name} error": float(error), f"{name} force": run.maximum("pin.force")}
        off, force = math.degrees(error), run.maximum("pin.force")
        print(f"{name:<5} jaw off by up to {off:.4f} deg, pin force up to {force:.0f} N")
    print(f"ideal pin force up to {ideal.maximum('pin.force'):.0f} N")
    figure = gd.compare(ideal, run, "mechanism", "jaw.spin", "main.torque", "pin.orbit")
    figure.save("out/examples/packaging_four_bar.svg")
    return found | {"ideal force": ideal.maximum("pin.force")}


if __name__ == "__main__":
    main()
