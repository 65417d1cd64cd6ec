"""The claims of Bauchau and Rodriguez 2002, section 7.1: the crank-slider with flexible links.

A peak is the largest magnitude in the third revolution. What was ambiguous in the article was settled by some of its
own percentages (see `bauchau2002`), so that their agreement is a check of consistency more than a prediction.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.papers.bauchau2002 import cases as case
from gudgeon.papers.bauchau2002.parts import SPEED
from gudgeon.papers.claim import DIFFERS, NOT_REPRODUCED, REPRODUCED, Claim, Finding
from gudgeon.papers.stored import stored

__all__ = ["CLAIMS", "motion", "peak", "steps"]

NEAR = 0.03  # a change within so much of the printed one is the same
CHANNELS = {"torque": "main.torque", "force": "pin.force", "moment": "arm.50.moment"}
RTOL = 1e-7


@stored
def motion(name: str, rtol: float = RTOL, method: str = "alpha") -> gd.Run:
    """Three revolutions of a case."""
    m = getattr(case, name)()
    length: dict[str, Any] = {"revolutions": 3.0} if m.drives else {"duration": 1.25}
    channels = [*case.CHANNELS, *(["main.travel"] if m.motors else [])]
    # a spacing of the results, so that they do not limit the step
    return gd.simulate(m, method=method, rtol=rtol, output=2e-5, channels=channels, **length)


def peak(name: str, what: str, rtol: float = RTOL, method: str = "alpha") -> float:
    """Largest magnitude of the torque [N m], the force at point A [N] or the moment in the arm [N m] in one case."""
    high, low = case.peaks(motion(name, rtol, method))[CHANNELS[what]]
    return max(high, -low)


# from tight to loose, as few as tell the steps to a fifth
TOLERANCES = {
    "decay": (1e-6, 3e-6, 1e-5, 2e-5, 3e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3),
    "alpha": (1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4),
}


def coarsest(name: str, method: str = "decay", accuracy: float = 0.01) -> tuple[float, bool]:
    """The loosest tolerance from which on, and at all tighter ones, the peaks of torque and contact force, where there
    is one, are right to this accuracy; the tightest and False where none is."""
    watched = ("torque",) if name == "A1" else ("torque", "force")
    exact = {what: peak(name, what, 1e-8) for what in watched}
    tolerance, reached = TOLERANCES[method][0], False
    for rtol in TOLERANCES[method]:
        if any(abs(peak(name, what, rtol, method) / exact[what] - 1.0) > accuracy for what in watched):
            break
        tolerance, reached = rtol, True
    return tolerance, reached


def steps(name: str, method: str = "decay") -> tuple[int, bool]:
    """Steps per revolution for peaks to 1 %, and whether these are reached."""
    rtol, reached = coarsest(name, method)
    return round(motion(name, rtol, method).evidence.steps / 3), reached


def _change(what: str, before: str, after: str, near: float = NEAR) -> Callable[[bool], Finding]:
    """How a peak changes from one case to the other, beside what is printed."""

    def compute(full: bool) -> Finding:
        one, other = peak(before, what), peak(after, what)
        ours, printed = other / one - 1.0, case.PUBLISHED[f"{what} {before} to {after}"]
        same = abs(ours - printed) <= near
        verdict = REPRODUCED if same else DIFFERS if ours * printed > 0.0 else NOT_REPRODUCED
        unit = "N" if what == "force" else "N m"
        return Finding(f"{100 * ours:+.1f} % ({one:.5g} to {other:.5g} {unit})", verdict)

    return compute


def _insensitive(full: bool) -> Finding:
    tight, loose = ([peak(name, "torque") for name in names] for names in (("C1", "C2", "C3"), ("C5", "C6", "C7")))
    spread = max(max(x) / min(x) - 1.0 for x in (tight, loose))
    text = f"C1 to C3 {', '.join(f'{x:.0f}' for x in tight)} N m; C5 to C7 {', '.join(f'{x:.0f}' for x in loose)} N m"
    return Finding(text, REPRODUCED if spread < 0.1 else DIFFERS)


def _moments(full: bool) -> Finding:
    moments = [peak(name, "moment") for name in ("C5", "C6", "C7")]
    text = f"C5 to C7 {', '.join(f'{x:.1f}' for x in moments)} N m"
    return Finding(text, REPRODUCED if moments[0] < 0.5 * moments[1] < moments[2] else DIFFERS)


def _average(full: bool) -> Finding:
    speeds = {voltage: _speed(voltage) for voltage in (225.0, 231.0)}
    text = f"{speeds[225.0]:.2f} rpm with the 225 V of Table 1, {speeds[231.0]:.2f} rpm with 231 V"
    near = abs(speeds[225.0] / 150.0 - 1.0)
    return Finding(text, REPRODUCED if near < 0.01 else DIFFERS if near < 0.05 else NOT_REPRODUCED)


@stored
def _speed(voltage: float) -> float:
    """Mean speed of the motor without clearance in the third revolution [rpm]."""
    run = gd.simulate(case.A4(voltage), method="alpha", rtol=RTOL, output=2e-5, duration=1.25, channels=["main.travel"])
    start, end = np.interp([4.0 * np.pi, 6.0 * np.pi], run["main.travel"], run.t)
    return float(60.0 / (end - start))


def contacts(name: str) -> int:
    """Contacts that begin in the third revolution."""
    turn = 2.0 * np.pi / SPEED
    return sum(2.0 * turn <= record.t_on < 3.0 * turn for record in motion(name).contacts)


def _hammers(full: bool) -> Finding:
    counts, forces = ([ask(name) for name in ("B1", "B2", "B3")] for ask in (contacts, lambda n: peak(n, "force")))
    text = (
        f"B1, B2, B3: {', '.join(map(str, counts))} contacts in the third revolution, peaks of "
        f"{', '.join(f'{x:.0f}' for x in forces)} N"
    )
    grows = [all(a < b for a, b in pairwise(x)) for x in (counts, forces)]
    some = counts[-1] > counts[0] or forces[-1] > forces[0]
    return Finding(text, REPRODUCED if all(grows) else DIFFERS if some else NOT_REPRODUCED)


def _noise(full: bool) -> Finding:
    damped, free = contacts("C6"), contacts("C8")
    text = f"{free} contacts in the third revolution, with damping {damped}"
    return Finding(text, REPRODUCED if free > 10 * damped else DIFFERS if free > damped else NOT_REPRODUCED)


def _effort(name: str, printed: int) -> Callable[[bool], Finding]:
    """Steps that peaks to 1 % take here, by a scheme like the article's and by alpha."""

    def compute(full: bool) -> Finding:
        (decay, reached), (alpha, _) = steps(name), steps(name, "alpha")
        text = f"{decay} steps with decay{'' if reached else ', not to 1 %'}, {alpha} with alpha, for peaks to 1 %"
        return Finding(text, REPRODUCED if reached and decay <= 1.1 * printed else DIFFERS)

    return compute


def _cost(full: bool) -> Finding:
    """Evaluations of the equations, which the time goes with, at peaks to 1 %."""
    tight, loose = (motion(name, coarsest(name)[0], "decay").evidence for name in ("A1", "A2"))
    more, further = loose.evaluations / tight.evaluations - 1.0, loose.steps / tight.steps - 1.0
    text = f"A1 to A2 with decay: {100 * more:+.0f} % evaluations, {100 * further:+.0f} % steps, for peaks to 1 %"
    same = 0.15 <= more <= 0.45
    return Finding(text, REPRODUCED if same else DIFFERS if more > 0.0 else NOT_REPRODUCED)


NEARLY = f"{100 * NEAR:g} points"

CLAIMS = (
    Claim("003 §7.1, Fig 7", "A1 to A2: clearance raises the peak torque", "+35 %", _change("torque", "A1", "A2"),
          NEARLY, case="A2", quick=True),
    Claim("003 §7.1, Fig 7", "A1 to A3: so does a clearance with oil", "+35 %", _change("torque", "A1", "A3"),
          NEARLY, "the film is nowhere thinner than 1e-3 of the clearance; nothing is printed", "A3"),
    Claim("003 §7.1, Fig 7", "A1 to A4: a motor lowers the peak torque", "-33 %", _change("torque", "A1", "A4"),
          NEARLY, case="A4", quick=True),
    Claim("003 §7.1, Fig 7", "A4 to A5: clearance raises it less with a motor", "+22 %",
          _change("torque", "A4", "A5"), NEARLY, case="A5", quick=True),
    Claim("003 §7.1, Fig 8", "the motor of Table 1 turns at 150 rpm on average", "150 rpm", _average, "1 %",
          case="A4", quick=True),
    Claim("003 §7.1, Fig 10", "A2 to A5: a motor lowers the contact force", "-38 %", _change("force", "A2", "A5"),
          NEARLY, case="A5", quick=True),
    Claim("003 §7.1, Fig 11", "B1 to B2: ten times as stiff, peak torque", "+77 %",
          _change("torque", "B1", "B2", 0.05), "5 points", case="B2"),
    Claim("003 §7.1, Fig 11", "B1 to B3: fifty times as stiff, peak torque", "+190 %", _change("torque", "B1", "B3"),
          NEARLY, case="B3"),
    Claim("003 §7.1, Fig 12", "stiffer links: more contacts and higher contact forces", "in words", _hammers,
          "in every step of stiffness", case="B3"),
    Claim("003 §7.1, Fig 15", "C5 to C6: a tenth of the damping, contact force", "+100 %",
          _change("force", "C5", "C6"), NEARLY, case="C6"),
    Claim("003 §7.1, Fig 15", "C5 to C7: a hundredth of the damping, contact force", "+190 %",
          _change("force", "C5", "C7"), NEARLY, case="C7"),
    Claim("003 §7.1, Fig 13", "the torque hardly depends on the damping", "in words", _insensitive, "10 %", case="C7"),
    Claim("003 §7.1, Fig 14", "the moment in the arm grows as damping falls", "in words", _moments,
          "twice from C5 to C6", case="C7"),
    Claim("003 §7.1, Fig 16", "without damping many more contacts", "in words", _noise, "ten times", case="C8"),
    Claim("003 §7.1, Fig 16", "steps per revolution, no clearance", "about 600", _effort("A1", 600), "10 %",
          case="A1"),
    Claim("003 §7.1, Fig 16", "steps per revolution, clearance", "about 800", _effort("A2", 800), "10 %",
          case="A2"),
    Claim("003 §7.1, Fig 12", "steps per revolution, clearance and ten times as stiff", "about 1000",
          _effort("B2", 1000), "10 %", case="B2"),
    Claim("003 §7.1, Fig 12", "steps per revolution, clearance and fifty times as stiff", "about 1200",
          _effort("B3", 1200), "10 %", case="B3"),
    Claim("003 §8", "clearance takes moderately more computing time", "20 to 40 %", _cost, "5 points", case="A2"),
)  # fmt: skip
