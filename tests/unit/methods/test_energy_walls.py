"""Energy and decay at hard walls and in brief steps: no run stops, no energy appears, friction follows its law."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_energy_statement import bouncing
from test_energy_with_states import FITS, WALL, slider

import gudgeon as gd
from gudgeon.assemble.contact.multipliers import MARGIN
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.methods.implicit.energy.method import Decay, Energy

GRAVITY = 9.81


def hard_wall(restitution: float) -> gd.ExactRestitution:
    return gd.ExactRestitution(stiffness=1e9, restitution=restitution)


def loose(restitution: float, friction: object = None) -> gd.Mechanism:
    """A slider-crank on a drive, with play and a hard wall between rod and slider."""
    return slider(fit=gd.Clearance(2e-4, wall=hard_wall(restitution), friction=friction))


def hung(restitution: float, friction: object = None) -> gd.Mechanism:
    """A body of space that hangs loose in a ball joint."""
    m = gd.Mechanism("bob in a loose ball", planar=False, gravity=(0.0, 0.0, -GRAVITY))
    bob = m.body("bob", mass=1.2, inertia=(0.02, 0.03, 0.015), at=(0.3, 0.0, 0.0), velocity=(0.0, 0.4, 0.0))
    m.spherical("pivot", journal=bob, bearing=m.ground, at=(0.0, 0.0, 0.0), radius=0.02)
    return m.refit(pivot=gd.Clearance(1e-3, wall=hard_wall(restitution), friction=friction))


def guided(friction: object) -> gd.Mechanism:
    """A block that slides at 2 m/s and falls onto one jaw of a loose guide."""
    m = gd.Mechanism("block in a loose guide", gravity=(0.0, -GRAVITY), start="given")
    block = m.body("block", mass=2.0, inertia=0.01, at=(0.0, 0.0), velocity=(2.0, 0.0))
    m.translational("guide", journal=block, bearing=m.ground, at=(0.0, 0.0), axis=(1.0, 0.0), length=0.1, width=0.05)
    return m.refit(guide=gd.Clearance(1e-3, wall=hard_wall(0.2), friction=friction))


def bristled(play: float, restitution: float, coefficient: float, stiffness: float, speed: float) -> gd.Mechanism:
    law = gd.LuGre(
        coefficient, static_coefficient=round(1.5 * coefficient, 3), stiffness=stiffness, stribeck_speed=speed
    )
    return slider(fit=gd.Clearance(play, wall=gd.HuntCrossley(stiffness=5e9, restitution=restitution), friction=law))


def steps(run: gd.Run) -> np.ndarray:
    """Changes of the energy balance from one row to the next, relative to the largest kinetic energy."""
    return np.asarray(np.diff(run["energy.balance"]) / run["energy.kinetic"].max())


# those that stopped, among brief steps or by impacts that were none
STOPPED = [("ring", e) for e in (0.05, 0.1393)] + [("crank", e) for e in (0.0945, 0.1144, 0.5721, 0.7463, 0.7562)]
GRID = [("ring", e) for e in np.linspace(0.01, 0.99, 30)] + [("crank", e) for e in np.linspace(0.005, 0.995, 60)]
MADE = {"ring": (bouncing, 1.0), "crank": (loose, 0.2), "space": (hung, 0.5)}


def at_walls(name: str, restitution: float, method: type[gd.Method]) -> gd.Run:
    make, duration = MADE[name]
    return gd.simulate(make(restitution), duration=duration, method=method(rtol=1e-4, hard=True))


@pytest.mark.parametrize("name, restitution", [*STOPPED, ("space", 0.05), ("space", 0.6)])
def test_energy_at_hard_walls_goes_through(name, restitution):
    run = at_walls(name, restitution, Energy)
    assert run.complete and len(run.contacts) > 2
    assert np.abs(steps(run)).max() < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("method", [Energy, Decay])
def test_no_restitution_stops(method):
    worst = 0.0
    for name, restitution in GRID:
        found = steps(at_walls(name, restitution, method))
        worst = max(worst, np.abs(found).max() if method is Energy else found.max())
    assert worst < 1e-12


BRISTLES = [(5e-5, 0.3, 0.4, 3e4, 1e-3), (5e-5, 0.8, 0.1, 1e5, 1e-2), (2e-4, 0.3, 0.1, 1e5, 1e-3)]


@pytest.mark.parametrize("method", [Energy, Decay])
@pytest.mark.parametrize("numbers", BRISTLES)
def test_coarse_steps_with_bristles_go_through(method, numbers):
    """Events are sought among steps of which some cannot be solved: what is kept belongs to the length that is kept."""
    run = gd.simulate(bristled(*numbers), duration=0.2, method=method(rtol=1e-3, step=1e-3))
    found = steps(run)
    assert (np.abs(found).max() if method is Energy else found.max()) < 1e-9
    assert np.abs(run["crank.angle"] - 60.0 * run.t).max() < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("method", [Energy, Decay])
def test_no_bristles_stop(method):
    for play in (5e-5, 2e-4):
        for restitution in (0.3, 0.8):
            for coefficient in (0.1, 0.4):
                for stiffness in (1e4, 3e4, 1e5, 3e5):
                    for speed in (1e-3, 1e-2):
                        m = bristled(play, restitution, coefficient, stiffness, speed)
                        assert gd.simulate(m, duration=0.2, method=method(rtol=1e-3, step=1e-3)).complete


def rubbed(law: object) -> gd.Mechanism:
    return slider(fit=gd.Clearance(2e-4, wall=WALL, friction=law))


def powered(voltage: object = 24.0, torque_constant: float = 0.25, inductance: float = 5e-3) -> gd.Mechanism:
    """A slider-crank with a motor of 0.2 V s/rad, whose torque constant may be another number."""
    m = slider("none")
    m.motor("main", voltage=voltage, resistance=0.5, back_emf=0.2, torque_constant=torque_constant,
            inductance=inductance, rotor_inertia=1e-4, gear=2.0)  # fmt: skip
    return m


def pushed() -> gd.Mechanism:
    """A slider-crank on a drive, with a force that turns with the rod and changes fast."""
    m = slider()
    m.force("rod", (lambda t: 30.0 * gd.sin(900.0 * t), 5.0), point=(0.01, 0.02), frame="body")
    return m


def hum(t: Any) -> Any:
    return 24.0 + 10.0 * gd.sin(700.0 * t)


DISSIPATIVE = {
    "motor": powered(torque_constant=0.2),
    "motor, constants differ": powered(),
    "motor, constants differ much": powered(torque_constant=0.1),
    "motor without inductance": powered(inductance=0.0),
    "motor on a voltage that changes": powered(hum),
    "without inductance either": powered(hum, inductance=0.0),
    "force that changes": pushed(),
    "drive": slider(),
    "ramp": slider("ramp"),
    "controller": slider("controller"),
    "controller and play": slider("controller", fit=gd.Clearance(2e-4, wall=WALL, friction=gd.SmoothCoulomb(0.1))),
    **{name: slider(fit=fit) for name, fit in FITS.items()},
    "coulomb": rubbed(gd.SmoothCoulomb(0.2)),
    "stribeck": rubbed(gd.Stribeck(0.2, static_coefficient=0.3)),
}


@pytest.mark.parametrize("method", [Decay(rtol=1e-3, step=1e-3), Decay(rtol=1e-6)], ids=["coarse", "fine"])
@pytest.mark.parametrize("name", DISSIPATIVE)
def test_the_balance_of_decay_never_rises(name, method):
    """By no more than rounding, also where forces change much between the stages of a step."""
    found = steps(gd.simulate(DISSIPATIVE[name], duration=0.1, method=method))
    assert found.max() < 1e-13 and found.sum() < 0.0


@pytest.mark.parametrize("inductance", [5e-3, 0.0])
def test_the_lines_of_a_motor_are_those_of_radau(inductance):
    """Work of the supply, heat, and what is lost on the way: of the second order in the step, each for itself."""
    m, errors = powered(hum, inductance=inductance), []
    exact = gd.simulate(m, duration=0.05, method="radau", rtol=1e-10, output=5e-3)
    for step in (2e-4, 1e-4):
        run = gd.simulate(m, duration=0.05, method=Decay(rtol=1e-2, step=step), output=5e-3)
        lines = (f"energy.{name}" for name in ("electrical", "copper", "conversion"))
        errors.append([np.abs(run[x] - exact[x]).max() / np.abs(exact[x]).max() for x in lines])
    assert max(errors[0]) < 2e-3 and np.max(np.divide(errors[1], errors[0])) < 0.3


def test_a_turn_on_a_drive_has_no_work():
    m = gd.Mechanism("disc on a drive")
    disc = m.body("disc", mass=1.0, inertia=0.02, at=(0.1, 0.0))
    m.revolute("shaft", journal=disc, bearing=m.ground, at=(0.0, 0.0))
    m.drive("shaft", speed=60.0)
    run = gd.simulate(m, duration=0.1, method=Decay(rtol=1e-2, step=1e-3))
    assert np.abs(run["energy.drive"]).max() < 1e-4 * run["energy.kinetic"][0]


LAWS = [gd.SmoothCoulomb(0.3, v0=1e-4), gd.ModifiedCoulomb(0.3), gd.Stribeck(0.3, static_coefficient=0.4)]


@pytest.mark.parametrize("method", [Energy, Decay, Alpha])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_a_block_slides_on_a_hard_wall_as_by_hand(law, method):
    """Weight on the jaw, m g; deceleration 0.3 g; work of friction 0.3 m g times the way."""
    run = gd.simulate(guided(law), duration=0.3, method=method(rtol=1e-7, hard=True))
    lasting = run.t > 0.1
    assert all(r.t_on < 0.1 for r in run.contacts)
    t, v, x = (run[name][lasting] if name != "t" else run.t[lasting] for name in ("t", "block.vx", "block.x"))
    weight = 2.0 * GRAVITY
    assert np.abs(v - (v[0] - 0.3 * GRAVITY * (t - t[0]))).max() < 1e-9
    pressed = run["guide.front_right.normal"] + run["guide.rear_right.normal"]
    assert np.abs(pressed[lasting] - weight).max() < 1e-7 * weight
    work = run["energy.friction"][lasting]
    assert np.abs(work - work[0] - 0.3 * weight * (x - x[0])).max() < 1e-9
    if method is not Alpha:
        total = run["energy.kinetic"] + run["energy.potential"] + run["energy.friction"]
        assert np.diff(total).max() < 2.0 * MARGIN * weight  # a wall takes hold at this depth, and pushes back to zero
        assert np.abs(steps(run)).max() < 1e-12  # what it gives counted


@pytest.mark.parametrize("method", [Energy, Decay])
@pytest.mark.parametrize("make", [loose, hung])
@pytest.mark.parametrize("restitution", [0.1, 0.7150])
def test_friction_of_hard_walls_only_takes(make, method, restitution):
    """Also where the slip comes to rest; in space it has components."""
    run = gd.simulate(make(restitution, gd.SmoothCoulomb(0.2)), duration=0.2, method=method(rtol=1e-4, hard=True))
    assert run["energy.friction"][-1] > 0.0 and np.diff(run["energy.friction"]).min() > -1e-12
    found = steps(run)
    assert (np.abs(found).max() if method is Energy else found.max()) < 1e-11


def test_what_lies_across_the_constraints_is_no_speed_of_approach():
    """A ring without restitution losses keeps its energy, also that of velocities across a wall that lets go."""
    run = gd.simulate(bouncing(1.0), duration=0.5, method=Energy(rtol=1e-4, hard=True))
    total = run["energy.kinetic"] + run["energy.potential"]
    assert len(run.contacts) > 20 and np.ptp(total) < 1e-9 * total[0]


@pytest.mark.parametrize("method", [Energy, Decay])
def test_bushings_are_in_the_ledger_beside_hard_walls(method):
    """Their forces over a step were those of one state, and what they took was in no account."""
    m = gd.Mechanism("arms", gravity=(0.0, -9.81))
    m.body("bob", mass=1.0, inertia=0.01, at=(0.5, 0.0))
    soft = gd.Bushing(gd.LinearLiner(stiffness=1e5, damping=50.0))
    m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0), fit=soft)
    m.body("arm", mass=1.0, inertia=0.01, at=(1.5, 0.0))
    m.revolute("elbow", journal="arm", bearing="bob", at=(1.0, 0.0))
    m.stop("elbow", lower=-0.2, wall=gd.LankaraniNikravesh(stiffness=1e6, restitution=0.5))
    run = gd.simulate(m, duration=0.1, method=method(rtol=1e-6, hard=True))
    assert float(run["energy.liner"][-1]) > 1e-5
    assert run.evidence.balance < (1e-9 if method is Energy else 1e-6) * run.evidence.energy_scale
