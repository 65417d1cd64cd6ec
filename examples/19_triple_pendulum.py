"""Three arms in a chain with stops on every joint, let go from the horizontal: a finger that closes by its weight.

Stops keep each arm within 50 degrees of the one before, the first within 110 of where it began. Every hit takes the
energy that its law says, and nothing else does: what the arms have lost is what the contacts have taken.
"""

import gudgeon as gd

LENGTH, MASS = 0.3, 0.8  # of an arm [m], [kg]


def pendulum() -> gd.Mechanism:
    m = gd.Mechanism("triple pendulum", gravity=(0, -9.81))
    before = m.ground
    for k, limit in enumerate(("110 deg", "50 deg", "50 deg")):
        arm = m.body(f"arm{k + 1}", mass=MASS, inertia=MASS * LENGTH**2 / 12, at=((k + 0.5) * LENGTH, 0))
        m.revolute(f"joint{k + 1}", journal=arm, bearing=before, at=(k * LENGTH, 0))
        m.stop(f"joint{k + 1}", lower=f"-{limit}", upper=limit,
               wall=gd.ExactRestitution(stiffness=2e4, exponent=1.0, restitution=0.5))  # fmt: skip
        before = arm
    return m


def main() -> dict[str, float]:
    run = gd.simulate(pendulum(), duration="2 s", output="1 ms")
    taken = sum(record.energy_lost for record in run.contacts)
    lost = -float(run["energy.kinetic"][-1] + run["energy.potential"][-1] - run["energy.potential"][0])
    hits = {f"joint{k}": len(list(run.contacts.of(f"joint{k}"))) for k in (1, 2, 3)}
    print(f"hits in 2 s: {hits}; they took {taken:.4f} J, the arms lost {lost:.4f} J")
    figure = gd.plot(run, "mechanism", "arm1.angle", "arm2.angle", "arm3.angle", "energy")
    figure.save("out/examples/triple_pendulum.svg")
    first = run.contacts[0]
    return {"lost": lost, "first hit": first.t_on, "restitution": first.restitution, "taken": taken}


if __name__ == "__main__":
    main()
