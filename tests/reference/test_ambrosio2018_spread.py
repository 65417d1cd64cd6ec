"""Loose bearing of Ambrosio and Pombo 2018, 5 s: distributions, where single motions say nothing.

The numbers of the other program (one run each, DOP853 at rtol 1e-9, coordinates of its own, axial forces as printed)
lie within three deviations of them. Measured here with 17 to 33 runs each, mean and standard deviation:

                    energy left, 1 mm [J]   largest tilt, 0 mm [rad]   most turns, 0 mm
    joints, 1e-8    0.2565, 0.0215          0.0121, 0.0015             7.30, 0.89
    joints, 1e-10   0.2620, 0.0241          0.0123, 0.0017             7.14, 1.04
    bodies, 1e-8    0.2635, 0.0248          0.0112, 0.0016             7.61, 0.80
    as printed      0.2584, 0.0267          0.0094, 0.0012             8.14, 0.26
    other program   0.2317                  0.0095                     8.240

0.2317 J is at the 3rd to 12th of 100 places, and our means are 11 to 14 % above it where the case asks for 10 %: one
motion there cannot tell whether that is chance. The tilt of null clearance is two things: the spread, and the couple of
the printed axial forces, with which the other number is in the middle.
"""

from __future__ import annotations

import numpy as np
import pytest
from printed_axial import print_axial_forces

from gudgeon.papers.ambrosio2018_spread import LARGEST, SMALLEST, Spread, changes, ends

OTHER = {0.0: (8.240, 0.75970, 0.0095), 1e-3: (0.929, 0.23168, 0.0395)}  # most turns, energy left [J], largest tilt
RUNS = 13


def found(clearance: float, **options: object) -> list[Spread]:
    return [Spread.of(values) for values in ends(clearance, RUNS, **options)]


def test_changes_are_small_of_both_signs_and_all_different():
    steps = changes(RUNS)
    assert steps[0] == 0.0 and len(set(steps)) == RUNS
    sizes = np.abs(steps[1:])
    assert (sizes.min(), sizes.max()) == pytest.approx((SMALLEST, LARGEST), rel=1e-12)
    assert np.sign(steps[1:]).sum() == 0.0


def test_a_spread_is_that_of_its_values():
    spread = Spread.of(np.array([1.0, 2.0, 3.0, 4.0]))
    assert spread == pytest.approx((2.5, np.sqrt(5 / 3), np.sqrt(5 / 12), 1.0, 4.0))
    assert spread.away(2.5 + np.sqrt(5 / 3)) == pytest.approx(1.0)


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", ["auto", "absolute"])
def test_energy_left_in_a_loose_bearing(coordinates):
    turns, energy, tilt = found(1e-3, coordinates=coordinates)
    assert abs(energy.away(OTHER[1e-3][1])) < 3.0
    assert energy.deviation > 0.03 * energy.mean  # else one motion would do
    # up to the first fall back, before 0.5 s, nothing has parted yet
    assert turns.mean == pytest.approx(OTHER[1e-3][0], abs=0.003) and turns.deviation < 1e-3
    assert tilt.mean == pytest.approx(OTHER[1e-3][2], rel=0.05)


@pytest.mark.slow
def test_null_clearance():
    turns, energy, tilt = found(0.0)
    for spread, other in zip((turns, energy, tilt), OTHER[0.0], strict=True):
        assert abs(spread.away(other)) < 3.0
    assert turns.most - turns.least > 1.0  # the count of turns, too, is beyond the horizon


@pytest.mark.slow
def test_the_smaller_tilt_of_the_other_program_is_its_placement_of_axial_forces(monkeypatch):
    _, _, ours = found(0.0, coordinates="absolute")
    print_axial_forces(monkeypatch)
    _, _, printed = (Spread.of(values) for values in ends.__wrapped__(0.0, RUNS, "absolute"))
    assert abs(printed.away(OTHER[0.0][2])) < 1.5
    assert ours.mean - printed.mean > 2.0 * np.hypot(ours.error, printed.error)
