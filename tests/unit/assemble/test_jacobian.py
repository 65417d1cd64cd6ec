"""The Jacobian of the equations of motion against differences of the right-hand side."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import Baumgarte, Needs, System, assemble, call_address
from gudgeon.compile.native import scalar
from gudgeon.papers import flores2007, schwab2002

CENTRAL = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))  # sixth order


def loose_guide() -> gd.Mechanism:
    """A slot with play and friction, a stop, springs and a drive given by its motion."""
    m = gd.Mechanism("loose guide", gravity=(0.0, -9.81))
    m.body("crank", mass=0.3, inertia=1e-4, at=(0.025, 0.0))
    m.body("rod", mass=0.2, inertia=2.5e-4, at=(0.11, 0.0))
    m.body("slider", mass=0.14, inertia=1e-4, at=(0.17, 0.0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal="crank", bearing="rod", at=(0.05, 0.0))
    m.revolute("pin", journal="rod", bearing="slider", at=(0.17, 0.0))
    play = gd.Clearance("0.1 mm", wall=gd.Flores2011(stiffness=1e9, restitution=0.8),
                        friction=gd.Stribeck(0.05, static_coefficient=0.1, v0=0.5, stribeck_speed=1.0))  # fmt: skip
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.17, 0.0), length="40 mm", width="20 mm",
                    fit=play)  # fmt: skip
    m.stop("guide", lower="-0.1 mm", upper="0.1 mm", wall=gd.KelvinVoigt(1e7, 200.0))
    m.spring("spring", "slider", m.ground, stiffness=1e3, damping=5.0, at_i=(0.17, 0.0), at_j=(0.3, 0.02))
    m.torsion_spring("twist", "big", stiffness=3.0, damping=0.02)
    m.force("slider", (lambda t: 3.0 * gd.sin(100.0 * t), 2.0), frame="body")
    m.drive("main", motion=lambda t: 30.0 * t + 0.2 * gd.sin(90.0 * t))
    return m


def soft_joints() -> gd.Mechanism:
    """A bushing with a wall, LuGre friction behind a liner, a drive given by its speed."""
    m = gd.Mechanism("soft joints")
    m.body("crank", mass=0.3, inertia=1e-4, at=(0.025, 0.0))
    m.body("rod", mass=0.2, inertia=2.5e-4, at=(0.11, 0.0))
    m.body("slider", mass=0.14, inertia=1e-4, at=(0.17, 0.0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    soft = gd.Bushing(gd.PolynomialLiner((1e7, 1e11), 1e3), wall=gd.Hertz(stiffness=1e10), thickness="0.3 mm")
    m.revolute("big", journal="crank", bearing="rod", at=(0.05, 0.0), radius="10 mm", fit=soft)
    wall = gd.ContactTable((0.0, 1e-4, 3e-4, 1e-3), (0.0, 1e3, 5e3, 3e4), interpolation="cubic", restitution=0.7)
    rub = gd.LuGre(0.05, static_coefficient=0.08, stribeck_speed=1.0, damping=0.1)
    m.revolute("pin", journal="rod", bearing="slider", at=(0.17, 0.0), radius="10 mm",
               fit=gd.Clearance("0.1 mm", wall=wall, friction=rub, liner=gd.LinearLiner(1e7, 10.0),
                                liner_thickness="0.02 mm"))  # fmt: skip
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.17, 0.0))
    m.drive("main", speed=lambda t: 300.0 * gd.tanh(500.0 * t))
    return m


def motors() -> gd.Mechanism:
    """Two motors with gears, one on a link that moves, and a controller that may reach its limit."""
    m = gd.Mechanism("motors", gravity=(0.0, -9.81))
    m.body("one", mass=0.3, inertia=1e-3, at=(0.1, 0.0), angle=0.2)
    m.body("two", mass=0.2, inertia=2e-3, at=(0.3, 0.1))
    m.body("three", mass=0.2, inertia=2e-3, at=(0.5, 0.1))
    m.revolute("main", journal="one", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("elbow", journal="two", bearing="one", at=(0.2, 0.0))
    m.revolute("wrist", journal="three", bearing="two", at=(0.4, 0.2))
    m.motor(
        "main", voltage=lambda t: 20.0 * gd.sin(300.0 * t), resistance=2.0, back_emf=0.5, rotor_inertia=1e-4, gear=3
    )
    m.motor("elbow", voltage=12.0, resistance=2.0, inductance=0.1, back_emf=0.3, torque_constant=0.2,
            rotor_inertia=2e-4, gear=-5)  # fmt: skip
    m.controller("wrist", speed=0.5, gain=0.4, integral=3.0, limit=0.3)
    return m


def read_loads() -> gd.Mechanism:
    """Loads that read positions and speeds, those of a driven crank among them."""
    m = schwab2002.ideal()
    crank, rod, slider = m.bodies
    joint = next(name for name, x in m.joints.items() if x.kind.name == "translational")
    m.force(slider, (f"-(40 N)*step({joint}.travel, -10 mm, 15 mm)*tanh({slider}.vx/(0.3 m/s))", 0.0), at=(0.01, 0.02))
    m.force(rod, (lambda t, s: -3.0 * gd.absolute(s[f"{slider}.vx"]) * s[f"{rod}.vx"], f"-(2 N s/m)*{rod}.vy"))
    m.torque(rod, f"-(0.2 Nm s)*rate({crank}.angle*{slider}.x)/(0.1 m)", reaction=crank)
    return m


def stiffening(depth: float, cubic: float) -> float:
    """A helper of the user's law."""
    return depth * (1.0 + cubic * depth**2)


@dataclass(frozen=True)
class Progressive(gd.ContactLaw):
    """A user's law, written where it is used: stiffness [N/m], cubic [1/m^2], loss [s/m]."""

    reference: ClassVar[str] = "made up for this test, 2026"
    validity: ClassVar[str] = "Nowhere."
    stiffness: float = 1e7
    cubic: float = 1e8
    loss: float = 0.3

    @staticmethod
    def force(depth: float, rate: float, rate0: float, p) -> float:
        total = p[0] * stiffening(depth, p[1])
        if rate > 0.0:
            total *= 1.0 + p[2] * math.atan(rate)
        return total


CASES = {
    "ideal": schwab2002.ideal,
    "Schwab 2002": schwab2002.hertz,
    "Flores 2007, friction": lambda: flores2007.slider_crank(friction=0.05),
    "Flores 2007, four-bar": lambda: flores2007.four_bar(friction=gd.SmoothCoulomb(0.1, v0=1.0), gravity=True),
    "loose guide": loose_guide,
    "soft joints": soft_joints,
    "motors": motors,
    "loads that read the motion": read_loads,
    "user's law": lambda: schwab2002.ideal().refit(pin=gd.Clearance("0.5 mm", wall=Progressive())),
}


def rhs(system: System, t: float, y: np.ndarray, m: np.ndarray) -> np.ndarray:
    out = np.zeros(system.states)
    call_address(system.addresses["rhs"], t, y, system.p, m, out)
    return out[: system.controlled]


def exact(system: System, t: float, y: np.ndarray, m: np.ndarray) -> np.ndarray:
    out = np.full((system.controlled, system.states), np.nan)
    call_address(system.addresses["jacobian"], t, y, system.p, m, out)
    return out


def differences(system: System, t: float, y: np.ndarray, m: np.ndarray, steps: np.ndarray) -> np.ndarray:
    columns = []
    for k, h in enumerate(steps):
        unit = h * (np.arange(system.states) == k)
        changes = [c * (rhs(system, t, y + n * unit, m) - rhs(system, t, y - n * unit, m)) for n, c in CENTRAL]
        columns.append(sum(changes) / h)
    return np.stack(columns, axis=1)


def depths(system: System, t: float, y: np.ndarray, m: np.ndarray) -> np.ndarray:
    out = np.zeros(max(1, 3 * system.events))
    call_address(system.addresses["gaps"], t, y, system.p, m, out)
    return out[: 3 * system.events : 3]


def mismatch(a: np.ndarray, b: np.ndarray, steps: np.ndarray, largest: float) -> float:
    """Largest difference, each row against its largest entry, columns by the size of a step. `largest` acceleration:
    its rounding is all there is in some rows, such as that of a driven crank."""
    scale = np.abs(b * steps).max(axis=1, keepdims=True)
    return float((np.abs(a - b) * steps / np.maximum(scale, 3e-8 * largest)).max())


def states_to_compare(system: System, mode: float, count: int = 4):
    """Random states where differences of two step lengths agree, so that no kink is near, and means of differences.
    With mode 1 each of them has a contact, where the mechanism has any."""
    random = np.random.default_rng(7)
    n, c = system.positions, system.controlled
    # a depth of micrometres wants small steps; without one, longer steps lose fewer digits
    length, speed = (1e-7, 1e-4) if mode > 0.0 else (3e-5, 3e-2)
    steps = np.concatenate([np.full(n, length), np.full(n, speed), np.full(system.states - 2 * n, 1e-8)])
    m = np.tile([mode, 0.3], max(1, system.events))[: system.memory]
    found = 0
    for _ in range(400):
        y = system.y0.copy()
        y[:n] += random.normal(size=n) * 6e-4
        y[n : 2 * n] += random.normal(size=n)
        y[2 * n : c] += random.normal(size=c - 2 * n) * 1e-6
        touching = mode > 0.0 and (depths(system, 2e-3, y, m) > 0.0).any()
        if system.events and touching != (mode > 0.0):
            continue
        coarse = differences(system, 2e-3, y, m, steps)
        size = np.abs(rhs(system, 2e-3, y, m)).max()
        if mismatch(coarse, differences(system, 2e-3, y, m, 0.6 * steps), steps, size) < 1e-7:
            # the mean of several step lengths has a third of the rounding of one
            several = [differences(system, 2e-3, y, m, f * steps) for f in np.linspace(0.6, 1.0, 10)]
            yield y, m, np.mean(several, axis=0), (steps, size)
            found += 1
            if found == count:
                return
    raise AssertionError("no states without a kink nearby")


@pytest.mark.parametrize("mode", [0.0, 1.0], ids=["free", "touching"])
@pytest.mark.parametrize("name", CASES)
def test_jacobian_equals_differences(name, mode):
    system = assemble(CASES[name](), Needs(jacobian=True))
    for y, m, expected, scale in states_to_compare(system, mode):
        assert mismatch(exact(system, 2e-3, y, m), expected, *scale) < 1e-7


def test_feedback_of_the_constraints_is_part_of_it():
    system = assemble(soft_joints(), Needs(jacobian=True), stabilisation=Baumgarte(50.0, 70.0))
    plain = assemble(soft_joints(), Needs(jacobian=True))
    for y, m, expected, scale in states_to_compare(system, 1.0):
        found = exact(system, 2e-3, y, m)
        assert mismatch(found, expected, *scale) < 1e-7
        assert mismatch(exact(plain, 2e-3, y, m), expected, *scale) > 1e-5


def test_a_free_contact_gives_no_stiffness():
    """The guards of a law guard its derivatives: mode 0, and mode 1 at negative depth."""
    system = assemble(schwab2002.hertz(), Needs(jacobian=True))
    apart = exact(system, 0.0, system.y0, np.array([0.0, 0.3]))
    waiting = exact(system, 0.0, system.y0, np.array([1.0, 0.3]))
    assert depths(system, 0.0, system.y0, np.array([1.0, 0.3]))[0] < 0.0
    assert np.array_equal(apart, waiting)
    pressed = system.y0.copy()
    slider = list(system.mechanism.bodies).index("slider")
    pressed[3 * slider] += 0.5e-3 + 1e-6
    touching = exact(system, 0.0, pressed, np.array([1.0, 0.3]))
    # K 1.5 sqrt(depth) / mass of about 65.8e9 N/m^1.5, 1 um deep and 0.145 kg
    stiffness = -touching[system.positions + 3 * slider, 3 * slider]
    assert stiffness == pytest.approx(1.5 * 65.8e9 * 1e-3 / 0.145, rel=0.1)
    assert abs(apart[system.positions + 3 * slider, 3 * slider]) < 1e-9 * stiffness


def test_layout():
    """Rows for what is under error control, columns for every state; integrals feed nothing back."""
    system = assemble(soft_joints(), Needs(jacobian=True))
    assert system.states > system.controlled > 2 * system.positions
    found = exact(system, 1e-3, system.y0, np.zeros(system.memory))
    assert found.shape == (system.controlled, system.states)
    assert np.isfinite(found).all()
    assert not found[:, system.controlled :].any()
    n = system.positions
    assert np.array_equal(found[:n, n : 2 * n], np.eye(n))


def test_nothing_is_traced_unless_asked_for(monkeypatch):
    def refuse(*_):
        raise AssertionError("a derivative was asked for")

    monkeypatch.setattr(scalar, "tangent", refuse)
    assert "jacobian" not in assemble(loose_guide()).addresses


def test_operations_of_the_slider_crank():
    """The factors of the equations serve all columns: 426 operations, four right-hand sides instead of eighteen."""
    operations = assemble(schwab2002.hertz(), Needs(jacobian=True)).code.operations
    assert operations["jacobian"] <= 426
    assert operations["jacobian"] <= 4 * operations["rhs"]
