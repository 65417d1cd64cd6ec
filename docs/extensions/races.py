"""Figures of the methods: what accuracy costs, and bounces of a ball at a hard wall."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.draw.style import CONTACT, IDEAL, PALETTE, SOFT

PRECISION = ("dopri5", "dop853", "rk4", "radau", "alpha")
KEEPING = ("energy", "decay")
CRANK, SPEED = 0.05, 100.0


def slider_crank() -> gd.Mechanism:
    """With a stiff bushing in its pin, so that there is something to resolve."""
    m = gd.Mechanism("slider-crank")
    crank = m.body("crank", mass=0.300, inertia=1.0e-5, at=(0.025, 0))
    rod = m.body("rod", mass=0.210, inertia=2.5e-4, at=(0.110, 0))
    slider = m.body("slider", mass=0.140, inertia=1.0e-4, at=(0.170, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("big", journal=crank, bearing=rod, at=(0.05, 0))
    m.revolute("pin", journal=rod, bearing=slider, at=(0.17, 0), radius="10 mm",
               fit=gd.Bushing(gd.LinearLiner("1e7 N/m", damping="300 N s/m")))  # fmt: skip
    m.translational("guide", journal=slider, bearing=m.ground, at=(0.17, 0), axis=(1, 0))
    m.drive("main", speed=SPEED)
    return m


@cache
def measured() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Evaluations and error of the slider's place after half a turn, by method."""
    m, end = slider_crank(), np.pi / SPEED

    def run(method: str, **options: Any) -> gd.Run:
        return gd.simulate(
            m, duration=end, output=end / 50, method=method, channels=["slider.x"], progress=False, **options
        )

    exact = run("dop853", rtol=1e-13)["slider.x"]
    times = {}
    for method in PRECISION:
        rows = []
        choices = ([{"step": end / n} for n in (200, 400, 800, 1600, 3200, 6400)] if method == "rk4" else
                   [{"rtol": 10.0**-k} for k in ((4, 5, 6, 7, 8) if method == "alpha" else range(4, 12))])  # fmt: skip
        for options in choices:
            one = run(method, **options)
            rows.append((one.evidence.evaluations, float(np.abs(one["slider.x"] - exact).max())))
        times[method] = tuple(np.array(rows, dtype=float).T)
    return times


def precision(name: str, ax: Any) -> str:
    for method, (work, error) in measured().items():
        mine = method == name
        ax.loglog(work, np.maximum(error, 1e-16), "o-", markersize=3.5 if mine else 2, linewidth=1.4 if mine else 0.7,
                  color=PALETTE[0] if mine else IDEAL, zorder=3 if mine else 1)  # fmt: skip
        if mine:
            ax.text(work[len(work) // 2] * 1.15, error[len(work) // 2] * 1.3, method, color=PALETTE[0])
    ax.set(xlabel="evaluations of the slopes", ylabel="largest error of the slider [m]", title="work and precision")
    return ("A slider-crank with a stiff bushing, half a turn; grey: the other methods. An evaluation of radau or "
            "alpha comes with linear systems to solve, so that its price is higher than its number says.")  # fmt: skip


@cache
def swings() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Energy of a pendulum with a stiff, undamped spring for an arm, by methods at a loose tolerance."""
    m = gd.Mechanism("elastic pendulum", gravity=(0, -9.81), start="given")
    bob = m.body("bob", mass=1.0, inertia=1e-3, at=(0.5, 0.0))
    m.spring("arm", bob, m.ground, stiffness=2e3, at_i=(0.5, 0.0), at_j=(0, 0))
    errors = {}
    for method in ("alpha", *KEEPING):
        run = gd.simulate(m, duration="10 s", method=method, rtol=1e-4, progress=False)
        whole = run["energy.kinetic"] + run["energy.potential"]
        errors[method] = (run.t, whole - whole[0])
    return errors


def energies(name: str, ax: Any) -> str:
    for method, (t, change) in swings().items():
        mine = method == name
        ax.plot(t, change, color=PALETTE[0] if mine else IDEAL, linewidth=1.4 if mine else 0.8, zorder=3 if mine else 1)
        ax.text(t[-1], change[-1], f" {method}", color=PALETTE[0] if mine else SOFT, va="center")
    ax.set(xlabel="time [s]", ylabel="change of the energy [J]", title="what is left of the energy", xlim=(0, 11.5))
    t, change = swings()[name]
    return ("A pendulum whose arm is a stiff spring without a damper, relative tolerance 1e-4; grey: the others. "
            f"Over these 10 s `{name}` changes the energy by {change.min():.2g} to {change.max():.2g} J.")  # fmt: skip


def bounces(name: str, axes: Any) -> str:
    """A ball of restitution 0.7 falls by 0.1 m; all its bounces end at a known time."""
    gravity, height, e = 9.81, 0.1, 0.7
    m = gd.Mechanism("ball", gravity=(0, -gravity), start="given")
    ball = m.body("ball", mass=1.0, inertia=1e-3, at=(0, height))
    m.translational("rail", journal=ball, bearing=m.ground, at=(0, height), axis=(0, 1))
    m.stop("rail", lower=-height, wall=gd.ExactRestitution(stiffness=1e9, restitution=e))
    fall = np.sqrt(2 * height / gravity)
    rest = fall * (1 + e) / (1 - e)
    options: dict[str, Any] = {"step": "2 ms"} if name == "moreau" else {}
    run = gd.simulate(m, duration=1.25 * rest, method=name, progress=False, **options)
    left, right = axes
    t, y = exact_bounces(height, gravity, e)
    for ax in (left, right):
        ax.plot(t, 1e3 * y, color=IDEAL, linewidth=2.2, label="exact")
        ax.plot(run.t, 1e3 * run["ball.y"], color=PALETTE[0], linewidth=0.9, label=name,
                marker="." if name == "moreau" else "", markersize=2)  # fmt: skip
        ax.axvline(rest, color=CONTACT, linewidth=0.7, linestyle="--")
        ax.set_xlabel("time [s]")
    left.set(ylabel="height [mm]", title="a ball comes to rest", xlim=(0, 1.25 * rest))
    right.set(title="its last bounces", xlim=(0.9 * rest, 1.03 * rest), ylim=(-0.2, 2.2))
    right.text(rest, 2.0, " all bounces are over", color=SOFT)
    left.legend()
    return (f"Restitution {e:g}: infinitely many bounces end after {rest:.4f} s. " + (
        "The last ones, shorter than `capture` together, are ended by one impact." if name == "impact" else
        "The fixed step of 2 ms meets the wall up to a step late; the figure shows what that costs."))  # fmt: skip


def exact_bounces(height: float, gravity: float, e: float) -> tuple[np.ndarray, np.ndarray]:
    begin, speed = -np.sqrt(2 * height / gravity), np.sqrt(2 * gravity * height)
    t, y = [], []
    for _ in range(60):
        span = np.linspace(0, 2 * speed / gravity, 200)
        t.append(begin + span)
        y.append(speed * span - 0.5 * gravity * span**2)
        begin, speed = begin + 2 * speed / gravity, speed * e
    t_all, y_all = np.concatenate(t), np.concatenate(y)
    return t_all[t_all >= 0], y_all[t_all >= 0]
