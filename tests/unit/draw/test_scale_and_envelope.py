"""Readable numbers, and lines that are thinned without losing a peak."""

import numpy as np
import pytest

from gudgeon.draw.lines import MANY, envelope, thinned
from gudgeon.draw.scale import MINUS, THIN, group_ticks, grouped, scale_for


@pytest.mark.parametrize(
    ("unit", "largest", "expected"),
    [
        ("m", 5e-4, "mm"), ("m", 7.8e-5, "µm"), ("m", 3.0, "m"), ("m", 2e-7, "nm"), ("m", 0.0, "m"),
        ("N", 45e3, "kN"), ("N", 2718.0, "N"), ("Nm", 138.0, "N m"), ("J", 0.3, "mJ"), ("s", 0.024, "ms"),
        ("s", 12.0, "s"), ("Pa", 1.2e8, "MPa"), ("W", 2e4, "kW"), ("m/s^2", 3e5, "m/s²"), ("1", 2.0, ""),
        ("N", 2e-4, "µN"), ("Nm", 0.02, "mN m"),
    ],
)  # fmt: skip
def test_units(unit, largest, expected):
    assert scale_for(unit, np.array([0.0, -largest])).unit == expected


def test_grouped():
    assert grouped(19419.4) == f"19{THIN}419"
    assert grouped(-327335) == f"{MINUS}327{THIN}335"
    assert grouped(2719) == "2719"
    assert grouped(0.25, 2) == "0.25"


def test_small_numbers_at_ticks_are_not_zeros():
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    axes.set_ylim(0.0, 4e-9)
    group_ticks(axes.yaxis)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0", "1e−09", "2e−09", "3e−09", "4e−09"]


def test_an_orbit_is_thinned_to_its_grain():
    angle = np.linspace(0.0, 2.0 * np.pi, 100_000)
    x, y, touching = np.cos(angle), np.sin(angle), angle > 3.0
    rows = thinned(x, y, touching, 0.01)
    assert 600 < len(rows) < 640 and rows[0] == 0 and rows[-1] == len(x) - 1
    assert np.hypot(np.diff(x[rows]), np.diff(y[rows])).max() < 0.011
    change = int(np.flatnonzero(touching)[0])
    assert {change - 1, change} <= set(rows.tolist())


def test_envelope_keeps_every_extreme():
    random = np.random.default_rng(1)
    t = np.sort(random.uniform(0.0, 1.0, 10 * MANY))
    x = random.normal(size=len(t))
    x[12345] = 50.0
    thin_t, thin_x = envelope(t, x)
    assert len(thin_t) <= 8000 and thin_x.max() == 50.0 and thin_x.min() == x.min()
    assert (np.diff(thin_t) >= 0).all() and thin_t[0] == t[0] and thin_t[-1] == t[-1]
    few = t[:100], x[:100]
    assert envelope(*few) == few
