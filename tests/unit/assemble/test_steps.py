"""Functions of steps: work is the change of energy, forces inside a mechanism have no resultant, tangents are right."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import Needs, assemble
from gudgeon.compile.graph.llvm import call_address
from gudgeon.model import Section

SECTION = Section(EA=1e4, GA=1e4, EI=500.0, mass=1.0, inertia=10.0)


class Pair:
    """A system between two states far apart."""

    def __init__(self, mechanism: gd.Mechanism, *, size: float, turn: float, mode: float = 0.0) -> None:
        self.s = assemble(mechanism, Needs(form="step"))
        self.n = n = self.s.velocities
        rng = np.random.default_rng(3)
        self.m = np.zeros(self.s.memory)
        self.m[0::2] = mode
        self.a = self.s.y0[:n] + 0.2 * size * rng.normal(size=n)
        self.b = self.a + size * rng.normal(size=n)
        self.b[2::3] += turn
        self.y = np.zeros(self.s.residual.longer)
        self.y[: self.s.states] = self.s.y0
        self.y[:n], self.y[self.s.states : self.s.states + n] = self.b, self.a

    def call(self, name: str, y: np.ndarray | None = None) -> np.ndarray:
        s, layout = self.s, self.s.residual.layout
        tangent = name.endswith("tangent")
        out = np.zeros(len(s.residual.plan.rows) if tangent else self.n + layout.rows + len(s.layout.integrals))
        call_address(s.addresses[name], 0.0, self.y if y is None else y, s.p, self.m, out)
        return out

    def channel(self, q: np.ndarray, name: str) -> float:
        y, out = self.s.y0.copy(), np.zeros(len(self.s.channels))
        y[: self.n] = q
        call_address(self.s.addresses["channels"], 0.0, y, self.s.p, self.m, out)
        return float(out[[c.name for c in self.s.channels].index(name)])

    @property
    def step(self) -> np.ndarray:
        found = self.b - self.a
        found[2::3] = 2.0 * np.tan(0.5 * found[2::3])
        return found


def beam(order: int) -> gd.Mechanism:
    m = gd.Mechanism("free beam")
    m.beam("beam", a=(0.0, 6.0), b=(8.0, 0.0), section=SECTION, elements=2, order=order)
    return m


def sprung() -> gd.Mechanism:
    m = gd.Mechanism("two bodies, a spring and a loose joint", start="given")
    one = m.body("one", mass=1.0, inertia=0.1, at=(0.0, 0.0))
    two = m.body("two", mass=2.0, inertia=0.2, at=(1.0, 0.0))
    m.spring("spring", one, two, at_i=(0.1, 0.2), at_j=(0.9, -0.1), stiffness=300.0, preload=4.0)
    m.revolute("pin", journal=one, bearing=two, at=(0.5, 0.0), radius=0.1, length=0.1)
    return m.refit(pin=gd.Clearance(1e-3, wall=gd.Hertz(stiffness=1e5)))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_forces_of_a_beam_are_exact_in_energy_and_momenta(order):
    pair = Pair(beam(order), size=0.3, turn=0.5)
    force, middle = pair.call("conservative")[: pair.n], 0.5 * (pair.a + pair.b)
    change = pair.channel(pair.b, "energy.potential") - pair.channel(pair.a, "energy.potential")
    assert force @ pair.step == pytest.approx(change, rel=1e-13)
    large = np.abs(force).max()
    assert abs(force[0::3].sum()) < 1e-13 * large and abs(force[1::3].sum()) < 1e-13 * large
    moment = force[2::3] + middle[0::3] * force[1::3] - middle[1::3] * force[0::3]
    assert abs(moment.sum()) < 1e-12 * large


def test_the_weight_of_the_end_takes_more():
    pair = Pair(beam(2), size=0.3, turn=0.5)
    change = pair.channel(pair.b, "energy.potential") - pair.channel(pair.a, "energy.potential")
    pair.y[pair.s.states + pair.n + 1] = 1.0
    assert pair.call("conservative")[: pair.n] @ pair.step > change + 1.0


def test_springs_and_contacts_are_exact_in_energy_and_momenta():
    pair = Pair(sprung(), size=0.02, turn=0.1, mode=1.0)
    force = pair.call("conservative")[: pair.n]
    depths = [pair.channel(q, "pin.depth") for q in (pair.a, pair.b)]
    assert min(depths) > 1e-3  # it touches at both ends
    stored = [
        pair.channel(q, "energy.potential") + 0.4e5 * d**2.5 for q, d in zip((pair.a, pair.b), depths, strict=True)
    ]
    assert force @ pair.step == pytest.approx(stored[1] - stored[0], rel=1e-12)
    middle = 0.5 * (pair.a + pair.b)
    moment = force[2::3] + middle[0::3] * force[1::3] - middle[1::3] * force[0::3]
    assert abs(moment.sum()) < 1e-12 * np.abs(force).max()


@pytest.mark.parametrize("make", [lambda: beam(2), sprung], ids=["beam", "spring and contact"])
@pytest.mark.parametrize("side", [0, 1])
def test_tangents_are_those_of_differences(make, side):
    pair = Pair(make(), size=0.02, turn=0.1, mode=1.0)
    layout, n, start = pair.s.residual.layout, pair.n, pair.s.states
    pair.y[layout.factors + side] = 1.0
    found = pair.s.residual.plan.dense(pair.call("conservative_tangent"))[:n, :n]
    expected = np.zeros((n, n))
    for j in range(n):
        for sign in (1.0, -1.0):
            y = pair.y.copy()
            y[(0, start)[side] + j] += sign * 1e-6
            expected[:, j] += sign * pair.call("conservative", y)[:n] / 2e-6
    assert np.abs(found - expected).max() < 1e-7 * np.abs(expected).max()


def test_links_with_modes_are_exact_in_kinetic_energy():
    """T_b - T_a = (v_a + v_b)/2 . (p_b - p_a) + K . step, and the changes of both."""
    m = gd.Mechanism("modal link")
    m.modal_link("link", a=(0.0, 0.0), b=(1.0, 0.0), EI=5.0, mass=1.0, modes=2)
    pair = Pair(m, size=0.3, turn=0.5)
    n, layout = pair.n, pair.s.residual.layout
    y, behind = pair.y, pair.s.states + pair.n + 2
    rng = np.random.default_rng(4)
    y[n : 2 * n], y[behind : behind + n] = rng.normal(size=(2, n))

    def inertia(momentum: float, slopes: float, given: np.ndarray = y) -> np.ndarray:
        found, now = np.zeros(n), given.copy()
        now[behind + n : behind + n + 2] = momentum, slopes
        call_address(pair.s.addresses["inertia"], 0.0, now, pair.s.p, pair.m, found)
        return found

    back = y.copy()
    back[:n], back[n : 2 * n] = pair.a, y[behind : behind + n]
    after, before, v_b, v_a = inertia(1.0, 0.0), inertia(1.0, 0.0, back), y[n : 2 * n], y[behind : behind + n]
    step = pair.b - pair.a
    step[2] = 2.0 * np.tan(0.5 * step[2])
    change = 0.5 * (v_a + v_b) @ (after - before) + inertia(0.0, 1.0) @ step
    assert change == pytest.approx(0.5 * (v_b @ after - v_a @ before), rel=1e-12)
    for place, factor in ((0, 0), (pair.s.states, 1), (n, 2), (behind, behind + n + 2 - layout.factors)):
        y[behind + n : behind + n + 2] = 0.7, 0.3
        y[layout.factors : layout.factors + 3], y[behind + n + 2] = 0.0, 0.0
        y[layout.factors + factor] = 1.0
        found, expected = pair.s.residual.plan.dense(pair.call("inertia_tangent"))[:n, :n], np.zeros((n, n))
        for j in range(n):
            for sign in (1.0, -1.0):
                moved = y.copy()
                moved[place + j] += sign * 1e-6
                expected[:, j] += sign * inertia(0.7, 0.3, moved) / 2e-6
        assert np.abs(found - expected).max() < 1e-8 * np.abs(expected).max()
