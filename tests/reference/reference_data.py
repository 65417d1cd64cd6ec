"""Numbers of reference, and helpers to compare a run with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.analysis.statistics.windows import Mean, Windows, sample_windows

DATA = Path(__file__).parent / "data"
PLANAR: dict[str, Any] = json.loads((DATA / "planar.json").read_text())
STUCK = 10  # windows without a new touch at the end of a run: the contact will not end


def close(ours: float, reference: float, rtol: float) -> bool:
    return abs(ours - reference) <= rtol * abs(reference)


def assert_contact(record: gd.Run | Any, row: list[float], rtol: float, time: float) -> None:
    """t_on, closing speed, angle, t_off, parting speed, peak force: times absolute [s], the rest relative."""
    t_on, speed, angle, t_off, parting, force = row
    assert abs(record.t_on - t_on) <= time
    assert abs(record.t_off - t_off) <= time
    assert close(record.speed_on, speed, rtol)
    assert abs(record.angle - angle) <= rtol
    assert close(record.speed_off, parting, rtol)
    assert close(record.peak_force, force, rtol)


def gather(mechanism: gd.Mechanism, signals: tuple[str, ...], wanted: int) -> Windows:
    """So many windows of a motion that bounces, at most 250 from one start.

    Once a touch of some mm/s is remembered the law pulls, and contact never ends: seen at c = 0.2 mm after 250 to
    more than 450 windows, with a mean peak force of 7 instead of 11 kN. Such an end is left out.
    """
    parts: list[Windows] = []
    for transient in range(20, 40):
        have = sum(len(part.values["contacts"]) for part in parts)
        if have >= wanted:
            break
        count = min(250, wanted - have)
        part = sample_windows(mechanism, signals, transient=transient, windows=count, rtol=1e-10)
        parts.append(before_sticking(part))
    values = {name: np.concatenate([part.values[name] for part in parts]) for name in parts[0].values}
    return Windows(values, parts[-1].strobe, parts[-1].end)


def before_sticking(windows: Windows) -> Windows:
    """Without the end of a run that never touches anew: a law that keeps the speed of first touch holds the surfaces
    together for good once that speed was tiny."""
    contacts = windows.values["contacts"]
    touched = np.flatnonzero(contacts > 0.0)
    stop = int(touched[-1]) + 1 if len(touched) else 0
    if len(contacts) - stop < STUCK:
        return windows
    return Windows({name: x[:stop] for name, x in windows.values.items()}, windows.strobe[: 2 * stop], windows.end)


def distances(windows: Windows, reference: dict[str, list[float]]) -> dict[str, float]:
    """How many combined standard errors each mean is away."""
    return {name: windows.mean(name).distance(Mean(*row)) for name, row in reference.items()}


def vertex(t: np.ndarray, x: np.ndarray) -> tuple[float, float]:
    """Time and value of the largest sample, by a polynomial of order 6 through its neighbours."""
    k = int(np.argmax(x))
    near = slice(k - 3, k + 4)
    scale = t[k + 3] - t[k - 3]
    polynomial = np.polynomial.Polynomial.fit((t[near] - t[k]) / scale, x[near] / x[k], 6)
    slope = polynomial.deriv()
    s = 0.0
    for _ in range(20):
        s -= slope(s) / slope.deriv()(s)
    return float(t[k] + s * scale), float(polynomial(s) * x[k])
