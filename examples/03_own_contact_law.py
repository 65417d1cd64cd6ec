"""A contact law of your own, in your own script: a rubber cone with F = k depth^2 (1 + c rate).

It is compiled like the built-in ones and may be used in every joint. For a mass m that arrives with v0
the equation m v dv = -k depth^2 (1 + c v) d(depth) separates; the way in and the way out have the same
integral of depth^2, so the parting speed v1 follows from c v0 - ln(1 + c v0) = -c v1 - ln(1 - c v1),
whatever k and m are.
"""

from dataclasses import dataclass
from typing import ClassVar

import gudgeon as gd


@dataclass(frozen=True)
class RubberCone(gd.ContactLaw):
    """stiffness [N/m^2], damping [s/m]."""

    reference: ClassVar[str] = "this script"
    validity: ClassVar[str] = "Shown for the form of a law, not measured on rubber."

    stiffness: float
    damping: float

    @staticmethod
    def force(depth, rate, rate0, p):
        # p holds the fields in their order
        return p[0] * depth * depth * (1.0 + p[1] * rate)


def bump(damping: float) -> gd.Run:
    """A carriage of 1 kg runs into the buffer at 2 m/s."""
    m = gd.Mechanism("carriage", start="given")
    carriage = m.body("carriage", mass=1.0, inertia=1e-3, at=(0, 0), velocity=(2.0, 0))
    m.translational("rail", journal=carriage, bearing=m.ground, at=(0, 0), axis=(1, 0))
    m.stop("rail", upper="20 mm", wall=RubberCone(stiffness=1e8, damping=damping))
    return gd.simulate(m, duration="50 ms")


def main() -> dict[str, float]:
    runs = [bump(0.0), bump(0.2)]
    elastic, damped = (run.contacts[0] for run in runs)
    print(f"without damping: {elastic.max_depth * 1e3:.3f} mm deep, {elastic.peak_force:.1f} N")
    print(f"with damping: back at {-damped.speed_off:.4f} m/s, {damped.energy_lost:.4f} J lost")
    gd.plot(runs[1], "mechanism", "carriage.vx", "rail.hysteresis").save("out/examples/own_contact_law.svg")
    return {"depth": elastic.max_depth, "peak": elastic.peak_force, "parting speed": -damped.speed_off}


if __name__ == "__main__":
    main()
