"""The rotor of a motor on a carrier that turns in space: every method against the closed motion of a free gyroscope."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.methods.implicit.energy.method import Decay, Energy

# A carrier with the moments (A, A, C) and a journal (a, a, c) turn freely about one point and share an axis b, about
# which a rotor J of a motor turns with s = ω₃ + n φ'. Without torque of the motor ω₃ and φ' stay, and
#   H = (A + a) (ω - ω₃ b) + h b,    h = C ω₃ + c (ω₃ + φ') + J (ω₃ + n φ')
# is the angular momentum. With ω x b = H x b / (A + a) the axis turns about H, which stays, at the rate |H| / (A + a):
# a cone, however wide. Without the rotor's moment -J s (ω x b) on the carrier, h would lack J s.
CARRIER, JOURNAL, ROTOR = (0.30, 0.30, 0.40), (0.02, 0.02, 0.03), 0.01
SPIN, TURN = (1.0, -0.5, 2.0), 40.0  # of the carrier along its axes, of the journal on it [rad/s]
DURATION = 0.5


def gyroscope(gear: float) -> gd.Mechanism:
    m = gd.Mechanism("gyroscope", planar=False, start="given")
    base = m.body("base", mass=3.0, inertia=CARRIER, at=(0.0, 0.0, 0.0), spin=SPIN)
    wheel = m.body("wheel", mass=1.0, inertia=JOURNAL, at=(0.0, 0.0, 0.0), spin=(SPIN[0], SPIN[1], SPIN[2] + TURN))
    m.revolute("axle", journal=wheel, bearing=base, at=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0))
    # 1e9 ohm: the motor carries its rotor and gives no torque
    m.motor("axle", voltage=0.0, resistance=1e9, back_emf=1e-3, rotor_inertia=ROTOR, gear=gear)
    return m


def momentum(gear: float) -> np.ndarray:
    """H at the start, when the axes of the carrier are those of space."""
    along = CARRIER[2] * SPIN[2] + JOURNAL[2] * (SPIN[2] + TURN) + ROTOR * (SPIN[2] + gear * TURN)
    across = CARRIER[0] + JOURNAL[0]
    return np.array([across * SPIN[0], across * SPIN[1], along])


def axis(run: gd.Run) -> np.ndarray:
    e0, e1, e2, e3 = (run[f"base.e{k}"] for k in range(4))
    return np.array([2.0 * (e1 * e3 + e0 * e2), 2.0 * (e2 * e3 - e0 * e1), e0**2 - e1**2 - e2**2 + e3**2])


def cone(gear: float, t: np.ndarray) -> np.ndarray:
    """The axis of a free gyroscope: z turned about H at |H| / (A + a)."""
    whole = momentum(gear)
    size = float(np.linalg.norm(whole))
    n, angle, z = whole / size, size / (CARRIER[0] + JOURNAL[0]) * t, np.array([0.0, 0.0, 1.0])
    return (
        np.outer(z, np.cos(angle)) + np.outer(np.cross(n, z), np.sin(angle)) + np.outer(n, n @ z * (1 - np.cos(angle)))
    )


METHODS = {"dopri5": (gd.Dopri5(rtol=1e-11), 1e-11), "alpha": (Alpha(rtol=1e-9), 1e-5),
           "decay": (Decay(rtol=1e-7), 1e-5), "energy": (Energy(rtol=1e-7), 1e-5)}  # fmt: skip


@pytest.mark.parametrize("gear", [1.0, 5.0, -3.0])
@pytest.mark.parametrize("name", METHODS)
def test_the_axis_goes_round_a_cone(name, gear):
    """Measured: 4e-12, 2e-6, 3e-6 and 9e-7. Without the rotor |H| would be 2.09 instead of 2.51, 4.10 and 0.95."""
    method, near = METHODS[name]
    run = gd.simulate(gyroscope(gear), duration=DURATION, method=method, output=0.01)
    exact = cone(gear, run.t)
    assert np.abs(axis(run) - exact).max() < near
    assert np.ptp(exact[0]) > 0.15
    kinetic = run["energy.kinetic"]
    assert np.abs(kinetic / kinetic[0] - 1.0).max() < 1e-8


@pytest.mark.parametrize("method", [Energy, Decay])
def test_long_steps_keep_energy_or_lose_it(method):
    """Steps of a sixtieth of a turn of the axis: the rotor's moment does no work over a step, and the error falls with
    the square of the step."""
    off = []
    for step in (8e-3, 4e-3):
        run = gd.simulate(gyroscope(5.0), duration=DURATION, method=method(rtol=1e-2, step=step))
        off.append(np.abs(axis(run) - cone(5.0, run.t)).max())
        kinetic = run["energy.kinetic"] / run["energy.kinetic"][0] - 1.0
        assert np.abs(kinetic).max() < (1e-12 if method is Energy else 1e-5)
        if method is Decay:
            assert np.diff(kinetic).max() < 1e-15 and kinetic[-1] < -1e-9
    assert off[0] / off[1] == pytest.approx(4.0, rel=0.15)
    assert off[1] < 1e-3
