"""Slider-crank of Flores 2007 with friction 0.03: chaos and long regular spells take turns, so only many runs say something.

Each run has 100 windows of two turns after a transient of 20, from clearances that differ by 1e-9 to 1e-6. Mean of the
runs, standard error of that mean, and standard deviation of one run:

                               runs   peak force [N]         in contact
FIGURES
The two numbers of reference are one run each, 9386 and 7529 N: both are ordinary runs. Their own standard errors, 325 and
91 N, are those of blocks within a run, which know nothing of the spells that the run did not have; a single run of ours
says between 50 and 1000 N. `independent` is a program of its own of the same definitions.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from reference_data import DATA, PLANAR, close

import gudgeon as gd
from gudgeon.analysis.windows import sample_windows
from gudgeon.papers import flores2007
from gudgeon.papers.ambrosio2018_spread import Spread

ONE_RUN = PLANAR["F2"]["statistics"]["cf=0.03"]["peak pin.normal"]  # two runs: mean and the error it claims
KEPT = json.loads((DATA / "slider_crank_intermittent.json").read_text())
COLUMNS, INDEPENDENT = KEPT["columns"], np.array(KEPT["runs"])
RUNS, TRANSIENT, WINDOWS = 12, 20, 100
CHANGES = np.geomspace(1e-9, 1e-6, RUNS) * (-1.0) ** np.arange(RUNS)


def there(column: str) -> Spread:
    return Spread.of(INDEPENDENT[:, COLUMNS.index(column)])


def run_of(change: float) -> list[float]:
    """Means over the windows of one run."""
    mechanism = flores2007.slider_crank(5e-4 * (1.0 + change), friction=0.03)
    found = sample_windows(mechanism, ("pin.normal", "slider.ax"), transient=TRANSIENT, windows=WINDOWS)
    return [float(found.values[name].mean()) for name in COLUMNS]


def test_the_runs_of_reference_are_ordinary_ones_and_their_errors_too_small() -> None:
    peak = there("peak pin.normal")
    assert len(INDEPENDENT) >= 32
    for value, claimed in ONE_RUN:
        assert abs(peak.away(value)) < 2.0
        assert peak.deviation > 3.0 * claimed
    # so that two runs often differ by more than three of their own combined errors, as these two do
    (high, its), (low, other) = ONE_RUN
    assert (high - low) / np.hypot(its, other) > 5.0
    assert (high - low) / (np.sqrt(2.0) * peak.deviation) < 1.5


@pytest.mark.slow
def test_statistics_with_intermittency() -> None:
    """Means over nearby starts within three standard errors of their difference, deviations within a factor of 2."""
    rows = np.array([run_of(change) for change in CHANGES])
    for k, column in enumerate(COLUMNS):
        ours, other = Spread.of(rows[:, k]), there(column)
        apart = abs(ours.mean - other.mean) / np.hypot(ours.error, other.error)
        assert apart < 3.0, (column, ours, other)
        assert 0.5 < ours.deviation / other.deviation < 2.0, (column, ours, other)


@pytest.mark.slow
def test_the_independent_program_has_the_contacts_of_the_reference_and_ours() -> None:
    from independent import slider_crank

    def contacts(clearance: float, friction: float, turns: float) -> np.ndarray:
        found = np.zeros((8, 5))
        ends, states = np.array([turns * slider_crank.PERIOD]), np.zeros((1, slider_crank.SIZE))
        slider_crank.run(slider_crank.parameters(clearance, friction), 1e-12, ends, states, found)
        return found

    for clearance, row in PLANAR["F2"]["first"].items():
        t_on, speed, _, t_off, parting, force = row
        first = contacts(1e-3 * float(clearance), 0.0, 0.1)[0]
        assert abs(first[0] - t_on) < 1e-12 and abs(first[2] - t_off) < 1e-12
        assert close(first[1], speed, 1e-8) and close(first[3], parting, 1e-8)
        assert close(first[4], force, 1e-4)  # the largest of eight looks at each step
    run = gd.simulate(flores2007.slider_crank("0.5 mm", friction=0.03), revolutions=0.5, rtol=1e-12, channels=[])
    for ours, its in zip(run.contacts, contacts(5e-4, 0.03, 0.5), strict=False):
        assert abs(ours.t_on - its[0]) < 1e-10 and abs(ours.t_off - its[2]) < 1e-10
        assert close(ours.speed_on, its[1], 1e-7) and close(ours.speed_off, its[3], 1e-7)
        assert close(ours.peak_force, its[4], 1e-3)
    assert len(run.contacts) >= 8
