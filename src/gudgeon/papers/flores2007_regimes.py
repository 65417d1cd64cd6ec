"""The claims of Flores et al. 2007, section 7: which motion the slider-crank has, by clearance and friction.

The article judges phase portraits over two turns. Here the regime comes from the journal's offset once per
turn, over the last 40 turns, and from whether two runs that go on from there, one ten times more accurate than
the other, part. Runs in lasting contact depend on the speed of their last touch, which the law keeps for ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

import numpy as np

import gudgeon as gd
from gudgeon.analysis.windows import Windows, sample_windows
from gudgeon.papers import flores2007 as case
from gudgeon.papers.claim import DIFFERS, NOT_REPRODUCED, REPRODUCED, Claim, Outcome

__all__ = ["CLAIMS", "Motion", "motion"]

PERIOD = 2.0 * np.pi / abs(case.SLIDER_CRANK_SPEED)
SIGNALS = ("pin.normal", "slider.ax")
CLEARANCES = tuple(case.REGIME_BY_CLEARANCE)  # mm
FRICTIONS = tuple(case.REGIME_BY_FRICTION)  # at 0.5 mm
SAME = 1e-3  # strobe points closer than this share of the clearance are the same
NEARLY = 0.05
PARTED = 0.1  # two runs this share of the clearance apart are different runs

ONE, TWO, CHAOS, OTHER = "period-1", "period-2 with slow drift", "chaotic", "not periodic, yet not sensitive"
# what each case must be for the published word to hold
EXPECTED = {
    (0.5, None): (CHAOS,), (0.2, None): (OTHER,), (0.1, None): (ONE, TWO), (0.01, None): (ONE,),
    (0.5, 0.01): (CHAOS,), (0.5, 0.03): (CHAOS, OTHER), (0.5, 0.05): (ONE, TWO, OTHER), (0.5, 0.10): (ONE,),
}  # fmt: skip


@dataclass(frozen=True)
class Motion:
    """Windows of one case, its regime in words, and the turn at which two runs part, if they do."""

    windows: Windows
    regime: str
    horizon: float | None

    def __str__(self) -> str:
        w = self.windows
        when = f"part after {self.horizon:.1f} turns" if self.horizon else "stay together"
        return (
            f"{self.regime}: strobe points move by up to {w.strobe_step():.1g} c; two runs {when}; in "
            f"contact {w.mean('contact fraction')}, {w.mean('contacts')} touches in 2 turns, peak force "
            f"{w.mean('peak pin.normal')} N"
        )


@cache
def motion(clearance: float, friction: float | None, full: bool) -> Motion:
    """Transient, then windows; clearance [mm]."""
    mechanism = case.slider_crank(f"{clearance} mm", friction=friction)
    turns, count = (200, 200) if full else (100, 60)
    windows = sample_windows(mechanism, SIGNALS, transient=turns, windows=count)
    horizon = _horizon(mechanism, windows.end, 40 if full else 20, clearance * 1e-3)
    return Motion(windows, _regime(windows, horizon), horizon)


def _horizon(mechanism: gd.Mechanism, end: gd.Run, turns: int, gap: float) -> float | None:
    """Turns until runs of rtol 1e-9 and 1e-10 from the same state part."""
    names = ["pin.ex", "pin.ey"]
    first, second = (
        gd.simulate(mechanism, revolutions=turns, rtol=rtol, channels=names, output=PERIOD / 200, resume=end)
        for rtol in (1e-9, 1e-10)
    )
    n = min(len(first.t), len(second.t))
    apart = np.hypot(*(first[name][:n] - second[name][:n] for name in names)) > PARTED * gap
    return float(first.t[int(np.argmax(apart))] - first.t[0]) / PERIOD if apart.any() else None


def _regime(windows: Windows, horizon: float | None) -> str:
    if windows.strobe_step() < SAME:
        return ONE
    if windows.strobe_step(2) < NEARLY:
        return TWO
    return CHAOS if horizon else OTHER


def _motion(clearance: float, friction: float | None, full: bool) -> Outcome:
    ours = motion(clearance, friction, full)
    verdict = REPRODUCED if ours.regime in EXPECTED[clearance, friction] else DIFFERS
    return Outcome(str(ours), verdict)


def _follows(full: bool) -> Outcome:
    share = [motion(c, None, full).windows.mean("contact fraction").value for c in CLEARANCES]
    text = "share of contact " + ", ".join(f"{x:.3f}" for x in share) + " from 0.5 to 0.01 mm"
    rising = all(a <= b for a, b in pairwise(share)) and share[-1] == 1.0
    return Outcome(text, REPRODUCED if rising else NOT_REPRODUCED)


def _like_ideal(full: bool) -> Outcome:
    ideal = gd.simulate(case.slider_crank(None), revolutions=1, rtol=1e-10, channels=["slider.ax"])
    peak = abs(ideal.peak("slider.ax").value)
    ours = motion(0.01, None, full).windows.mean("peak slider.ax").value
    text = f"peak acceleration {ours:.1f} against {peak:.1f} m/s^2, {100 * (ours / peak - 1):+.2f} %"
    return Outcome(text, REPRODUCED if abs(ours / peak - 1) < 0.05 else DIFFERS)


def _calmer(full: bool) -> Outcome:
    motions = [motion(0.5, f, full) for f in FRICTIONS]
    peaks = [m.windows.mean("peak pin.normal").value for m in motions]
    text = "mean peak force " + ", ".join(f"{x:.0f}" for x in peaks) + " N from 0.01 to 0.10"
    falling = all(a > b for a, b in pairwise(peaks))
    ends = motions[0].regime == CHAOS and motions[-1].regime == ONE
    return Outcome(text, REPRODUCED if falling and ends else DIFFERS)


CLAIMS = (
    *(Claim("004 §7", f"motion for c = {c:g} mm", word, partial(_motion, c, None))
      for c, word in case.REGIME_BY_CLEARANCE.items()),
    Claim("004 §7", "with smaller clearance the journal follows the wall", "in words", _follows),
    Claim("004 §7", "the ideal map is almost that of c = 0.01 mm", "almost the same", _like_ideal),
    *(Claim("004 §7", f"motion for friction {f:g}, c = 0.5 mm", word, partial(_motion, 0.5, f))
      for f, word in case.REGIME_BY_FRICTION.items()),
    Claim("004 §7", "more friction leads from chaotic to regular motion", "in words", _calmer),
)  # fmt: skip
