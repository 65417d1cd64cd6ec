"""An engine that runs by itself: gas that knows the crank angle, a fan, and a governor.

Nothing drives the crank. Gas pushes on the piston once in two turns, 20 degrees after top dead centre, and a governor
takes the gas back between two speeds; a fan takes a torque that grows with the square of the speed:

    F = F0 exp(k (cos(phi/2 - 10 deg) - 1)) g,      g = 1 up to 290 rad/s, 0 from 330 rad/s on,      M = c w^2

Over two turns the gas gives g times the integral of F dx, whatever the speed, and the fan takes 4 pi c w^2. Where both
are the same is the speed of the engine, but for the little by which the flywheel lets it swing.
"""

import math

import numpy as np

import gudgeon as gd

CRANK, ROD = 0.04, 0.14  # [m]
GAS, SHARPNESS, LATE = 15e3, 30.0, math.radians(10)  # [N], [-], [rad]
FAN, SLOW, FAST = 1e-4, 290.0, 330.0  # [N m s^2], [rad/s], [rad/s]


def governor(speed):
    return 1.0 - gd.step(speed, SLOW, FAST)


def gas(t, s):
    pulse = gd.exp(SHARPNESS * (gd.cos(0.5 * s["main.travel"] - LATE) - 1.0))
    return -GAS * pulse * governor(s["crank.spin"])


def fan(t, s):
    return -FAN * s["crank.spin"] * gd.absolute(s["crank.spin"])


def engine() -> gd.Mechanism:
    m = gd.Mechanism("governed engine")
    crank = m.body("crank", mass=8.0, inertia=0.5, at=(0, 0), spin=280.0)
    rod = m.body("rod", mass=0.5, inertia=1.7e-3, at=(0.08, 0))
    piston = m.body("piston", mass=0.4, inertia=4e-4, at=(CRANK + ROD, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("big_end", journal=crank, bearing=rod, at=(CRANK, 0))
    m.revolute("pin", journal=rod, bearing=piston, at=(CRANK + ROD, 0))
    m.translational("bore", journal=piston, bearing=m.ground, at=(CRANK + ROD, 0), axis=(1, 0))
    m.force(piston, (gas, 0.0), name="gas")
    m.torque(crank, fan, name="fan")
    return m


def gas_work() -> float:
    """What the gas gives in two turns with the governor open [J]."""
    phi = np.linspace(0.0, 4.0 * math.pi, 20001)
    force = -GAS * np.exp(SHARPNESS * (np.cos(0.5 * phi - LATE) - 1.0))
    rod = np.sqrt(ROD**2 - (CRANK * np.sin(phi)) ** 2)
    slope = -CRANK * np.sin(phi) - CRANK**2 * np.sin(phi) * np.cos(phi) / rod
    return float(np.trapezoid(force * slope, phi))


def balanced_speed() -> float:
    """Where the gas gives what the fan takes [rad/s], by bisection."""
    low, high, work = SLOW, FAST, gas_work()
    for _ in range(60):
        w = 0.5 * (low + high)
        low, high = (w, high) if work * governor(w) > 4.0 * math.pi * FAN * w * w else (low, w)
    return low


def main() -> dict[str, float]:
    run = gd.simulate(engine(), duration=4.0, output=2e-4)
    late = run.after(3.0)
    turned = late["main.travel"]
    mean = float((turned[-1] - turned[0]) / (late.t[-1] - late.t[0]))
    swing = float(np.ptp(late["crank.spin"]))
    print(f"the gas gives {gas_work():.1f} J in two turns with the governor open")
    print(f"the engine runs at {mean:.2f} rad/s and swings by {swing:.2f} rad/s; expected {balanced_speed():.2f}")
    print(f"energy that nothing explains: {run.evidence.balance:.1e} J")
    gd.plot(run, "mechanism", "crank.spin", "energy.applied").save("out/examples/governed_engine.svg")
    return {"mean": mean, "swing": swing, "expected": balanced_speed(), "balance": run.evidence.balance}


if __name__ == "__main__":
    main()
