"""The claims of Flores et al. 2007: sections 3 (the law), 6 (four-bar) and 7 (slider-crank)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.papers.claim import DIFFERS, NOT_REPRODUCED, REPRODUCED, Claim, Finding
from gudgeon.papers.flores2007 import cases as case
from gudgeon.papers.flores2007.regimes import CLAIMS as REGIME_CLAIMS
from gudgeon.papers.schwab2002.claims import impact
from gudgeon.papers.stored import stored

__all__ = ["CLAIMS", "FourBar", "four_bar_steady", "ideal_extremes"]

PERIOD = 2.0 * math.pi / case.FOUR_BAR_SPEED
TURNS = 10  # until the four-bar has settled, the last one looked at
FINE = 20_000  # samples of a turn of the ideal mechanism: its peaks to nine digits
CLEARANCES = (0.5, 0.2, 0.1, 0.01)  # mm
SIGNALS = ("follower.alpha", "main.torque")
MEASURED = ("pin.eccentricity", "pin.depth", "pin.ex", "pin.ey", "follower.spin")


def amplification(real: float, ideal: float) -> float:
    """AP = (real - ideal) / ideal in per cent, of largest magnitudes: Eqs 11 and 12."""
    return 100.0 * (real / ideal - 1.0)


@dataclass(frozen=True)
class FourBar:
    """The settled turn of the four-bar: extremes by channel, amplifications [%] and what it rests on."""

    extremes: dict[str, tuple[float, float]]
    gains: dict[str, float]  # amplification of the largest magnitude [%]
    contacts: int
    last_turn: float  # when the last contact began
    last_speed: float  # and how fast [m/s]
    in_contact: bool
    residual: float  # way of the journal over the turn, relative to the clearance
    spin_change: float  # of the follower against the ideal one, relative to its largest


@stored
def ideal_extremes(branch: int, gravity: bool = False) -> dict[str, tuple[float, float]]:
    """Smallest and largest value of the ideal four-bar's channels."""
    mechanism = case.four_bar(None, branch=branch, gravity=gravity)
    run = gd.simulate(mechanism, revolutions=1, rtol=1e-11, output=PERIOD / FINE)
    return {name: (run.minimum(name), run.maximum(name)) for name in (*SIGNALS, "pin.force", "follower.spin")}


@stored
def four_bar_steady(clearance: float, branch: int = -1, start_angle: float = 0.0, gravity: bool = False,
                    rtol: float = 1e-12) -> FourBar:  # fmt: skip
    """Settle, then look at one turn; clearance [mm], start_angle [rad]."""
    mechanism = case.four_bar(f"{clearance} mm", branch=branch, start_angle=start_angle, gravity=gravity)
    start = gd.simulate(mechanism, revolutions=TURNS - 1, rtol=rtol, channels=[], output=PERIOD)
    run = gd.simulate(mechanism, revolutions=1, rtol=rtol, channels=[*SIGNALS, *MEASURED], resume=start)
    names = (*SIGNALS, "pin.eccentricity")
    extremes = {name: (run.minimum(name), run.maximum(name)) for name in names}
    perfect = ideal_extremes(branch, gravity)
    gains = {name: amplification(_largest(extremes[name]), _largest(perfect[name])) for name in SIGNALS}
    way = math.hypot(run["pin.ex"][-1] - run["pin.ex"][0], run["pin.ey"][-1] - run["pin.ey"][0])
    last = start.contacts[-1]
    return FourBar(
        extremes, gains, len(start.contacts), last.t_on / PERIOD, last.speed_on,
        bool((run["pin.depth"] > 0.0).all()), way / (clearance * 1e-3),
        _spin_change(run, branch, start_angle),
    )  # fmt: skip


def _spin_change(run: gd.Run, branch: int, start_angle: float) -> float:
    mechanism = case.four_bar(None, branch=branch, start_angle=start_angle)
    names, spacing = ["follower.spin"], PERIOD / 2000
    ideal = gd.simulate(mechanism, revolutions=1, rtol=1e-10, channels=names, output=spacing)
    perfect = np.interp(run.t - run.t[0], ideal.t, ideal["follower.spin"])
    return float(np.abs(run["follower.spin"] - perfect).max() / np.abs(perfect).max())


def _largest(extremes: tuple[float, float]) -> float:
    return max(abs(extremes[0]), abs(extremes[1]))


def _stiffness(full: bool) -> Finding:
    pin = case.slider_crank("0.5 mm").joints["pin"]
    ours = gd.LankaraniNikravesh(gd.STEEL, restitution=0.9).stiffness_for(pin.pair("pin"))
    same = abs(ours - case.PUBLISHED["stiffness"]) < 0.05e10
    text = f"{ours / 1e10:.5f}e10 for c = 0.5 mm, with the sign of the bearing's radius turned in Eq 4"
    return Finding(text, REPRODUCED if same else NOT_REPRODUCED)


def _hysteresis(full: bool) -> Finding:
    losses = [impact(e)[1] for e in (1.0, 0.9, 0.7, 0.5)]
    text = "an impact loses " + ", ".join(f"{100 * x:.2f} %" for x in losses) + " for e = 1, 0.9, 0.7, 0.5"
    growing = abs(losses[0]) < 1e-9 and all(a < b for a, b in pairwise(losses))
    return Finding(text, REPRODUCED if growing else NOT_REPRODUCED)


def _amplification(symbol: str, signal: str, full: bool) -> Finding:
    """Largest magnitudes compared, as the words of Eqs 11 and 12 say."""
    ours, published = four_bar_steady(0.2).gains[signal], case.PUBLISHED[symbol]
    angles = np.radians(range(0, 360, 15 if full else 60))
    bars = [four_bar_steady(0.2, branch, float(a), rtol=1e-10) for branch in (-1, 1) for a in angles]
    gains = [bar.gains[signal] for bar in bars]
    text = (
        f"{ours:.2f} % from start angle 0 (none is printed); {min(gains):.1f} to {max(gains):.1f} % over "
        "start angles and branches, for the law keeps the speed of the last start-up impact for ever"
    )
    if abs(ours - published) < 0.5:
        return Finding(text, REPRODUCED)
    return Finding(text, DIFFERS if min(gains) <= published <= max(gains) else NOT_REPRODUCED)


def _velocity(full: bool) -> Finding:
    change = four_bar_steady(0.2).spin_change
    text = f"changes by at most {100 * change:.2f} % of its maximum"
    return Finding(text, REPRODUCED if change < 0.02 else NOT_REPRODUCED)


def _acceleration(full: bool) -> Finding:
    bar = four_bar_steady(0.2)
    low, high = bar.extremes["follower.alpha"]
    down, up = ideal_extremes(-1)["follower.alpha"]
    text = f"{low:.0f} to {high:.0f} rad/s^2, ideal {down:.0f} to {up:.0f}"
    return Finding(text, REPRODUCED if bar.gains["follower.alpha"] > 10.0 else NOT_REPRODUCED)


def _repeats(full: bool) -> Finding:
    residual = four_bar_steady(0.2).residual
    text = f"the journal returns to {residual:.0e} c after a turn"
    return Finding(text, REPRODUCED if residual < 1e-4 else NOT_REPRODUCED)


def _in_contact(full: bool) -> Finding:
    bar = four_bar_steady(0.2)
    low, high = bar.extremes["pin.eccentricity"]
    text = f"offset {low:.3f} to {high:.3f} c; last of {bar.contacts} start-up touches after {bar.last_turn:.3f} turns"
    return Finding(text, REPRODUCED if bar.in_contact else NOT_REPRODUCED)


def _closer(full: bool) -> Finding:
    gains = [four_bar_steady(c).gains["main.torque"] for c in CLEARANCES]
    text = "AP(M) " + ", ".join(f"{g:.2f} %" for g in gains) + " for c = 0.5, 0.2, 0.1, 0.01 mm"
    return Finding(text, REPRODUCED if all(a > b for a, b in pairwise(gains)) else NOT_REPRODUCED)


def _open_orbit(full: bool) -> Finding:
    worst = max(four_bar_steady(c).residual for c in CLEARANCES)
    text = f"period-1 for every c: the journal returns to {worst:.0e} c after a turn; peaks do shrink with c"
    return Finding(text, DIFFERS if worst < 1e-3 else REPRODUCED)


FOUR_BAR: dict[str, Any] = {
    "assumed": "start angle 0 and branch -1, which are not printed",
    "case": "four_bar",
    "quick": True,
}

CLAIMS = (
    Claim("004 §3, Fig 3", "stiffness of journal in bearing", "6.6e10 N/m^1.5", _stiffness, "0.05e10 N/m^1.5",
          case="slider_crank", quick=True),
    Claim("004 §3, Fig 4b", "the loop grows as restitution falls; none for e = 1", "in words", _hysteresis,
          "1e-9 of the energy for e = 1", case="slider_crank", quick=True),
    Claim("004 §6, Fig 6a", "clearance of 0.2 mm leaves the follower's velocity alone", "no deviation", _velocity,
          "2 % of its maximum", **FOUR_BAR),
    Claim("004 §6, Fig 6b", "but significantly its acceleration", "in words", _acceleration, "10 %", **FOUR_BAR),
    Claim("004 §6, Fig 6", "the response repeats itself from cycle to cycle", "in words", _repeats, "1e-4 c",
          **FOUR_BAR),
    Claim("004 §6, Fig 6d", "the journal is always in contact with the wall", "always", _in_contact, "none",
          **FOUR_BAR),
    Claim("004 §6, Eq 11", "AP(alpha) of the follower's acceleration, c = 0.2 mm", "50.82 %",
          partial(_amplification, "AP(alpha)", "follower.alpha"), "0.5 points", **FOUR_BAR),
    Claim("004 §6, Eq 12", "AP(M) of the crank moment, c = 0.2 mm", "38.32 %",
          partial(_amplification, "AP(M)", "main.torque"), "0.5 points", **FOUR_BAR),
    Claim("004 §6, Fig 7", "the crank moment nears the ideal one as c shrinks", "in words", _closer,
          "in every step of clearance", **FOUR_BAR),
    Claim("004 §6, Fig 8", "with clearance the map is an open orbit, non-linear", "in words", _open_orbit,
          "1e-3 c after a turn", **FOUR_BAR),
    *REGIME_CLAIMS,
)  # fmt: skip
