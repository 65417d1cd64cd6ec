"""Figures of the theory pages, drawn from the laws themselves: what is plotted is what a run computes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import sketches
from races import KEEPING, PRECISION, bounces, energies, precision

import gudgeon as gd
from gudgeon.draw.style import CONTACT, IDEAL, PALETTE, RULES, SOFT
from gudgeon.laws import Pair
from gudgeon.laws.film.reynolds import reynolds

PAIR = Pair(bearing_radius=0.010, journal_radius=0.0095, length=0.020, name="figure")
MASS, SPEED = 0.14, 1.0  # of the impacts that are drawn [kg], [m/s]
COLOURS = (PALETTE[0], PALETTE[1], PALETTE[2], PALETTE[3])


@dataclass(frozen=True)
class Picture:
    """A file and what it shows."""

    file: str
    words: str


@contextmanager
def drawn(path: Path, panels: int) -> Iterator[Any]:
    """Axes in the house style, written when done."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    path.parent.mkdir(parents=True, exist_ok=True)
    with rc_context(RULES):
        figure = Figure(figsize=(3.6 * panels + 0.3, 2.9), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots(1, panels, squeeze=False)[0]
        yield list(axes)
        figure.savefig(path, format="svg", metadata={"Date": None})


# -- contact ----------------------------------------------------------------------------------------------------

STIFF = 6.6e10  # N/m^1.5, steel on steel of the slider-crank of Flores et al. 2007
CONTACTS: dict[str, list[tuple[str, gd.ContactLaw]]] = {
    "Hertz": [("K = 6.6e10 N/m^1.5", gd.Hertz(stiffness=STIFF)), ("three times softer", gd.Hertz(stiffness=STIFF / 3))],
    "KelvinVoigt": [(f"damping {b:g} N s/m", gd.KelvinVoigt(stiffness=2e8, damping=b)) for b in (0.0, 500.0, 2000.0)],
    "ModifiedKelvinVoigt": [
        (f"energy ratio {c:g}", gd.ModifiedKelvinVoigt(stiffness=2e8, energy_ratio=c, rate_tolerance=0.05))
        for c in (1.0, 0.7, 0.4)
    ],
    "ContactTable": [
        (kind, gd.ContactTable((0, 1e-5, 2e-5, 4e-5, 8e-5), (0, 800, 2600, 7600, 20000), interpolation=kind))
        for kind in ("linear", "cubic")
    ],
    "JohnsonCylinder": [(f"restitution {e:g}", gd.JohnsonCylinder(restitution=e)) for e in (1.0, 0.8)],
    "DubowskyFreudenstein": [(f"restitution {e:g}", gd.DubowskyFreudenstein(restitution=e)) for e in (1.0, 0.8)],
    "PereiraCylinder": [(f"restitution {e:g}", gd.PereiraCylinder(restitution=e)) for e in (0.9, 0.7)],
}


def impact(law: gd.ContactLaw, mass: float = MASS, speed: float = SPEED) -> np.ndarray:
    """Rows t, depth, rate, force of one free impact, by the classical Runge-Kutta method in plain Python."""
    block = list(law.pack(PAIR).values())

    def force(depth: float, rate: float) -> float:
        return law.force(depth, rate, speed, block) if depth > 0.0 else 0.0

    step = 0.002 * mass * speed / max(law.peak_force(PAIR, mass, speed), 1.0)
    t, x, v = 0.0, 0.0, speed
    rows = [(0.0, 0.0, v, force(1e-15, v))]
    for _ in range(20_000):
        slopes = []
        for share in (0.0, 0.5, 0.5, 1.0):
            dx, dv = slopes[-1] if slopes else (0.0, 0.0)
            u = v + share * step * dv
            slopes.append((u, -force(x + share * step * dx, u) / mass))
        x += step / 6 * (slopes[0][0] + 2 * slopes[1][0] + 2 * slopes[2][0] + slopes[3][0])
        v += step / 6 * (slopes[0][1] + 2 * slopes[1][1] + 2 * slopes[2][1] + slopes[3][1])
        t += step
        if x <= 0.0:
            break
        rows.append((t, x, v, force(x, v)))
    return np.array(rows)


def contact(law: Any, path: Path) -> Picture | None:
    name = law.__name__
    samples = CONTACTS.get(name)
    if samples is None:
        try:
            samples = [(f"restitution {e:g}", law(restitution=e, stiffness=STIFF)) for e in (0.9, 0.7, 0.5)]
        except (TypeError, ValueError):
            return None
    family = samples[0][1].hysteresis is not None and hasattr(samples[0][1], "restitution")
    with drawn(path, 2) as (left, right):
        for colour, (label, sample) in zip(COLOURS, samples, strict=False):
            t, depth, _, force = impact(sample).T
            left.plot(1e6 * depth, 1e-3 * force, color=colour, label=label)
            if not family:
                right.plot(1e6 * t, 1e-3 * force, color=colour, label=label)
        left.set(xlabel="depth [µm]", ylabel="force [kN]", title="force over depth of one impact")
        left.legend()
        if family:
            requested = np.linspace(0.05, 1.0, 60)
            got = [replace(samples[0][1], restitution=float(e)).effective_restitution for e in requested]
            right.plot([0, 1], [0, 1], color=IDEAL, linestyle="--", label="what is asked")
            right.plot(requested, got, color=CONTACT, linewidth=1.2, label="what one free impact returns")
            right.set(xlabel="given restitution", title="given and real restitution", xlim=(0, 1), ylim=(0, 1.02))
            right.legend(loc="upper left")
        else:
            right.set(xlabel="time [µs]", title="force over time of the same impact")
    words = f"A body of {MASS:g} kg arrives with {SPEED:g} m/s"
    if name in CONTACTS and name in ("JohnsonCylinder", "DubowskyFreudenstein", "PereiraCylinder"):
        words += "; a steel pin of 9.5 mm radius in a bore of 10 mm, 20 mm long"
    return Picture(path.name, words + ".")


# -- friction, liners -------------------------------------------------------------------------------------------

FRICTIONS: dict[str, list[tuple[str, gd.FrictionLaw]]] = {
    "ModifiedCoulomb": [(f"v0 = {1e3 * a:g}, v1 = {1e3 * b:g} mm/s", gd.ModifiedCoulomb(0.1, v0=a, v1=b))
                        for a, b in ((1e-3, 1e-2), (1e-4, 1e-3))],
    "SmoothCoulomb": [(f"v0 = {1e3 * v:g} mm/s", gd.SmoothCoulomb(0.1, v0=v)) for v in (1e-3, 5e-3)],
    "Stribeck": [("without viscous part", gd.Stribeck(0.1, static_coefficient=0.16, v0=5e-4)),
                 ("viscous 1 s/m", gd.Stribeck(0.1, static_coefficient=0.16, v0=5e-4, viscous=1.0))],
    "LuGre": [("σ₀ = 1e5 /m", gd.LuGre(0.1, static_coefficient=0.16, stiffness=1e5, damping=1.0)),
              ("σ₀ = 2e4 /m", gd.LuGre(0.1, static_coefficient=0.16, stiffness=2e4, damping=1.0))],
}  # fmt: skip


def friction(law: Any, path: Path) -> Picture | None:
    samples = FRICTIONS.get(law.__name__)
    if samples is None:
        return None
    with drawn(path, 2) as (left, right):
        for colour, (label, sample) in zip(COLOURS, samples, strict=False):
            block = list(sample.pack(PAIR).values())
            if sample.states:
                _bristles(sample, block, left, right, colour, label)
                continue
            for ax, reach in ((left, 0.02), (right, 0.2)):
                slip = np.linspace(-reach, reach, 1001) if ax is left else np.linspace(0, reach, 801)
                ax.plot(1e3 * slip, [-sample.force(v, 1.0, 0.0, block) for v in slip], color=colour, label=label)
        left.set(xlabel="slip [mm/s]", ylabel="friction / normal force", title="around rest")
        right.set(xlabel="slip [mm/s]", title="sliding")
        if samples[0][1].states:
            left.set(xlabel="displacement [µm]", title="to and fro by 20 µm, from rest")
            right.set(title="steady sliding")
        left.legend()
    return Picture(path.name, "Force that resists the slip, per unit of normal force, coefficient of sliding 0.1.")


def _bristles(law: Any, block: list[float], left: Any, right: Any, colour: str, label: str) -> None:
    step, z, rows = 2e-5, 0.0, []
    for k in range(100_000):  # x = a sin(2 pi t), a quarter more than one period
        t = k * step
        if t > 1.25:
            break
        x, v = 20e-6 * math.sin(2 * math.pi * t), 20e-6 * 2 * math.pi * math.cos(2 * math.pi * t)
        z += step * law.state_rate(v, 1.0, z, block)
        rows.append((x, -law.force(v, 1.0, z, block)))
    x, force = np.array(rows).T
    left.plot(1e6 * x, force, color=colour, label=label)
    slip = np.linspace(1e-5, 0.2, 400)
    level = [(lambda g: -law.force(v, 1.0, g, block))(_steady(law, v, block)) for v in slip]
    right.plot(1e3 * slip, level, color=colour)


def _steady(law: Any, slip: float, block: list[float]) -> float:
    """The state that no longer changes: its rate is linear in it."""
    at0, at1 = law.state_rate(slip, 1.0, 0.0, block), law.state_rate(slip, 1.0, 1.0, block)
    return at0 / (at0 - at1)


LINERS: dict[str, list[tuple[str, gd.LinerLaw]]] = {
    "LinearLiner": [(f"K = {k:g} N/m", gd.LinearLiner(stiffness=k, damping=200.0)) for k in (1e6, 2e6)],
    "PolynomialLiner": [("stiffening", gd.PolynomialLiner((1e6, 0.0, 4e12), damping=200.0)),
                        ("softening", gd.PolynomialLiner((1e6, -4e8), damping=200.0))],
    "LinerTable": [("measured points",
                    gd.LinerTable((0, 2e-4, 4e-4, 6e-4, 8e-4), (0, 120, 300, 700, 1500), damping=200.0))],
}  # fmt: skip


def liner(law: Any, path: Path) -> Picture | None:
    samples = LINERS.get(law.__name__)
    if samples is None:
        return None
    with drawn(path, 1) as (ax,):
        for colour, (label, sample) in zip(COLOURS, samples, strict=False):
            block = list(sample.pack(PAIR).values())
            x = np.linspace(0, 1e-3, 201)
            ax.plot(1e3 * x, [sample.force(d, 0.0, block) for d in x], color=colour, label=label)
            turn = np.linspace(0, 2 * np.pi, 200)
            d, v = 4e-4 + 2e-4 * np.sin(turn), 2e-4 * 400.0 * np.cos(turn)
            loop = [sample.force(a, b, block) for a, b in zip(d, v, strict=True)]
            ax.plot(1e3 * d, loop, color=colour, linewidth=0.6, alpha=0.8)
        ax.set(xlabel="deflection [mm]", ylabel="force [N]", title="slowly, and at 64 Hz (thin)")
        ax.legend()
    return Picture(
        path.name, "Force against the deflection; the thin loops are a vibration, their area is what the damping takes."
    )


# -- films ------------------------------------------------------------------------------------------------------

LENGTHS = {"Ocvirk": 0.5, "Moes": 1.0, "ReynoldsTable": 1.0, "Sommerfeld": 4.0, "PinkusSternlicht": 4.0}  # in diameters


def other_film(law: Any, path: Path) -> Picture:
    """A film of another shape than a journal bearing: its force alone."""
    radius, gap, viscosity = 0.010, 50e-6, 0.04
    pair = Pair(bearing_radius=radius, journal_radius=radius - gap, length=2 * radius)
    block = list(law(viscosity).pack(pair).values())
    ratios = np.linspace(0.01, 0.97, 120)
    with drawn(path, 1) as (ax,):
        for colour, (word, angle) in zip(COLOURS, MOTIONS, strict=False):
            c, s = math.cos(angle), math.sin(angle)
            size = [math.hypot(law.radial(e, c, s, block), law.tangential(e, c, s, block)) for e in ratios]
            ax.semilogy(ratios, size, color=colour, label=f"the journal {word}")
        ax.set(xlabel="eccentricity ratio", ylabel="force / speed [N s/m]", title="resistance of the film")
        ax.legend()
    return Picture(path.name, "Radius 10 mm, clearance 0.05 mm, 0.04 Pa s.")


MOTIONS = (("approaches", 0.0), ("is swept along", 0.5 * math.pi), ("leaves", math.pi))


def film(law: Any, path: Path) -> Picture | None:
    if law.__name__ not in LENGTHS:
        return other_film(law, path)
    slenderness = LENGTHS.get(law.__name__, 1.0)
    radius, gap, viscosity = 0.010, 50e-6, 0.04
    pair = Pair(bearing_radius=radius, journal_radius=radius - gap, length=2 * radius * slenderness)
    sample = law(viscosity)
    block = list(sample.pack(pair).values())
    unit = 2 * viscosity * pair.length * (radius / gap) ** 3
    ratios, few = np.linspace(0.0, 0.97, 120), np.array([0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95])
    with drawn(path, 2) as (left, right):
        for colour, (word, angle) in zip(COLOURS, (("approaches", 0.0), ("is swept along", 0.5 * math.pi),
                                                   ("leaves", math.pi)), strict=False):  # fmt: skip
            c, s = math.cos(angle), math.sin(angle)
            size = [math.hypot(law.radial(e, c, s, block), law.tangential(e, c, s, block)) / unit for e in ratios]
            left.semilogy(ratios, size, color=colour, label=f"the journal {word}")
            exact = [reynolds(float(e), angle, slenderness) for e in few]
            left.semilogy(few, [math.hypot(x.along, x.across) for x in exact], "o", markersize=3, color=colour)
        left.set(xlabel="eccentricity ratio", ylabel="|W|", title="impedance; dots: the Reynolds equation")
        left.legend()
        _locus(right, lambda e: (law.radial(e, 0.0, -e, block), law.tangential(e, 0.0, -e, block)), sample)
    words = (
        f"A bearing {slenderness:g} diameters long. Left: force per $2\\mu l (r/c)^3 v_s$. Right: where a journal that "
        "turns steadily settles under a load that points down, for loads from none to very large."
    )
    return Picture(path.name, words)


def _locus(ax: Any, force: Callable[[float], tuple[float, float]], sample: Any) -> None:
    turn = np.linspace(0, 2 * np.pi, 200)
    ax.plot(np.cos(turn), np.sin(turn), color=SOFT, linewidth=0.8)
    points = []
    for e in np.linspace(0.01, 0.98, 60):
        radial, tangential = force(float(e))
        # the film's force on the journal points up; e is then turned from it by the opposite of the force's angle
        angle = 0.5 * math.pi - math.atan2(tangential, radial)
        points.append((e * math.cos(angle), e * math.sin(angle)))
    x, y = np.array(points).T
    ax.plot(x, y, color=PALETTE[0], linewidth=1.2)
    ax.annotate("", (0, -1.25), (0, -1.02), arrowprops={"arrowstyle": "->", "color": CONTACT})
    ax.text(0.06, -1.2, "load", color=CONTACT)
    ax.set(aspect="equal", xlim=(-1.35, 1.35), ylim=(-1.35, 1.15), title="where the journal settles")
    ax.axis("off")


DRAWERS = {"wall": contact, "friction": friction, "liner": liner, "film": film}


def of_law(role: str, law: Any, folder: Path) -> Picture | None:
    return DRAWERS[role](law, folder / f"law-{law.__name__}.svg")


def of_mate(name: str, space: str, folder: Path) -> Picture | None:
    draw, words = sketches.SKETCHES.get((space, name), (None, ""))
    if draw is None:
        return None
    file = f"mate-{space.split()[-1]}-{name}.svg"
    with drawn(folder / file, 1) as (ax,):
        ax.axis("off")
        ax.set_aspect("equal")
        draw(ax)
    return Picture(file, words)


def of_method(name: str, folder: Path) -> Picture | None:
    path = folder / f"method-{name}.svg"
    if name in ("impact", "moreau"):
        with drawn(path, 2) as axes:
            return Picture(path.name, bounces(name, axes))
    if name in KEEPING:
        with drawn(path, 1) as (ax,):
            return Picture(path.name, energies(name, ax))
    if name not in PRECISION:
        return None
    with drawn(path, 1) as (ax,):
        return Picture(path.name, precision(name, ax))
