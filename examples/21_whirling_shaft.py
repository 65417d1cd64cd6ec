"""A shaft above its critical speed: damping that turns with it drives its whirl, damping that stands still calms it.

A disc of mass m sits in the middle of a shaft of stiffness k, which turns with W above w = sqrt(k/m). The material of
the shaft resists rates of strain too, as if they were strains of the time mu. With the disc at u = y + i z and rates as
the turning shaft sees them, its force is k (u + mu (u' - i W u)), and

    m u'' + k mu (u' - i W u) + k u = 0,      u = exp((i w + s) t),      s = mu w (W - w) / 2

grows above the critical speed (Kimball 1924). A bearing that gives a little and damps is fixed to the frame, and takes
more than the shaft brings: one field is changed.
"""

import math

import numpy as np

import gudgeon as gd
from gudgeon.analysis import modes

LENGTH, DIAMETER, MASS, ECCENTRICITY, MU = 0.5, 8e-3, 1.0, 2e-5, 2e-4  # [m], [m], [kg], [m], [s]
SOFT = gd.Bushing(gd.LinearLiner(stiffness="50 N/mm", damping="100 N s/m"),
                  conical=gd.LinearLiner(stiffness=2e3, damping=0.0))  # fmt: skip


def rotor(speed: float = 367.0) -> gd.Mechanism:
    """Along x, weight down z; both ends are held in direction, the right one slides along the shaft."""
    m = gd.Mechanism("rotor", planar=False, gravity=(0, 0, -9.81))
    shaft = m.beam("shaft", a=(0, 0, 0), b=(LENGTH, 0, 0), section=gd.SpatialSection.circle(DIAMETER, gd.STEEL),
                   elements=2, order=2, damping=MU, spin=(speed, 0, 0))  # fmt: skip
    disc = m.body("disc", mass=MASS, inertia=(1.25e-3, 6.5e-4, 6.5e-4), at=(LENGTH / 2, ECCENTRICITY, 0),
                  spin=(speed, 0, 0), velocity=(0, 0, speed * ECCENTRICITY))  # fmt: skip
    m.rigid("hub", journal=disc, bearing=shaft, at=(LENGTH / 2, 0, 0))
    m.revolute("left", journal=shaft, bearing=m.ground, at=(0, 0, 0), axis=(1, 0, 0))
    m.cylindrical("right", journal=shaft, bearing=m.ground, at=(LENGTH, 0, 0), axis=(1, 0, 0), radius="4 mm",
                  length="8 mm")  # fmt: skip
    m.drive("left", speed=speed)
    return m


def whirl(run: gd.Run, speed: float) -> tuple[float, float]:
    """How fast the whirl of the second half grows [1/s], without what turns with the shaft, which is unbalance; and how
    far the disc comes from where it hangs [m]."""
    late = run.after(0.5 * run.t[-1])
    u = np.asarray(late["disc.y"]) + 1j * np.asarray(late["disc.z"])
    known = np.stack([np.ones(len(u)), np.exp(1j * speed * late.t)], axis=1)
    sag, unbalance = np.linalg.lstsq(known, u, rcond=None)[0]
    free = np.abs(u - known @ (sag, unbalance))
    return float(np.polyfit(late.t, np.log(free), 1)[0]), float(np.abs(u - sag).max())


def main() -> dict[str, float]:
    critical = 2 * math.pi * modes(rotor(), at="start").frequencies[0]
    speed = 1.5 * critical
    print(f"critical speed {critical:.1f} rad/s, the shaft turns with {speed:.1f} rad/s")
    growth = MU * critical * (speed - critical) / 2
    stiff, soft = (gd.simulate(m, duration="1 s", output="0.5 ms") for m in
                   (rotor(speed), rotor(speed).refit(right=SOFT)))  # fmt: skip
    found = {"critical": critical, "theory": growth}
    for name, run in (("rigid bearing", stiff), ("bearing that gives", soft)):
        rate, width = whirl(run, speed)
        print(f"{name}: the whirl grows by {rate:+.2f}/s (theory without such a bearing {growth:+.2f}/s), "
              f"up to {1e3 * width:.3f} mm off at last")  # fmt: skip
        found |= {f"{name}, growth": rate, f"{name}, width": width}
    figure = gd.compare(stiff, soft, "mechanism", "disc.y", "disc.z", "left.torque")
    figure.save("out/examples/whirling_shaft.svg")
    return found


if __name__ == "__main__":
    main()
