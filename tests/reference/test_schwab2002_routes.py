"""S4 beside S3: hard walls with impacts as instants predict the peaks of the compliant wall. Schwab, Meijaard, Meijers
2002, section 5.2 and conclusion. Means over windows of two turns after ten, with standard errors."""

from __future__ import annotations

import pytest
from reference_data import PLANAR

import gudgeon as gd
from gudgeon.analysis import Mean
from gudgeon.papers import schwab2002

# of an independent program, 200 windows
S4 = {
    "peak pin.force": Mean(32.15e3, 0.36e3),
    "peak slider.ax": Mean(209.5e3, 2.5e3),
    "peak main.torque": Mean(1153.0, 14.0),
    "lasting contact": Mean(0.238, 0.014),
    "impacts": Mean(78.0, 1.75),
}


@pytest.mark.slow
def test_the_impact_model_predicts_the_peaks_of_the_hertz_model() -> None:
    found = gd.routes(schwab2002.hertz(), revolutions=1, windows=200, rtol=1e-10, channels=["slider.ax"],
                      only=("law", "impact"))  # fmt: skip
    peaks = {name: found.distance("impact", name) for name in S4 if name.startswith("peak")}
    assert len(peaks) == 3 and max(peaks.values()) < 3.0, peaks
    ours = found["impact"].statistics
    far = {name: ours[name].distance(mean) for name, mean in S4.items()}
    assert max(far.values()) < 3.0, far
    force, reference = found["law"].statistics["peak pin.force"], PLANAR["S3"]["statistics"]["peak pin.normal"]
    assert force.distance(Mean(*reference)) < 3.0
