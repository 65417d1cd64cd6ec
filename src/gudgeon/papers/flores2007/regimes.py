"""The claims of Flores et al. 2007, section 7: which motion the slider-crank has, by clearance and friction.

The article judges phase portraits over two turns. Here the regime goes on from the end of the windows: whether the
section repeats, the largest exponent and the 0-1 test. Runs in lasting contact depend on the speed of their last
touch, which the law keeps for ever.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import gudgeon as gd
from gudgeon.analysis.motions.motion import regime
from gudgeon.analysis.motions.regimes import CHAOTIC, QUASI, Regime
from gudgeon.analysis.statistics.windows import Windows, sample_windows
from gudgeon.papers.claim import DIFFERS, NOT_REPRODUCED, REPRODUCED, Claim, Finding
from gudgeon.papers.flores2007 import cases as case
from gudgeon.papers.stored import stored

__all__ = ["CLAIMS", "SettledMotion", "motion"]

SIGNALS = ("pin.normal", "slider.ax")
CLEARANCES = tuple(case.REGIME_BY_CLEARANCE)  # mm
FRICTIONS = tuple(case.REGIME_BY_FRICTION)  # at 0.5 mm

# what each case must be for the published word to hold
EXPECTED = {
    (0.5, None): (CHAOTIC,), (0.2, None): (QUASI,), (0.1, None): ("period",), (0.01, None): ("period-1",),
    (0.5, 0.01): (CHAOTIC,), (0.5, 0.03): (CHAOTIC, QUASI), (0.5, 0.05): ("period", QUASI),
    (0.5, 0.10): ("period-1",),
}  # fmt: skip

# a chaotic motion and windows of period 3 and 6 may take turns: one motion is a matter of chance, so that the word of a
# motion is that which most of some nearby ones have
NEARBY = tuple(1e-10 * k for k in range(1, 10))  # relative changes of the clearance


@dataclass(frozen=True)
class SettledMotion:
    """Windows of one case, and its regime."""

    windows: Windows
    regime: Regime

    def __str__(self) -> str:
        w, r = self.windows, self.regime
        return (
            f"{r.label}, confidence {r.confidence:.2f}: exponent {r.exponent} per turn, section returns to "
            f"{r.residual:.1g} c, 0-1 test {r.k01:.2f}; in contact {w.mean('contact fraction')}, "
            f"{w.mean('contacts')} touches in 2 turns, peak force {w.mean('peak pin.normal')} N"
        )


@stored
def motion(clearance: float, friction: float | None, full: bool) -> SettledMotion:
    """Transient, then windows, then as many turns again for the regime; clearance [mm]."""
    mechanism = case.slider_crank(f"{clearance} mm", friction=friction)
    turns, count = (200, 200) if full else (100, 60)
    windows = sample_windows(mechanism, SIGNALS, transient=turns, windows=count)
    return SettledMotion(windows, regime(windows.end, turns=turns))


@stored
def labels_nearby(clearance: float, friction: float | None) -> tuple[tuple[str, int], ...]:
    """Words for motions whose clearance differs in the tenth digit, and how often each came, most often first."""
    words = [regime(case.slider_crank(1e-3 * clearance * (1.0 + change), friction=friction), transient=100, turns=100)
             for change in NEARBY]  # fmt: skip
    return tuple(Counter(word.label for word in words).most_common())


def _motion(clearance: float, friction: float | None, full: bool) -> Finding:
    ours = motion(clearance, friction, full)
    labels = labels_nearby(clearance, friction)
    counts = f"of {len(NEARBY)} motions with almost this clearance " + ", ".join(f"{n} {w}" for w, n in labels)
    holds = labels[0][0].startswith(EXPECTED[clearance, friction])
    return Finding(str(ours), REPRODUCED if holds else DIFFERS, counts)


def _follows(full: bool) -> Finding:
    share = [motion(c, None, full).windows.mean("contact fraction").value for c in CLEARANCES]
    text = "share of contact " + ", ".join(f"{x:.3f}" for x in share) + " from 0.5 to 0.01 mm"
    rising = all(a <= b for a, b in pairwise(share)) and share[-1] == 1.0
    return Finding(text, REPRODUCED if rising else NOT_REPRODUCED)


def _like_ideal(full: bool) -> Finding:
    ideal = gd.simulate(case.slider_crank(None), revolutions=1, rtol=1e-10, channels=["slider.ax"])
    peak = abs(ideal.peak("slider.ax").value)
    ours = motion(0.01, None, full).windows.mean("peak slider.ax").value
    text = f"peak acceleration {ours:.1f} against {peak:.1f} m/s^2, {100 * (ours / peak - 1):+.2f} %"
    return Finding(text, REPRODUCED if abs(ours / peak - 1) < 0.05 else DIFFERS)


def _calmer(full: bool) -> Finding:
    motions = [motion(0.5, f, full) for f in FRICTIONS]
    peaks = [m.windows.mean("peak pin.normal").value for m in motions]
    text = "mean peak force " + ", ".join(f"{x:.0f}" for x in peaks) + " N from 0.01 to 0.10"
    falling = all(a > b for a, b in pairwise(peaks))
    ends = motions[0].regime.label == CHAOTIC and motions[-1].regime.period == 1
    return Finding(text, REPRODUCED if falling and ends else DIFFERS)


MOTION: dict[str, Any] = {"case": "slider_crank"}
SAME_WORD = "the same word for the motion"
RUBBING = "full friction from 10 mm/s on; the article gives no speed"

CLAIMS = (
    *(Claim("004 §7, Figs 10 and 11", f"motion for c = {c:g} mm", word, partial(_motion, c, None), SAME_WORD, **MOTION)
      for c, word in case.REGIME_BY_CLEARANCE.items()),
    Claim("004 §7, Fig 11", "with smaller clearance the journal follows the wall", "in words", _follows,
          "in contact all the time at 0.01 mm", **MOTION),
    Claim("004 §7, Fig 11", "the ideal map is almost that of c = 0.01 mm", "almost the same", _like_ideal,
          "5 % of the peak", **MOTION),
    *(Claim("004 §7, Figs 12 and 13", f"motion for friction {f:g}, c = 0.5 mm", word, partial(_motion, 0.5, f),
            SAME_WORD, RUBBING, **MOTION) for f, word in case.REGIME_BY_FRICTION.items()),
    Claim("004 §7, Figs 12 and 13", "more friction leads from chaotic to regular motion", "in words", _calmer,
          "peaks fall in every step", RUBBING, **MOTION),
)  # fmt: skip
