"""F1: drag-link with play between coupler and follower. Flores et al. 2007, section 6.

The motion is regular, so there is no horizon. Contacts to 1e-6, the last closing speed to 1e-5, settled peaks to
1e-4, amplifications to 0.02 points. The settled motion rests on the closing speed of the last start-up impact, which
the law keeps for ever.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from reference_data import PLANAR, assert_contact, close

import gudgeon as gd
from gudgeon.papers import flores2007
from gudgeon.papers.flores2007.claims import four_bar_steady, ideal_extremes

REF = PLANAR["F1"]


@pytest.mark.parametrize("branch", [-1, 1])
def test_ideal_mechanism(branch: int) -> None:
    """Signs swap with the branch; numbers to 1e-7."""
    ref, found = REF["ideal"], ideal_extremes(branch)
    low, high = (-ref["alpha"], ref["alpha_other"]) if branch < 0 else (-ref["alpha_other"], ref["alpha"])
    assert np.allclose(found["follower.alpha"], (low, high), rtol=1e-7)
    low, high = -ref["torque_other"], ref["torque"]
    expected = (low, high) if branch < 0 else (-high, -low)
    assert np.allclose(found["main.torque"], expected, rtol=1e-7)
    assert np.allclose(found["pin.force"], ref["force"], rtol=1e-7)
    assert np.allclose(found["follower.spin"], ref["spin"], rtol=1e-6)


@pytest.mark.parametrize("c", REF["stiffness"])
def test_stiffness(c: str) -> None:
    pin = flores2007.four_bar(f"{c} mm").joints["pin"]
    ours = gd.LankaraniNikravesh(gd.STEEL, restitution=0.9).stiffness_for(pin.pair("pin"))
    assert close(ours, REF["stiffness"][c], 1e-8)


@pytest.mark.parametrize("branch", [-1, 1])
def test_first_contact(branch: int) -> None:
    run = gd.simulate(flores2007.four_bar("0.2 mm", branch=branch), revolutions=0.25, rtol=1e-12, channels=[])
    assert_contact(run.contacts[0], REF["first"][str(branch)], 1e-6, 1e-9)
    assert close(run.contacts[-1].speed_on, REF["last_speed"][str(branch)], 1e-5)


@pytest.mark.parametrize("row", REF["rows"], ids=lambda row: f"{row['branch']:+d},{row['c']}mm")
def test_settled_turn(row: dict[str, Any]) -> None:
    bar = four_bar_steady(row["c"], row["branch"])
    assert bar.contacts == row["contacts"]
    assert abs(bar.last_turn - row["last"]) < 1e-4  # to the digits printed
    assert close(bar.last_speed, row["v0"], 1e-5)
    assert np.allclose(bar.extremes["follower.alpha"], row["alpha"], rtol=1e-4)
    assert np.allclose(bar.extremes["main.torque"], row["torque"], rtol=1e-4)
    assert np.allclose(list(bar.gains.values()), row["gains"], rtol=0.0, atol=0.02)
    assert np.allclose(bar.extremes["pin.eccentricity"], row["ecc"], rtol=0.0, atol=1e-3)
    assert bar.in_contact
    assert bar.residual < 1e-5


def test_gravity_matters_only_through_the_start() -> None:
    bar = four_bar_steady(0.2, -1, gravity=True)
    assert abs(bar.last_speed - REF["gravity"]["v0"]) < 1e-5
    assert np.allclose(list(bar.gains.values()), REF["gravity"]["gains"], rtol=0.0, atol=0.02)


def test_accuracy_does_not_change_the_settled_turn() -> None:
    """rtol 1e-9 gives the same peaks to 1e-4: the motion is regular."""
    loose, tight = four_bar_steady(0.2, -1, rtol=1e-9), four_bar_steady(0.2, -1)
    assert np.allclose(loose.extremes["follower.alpha"], tight.extremes["follower.alpha"], rtol=1e-4)


def test_unknown_branch_is_refused() -> None:
    with pytest.raises(gd.GudgeonError, match="branch"):
        flores2007.four_bar(branch=0)
