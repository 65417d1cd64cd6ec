"""The independent program of the loose bearing against the rows of reference: what it says later can be believed."""

from __future__ import annotations

import json

import numpy as np
import pytest
from reference_data import DATA

START = {  # bearing and clearance [m]: first contact [s], its rate [m/s]
    ("G3", 1e-3): (0.013628382, 0.14813977), ("G3", 1e-6): (0.000435331, 0.00459587),
    ("G1", 1e-3): (0.016321903, 0.12486587), ("G1", 1e-6): (0.000526462, 0.00380162),
}  # fmt: skip
ROWS = {  # x [m] and angle [rad] at 0.1, 0.25, 0.5 s
    ("G3", 0.0): ((0.226785676, 0.56111347), (0.285159546, 1.94602623), (0.184558440, 5.56467672)),
    ("G3", 1e-6): ((0.226776099, 0.56213736), (0.285178687, 1.94593410), (0.184962056, 5.45395857)),
    ("G3", 1e-3): ((0.226455968, 0.60113400), (0.2858015, 2.015069), (0.19043, 5.0848)),
    ("G2", 1e-6): ((0.226746927, 0.56555167), (0.285364914, 1.94605001), (0.192178293, 5.09081979)),
    ("G2", 1e-4): ((0.226714259, 0.56935504), (0.285490436, 1.95180951), (0.188978092, 5.18574579)),
    ("G1", 1e-6): ((0.225971852, 0.64275843), (0.285552575, 2.09182401), (0.268168449, 3.26671908)),
    ("G1", 1e-3): ((0.225469026, 0.70768687), (0.287851369, 2.29301793), (0.2632701, 1.9930738)),
}
BEARINGS = {"G1": (0.02, True), "G2": (0.1, True), "G3": (0.1, False)}
# of the digits given: the last of them, but at 0.5 s with 1 mm, beyond the horizon of 0.34 s
TOLERANCE = {("G3", 1e-3): (1e-8, 1e-7, 1e-5)}


@pytest.fixture(scope="module")
def program():
    """Numba compiles for half a minute."""
    from independent import loose_bearing, march

    def motion(bearing, clearance, times):
        starts = np.zeros((1, 3))
        p = loose_bearing.parameters(*BEARINGS[bearing], clearance)
        rows, best, _, _ = march.run(loose_bearing.start(), p, 1e-9, np.array(times), 1e-4, starts)
        return rows, best, starts[0]

    return motion


@pytest.mark.slow
def test_rows_and_first_contacts_of_the_reference(program):
    for (bearing, clearance), expected in ROWS.items():
        rows, _, first = program(bearing, clearance, (0.1, 0.25, 0.5))
        tolerances = TOLERANCE.get((bearing, clearance), (1e-7, 1e-7, 1e-7))
        for row, (x, angle), tolerance in zip(rows, expected, tolerances, strict=True):
            assert row[0] == pytest.approx(x, abs=tolerance)
            assert row[13] == pytest.approx(angle, abs=200 * tolerance)
        if (bearing, clearance) in START:
            assert (first[1], first[0], first[2]) == pytest.approx((10, *START[bearing, clearance]), abs=1e-8)


@pytest.mark.slow
def test_largest_tilt_with_1_mm_lies_within_the_horizon(program):
    _, best, _ = program("G3", 1e-3, (0.34,))
    assert best[2] == pytest.approx(0.2762, abs=1e-4)
    data = np.array(json.loads((DATA / "loose_bearing_spread.json").read_text())["runs"]["1 mm, printed"])
    assert data[:, 2] == pytest.approx(np.full(len(data), best[1]), abs=1e-7)
