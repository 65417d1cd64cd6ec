"""Blows on hard walls with friction: impulses within Coulomb's cone as by hand, as `impact` and `moreau` have them, and
no energy from nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.methods.implicit.energy.method import Decay, Energy
from gudgeon.methods.stepping.moreau import Moreau

MASS, INERTIA, BORE, PLAY = 1.3, 2.1e-3, 0.05, 2e-3
METHODS = [Energy, Decay, Alpha]


@dataclass(frozen=True)
class Throw:
    """A rod whose pin, `arm` [m] away from its centre of mass, flies in a hole of the ground and strikes its wall."""

    velocity: tuple[float, float]
    spin: float
    arm: tuple[float, float]
    restitution: float
    coefficient: float

    def mechanism(self) -> gd.Mechanism:
        m = gd.Mechanism("rod with a pin in a hole", gravity=(0.0, 0.0), start="given")
        rod = m.body("rod", mass=MASS, inertia=INERTIA, at=self.arm, velocity=self.velocity, spin=self.spin)
        m.revolute("pin", journal=rod, bearing=m.ground, at=(0.0, 0.0), radius=BORE)
        wall = gd.LankaraniNikravesh(stiffness=1e9, restitution=self.restitution)
        return m.refit(pin=gd.Clearance(PLAY, wall=wall, friction=gd.SmoothCoulomb(self.coefficient)))

    def behind(self, before: np.ndarray) -> np.ndarray:
        """Velocities by hand behind the blow, from x, y, angle, vx, vy, w just before it."""
        angle = before[2]
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        pin = before[:2] - turn @ np.array(self.arm)
        n = pin / np.linalg.norm(pin)
        t = np.array([-n[1], n[0]])
        lever = pin + n * (BORE - PLAY) - before[:2]

        def row(d: np.ndarray) -> np.ndarray:
            return np.array([*d, lever[0] * d[1] - lever[1] * d[0]])

        rows, inverse = np.array([-row(n), row(t)]), np.diag([1 / MASS, 1 / MASS, 1 / INERTIA])
        w, u = rows @ inverse @ rows.T, rows @ before[3:]
        wanted = np.array([-(1.0 + self.restitution) * u[0], -u[1]])
        s = np.linalg.solve(w, wanted)  # it sticks
        if abs(s[1]) > self.coefficient * s[0]:
            for sign in (1.0, -1.0):
                normal = wanted[0] / (w[0, 0] + sign * self.coefficient * w[0, 1])
                s = np.array([normal, sign * self.coefficient * normal])
                if normal > 0.0 and sign * (u + w @ s)[1] < 0.0:
                    break  # friction is against the slip that is left
        return np.asarray(before[3:] + inverse @ rows.T @ s)


THROWS = {
    "a disc that slides on": Throw((0.4, 0.0), 40.0, (0.0, 0.0), 0.6, 0.2),
    "a disc that slides on the other way": Throw((0.3, -0.2), -40.0, (0.0, 0.0), 0.6, 0.2),
    "a disc that sticks": Throw((0.4, 0.0), 3.0, (0.0, 0.0), 0.6, 0.4),
    "a rod that slides on": Throw((0.4, 0.1), 8.0, (0.03, 0.04), 0.5, 0.1),
    "a rod that sticks": Throw((0.4, 0.1), 8.0, (0.03, 0.04), 0.3, 0.9),
    "no rebound": Throw((0.4, 0.1), 8.0, (0.03, 0.04), 0.0, 0.3),
}


def state(run: gd.Run, row: int) -> np.ndarray:
    return np.array([run[f"rod.{name}"][row] for name in ("x", "y", "angle", "vx", "vy", "spin")])


def first_blow(throw: Throw, method: gd.Method) -> tuple[gd.Run, int]:
    """A run a little beyond the first touch, and its row just before."""
    run = gd.simulate(throw.mechanism(), duration=0.02, method=method)
    assert run.complete
    before = int(np.searchsorted(run.t, run.contacts[0].t_on, side="left"))
    return run, before


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", THROWS)
def test_impulses_are_those_by_hand(name, method):
    throw = THROWS[name]
    run, row = first_blow(throw, method(rtol=1e-8, hard=True))
    assert run.t[row] == run.t[row + 1] == run.contacts[0].t_on
    before, after = state(run, row), state(run, row + 1)
    expected = throw.behind(before)
    assert np.abs(expected[2] - before[5]) > 1.0  # friction turns the disc, too
    assert np.abs(after[3:] - expected).max() < 1e-9
    # the ledger: friction takes, and nothing is lost or found
    kinetic, friction = (run[f"energy.{x}"] for x in ("kinetic", "friction"))
    assert friction[row + 1] > friction[row] == 0.0 and kinetic[row + 1] < kinetic[row]
    assert abs(run["energy.balance"][row + 1] - run["energy.balance"][row]) < 1e-13 * kinetic[row]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [name for name, throw in THROWS.items() if throw.restitution > 0.0])
def test_other_methods_have_the_same_blow(name, method):
    """`impact` has the same laws with W from another elimination; `moreau` meets the wall up to a step away from it."""
    throw = THROWS[name]
    run, row = first_blow(throw, method(rtol=1e-8, hard=True))
    span = float(run.t[row]) + 2e-4
    found = state(run, row + 1)[3:]
    for other, near in ((gd.Impact(rtol=1e-10), 1e-7), (Moreau(step=1e-6), 2e-4)):
        after = state(gd.simulate(throw.mechanism(), duration=span, method=other), -1)[3:]
        assert np.abs(after - found).max() < near * np.abs(found).max()


GAINS = Throw((0.22, 0.07), 9.7, (-0.055, 0.052), 1.0, 0.8)  # Newton's law would double the energy


@pytest.mark.parametrize("method", [*(each(rtol=1e-8, hard=True) for each in METHODS), gd.Impact()],
                         ids=lambda m: type(m).__name__)  # fmt: skip
def test_no_blow_brings_energy(method):
    """The normal impulse turns the slip round and friction helps: as much restitution as costs nothing."""
    run = gd.simulate(GAINS.mechanism(), duration=0.02, method=method)
    row = int(np.searchsorted(run.t, run.contacts[0].t_on, side="left"))
    weights = 0.5 * np.array([MASS, MASS, INERTIA])
    before = state(run, row)
    by_newton = weights @ GAINS.behind(before) ** 2
    kinetic = run["energy.kinetic"]
    assert by_newton > 1.9 * kinetic[row]
    assert kinetic[row + 1] == pytest.approx(kinetic[row], rel=1e-9)
    assert kinetic.max() < kinetic[0] * (1.0 + 1e-9)


def test_energy_that_blows_bring_is_said():
    """Moreau's method has Newton's law as it is."""
    runs = [gd.simulate(GAINS.mechanism(), duration=0.02, method=each) for each in (gd.Moreau(step=1e-5), gd.Impact())]
    said = [[text for text in run.evidence.warnings if "impacts added" in text] for run in runs]
    assert runs[0]["energy.kinetic"].max() > 1.9 * runs[0]["energy.kinetic"][0]
    assert len(said[0]) == 1 and 'method="impact"' in said[0][0]
    assert said[1] == []


def tilted(friction: object) -> gd.Mechanism:
    """A block in a loose guide whose front comes down first, and rests without rebound; then its rear."""
    m = gd.Mechanism("block in a loose guide", gravity=(0.0, -9.81), start="given")
    block = m.body("block", mass=2.0, inertia=0.01, at=(0.0, 0.0), spin=-0.02, velocity=(0.3, 0.0))
    m.translational("guide", journal=block, bearing=m.ground, at=(0.0, 0.0), axis=(1.0, 0.0), length=0.1, width=0.05)
    wall = gd.LankaraniNikravesh(stiffness=1e9, restitution=0.0)
    return m.refit(guide=gd.Clearance(1e-3, wall=wall, friction=friction))


@pytest.mark.parametrize("method", METHODS)
def test_a_blow_parts_a_contact_that_was_held(method):
    """Rear impulse s = -u / W_rr, so the front leaves with u' = W_fr s: 1/m - b²/J against 1/m + b²/J, b half of the
    length. A wall that held on would pull."""
    run = gd.simulate(tilted(None), duration=0.03, method=method(rtol=1e-8, hard=True))
    front, rear = (next(r for r in run.contacts if r.contact == f"guide.{end}_right") for end in ("front", "rear"))
    assert front.t_on < front.t_off == rear.t_on
    row = int(np.searchsorted(run.t, rear.t_on, side="left"))
    rates = [run[f"guide.{end}_right.rate"] for end in ("front", "rear")]
    share = (1.0 / 2.0 - 0.05**2 / 0.01) / (1.0 / 2.0 + 0.05**2 / 0.01)
    assert abs(rates[0][row]) < 1e-6 and rates[1][row] > 0.05  # energy leaves a little across
    assert rates[0][row + 1] == pytest.approx(-share * rates[1][row], rel=1e-4)
    assert abs(rates[1][row + 1]) < 1e-12
    assert run["guide.front_right.depth"].max() < 1e-9


@pytest.mark.parametrize("friction", [None, gd.SmoothCoulomb(0.2)], ids=["smooth", "rough"])
def test_rocking_comes_to_rest(friction):
    """Each end strikes without rebound and lifts the other: infinitely many impacts in a finite time. `impact` gives as
    many as last longer than `capture`, and ends the rest."""
    run = gd.simulate(tilted(friction), duration=0.03, method=gd.Impact())
    assert run.complete and len(run.contacts) < 100
    front, rear = ([r for r in run.contacts if r.contact == f"guide.{end}_right"] for end in ("front", "rear"))
    assert {r.contact for r in run.contacts} == {"guide.front_right", "guide.rear_right"}
    assert np.isnan([front[-1].t_off, rear[-1].t_off]).all()  # both rest on the wall
    assert sum(run[f"guide.{end}_right.normal"][-1] for end in ("front", "rear")) == pytest.approx(2.0 * 9.81)
    assert np.ptp(run["energy.balance"]) < 1e-12 * run["energy.kinetic"][0]
    if friction is None:
        # one end strikes with u and lifts the other with r u, which is back after 2 r u / (g (1 - r)), and so on
        share = (1.0 / 2.0 - 0.05**2 / 0.01) / (1.0 / 2.0 + 0.05**2 / 0.01)
        rocking = 2.0 * rear[0].speed_on * share / (9.81 * (1.0 - share) ** 2)
        assert max(front[-1].t_on, rear[-1].t_on) - rear[0].t_on == pytest.approx(rocking, rel=3e-4)  # it is tilted
