"""Numbers of reference, and helpers to compare a run with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import gudgeon as gd

DATA = Path(__file__).parent / "data"
PLANAR: dict[str, Any] = json.loads((DATA / "planar.json").read_text())


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
