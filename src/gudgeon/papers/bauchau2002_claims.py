"""The claims of Bauchau and Rodriguez 2002, section 7.1: the crank-slider with flexible links.

A peak is the largest magnitude in the third revolution. What was ambiguous in the article was settled by some of its
own percentages (see `bauchau2002`), so that their agreement is a check of consistency more than a prediction.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import gudgeon as gd
from gudgeon.papers import bauchau2002 as case
from gudgeon.papers.claim import DIFFERS, NOT_REPRODUCED, REPRODUCED, Claim, Outcome

__all__ = ["CLAIMS", "peak", "steps"]

NEAR = 0.03  # a change within so much of the printed one is the same
CHANNELS = {"torque": "main.torque", "force": "pin.force", "moment": "arm.50.moment"}
RTOL = 1e-7


@cache
def _run(name: str, rtol: float = RTOL, method: str = "alpha") -> gd.Run:
    m = getattr(case, name)()
    length: dict[str, Any] = {"revolutions": 3.0} if m.drives else {"duration": 1.25}
    channels = [*case.CHANNELS, *(["main.travel"] if m.motors else [])]
    # a spacing of the results, so that they do not limit the step
    return gd.simulate(m, method=method, rtol=rtol, output=2e-5, channels=channels, **length)


def peak(name: str, what: str, rtol: float = RTOL, method: str = "alpha") -> float:
    """Largest magnitude of the torque [N m], the force at point A [N] or the moment in the arm [N m] in one case."""
    high, low = case.peaks(_run(name, rtol, method))[CHANNELS[what]]
    return max(high, -low)


# from tight to loose, as few as tell the steps to a fifth
TOLERANCES = {
    "decay": (1e-5, 2e-5, 3e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3),
    "alpha": (1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4),
}


@cache
def coarsest(name: str, method: str = "decay", accuracy: float = 0.01) -> float:
    """The loosest tolerance from which on, and at all tighter ones, the peaks of torque and contact force, where there
    is one, are right to this accuracy."""
    watched = ("torque",) if name == "A1" else ("torque", "force")
    exact = {what: peak(name, what, 1e-8) for what in watched}
    found = TOLERANCES[method][0]
    for rtol in TOLERANCES[method]:
        if any(abs(peak(name, what, rtol, method) / exact[what] - 1.0) > accuracy for what in watched):
            break
        found = rtol
    return found


def steps(name: str, method: str = "decay") -> int:
    """Steps per revolution for peaks to 1 %."""
    return round(_run(name, coarsest(name, method), method).evidence.steps / 3)


def _change(what: str, before: str, after: str, near: float = NEAR) -> Callable[[bool], Outcome]:
    """How a peak changes from one case to the other, beside what is printed."""

    def compute(full: bool) -> Outcome:
        one, other = peak(before, what), peak(after, what)
        ours, printed = other / one - 1.0, case.PUBLISHED[f"{what} {before} to {after}"]
        same = abs(ours - printed) <= near
        verdict = REPRODUCED if same else DIFFERS if ours * printed > 0.0 else NOT_REPRODUCED
        unit = "N" if what == "force" else "N m"
        return Outcome(f"{100 * ours:+.1f} % ({one:.5g} to {other:.5g} {unit})", verdict)

    return compute


def _insensitive(full: bool) -> Outcome:
    tight, loose = ([peak(name, "torque") for name in names] for names in (("C1", "C2", "C3"), ("C5", "C6", "C7")))
    spread = max(max(x) / min(x) - 1.0 for x in (tight, loose))
    text = f"C1 to C3 {', '.join(f'{x:.0f}' for x in tight)} N m; C5 to C7 {', '.join(f'{x:.0f}' for x in loose)} N m"
    return Outcome(text, REPRODUCED if spread < 0.1 else DIFFERS)


def _moments(full: bool) -> Outcome:
    found = [peak(name, "moment") for name in ("C5", "C6", "C7")]
    text = f"C5 to C7 {', '.join(f'{x:.1f}' for x in found)} N m"
    return Outcome(text, REPRODUCED if found[0] < 0.5 * found[1] < found[2] else DIFFERS)


def _effort(name: str, printed: int) -> Callable[[bool], Outcome]:
    """Steps that peaks to 1 % take here, by a scheme like the article's and by alpha."""

    def compute(full: bool) -> Outcome:
        decay, alpha = steps(name), steps(name, "alpha")
        text = f"{decay} steps with decay, {alpha} with alpha, for peaks to 1 %"
        return Outcome(text, REPRODUCED if decay <= 1.1 * printed else DIFFERS)

    return compute


def _cost(full: bool) -> Outcome:
    """Evaluations of the equations, which the time goes with, at peaks to 1 %."""
    tight, loose = (_run(name, coarsest(name), "decay").evidence for name in ("A1", "A2"))
    more, further = loose.evaluations / tight.evaluations - 1.0, loose.steps / tight.steps - 1.0
    text = f"A1 to A2 with decay: {100 * more:+.0f} % evaluations, {100 * further:+.0f} % steps"
    return Outcome(text, REPRODUCED if 0.1 <= more <= 0.5 else DIFFERS)


CLAIMS = (
    Claim("003 §7.1", "A1 to A2: clearance raises the peak torque", "+35 %", _change("torque", "A1", "A2")),
    Claim("003 §7.1", "A1 to A3: so does a clearance with oil", "+35 %", _change("torque", "A1", "A3")),
    Claim("003 §7.1", "A1 to A4: a motor lowers the peak torque", "-33 %", _change("torque", "A1", "A4")),
    Claim("003 §7.1", "A4 to A5: clearance raises it less with a motor", "+22 %", _change("torque", "A4", "A5")),
    Claim("003 §7.1", "A2 to A5: a motor lowers the contact force", "-38 %", _change("force", "A2", "A5")),
    Claim("003 §7.1", "B1 to B2: ten times as stiff, peak torque", "+77 %", _change("torque", "B1", "B2", 0.05)),
    Claim("003 §7.1", "B1 to B3: fifty times as stiff, peak torque", "+190 %", _change("torque", "B1", "B3")),
    Claim("003 §7.1", "C5 to C6: a tenth of the damping, contact force", "+100 %", _change("force", "C5", "C6")),
    Claim("003 §7.1", "C5 to C7: a hundredth of the damping, contact force", "+190 %", _change("force", "C5", "C7")),
    Claim("003 §7.1", "the torque hardly depends on the damping", "in words", _insensitive),
    Claim("003 §7.1", "the moment in the arm grows as damping falls", "in words", _moments),
    Claim("003 §7.1", "steps per revolution, no clearance", "about 600", _effort("A1", 600)),
    Claim("003 §7.1", "steps per revolution, clearance", "about 800", _effort("A2", 800)),
    Claim("003 §7.1", "steps per revolution, clearance and ten times as stiff", "about 1000", _effort("B2", 1000)),
    Claim("003 §7.1", "steps per revolution, clearance and fifty times as stiff", "about 1200", _effort("B3", 1200)),
    Claim("003 §8", "clearance costs a little more computing time", "20 to 40 %", _cost),
)
