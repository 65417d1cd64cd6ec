"""The claims of Bauchau and Rodriguez 2002, section 7.2: the crank-slider that may leave its plane."""

from __future__ import annotations

import math

import numpy as np

import gudgeon as gd
from gudgeon.papers.bauchau2002 import parts
from gudgeon.papers.bauchau2002 import space as case
from gudgeon.papers.bauchau2002.claims import peak as planar
from gudgeon.papers.bauchau2002.space_stability import bands
from gudgeon.papers.claim import DIFFERS, NOT_REPRODUCED, REPRODUCED, Claim, Finding
from gudgeon.papers.stored import stored
from gudgeon.results.joined import joined

__all__ = ["CLAIMS", "critical_speed", "lateral", "unstopped"]

FAR = 0.02  # a tip so far out of the plane [m] has left it
REVOLUTIONS = 8
RTOL = 1e-6
SPEEDS = (75.0, 126.0, 150.0)  # [rpm] of Figs 21 and 22


@stored
def unstopped(rpm: float, tip: str = "free", elements: int = 2, revolutions: int = REVOLUTIONS,
              output: float = 1e-3) -> gd.Run:  # fmt: skip
    """The motion without stops, until half a revolution in which the arm's tip is FAR; rows every `output` [s]."""
    m = case.crank_slider(tip=tip, stops=False, speed=rpm * math.pi / 30.0, elements=elements)
    pieces: list[gd.Run] = []
    for _ in range(2 * revolutions):
        pieces.append(gd.simulate(m, method="alpha", rtol=RTOL, output=output, channels=["arm.100.z", "pin.force"],
                                  duration=30.0 / rpm, resume=pieces[-1] if pieces else None))  # fmt: skip
        if np.abs(pieces[-1]["arm.100.z"]).max() > FAR:
            break
    return joined(pieces)


def lateral(rpm: float, tip: str = "free", elements: int = 2, revolutions: int = REVOLUTIONS) -> tuple[float, ...]:
    """Largest distance of the arm's tip from the plane [m] in each half revolution, without stops, until it is FAR."""
    run = unstopped(rpm, tip, elements, revolutions)
    half, z = 30.0 / rpm, np.abs(run["arm.100.z"])
    return tuple(
        float(z[(run.t >= half * k - 1e-9) & (run.t <= half * (k + 1) + 1e-9)].max())
        for k in range(round(run.end.t / half))
    )


def critical_speed(low: float = 75.0, high: float = 150.0, near: float = 1.0) -> float:
    """Speed [rpm] by bisection above which the tip, free to shift and tilt, leaves the plane after the pulse."""
    while high - low > near:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if lateral(middle)[-1] > FAR else (middle, high)
    return 0.5 * (low + high)


@stored
def motion(name: str) -> gd.Run:
    """Three revolutions of a case."""
    m = getattr(case, f"spatial_{name}")()
    length = {"revolutions": 3.0} if m.drives else {"duration": 1.25}
    channels = ["main.torque", "pin.force", "arm.100.z", *(["main.travel"] if m.motors else [])]
    return gd.simulate(m, method="alpha", rtol=RTOL, output=2e-5, channels=channels, **length)  # type: ignore[arg-type]


def peak(name: str, channel: str, revolution: int = 3) -> float:
    """Largest magnitude of a channel in one revolution of a case."""
    run = motion(name)
    turn = run["main.travel"] if "main.travel" in run else run.t * parts.SPEED
    inside = (turn >= (revolution - 1) * 2.0 * math.pi) & (turn <= revolution * 2.0 * math.pi)
    return float(np.abs(run[channel][inside]).max())


def _motor(full: bool) -> Finding:
    dry, driven = peak("A2", "pin.force"), peak("A3", "pin.force")
    change, printed = driven / dry - 1.0, case.PUBLISHED["force A2 to A3"]
    verdict = REPRODUCED if abs(change - printed) < 0.05 else DIFFERS if change < 0.0 else NOT_REPRODUCED
    return Finding(f"{100 * change:+.1f} % ({dry:.0f} to {driven:.0f} N)", verdict)


def _torque(full: bool) -> Finding:
    here, there = peak("A2", "main.torque"), planar("A2", "torque")
    same = abs(here / there - 1.0) < 0.05
    return Finding(f"peak {here:.0f} N m in space, {there:.0f} N m in the plane", REPRODUCED if same else DIFFERS)


def _stops(full: bool) -> Finding:
    peaks = [1e3 * peak("A2", "arm.100.z", k) for k in (1, 2, 3)]
    hits = [c for c in motion("A2").contacts if "stop" in c.contact]
    verdict = REPRODUCED if len(hits) > 1 else DIFFERS
    revolutions = ", ".join(f"{x:.3f}" for x in peaks)
    return Finding(f"{len(hits)} contacts with stops; tip out of the plane by {revolutions} mm in 3 turns", verdict)


def _critical(full: bool) -> Finding:
    *narrow, (last, top) = bands()
    below = " and ".join(f"{low:.1f} to {high:.1f}" for low, high in narrow)
    same = abs(last - case.PUBLISHED["critical speed"]) < 0.5
    return Finding(
        f"{last:.2f} rpm: from there to {top:g} rpm a multiplier is beyond 1; below in the bands {below} rpm",
        REPRODUCED if same else DIFFERS,
        f"Floquet multipliers of small motions out of the plane; trials of {REVOLUTIONS} turns by bisection lead to "
        f"{critical_speed():.1f} rpm",
    )


def _with_disks(full: bool) -> Finding:
    offset = lateral(150.0, "disks", revolutions=6)
    text = f"{1e3 * offset[-1]:.2g} mm after {len(offset) / 2:g} turns at 150 rpm"
    if offset[-1] > FAR:
        return Finding(text, REPRODUCED)
    return Finding(f"{text}: pressed into the bore, two disks keep the tip from tilting", NOT_REPRODUCED)


def _faster(full: bool) -> Finding:
    peaks = []
    for rpm in SPEEDS:
        run = unstopped(rpm, "disks", revolutions=3, output=1e-4)
        peaks.append(float(run["pin.force"][run.t * rpm >= 120.0].max()))
    words = (
        f"peaks of the third turn {', '.join(f'{x:.0f}' for x in peaks)} N at {', '.join(f'{x:g}' for x in SPEEDS)} rpm"
    )
    return Finding(words, REPRODUCED if peaks == sorted(peaks) else NOT_REPRODUCED)


CLAIMS = (
    Claim("003 §7.2, Fig 18", "a spatial joint hardly changes the driving torque", "in words", _torque, "5 %",
          case="spatial_A2"),
    Claim("003 §7.2, Fig 19", "the inner race repeatedly hits the stops", "in words", _stops, "more than once",
          case="spatial_A2"),
    Claim("003 §7.2, Fig 20", "A2 to A3: a motor lowers the contact force in space", "-40 %", _motor, "5 points",
          case="spatial_A3"),
    Claim("003 §7.2, Fig 21", "critical speed out of the plane, by trial and error", "126 rpm", _critical, "0.5 rpm",
          "the arm's end is free to shift and tilt at the slider", "spatial_A2"),
    Claim("003 §7.2, Fig 21", "without stops the motion diverges at 150 rpm", "in words", _with_disks, "20 mm",
          case="spatial_A2"),
    Claim("003 §7.2, Fig 22", "without stops contact forces increase with the speed", "in words", _faster,
          "at 75, 126 and 150 rpm", case="spatial_A2"),
)  # fmt: skip
