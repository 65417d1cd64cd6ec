"""Evidence: what a run says about its own trustworthiness."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Restitution:
    """Restitution asked of a law, what the law gives on a free impact, and what the run's impacts had [mean]."""

    contact: str
    asked: float
    law: float | None
    got: float
    low: float
    high: float
    impacts: int


@dataclass(frozen=True)
class FilmShare:
    """How a lubricated joint spent the run: shares of the time [-] on a full film and mixed, with the wall touching;
    the thinnest film [m], when [s] and in which direction [rad] from the bearing's centre in world axes; the largest
    pressure [Pa]."""

    joint: str
    law: str
    full: float
    mixed: float
    thinnest: float
    time: float
    angle: float
    pressure: float


@dataclass(frozen=True)
class Evidence:
    """energy: changes and work over the run [J]; balance: the largest unexplained energy [J]; drift: the largest
    constraint residual [m] and [m/s] before projection; touch_error: largest |depth| at a located onset, in
    touch_unit, which is rad where all contacts are stops or keys of rotations."""

    energy: dict[str, float]
    balance: float
    drift: float
    speed_drift: float
    stabilisation: str
    touch_error: float
    restitution: tuple[Restitution, ...]
    warnings: tuple[str, ...]
    method: str
    rtol: float
    steps: int
    rejected: int
    evaluations: int
    located: int
    wall_time: float
    dof: int
    redundant: tuple[str, ...]
    moved: dict[str, float]
    references: tuple[str, ...]
    trust: str = ""
    horizon: float | None = None  # [s] until when the trust run agrees; None where it was not asked for
    films: tuple[FilmShare, ...] = ()
    jacobians: int = 0
    factorisations: int = 0
    notes: tuple[str, ...] = field(default=())
    touch_unit: str = "m"
    reactions: str = ""  # which reactions are not unique, and which of the possible ones are reported

    @property
    def energy_scale(self) -> float:
        """The largest energy of the ledger, to judge the balance by [J]."""
        return max((abs(x) for x in self.energy.values()), default=0.0)

    def __str__(self) -> str:
        lines = [self._energy_line()]
        for r in self.restitution:
            law = "" if r.law is None or abs(r.law - r.asked) < 5e-4 else f" ({r.law:.4g} by the law)"
            impacts = _count(r.impacts, "impact")
            lines.append(f"{r.contact}: restitution given {r.asked:.4g}{law}, observed {r.got:.4g} in {impacts}")
        for film in self.films:
            shares = f"full film {100 * film.full:.4g} % of the time, mixed {100 * film.mixed:.4g} %"
            where = f"at {film.time * 1e3:.5g} ms, {math.degrees(film.angle):.1f}°"
            thin = "thinnest" if film.thinnest > 0.0 else "surfaces overlap by"
            thin += f" {abs(film.thinnest) * 1e6:.4g} µm"
            lines.append(f"{film.joint}: {shares} · {thin} {where} · pressure ≤ {film.pressure / 1e6:.4g} MPa")
        held = f"constraints ≤ {self.drift:.1e} m before {self.stabilisation}"
        held = held if self.drift > 0.0 else "constraints satisfied to rounding"
        lines.append(held + (f" · onset located to {self.touch_error:.1e} {self.touch_unit}" if self.located else ""))
        freedom = _count(self.dof, "degree")
        share = 100 * self.rejected / max(1, self.steps + self.rejected)
        implicit = f"{_count(self.jacobians, 'Jacobian')}, " if self.jacobians else ""
        lines.append(
            f"{self.method}, rtol {self.rtol:.0e}: {self.steps} steps, {share:.1f} % rejected, "
            f"{self.evaluations} evaluations, {implicit}{self.wall_time:.2f} s · {freedom} of freedom"
        )
        if self.reactions:
            lines.append(self.reactions)
        if self.moved:
            worst = max(self.moved, key=lambda name: self.moved[name])
            lines.append(f"assembly moved {len(self.moved)} bodies, most {worst} by {self.moved[worst] * 1e3:.3g} mm")
        lines += self.notes
        if self.trust:
            lines.append(f"trust      {self.trust}")
        text = "\n".join(f"  {'evidence' if k == 0 else '':<10} {line}" for k, line in enumerate(lines))
        for warning in self.warnings:
            text += f"\n  {'warning':<10} {warning}"
        for k, reference in enumerate(self.references):
            text += f"\n  {'references' if k == 0 else '':<10} {reference}"
        return text

    def _energy_line(self) -> str:
        names = {"drive": "drives", "applied": "loads", "electrical": "supplies"}
        # below the balance it is rounding
        known = {k: x for k, x in self.energy.items() if abs(x) > self.balance}
        put_in = " + ".join(f"{names[k]} {known[k]:.4g}" for k in names if k in known) or "0"
        taken = [("kinetic", "kinetic"), ("potential", "potential"), ("contact", "contact"), ("liner", "liner"),
                 ("film", "film"), ("friction", "friction"), ("damper", "dampers"), ("magnetic", "magnetic"),
                 ("copper", "copper"), ("conversion", "conversion")]  # fmt: skip
        out = " + ".join(f"{word} {known[k]:.4g}" for k, word in taken if k in known) or "0"
        return f"energy in [J]: {put_in} = {out}, unexplained {self.balance:.1e}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")
