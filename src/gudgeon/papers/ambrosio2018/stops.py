"""The claims of Ambrosio, Pombo 2018, section 3.2: the triple pendulum and its stops."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.papers.ambrosio2018 import cases as case
from gudgeon.papers.claim import DIFFERS, NOT_REPRODUCED, REPRODUCED, Claim, Finding
from gudgeon.papers.stored import stored

__all__ = ["CLAIMS", "pendulum"]

SPAN, LONG, LONGER = 4.0, 8.0, 150.0  # [s]
LIMIT = 0.25  # of the slide [m]
KEPT = ["swing.travel", "slide.travel", "elbow.travel", "energy.kinetic", "energy.potential", "arm_1.wy",
        *(f"arm_{k}.{what}" for k in (1, 2, 3) for what in ("x", "y", "z", "e0", "e1", "e2", "e3")),
        *(f"{joint}.stop.{side}.normal" for joint in ("slide", "elbow") for side in ("upper", "lower"))]  # fmt: skip
BODY_3 = "body 3's centre 0.3 m from its joint"


@stored
def pendulum(stops: str, span: float = SPAN, energy_ratio: float = 0.01) -> gd.Run:
    """The triple pendulum with "hysteresis" or "kelvin-voigt" stops."""
    mechanism = case.triple_pendulum(stops, energy_ratio=energy_ratio)  # type: ignore[arg-type]
    return gd.simulate(mechanism, duration=span, output=2e-3, rtol=1e-10, channels=KEPT)


def _lost(run: gd.Run) -> float:
    """Energy that is gone at the end of the span [J]; the stops have given back what they held."""
    energy = run["energy.kinetic"] + run["energy.potential"]
    return float(energy[0] - energy[run.t <= SPAN + 1e-9][-1])


def _dissipates(full: bool) -> Finding:
    less, more = _lost(pendulum("hysteresis")), _lost(pendulum("kelvin-voigt"))
    text = f"{1e3 * less:.1f} mJ in 4 s by Lankarani and Nikravesh, {1e3 * more:.1f} mJ by Kelvin and Voigt"
    return Finding(text, REPRODUCED if less < more else NOT_REPRODUCED)


def _rebounds(full: bool) -> Finding:
    run = pendulum("hysteresis")
    longest = max(record.duration for record in run.contacts)
    lasting = sum(record.kind != "impact" for record in run.contacts)
    text = f"{len(run.contacts)} contacts in 4 s, {lasting} lasting; the longest takes {1e3 * longest:.0f} ms"
    return Finding(text, REPRODUCED if lasting == 0 and longest < 0.05 else NOT_REPRODUCED)


def _other_side(full: bool) -> Finding:
    """How soon after leaving one side the other is touched."""
    words, gaps = [], []
    for joint in ("slide", "elbow"):
        records = pendulum("hysteresis").contacts.of(joint)
        passes = [b.t_on - a.t_off for a, b in pairwise(records) if a.contact != b.contact]
        gaps.append(min(passes, default=math.inf))
        words.append(f"{joint}: {len(passes)} in {len(records)} touches, after {1e3 * gaps[-1]:.0f} ms at the soonest")
    text = "one side is followed by the other in 4 s, " + "; ".join(words)
    return Finding(text, REPRODUCED if max(gaps) < SPAN / 2 else DIFFERS if min(gaps) < SPAN / 2 else NOT_REPRODUCED)


def _longest(run: gd.Run, joint: str) -> float:
    return max(record.duration for record in run.contacts.of(joint) if record.ended)


def _stays(full: bool) -> Finding:
    soft, hard = pendulum("kelvin-voigt"), pendulum("hysteresis")
    long, short = _longest(soft, "slide"), _longest(hard, "slide")
    k = int(np.abs(soft["slide.travel"]).argmax())
    deep = float(np.median(np.abs(soft["slide.travel"][(soft.t > 0.4) & (soft.t < 1.0)])) - LIMIT)
    text = (
        f"a stop of the slide stays closed for up to {1e3 * long:.0f} ms, {1e6 * deep:.0f} um deep from 0.4 to 1 s "
        f"({1e6 * (abs(float(soft['slide.travel'][k])) - LIMIT):.0f} um at most), then opens; with Lankarani and "
        f"Nikravesh {1e3 * short:.0f} ms"
    )
    return Finding(text, REPRODUCED if long > 0.3 and long > 10 * short and deep > 0.0 else NOT_REPRODUCED)


def _leaves(full: bool) -> Finding:
    soft, hard = pendulum("kelvin-voigt"), pendulum("hysteresis")
    long, short = _longest(soft, "elbow"), _longest(hard, "elbow")
    ended = all(record.ended for record in soft.contacts.of("elbow"))
    text = (
        f"the elbow's stops stay closed for up to {1e3 * long:.0f} ms, with Lankarani and Nikravesh {1e3 * short:.0f} "
        "ms; they open every time"
    )
    return Finding(text, REPRODUCED if long > 2 * short and ended else NOT_REPRODUCED)


def _swings(run: gd.Run) -> list[float]:
    """Angles between successive turning points of the first arm [rad]."""
    angle = run["swing.travel"]
    slope = np.diff(angle)
    marks = np.concatenate([[angle[0]], angle[1:-1][slope[1:] * slope[:-1] < 0.0]])
    ways = np.abs(np.diff(marks))
    return [float(way) for way in ways if way > 0.1]


def _decays(full: bool) -> Finding:
    kept = {stops: _swings(pendulum(stops, LONG)) for stops in ("hysteresis", "kelvin-voigt")}
    shares = {stops: ways[-1] / ways[0] for stops, ways in kept.items()}
    angles = {stops: ", ".join(f"{math.degrees(way):.0f}" for way in ways) for stops, ways in kept.items()}
    text = (
        f"swings of {angles['hysteresis']} deg in 8 s with Lankarani and Nikravesh, {angles['kelvin-voigt']} deg with "
        "Kelvin and Voigt"
    )
    slow, quick = shares["hysteresis"], shares["kelvin-voigt"]
    return Finding(
        text, REPRODUCED if 0.8 < slow < 1.0 and quick < 0.6 else DIFFERS if quick < slow else NOT_REPRODUCED
    )


def _quiet(full: bool) -> Finding:
    run = pendulum("kelvin-voigt", LONGER, 0.0)
    starts = run.contacts.column("t_on")
    energy = run["energy.kinetic"] + run["energy.potential"]
    lost, early = (float(energy[0] - energy[int(np.searchsorted(run.t, t)) - 1]) for t in (LONGER, 20.0))
    text = (
        f"of {len(starts)} contacts in {LONGER:g} s {int((starts < 20.0).sum())} begin in the first 20 s and take "
        f"{1e3 * early:.0f} of {1e3 * lost:.0f} mJ; the last begins after {starts[-1]:.0f} s"
    )
    verdict = REPRODUCED if starts[-1] < LONGER / 2 else DIFFERS if early > 0.9 * lost else NOT_REPRODUCED
    return Finding(text, verdict)


PENDULUM: dict[str, Any] = {"assumed": BODY_3, "case": "triple_pendulum", "quick": True}

CLAIMS = (
    Claim("000 §3.2, Fig 16", "Lankarani and Nikravesh dissipates less than Kelvin and Voigt", "in words", _dissipates,
          "less in 4 s", **PENDULUM),
    Claim("000 §3.2, Fig 16", "Lankarani and Nikravesh leaves no residual deformation", "in words", _rebounds,
          "no contact longer than 50 ms", **PENDULUM),
    Claim("000 §3.2, Fig 16", "soon after a rebound the other side is touched", "in words", _other_side, "within 2 s",
          **PENDULUM),
    Claim("000 §3.2, Fig 17", "Kelvin and Voigt leaves the slide's stop deformed", "in words", _stays,
          "closed for 300 ms or more", **PENDULUM),
    Claim("000 §3.2, Fig 17", "the same tendency at the rotation stops, which gravity opens", "in words", _leaves,
          "closed twice as long", **PENDULUM),
    Claim("000 §3.2, Figs 16 and 17", "swings shrink slightly, with Kelvin and Voigt very quickly", "in words", _decays,
          "less than 20 %, more than 40 % in 8 s", **PENDULUM),
    Claim("000 §3.2, Fig 18", "null restitution: contacts end, then nothing is lost", "in words", _quiet,
          "none in the second half of 150 s", **PENDULUM),
)  # fmt: skip
