"""Rows, rates and gyroscopic forces of space in two mechanisms whose motion is known from minimal coordinates.

The spatial slider-crank of the IFToMM library (Ambrosio and Pombo 2018, section 3.1) with the three readings of its
universal joint, ideal and with a loose bearing until its first touch; and the spatial four-bar of Flores et al. 2006.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gudgeon.assemble import call_address
from gudgeon.assemble.solve.equations import Equations, Solution
from gudgeon.compile.graph import Graph, Module, llvm
from gudgeon.space.mate import Sizes, SpatialMate
from gudgeon.space.spatial import Ground, Place, RigidBody, Rotation, Vector, rotation_matrix
from gudgeon.space.spatial.ball import Ball
from gudgeon.space.spatial.geometry.rotation import IDENTITY, parameters_of
from gudgeon.space.spatial.geometry.triad import Triad, direction, on_body, triad
from gudgeon.space.spatial.sleeve import Sleeve

X, Y, Z = Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0)
GRAVITY = Vector(0.0, 0.0, -9.81)


@dataclass
class Described:
    """A body as described: centre, axes and principal moments about them."""

    at: Vector
    mass: float
    moments: tuple[float, float, float]
    axes: Rotation = IDENTITY


@dataclass
class Machine:
    """Bodies of space joined by ideal mates."""

    described: list[Described]
    graph: Graph = field(default_factory=Graph)

    def __post_init__(self) -> None:
        n = len(self.described)
        q, v = self.graph.inputs("y", 7 * n), self.graph.inputs("y", 6 * n, 7 * n)
        self.bodies = [
            RigidBody(q[7 * k : 7 * k + 7], v[6 * k : 6 * k + 6], b.mass, b.moments)
            for k, b in enumerate(self.described)
        ]
        self.equations = Equations(self.graph, self.graph.input("t"), self.bodies)
        for k, body in enumerate(self.bodies):
            for n, x in enumerate(body.weight(GRAVITY)):
                self.equations.force[6 * k + n] = self.equations.force[6 * k + n] + x
        self.q0 = np.array([x for b in self.described for x in (*b.at, *parameters_of(b.axes))])

    def place(self, k: int | None, point: Vector, axes: Triad) -> Place:
        if k is None:
            return Place(Ground().frame, point, *axes)
        b = self.described[k]
        return Place(self.bodies[k].frame, b.axes.back(point - b.at), *on_body(b.axes, axes))

    def join(self, name: str, mates: str, i: int | None, j: int | None, at: Vector, axes: Triad) -> None:
        sides = self.place(i, at, axes), self.place(j, at, axes)
        for mate in mates.split():
            self.equations.constrain(f"{name}.{mate}", SpatialMate.registry[mate].rows(*sides))

    def compiled(self, outputs: dict):
        module = Module(self.graph, outputs, 0)
        addresses = llvm.compile_module(module)
        p, none = np.zeros(module.prepared + 1), np.zeros(1)
        call_address(addresses["prepare"], 0.0, none, p, none, p)

        def call(name: str, y: np.ndarray) -> np.ndarray:
            out = np.zeros(len(outputs[name]))
            call_address(addresses[name], 0.0, np.ascontiguousarray(y), p, none, out)
            return out

        return call

    def moving(self, value: float, column: int) -> tuple[Solution, np.ndarray]:
        """The start with one velocity given: the others follow from the rows."""
        eq = self.equations
        solution = eq.solve()
        rows = [eq.gradient(c.value) for c in eq.constraints]
        entries = [row.get(k, self.graph.zero) for row in rows for k in range(len(eq.v))]
        y = np.concatenate([self.q0, np.zeros(len(eq.v))])
        call = self.compiled({"rows": [c.value for c in eq.constraints], "jacobian": entries})
        assert np.abs(call("rows", y)).max() < 1e-15
        jacobian = call("jacobian", y).reshape(len(rows), -1)
        pinned = np.vstack([jacobian, np.eye(len(eq.v))[column]])
        right = np.zeros(len(pinned))
        right[-1] = value
        velocity, _, rank, _ = np.linalg.lstsq(pinned, right, rcond=1e-12)
        assert rank == min(pinned.shape)
        return solution, np.concatenate([self.q0, velocity])


def until_touch(call, start: np.ndarray, max_step: float) -> tuple[float, np.ndarray]:
    """Free flight up to the first touch: its time and the state."""

    def touching(t: float, y: np.ndarray) -> float:
        return call("depth", y).max()

    touching.terminal = True
    run = solve_ivp(lambda t, y: call("rhs", y), (0.0, 0.1), start, method="DOP853", rtol=1e-12, atol=1e-13,
                    max_step=max_step, events=touching)  # fmt: skip
    return run.t_events[0][0], run.y_events[0][0]


A, B, C = Vector(0.0, 0.1, 0.12), Vector(0.0, 0.1, 0.2), Vector(0.2, 0.0, 0.0)
ROD = direction(tuple(C - B))
# first arm (in the slider), rod inertia about (rod, second arm, across), start of the acceleration, energy, x(0.5 s)
MODELS = {
    "P": (Z, (4e-4, 4e-3, 4e-3), -25.669565217, 0.76662, 0.1850412378, 0.2078958407),
    "G": (X, (4e-4, 4e-3, 4e-3), -25.684190589, 0.76643568, 0.1849526298, 0.2117216614),
    "M": (X, (4e-3, 4e-3, 4e-4), -26.446241088, 0.7656984, 0.1886173756, 0.2363628560),
}


def slider_crank(arm: Vector, moments: tuple[float, float, float], *, loose: bool = False) -> Machine:
    second = direction(tuple(arm.cross(ROD)))
    rod = Rotation.of_columns(ROD, second, ROD.cross(second))
    machine = Machine(
        [
            Described(Vector(0.0, 0.1, 0.16), 0.12, (1e-4, 1e-4, 1e-5)),
            Described((B + C) * 0.5, 0.5, moments, rod),
            Described(C, 2.0, (1e-4, 1e-4, 1e-4)),
        ]
    )
    if not loose:
        machine.join("A", "sleeve shoulder", 0, None, A, triad(X))
    machine.join("B", "ball", 0, 1, B, triad(X))
    machine.join("C", "ball key", 1, 2, C, (second, arm, second.cross(arm)))
    machine.join("DE", "sleeve key", 2, None, C, triad(X))
    return machine


@pytest.mark.parametrize("model", MODELS)
def test_slider_crank_starts_and_moves_as_known(model):
    arm, moments, acceleration, energy, *positions = MODELS[model]
    machine = slider_crank(arm, moments)
    assert len(machine.equations.constraints) == 17
    solution, y = machine.moving(6.0, 3)
    eq = machine.equations
    total = machine.graph.zero
    for body in machine.bodies:
        total = total + body.kinetic_energy() + body.potential_energy(GRAVITY)
    call = machine.compiled(
        {"rhs": [*eq.rates, *solution.accelerations], "energy": [total], "shift": solution.projection()}
    )
    assert call("rhs", y)[21 + 3] == pytest.approx(acceleration, rel=1e-10)
    assert call("energy", y)[0] == pytest.approx(energy, rel=1e-8)
    for x in positions:
        y = solve_ivp(lambda t, y: call("rhs", y), (0.0, 0.5), y, method="DOP853", rtol=1e-10, atol=1e-11).y[:, -1]
        y[:39] += call("shift", y)[:39]
        for k, body in enumerate(machine.bodies):
            y[7 * k : 7 * k + 7] = body.unit(y[7 * k : 7 * k + 7].tolist())
        assert y[14] == pytest.approx(x, abs=1e-8)
        assert call("energy", y)[0] == pytest.approx(energy, rel=1e-7)


# bearing length, radial clearance, time and closing speed of the first touch: the crank flies free until then
FIRST_TOUCHES = [
    (0.1, 1e-3, 0.013628382, 0.14813977),
    (0.1, 1e-6, 0.000435331, 0.00459587),
    (0.02, 1e-3, 0.016321903, 0.12486587),
    (0.02, 1e-4, 0.005232211, 0.03848235),
    (0.02, 1e-6, 0.000526462, 0.00380162),
]


@pytest.mark.parametrize(("length", "gap", "time", "speed"), FIRST_TOUCHES)
def test_a_loose_sleeve_at_the_crank_touches_first_when_and_as_fast_as_known(length, gap, time, speed):
    """The journal of the crank in a bearing of 10 mm radius and 10 strips; the last strip is the first to touch."""
    arm, moments, *_ = MODELS["P"]
    _, start = slider_crank(arm, moments).moving(6.0, 3)
    machine = slider_crank(arm, moments, loose=True)
    eq = machine.equations
    solution = eq.solve()
    sides = machine.place(0, A, triad(X)), machine.place(None, A, triad(X))
    touches = Sleeve.touches(*sides, Sizes(radius=0.01, length=length, gap=gap, strips=10))
    call = machine.compiled({
        "rhs": [*eq.rates, *solution.accelerations],
        "depth": [touch.opening - gap for touch in touches], "rate": [touch.rate for touch in touches],
    })  # fmt: skip

    first, end = until_touch(call, start, time / 20)
    assert first == pytest.approx(time, abs=1e-9)
    assert int(call("depth", end).argmax()) == 9
    assert call("rate", end)[9] == pytest.approx(speed, abs=6e-9)  # printed to 8 decimals


CORNERS = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.02), Vector(-0.075, -0.085, 0.065), Vector(-0.04, -0.085, 0.0)


def four_bar(*, loose: bool = False) -> Machine:
    """Geometry as assumed in the reference; the second axes of coupler and rocker lie along the link."""
    a, b, c, d = CORNERS

    def along(first: Vector, second: Vector) -> Rotation:
        h, t, axis = triad(direction(tuple(second - first)))
        return Rotation.of_columns(t, axis, h)

    machine = Machine(
        [
            Described((a + b) * 0.5, 0.0196, (3.92e-5, 1.97e-5, 1.97e-5)),
            Described((b + c) * 0.5, 0.1416, (1.7743e-3, 3.51e-5, 1.7743e-3), along(b, c)),
            Described((c + d) * 0.5, 0.0316, (1.456e-4, 2.9e-6, 1.456e-4), along(d, c)),
        ]
    )
    machine.join("A", "sleeve shoulder", 0, None, a, triad(X))
    machine.join("B", "ball", 0, 1, b, triad(X))
    if not loose:
        machine.join("C", "ball", 1, 2, c, triad(X))
    machine.join("D", "sleeve shoulder", 2, None, d, triad(Y))
    return machine


def test_four_bar_is_released_with_the_known_accelerations_and_forces():
    machine = four_bar()
    solution = machine.equations.solve()
    names = [constraint.name for constraint in machine.equations.constraints]
    at = {name: k for k, name in enumerate(names)}
    call = machine.compiled({"a": solution.accelerations, "l": solution.multipliers})
    y = np.concatenate([machine.q0, np.zeros(18)])
    accelerations, multipliers = call("a", y), call("l", y)
    assert accelerations[3] == pytest.approx(40.64994386, rel=1e-9)
    turning = rotation_matrix(machine.q0[17:21].tolist()) @ Vector(*accelerations[15:18])
    assert turning.y == pytest.approx(-20.94088017, rel=1e-9)
    # rows of a ball are bearing less journal: the journal gets minus the multiplier
    on_coupler = [-multipliers[at[f"C.ball.{x}"]] for x in "xyz"]
    assert on_coupler == pytest.approx([-0.39532071, -0.14121790, 0.69204337], rel=1e-7)
    # the rocker hangs on the coupler and on the ground
    from_ground = [0.0316 * a + f for a, f in zip(accelerations[12:15], on_coupler, strict=True)]
    from_ground[2] += 0.0316 * 9.81
    assert from_ground == pytest.approx([-0.41682699, -0.14121790, 0.99045906], rel=1e-7)


def test_a_loose_ball_of_the_four_bar_touches_first_when_and_as_fast_as_known():
    """Impact 1 of the reference: 0.5 mm of clearance, released at rest with concentric ball and socket."""
    machine, gap = four_bar(loose=True), 5e-4
    eq = machine.equations
    solution = eq.solve()
    sides = machine.place(1, CORNERS[2], triad(X)), machine.place(2, CORNERS[2], triad(X))
    (touch,) = Ball.touches(*sides, Sizes(radius=0.01, gap=gap))
    call = machine.compiled(
        {
            "rhs": [*eq.rates, *solution.accelerations],
            "depth": [touch.opening - gap],
            "rate": [touch.rate * touch.along],
        }
    )
    first, end = until_touch(call, np.concatenate([machine.q0, np.zeros(18)]), 1e-3)
    assert first == pytest.approx(0.0177303067, abs=1e-9)
    assert call("rate", end)[0] == pytest.approx(0.05640251, abs=6e-9)
