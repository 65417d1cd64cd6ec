"""The regime of a motion: period-n, quasi-periodic, chaotic or not settled, with the numbers behind the word.

# Three witnesses: the points of the section repeat after n periods or not; the largest exponent is below zero, zero or
# above it; the 0-1 test of the section. An exponent is zero where it is not further from zero than two standard errors
# and what so many periods can resolve at all.
#
#   repeats after n, exponent not above zero    period-n
#   does not repeat, exponent above zero        chaotic
#   does not repeat, exponent zero, K < 1/2     quasi-periodic
#   else                                        not settled: go on, it may be a long transient or a longer period
#
# The confidence is the probability, from the standard error, that the exponent is on the side that the word needs,
# times the share of the witnesses that agree with the word; 0 where none of the first three words fits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gudgeon.analysis.lyapunov import Exponent
from gudgeon.analysis.series import SAME, Repetition
from gudgeon.analysis.statistic import Mean, certainty

if TYPE_CHECKING:
    from gudgeon.model import Mechanism
    from gudgeon.results import Run

__all__ = ["CHAOTIC", "LABELS", "QUASI", "UNSETTLED", "Regime", "judge", "regime"]

CHAOTIC, QUASI, UNSETTLED = "chaotic", "quasi-periodic", "not settled"
LABELS = ("period-n", QUASI, CHAOTIC, UNSETTLED)
SIDE = 2.0  # standard errors that an exponent must be away from zero
TRUSTED = 0.01  # of the length: two runs this far apart are no longer the same prediction


@dataclass(frozen=True)
class Regime:
    """What a motion is. `period` counts periods of the drive, 0 where the motion has none.

    exponent   largest Lyapunov exponent per period of the drive, with its standard error
    residual   how far the section is from repeating, in `length` [m]
    k01        0-1 test: near 0 regular, near 1 chaotic
    horizon    periods until an error of the tolerance has grown to 1 % of the length; inf where errors do not grow.
               Beyond it single values are no predictions, only statistics are
    """

    label: str
    period: int
    confidence: float
    exponent: Mean
    exponent_per_second: Mean
    residual: float
    trend: float
    k01: float
    horizon: float
    length: float
    turns: int
    transient: float
    lower_bound: bool
    notes: tuple[str, ...] = ()

    def numbers(self) -> dict[str, float | str]:
        """The label and the numbers behind it, flat."""
        return {
            "regime": self.label, "period": float(self.period), "confidence": self.confidence,
            "exponent": self.exponent.value, "exponent error": self.exponent.error, "residual": self.residual,
            "k01": self.k01, "horizon": self.horizon,
        }  # fmt: skip

    @property
    def beyond(self) -> str:
        """What lies beyond the trust horizon."""
        if not math.isfinite(self.horizon):
            return "errors do not grow: values are predictions to the end"
        return (
            f"single values are predictions for about {self.horizon:.2g} periods from a known state; "
            "beyond that only statistics are"
        )

    def __str__(self) -> str:
        at_least = "at least " if self.lower_bound else ""
        lines = [
            f"{self.label}, confidence {self.confidence:.2f}",
            f"exponent {at_least}{self.exponent} per period, {self.exponent_per_second} per s",
            f"section returns to {self.residual:.2g} of {self.length * 1e3:.4g} mm, 0-1 test {self.k01:.2f}",
            self.beyond,
            *self.notes,
        ]
        return "\n".join(lines)


def judge(repeat: Repetition, exponent: Exponent, k01: float, *, length: float, tolerance: float, turns: int,
          transient: float) -> Regime:  # fmt: skip
    """The word for a motion from its three witnesses; `tolerance` is the error of one march relative to the length."""
    mean = exponent.mean
    zero = exponent.resolution
    spread = mean.error if mean.error > 0.0 else 1e-300
    above = mean.value - SIDE * spread > zero
    below = mean.value + SIDE * spread < -zero
    regular = k01 < 0.5
    if repeat.period and not above:
        label, period = f"period-{repeat.period}", repeat.period
        witnesses = (True, mean.value < 0.0, regular)
        sure = certainty(-mean.value / spread)
    elif not repeat.period and above:
        label, period, witnesses = CHAOTIC, 0, (True, True, not regular)
        sure = certainty((mean.value - zero) / spread)
    elif not repeat.period and not below and regular:
        label, period, witnesses = QUASI, 0, (True, abs(mean.value) < zero, regular)
        sure = certainty((zero - mean.value) / spread) - certainty((-zero - mean.value) / spread)
    else:
        label, period, witnesses, sure = UNSETTLED, 0, (False, False, False), 0.0
    horizon = math.log(TRUSTED / tolerance) / mean.value if above and tolerance < TRUSTED else math.inf
    return Regime(
        label, period, sure * sum(witnesses) / len(witnesses), mean, exponent.per_second, repeat.residual, repeat.trend,
        k01, horizon, length, turns, transient, exponent.saturated, _notes(label, repeat, exponent, turns),
    )  # fmt: skip


def _notes(label: str, repeat: Repetition, exponent: Exponent, turns: int) -> tuple[str, ...]:
    said = []
    if label == UNSETTLED and repeat.period:
        said.append(f"the section repeats after {repeat.period}, yet twins part: it may leave this orbit")
    elif label == UNSETTLED:
        going = "and it is getting there" if repeat.trend < 0.9 else "and it does not get closer"
        said.append(f"nearest to period-{repeat.nearest}, {going}; give a longer transient")
    if exponent.saturated:
        said.append("twins came too far apart between two corrections: the exponent is a lower bound")
    if repeat.period and repeat.residual > 0.1 * SAME:
        said.append(f"it still moves by {repeat.residual:.1g} of the length from one repetition to the next")
    return tuple(said)


def regime(source: Mechanism | Run, **settings: Any) -> Regime:
    """Label the motion of a mechanism after a transient, or of a run from where it ended.

    Settings: transient, turns (periods looked at), rtol, method, period [s] (where no joint is driven at constant
    speed), length [m] (of the ruler; default the smallest clearance, else the extent of the motion), longest (period
    looked for), seed.
    """
    from gudgeon.analysis.motion import Motion

    return Motion(source, **settings).regime
