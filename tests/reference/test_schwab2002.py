"""S3: slider-crank with play, Hertz contact with loss. Schwab, Meijaard, Meijers 2002, section 5.1.

Two correct programs stay together to 1e-6 c for 0.8 turns at rtol 1e-13 (Lyapunov exponent about 11 per turn);
later only means over windows can be compared.
"""

from __future__ import annotations

import pytest
from reference_data import PLANAR, assert_contact, close, distances, gather

import gudgeon as gd
from gudgeon.papers import schwab2002

REF = PLANAR["S3"]
PERIOD = 2.0 * 3.141592653589793 / schwab2002.SPEED
CLEARANCE = 0.5e-3


def test_ideal_mechanism() -> None:
    """To 1e-8, with samples close enough for the parabola at a peak."""
    ref = REF["ideal"]
    run = gd.simulate(schwab2002.ideal(), revolutions=1, rtol=1e-11, output=PERIOD / 20_000)
    assert close(run.minimum("slider.ax"), ref["ax"][0], 1e-8)
    assert close(run.maximum("slider.ax"), ref["ax"][1], 1e-8)
    assert close(run.maximum("main.torque"), ref["torque"], 1e-8)
    assert close(run.minimum("main.torque"), -ref["torque"], 1e-8)
    assert close(run.maximum("pin.force"), ref["force"], 1e-8)
    assert close(abs(run.peak("slider.vx").value), ref["vx"], 1e-7)


@pytest.mark.parametrize("rtol", [1e-11, 1e-13])
def test_first_contacts(rtol: float) -> None:
    """Relative 1e-6, times to 1e-9 s."""
    run = gd.simulate(schwab2002.hertz(), revolutions=0.1, rtol=rtol, channels=[])
    for record, row in zip(run.contacts, REF["contacts"], strict=False):
        assert_contact(record, row, 1e-6, 1e-9)


def test_first_contacts_by_an_implicit_method() -> None:
    run = gd.simulate(schwab2002.hertz(), revolutions=0.1, method="radau", rtol=1e-11, channels=[])
    assert len(run.contacts) >= 3
    for record, row in zip(run.contacts, REF["contacts"][:3], strict=False):
        assert_contact(record, row, 1e-6, 1e-9)


def test_first_contacts_are_exact() -> None:
    """What double precision reaches: onset and closing speed to 1e-9 of the quadruple-precision table."""
    run = gd.simulate(schwab2002.hertz(), revolutions=0.1, rtol=1e-13, channels=[])
    for record, row in zip(run.contacts, REF["contacts"], strict=False):
        assert abs(record.t_on - row[0]) < 1e-11
        assert close(record.speed_on, row[1], 1e-9)
        assert abs(record.angle - row[2]) < 1e-9
        assert close(record.speed_off, row[4], 1e-8)


def test_states_within_the_horizon() -> None:
    """The journal to 1e-6 c up to half a turn; the angle of the rod moves the journal by its length."""
    run, done = None, 0.0
    for turn, phi, x in REF["states"]:
        run = gd.simulate(schwab2002.hertz(), revolutions=turn - done, rtol=1e-13, resume=run)
        done = turn
        assert abs(run["slider.x"][-1] - x) < 1e-6 * CLEARANCE
        assert abs(run["rod.angle"][-1] - phi) * schwab2002.ROD < 1e-6 * CLEARANCE


@pytest.mark.slow
def test_statistics() -> None:
    """1000 windows of two turns from several starts, within three combined standard errors.

    With 1500 windows all seven means, which go together, lie 1.4 to 1.7 errors from the reference.
    """
    windows = gather(schwab2002.hertz(), ("pin.normal", "slider.ax", "main.torque"), 1000)
    far = distances(windows, REF["statistics"])
    assert max(far.values()) < 3.0, far
    # the article's own window is an ordinary one
    assert 2.5 < windows.percentile_of("peak slider.ax", 180e3) < 97.5
    assert 2.5 < windows.percentile_of("peak main.torque", 1350.0) < 97.5
