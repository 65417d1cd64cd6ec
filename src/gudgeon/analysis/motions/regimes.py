"""The regime of a motion: period-n, quasi-periodic, chaotic or not settled, with the numbers behind the word."""

# Three witnesses: the points of the section repeat after n periods or not; the largest exponent is below zero, zero or
# above it; the 0-1 test of the section. An exponent is zero where it is not further from zero than two standard errors
# and what so many periods can resolve at all; it is no witness where errors of the march part the twins too.
#
#   repeats after n, exponent not above zero    period-n
#   does not repeat, exponent above zero        chaotic
#   does not repeat, exponent zero, K < 1/2     quasi-periodic, if the section does not shrink
#   does not repeat, exponent below zero, K < 1/2, and a transient would have died away within the section
#                                               quasi-periodic, the second frequency coming from outside
#   else                                        not settled: it may be a long transient, or the witnesses are too few
#
# The confidence is the probability, from the standard error, that the exponent is on the side that the word needs,
# times the share of the witnesses that agree with the word; 0 where none of the first three words fits.

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gudgeon.analysis.motions.lyapunov import Exponent
from gudgeon.analysis.motions.series import SAME, Repetition
from gudgeon.analysis.statistics.mean import Mean, certainty

if TYPE_CHECKING:
    pass

__all__ = ["CHAOTIC", "QUASI", "UNSETTLED", "Regime", "judge"]

CHAOTIC, QUASI, UNSETTLED = "chaotic", "quasi-periodic", "not settled"
SIDE = 2.0  # standard errors that an exponent must be away from zero
SHARPEST = 1e-3  # error per period that no exponent is known better than
LASTS = 0.7  # share of the residual that is left in the second half of the section where nothing dies away
GONE = -6.0  # logarithm of what is left of a transient that has died away
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

    reference: ClassVar[str] = (
        "Benettin, Galgani, Giorgilli, Strelcyn 1980, Meccanica 15, 21; Gottwald, Melbourne 2004, Proc. R. Soc. A 460, "
        "603; Gottwald, Melbourne 2009, SIAM J. Appl. Dyn. Syst. 8, 129; " + Mean.reference
    )
    works: ClassVar[tuple[str, ...]] = ("benettin1980", "gottwald2004", "gottwald2009", *Mean.works)

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
            shrinking = self.exponent.value + SIDE * self.exponent.error < 0.0
            return "errors decay" if shrinking else "errors grow no faster than time does"
        return (
            f"single values are predictions for about {self.horizon:.2g} periods from a known state; "
            "beyond that only statistics are"
        )

    def __str__(self) -> str:
        at_least = "at least " if self.lower_bound else ""
        lines = [
            f"{self.label}, confidence {self.confidence:.2f}",
            f"exponent {at_least}{self.exponent} per period, {self.exponent_per_second} per s",
            f"Poincaré section repeats to {self.residual:.2g} of {self.length * 1e3:.4g} mm, 0-1 test {self.k01:.2f}",
            self.beyond,
            *self.notes,
        ]
        return "\n".join(lines)


def judge(repeat: Repetition, exponent: Exponent, k01: float, *, length: float, tolerance: float, turns: int,
          transient: float) -> Regime:  # fmt: skip
    """The word for a motion from its three witnesses; `tolerance` is the error of one march relative to the length."""
    mean, zero = exponent.mean, exponent.resolution
    spread = max(mean.error, SHARPEST)
    above = mean.value - SIDE * spread > zero
    below = mean.value + SIDE * spread < 0.0
    regular, lasting = k01 < 0.5, repeat.trend > LASTS
    neutral = certainty((zero - mean.value) / spread) - certainty((-zero - mean.value) / spread)
    if exponent.blurred:
        label, sure, witnesses = UNSETTLED, 0.0, (False, False, False)
    elif repeat.period and not above:
        label, sure = f"period-{repeat.period}", certainty(-mean.value / spread)
        witnesses = (True, mean.value < 0.0, regular)
    elif not repeat.period and above:
        label, sure, witnesses = CHAOTIC, certainty((mean.value - zero) / spread), (True, True, not regular)
    elif not repeat.period and regular and lasting and not below and neutral > 0.5:
        label, sure, witnesses = QUASI, neutral, (True, True, True)
    elif not repeat.period and regular and lasting and below and mean.value * turns < GONE:
        label, sure, witnesses = QUASI, certainty(-mean.value / spread), (True, False, True)
    else:
        label, sure, witnesses = UNSETTLED, 0.0, (False, False, False)
    horizon = math.log(TRUSTED / tolerance) / mean.value if mean.value > zero and tolerance < TRUSTED else math.inf
    return Regime(
        label=label, period=repeat.period if label.startswith("period") else 0,
        confidence=sure * sum(witnesses) / len(witnesses), exponent=mean, exponent_per_second=exponent.per_second,
        residual=repeat.residual, trend=repeat.trend, k01=k01, horizon=horizon, length=length, turns=turns,
        transient=transient, lower_bound=exponent.saturated, notes=_notes(label, repeat, exponent),
    )  # fmt: skip


def _notes(label: str, repeat: Repetition, exponent: Exponent) -> tuple[str, ...]:
    said = []
    if exponent.blurred:
        said.append(
            f"integration errors at rtol {exponent.rtol:.0e} contribute up to {exponent.bias:.1g} to the exponent, "
            "which is therefore not significant; give a smaller rtol"
        )
    elif label == UNSETTLED and repeat.period:
        said.append(f"the section repeats after {repeat.period}, yet neighbouring motions diverge: it may leave "
                    "this orbit")
    elif label == UNSETTLED and exponent.mean.value * len(exponent.values) < GONE:
        said.append("neighbouring motions do not diverge any more: it has settled meanwhile; give a longer transient")
    elif label == UNSETTLED:
        closer = (
            "getting closer; give a longer transient" if repeat.trend < LASTS else "not getting closer; give more turns"
        )
        said.append(f"nearest to period-{repeat.nearest}, {closer}")
    if label == QUASI and exponent.mean.value < -exponent.resolution:
        said.append("differences decay: a second frequency comes from outside, or the period is very long")
    if exponent.saturated:
        said.append("neighbouring motions diverged too far between two corrections: the exponent is a lower bound")
    if repeat.period and repeat.residual > 0.1 * SAME:
        said.append(f"it still changes by {repeat.residual:.1g} of the length from one repetition to the next")
    return tuple(said)
