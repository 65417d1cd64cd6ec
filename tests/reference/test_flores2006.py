"""Spatial four-bar of Flores et al. 2006 against solutions in minimal coordinates.

The positions of the joints are an assumption that both share; see gudgeon.papers.flores2006.
"""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.papers import flores2006


def at(run: gd.Run, name: str, t: float) -> float:
    return float(run[name][int(np.argmin(np.abs(run.t - t)))])


IDEAL = {  # t: angles of crank and rocker [rad], z [m] and vz [m/s] of the rocker, reaction at its pivot [N]
    0.1: (0.234050284, -0.109834793, 0.0303859156, -0.048036441, 1.14684351),
    0.2: (1.468881064, -0.207638223, 0.0281943020, 0.108922161, 4.38407808),
    0.5: (4.838065627, 0.997321385, 0.0323333785, 0.089359818, 1.00491960),
    1.0: (2.412541260, 0.449085475, 0.0368749294, -0.009548597, 1.05032060),
}


def test_ideal_four_bar():
    run = gd.simulate(flores2006.four_bar(None), duration=1, output=0.01, rtol=1e-10)
    names = ("main.travel", "pivot.travel", "rocker.z", "rocker.vz", "pivot.force")
    for t, expected in IDEAL.items():
        assert [at(run, name, t) for name in names] == pytest.approx(expected, abs=1e-7)
    assert run["crank.alphax"][0] == pytest.approx(40.64994386, abs=1e-7)
    assert [run[f"ball.f{axis}"][0] for axis in "xyz"] == pytest.approx((-0.39532071, -0.14121790, 0.69204337))
    assert [run[f"pivot.f{axis}"][0] for axis in "xyz"] == pytest.approx((-0.41682699, -0.14121790, 0.99045906))
    assert np.ptp(run["energy.balance"]) < 1e-10
    # the coupler may turn about its own line, and nothing turns it
    assert run.evidence.dof == 2


IMPACTS = [  # t, rate, peak force, greatest depth, rebound, energy lost
    (0.0177303067, 0.05640251, 113.447303, 4.836587e-6, 0.873215, 3.923978e-5),
    (0.0215394654, 0.04746189, 63.718354, 3.291503e-6, 0.928857, 1.542783e-5),
    (0.0302175591, 0.03858189, 101.556055, 4.491654e-6, 0.921339, 3.325626e-5),
]
DURATIONS = (2.669288e-4, 2.095125e-4, 3.548529e-4)
HEIGHTS = {  # z of the rocker at 0.05, 0.1, 0.2, 0.3 s
    False: (0.0320242633, 0.0302836578, 0.0273537754, 0.0361659354),
    True: (0.0320257492, 0.0303137857, 0.0273268029, 0.0361515323),
}


def test_first_impacts():
    run = gd.simulate(flores2006.four_bar(), duration=0.04, rtol=1e-10)
    for record, (t, rate, peak, depth, rebound, lost), duration in zip(run.contacts, IMPACTS, DURATIONS, strict=False):
        assert record.t_on == pytest.approx(t, abs=1e-7)
        assert record.speed_on == pytest.approx(rate, abs=1e-6)
        assert record.peak_force == pytest.approx(peak, rel=1e-4)
        assert record.max_depth == pytest.approx(depth, rel=1e-4)
        assert -record.speed_off / record.speed_on == pytest.approx(rebound, abs=1e-5)
        assert record.energy_lost == pytest.approx(lost, rel=1e-4)
        assert record.duration == pytest.approx(duration, rel=1e-5)


@pytest.mark.parametrize("socket", [False, True])
def test_clearance(socket):
    assert flores2006.stiffness(5e-4, socket=socket) == pytest.approx(6.6101983979e10 if socket else 1.0584788657e10)
    run = gd.simulate(flores2006.four_bar(socket=socket), duration=0.3, output=0.01, rtol=1e-11)
    z = [at(run, "rocker.z", t) for t in (0.05, 0.1, 0.2, 0.3)]
    assert z[:2] == pytest.approx(HEIGHTS[socket][:2], abs=1e-7)
    assert z[2:] == pytest.approx(HEIGHTS[socket][2:], abs=1e-5)
    assert run["energy.balance"][0] == pytest.approx(0.071034210, abs=1e-9)
    assert run.evidence.balance < 1e-9
