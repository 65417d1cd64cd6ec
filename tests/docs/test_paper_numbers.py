"""Numbers in the text of docs/papers.md that are no claims: each is computed here, and must stand there so."""

import math
from pathlib import Path

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.papers import flores2006, schwab2002
from gudgeon.papers.bauchau2002.parts import STIFFNESS, clearance

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "papers.md").read_text(encoding="utf-8")


def stands(text: str) -> None:
    assert text in PAGE, f'docs/papers.md does not say "{text}"'


def test_a_contact_that_is_noticed_one_step_late():
    """The journal of the slider-crank of 002 flies on, at most for the whole step of 10 µs in which it touches."""
    touch = gd.simulate(schwab2002.hertz(), duration="0.25 ms").contacts[0]
    late = touch.t_on + 1e-5
    wide = gd.simulate(schwab2002.hertz("5 mm"), duration=late + 1e-6, output=1e-7, rtol=1e-12)
    assert not wide.contacts  # nothing in the way
    rate = np.gradient(np.hypot(wide["pin.ex"], wide["pin.ey"]), wide.t)
    assert np.interp(touch.t_on, wide.t, rate) == pytest.approx(touch.speed_on, rel=1e-5)
    stands(f"(by up to {100 * (np.interp(late, wide.t, rate) / touch.speed_on - 1):.1f} % with steps of 10 µs)")


def test_a_fit_made_for_millimetres():
    """Eqs 44 to 48 of 000 for a steel pin of 10 mm in a bore 0.5 mm wider in radius, 10 µm deep: in mm and N/mm², by
    the law, and with the same numbers in SI."""
    gap, depth, length, composite = 5e-4, 1e-5, 0.01, gd.STEEL.youngs_modulus / (2 * (1 - gd.STEEL.poisson_ratio**2))

    def printed(gap, depth, length, composite):
        exponent = (0.0151 * gap + 1.151) * gap**-0.005
        return (0.965 * gap + 0.0965) * length * composite / gap * depth**exponent

    right = printed(1e3 * gap, 1e3 * depth, 1e3 * length, 1e-6 * composite)
    pin = gd.Clearance(gap, wall=gd.PereiraCylinder(gd.STEEL, restitution=1.0))
    m = gd.Mechanism("pressed")
    body = m.body("body", mass=1.0, inertia=1.0, at=(0, 0))
    m.revolute("pin", journal=body, bearing=m.ground, at=(0, 0), radius="10 mm", length=length, fit=pin)
    m.force(body, (right, 0.0))
    rest = gd.analysis.equilibrium(m)
    assert rest["pin.offset"] - gap == pytest.approx(depth, rel=1e-6)
    stands(f"in SI it is {printed(gap, depth, length, composite) / right:.0f} times wrong")


def test_a_blend_whose_force_falls():
    """Eq 50 of 000: a liner that carries 500 N where the steel of 004 begins, blended over 1 µm."""
    liner, thickness, blend, hard = 1e6, 5e-4, 1e-6, 6.61020e10
    share = np.linspace(0.0, 1.0, 1001)
    force = share * hard * (share * blend) ** 1.5 + (1.0 - share) * liner * (thickness + share * blend)
    assert (np.diff(force) < 0.0).all()
    stands(f"(of a liner before steel from {force[0]:.0f} to {force[-1]:.0f} N within 1 µm)")


def test_a_ball_in_its_socket_is_stiffer_than_two_balls():
    ratio = flores2006.stiffness(5e-4, socket=True) / flores2006.stiffness(5e-4)
    assert ratio == pytest.approx(math.sqrt(0.0195 / 0.0005), rel=1e-12)
    stands(f"a socket needs $R_B - R_J$, {ratio:.1f} times stiffer")


def test_the_impulse_of_compression():
    """F = ((n + 1)/2 K^(1/n)/m s²)^(n/(n + 1)) with s and with (1 + e) s, for Hertz and the restitution of 002."""
    wall = schwab2002.hertz().joints["pin"].fit["pin"].wall
    total = 1.0 + wall.restitution
    stands(f"{total ** (2 * wall.exponent / (wall.exponent + 1)):.2f} times too large otherwise")


def test_the_stiffness_that_003_prints():
    """A thousand times softer the journal of case A2 sinks in by more than its play; torques of the third turn."""
    from gudgeon.papers import bauchau2002

    peaks = []
    for m in (bauchau2002.A1(), bauchau2002.A2(), bauchau2002.A2().refit(pin=clearance(1e-3 * STIFFNESS))):
        names = ["main.torque", *(["pin.offset"] if m.joints["pin"].fit["pin"] != gd.Ideal() else [])]
        run = gd.simulate(m, revolutions=3, output=2e-5, rtol=1e-8, channels=names)
        peaks.append(abs(run.after(run.end.t * 2 / 3).peak("main.torque").value))
    assert run.maximum("pin.offset") > 2 * 5e-4
    right, printed = (100 * (peak / peaks[0] - 1) for peak in peaks[1:])
    stands(f"with the printed one the torque of A2 is {printed:.0f} % above that of A1, not {right:.0f} %")
