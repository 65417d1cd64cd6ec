"""The big end of a four-stroke engine: how thin its oil film gets, and what it costs.

Gas pushes on the piston once in two turns, F = F0 exp(k (cos(phi/2) - 1)) at the crank angle phi, which is F0 at top
dead centre, falls to a tenth of it within 45 degrees of the crank, and leaves almost nothing else. Inertia pulls the
piston back and forth with about m r w^2 twice a turn. The film must carry both. The journal's centre circles in its
clearance, far from the middle where the load is high, and the shear of the oil takes power all the time: about 2 pi mu
w^2 l r^3 / c (Petroff), more where the journal is off the middle.
"""

import math

import gudgeon as gd

SPEED = 3000 * math.pi / 30  # [rad/s]
GAS, SHARPNESS = 15e3, 30.0  # [N], [-]
RADIUS, LENGTH, CLEARANCE, VISCOSITY = 0.024, 0.022, 30e-6, 0.012  # [m], [m], [m], [Pa s]


def gas(t, s):
    return -GAS * gd.exp(SHARPNESS * (gd.cos(0.5 * s["main.travel"]) - 1.0))


def engine() -> gd.Mechanism:
    m = gd.Mechanism("engine")
    crank = m.body("crank", mass=1.2, inertia=2e-3, at=(0.01, 0))
    rod = m.body("rod", mass=0.5, inertia=1.7e-3, at=(0.08, 0))
    piston = m.body("piston", mass=0.4, inertia=4e-4, at=(0.18, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    film = gd.Lubricated(CLEARANCE, film=gd.Moes(VISCOSITY))
    m.revolute("big_end", journal=crank, bearing=rod, at=(0.04, 0), radius=RADIUS, length=LENGTH, fit=film)
    m.revolute("pin", journal=rod, bearing=piston, at=(0.18, 0))
    m.translational("bore", journal=piston, bearing=m.ground, at=(0.18, 0), axis=(1, 0))
    m.drive("main", speed=SPEED)
    m.force(piston, (gas, 0.0), name="gas")
    return m


def main() -> dict[str, float]:
    turn = 2 * math.pi / SPEED
    run = gd.simulate(engine(), revolutions=4, output=turn / 720, method="radau", rtol=1e-6)
    late = run.after(2 * turn)  # the second working cycle, no longer the start
    thinnest = late.lowest("big_end.film_thickness")
    loss = float(late["big_end.power_loss"].mean())
    print(f"thinnest film {1e6 * thinnest.value:.2f} um, {math.degrees(SPEED * thinnest.time) % 720:.0f} deg of 720")
    pressure = 1e-6 * late.maximum("big_end.peak_pressure")
    print(f"largest force {late.maximum('big_end.force'):.0f} N, peak pressure {pressure:.0f} MPa")
    print(f"the oil takes {loss:.0f} W")
    gd.plot(late, "mechanism", "big_end.film_thickness", "big_end.force", "big_end.power_loss", "big_end.orbit").save(
        "out/examples/engine_film.svg"
    )
    return {
        "thinnest": thinnest.value,
        "loss": loss,
        "force": late.maximum("big_end.force"),
        "evaluations": float(run.evidence.evaluations),
    }


if __name__ == "__main__":
    main()
