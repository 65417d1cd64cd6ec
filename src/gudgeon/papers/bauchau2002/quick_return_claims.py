"""The claims of Bauchau and Rodriguez 2002, section 7.3: the quick-return mechanism.

A peak is the largest magnitude in the third revolution. The article's figure with the geometry is not in its text, so
that percentages are those of an assumed one (`quick_return`); they change with it: with B and R 0.35 to
0.5 m apart instead of 0.4 the power rises by 14 to 27 % in case 2 and by 27 to 59 % in case 3.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import gudgeon as gd
from gudgeon.papers.bauchau2002 import quick_return as case
from gudgeon.papers.claim import DIFFERS, NOT_REPRODUCED, REPRODUCED, Claim, Finding
from gudgeon.papers.stored import stored

__all__ = ["CLAIMS", "motion", "third_revolution"]

RTOL, DURATION, SPACING = 1e-6, 1.25, 2e-5
NEAR = 0.03  # a change within so much of the printed one is the same
ASSUMED = "B and R 0.4 m apart, shuttle 1.0 m above B"
CHANNEL = {"speed": "shuttle.vx", "moment": "arm.25.moment", "power": "motor.mechanical_power",
           "torque": "motor.torque"}  # fmt: skip


@stored
def motion(name: str) -> gd.Run:
    """Three revolutions of case "1", "1b", "2" or "3"."""
    m = getattr(case, f"quick_return_{name}")()
    return gd.simulate(m, duration=DURATION, method="alpha", rtol=RTOL, output=SPACING, channels=list(case.CHANNELS))


@stored
def third_revolution(name: str) -> dict[str, float]:
    """Peaks of case "1", "1b", "2" or "3" in the third revolution."""
    return case.peaks(motion(name))


def _rise(what: str, name: str) -> Callable[[bool], Finding]:
    """How a peak rises from case 1, beside what is printed, and how much of that the bending arm alone does."""

    def compute(full: bool) -> Finding:
        base, bent, loose = (third_revolution(one)[CHANNEL[what]] for one in ("1", "1b", name))
        ours, alone, printed = loose / base - 1.0, bent / base - 1.0, case.PRINTED[f"{what} {name}"]
        verdict = REPRODUCED if abs(ours - printed) <= NEAR else DIFFERS if ours * printed > 0.0 else NOT_REPRODUCED
        return Finding(f"{100 * ours:+.1f} %, of which {100 * alone:+.1f} % without clearance", verdict)

    return compute


def _alike(full: bool) -> Finding:
    """The torque rises as the moment does."""
    base, loose = third_revolution("1"), third_revolution("3")
    torque, moment = (100 * (loose[CHANNEL[x]] / base[CHANNEL[x]] - 1.0) for x in ("torque", "moment"))
    return Finding(
        f"torque {torque:+.0f} %, moment {moment:+.0f} %", REPRODUCED if abs(torque - moment) < 15 else DIFFERS
    )


def _larger(full: bool) -> Finding:
    """Which of the joints carries more in case 3."""
    peaks = third_revolution("3")
    text = f"B {peaks['B.force']:.0f} N, N {peaks['N.force']:.0f} N"
    return Finding(text, REPRODUCED if peaks["B.force"] > 1.2 * peaks["N.force"] else NOT_REPRODUCED)


def _knocks(name: str) -> list[tuple[float, float]]:
    """Spans of the third revolution [revolutions] in which contacts begin again and again, at any loose joint."""
    run = motion(name)
    turns = np.interp([one.t_on for one in run.contacts], run.t, run["motor.travel"]) / (2.0 * np.pi)
    spans: list[tuple[float, float]] = []
    for x in sorted(float(x) for x in turns if 2.0 < x < 3.0):
        if spans and x - spans[-1][1] < 0.05:
            spans[-1] = (spans[-1][0], x)
        else:
            spans.append((x, x))
    return spans


def _knocking(full: bool) -> Finding:
    """Where contacts are lost and found again: late in case 2; in case 3 early as well."""
    two, three = _knocks("2"), _knocks("3")
    words = [f"case {k}: at {', '.join(f'{a:.2f} to {b:.2f}' for a, b in spans)}"
             for k, spans in (("2", two), ("3", three))]  # fmt: skip
    late = any(a < 2.9 and b > 2.7 for a, b in two) and not any(a < 2.4 and b > 2.2 for a, b in two)
    early = any(a < 2.4 and b > 2.2 for a, b in three)
    return Finding("; ".join(words), REPRODUCED if late and early else DIFFERS)


CLAIMS = (
    Claim("003 §7.3, Fig 24", "case 3: clearance hardly raises the shuttle's speed", "+4 %", _rise("speed", "3"),
          "3 points", ASSUMED),
    Claim("003 §7.3, Fig 25", "case 3: peak moment at the quarter of the arm", "+34 %", _rise("moment", "3"),
          "3 points", ASSUMED),
    Claim("003 §7.3, Fig 26", "the driving torque behaves like the moment", "in words", _alike, "15 points", ASSUMED),
    Claim("003 §7.3, Fig 28", "case 2: peak power", "+33 %", _rise("power", "2"), "3 points", ASSUMED),
    Claim("003 §7.3, Fig 28", "case 3: peak power", "+66 %", _rise("power", "3"), "3 points", ASSUMED),
    Claim("003 §7.3, Fig 27", "contact forces at B are significantly larger", "in words", _larger,
          "20 % larger", ASSUMED),
    Claim("003 §7.3, Fig 27", "knocking near 2.8 turns, in case 3 also at 2.2 to 2.4", "in words", _knocking,
          "contacts at 2.7 to 2.9, in case 3 at 2.2 to 2.4", ASSUMED),
)  # fmt: skip
