"""A loaded shaft in an oil film: where it settles, and what the film costs.

Under a steady load W the journal of a short bearing rests at the eccentricity ratio e that solves

    W = mu w r L^3 / (4 c^2) e / (1 - e^2)^2 sqrt(16 e^2 + pi^2 (1 - e^2))          (Ocvirk 1952)

beside the load, not below it. The film is stiff, so an implicit method carries it.
"""

import gudgeon as gd

LOAD, SPEED = 50.0, 100.0  # [N], [rad/s]
RADIUS, LENGTH, CLEARANCE, VISCOSITY = 0.010, 0.010, 20e-6, 0.02  # [m], [m], [m], [Pa s]


def bearing() -> gd.Mechanism:
    m = gd.Mechanism("journal bearing", start="given")
    shaft = m.body("shaft", mass=1.0, inertia=1e-4, at=(0, 0), spin=SPEED)
    film = gd.Lubricated(CLEARANCE, film=gd.Ocvirk(VISCOSITY))
    m.revolute("bore", journal=shaft, bearing=m.ground, at=(0, 0), radius=RADIUS, length=LENGTH, fit=film)
    m.drive("bore", speed=SPEED)
    m.force(shaft, (0.0, -LOAD))
    return m


def main() -> dict[str, float]:
    run = gd.simulate(bearing(), duration="2 s", output="1 ms", method="radau")

    print(run.evidence)
    gd.plot(run, "mechanism", "bore.eccentricity", "bore.film_thickness", "bore.power_loss", "bore.orbit").save(
        "out/examples/journal.svg"
    )
    ratio, loss = float(run["bore.eccentricity"][-1]), float(run["bore.power_loss"][-1])
    print(f"settles at eccentricity ratio {ratio:.4f}, loses {loss:.3f} W")
    return {"ratio": ratio, "loss": loss, "evaluations": float(run.evidence.evaluations)}


if __name__ == "__main__":
    main()
