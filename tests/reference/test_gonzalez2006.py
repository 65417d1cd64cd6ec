"""The basic problems of the IFToMM library of benchmarks: energy, and each problem once more in its fewest coordinates.

The printed state of Andrews' squeezer is that of the test set of initial value problems (Lioen, de Swart; PSIDE with
tolerances of 1e-14), whose order of angles it keeps.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj

import gudgeon as gd
from gudgeon.papers.gonzalez2006 import cases as case


def test_pendulum_swings_as_the_elliptic_function_says():
    run = gd.simulate(case.pendulum(), duration=10, output=0.1, rtol=1e-11)
    # sin(theta / 2) = k cd(w t), from rest at theta = 90 degrees
    k2 = 0.5
    w = math.sqrt(case.GRAVITY / (1.0 + case.POINT))
    _, cn, dn, _ = ellipj(w * run.t, k2)
    half = np.arcsin(math.sqrt(k2) * cn / dn)
    assert run["bob.x"] == pytest.approx(-np.sin(2 * half), abs=2e-8)
    assert run["bob.y"] == pytest.approx(-np.cos(2 * half), abs=2e-8)
    assert np.abs(run["energy.balance"] - run["energy.balance"][0]).max() < 1e-8
    assert run.evidence.dof == 1


def equal_pendulum(count: int, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angle and speed of the cranks: all turn alike and the couplers only shift, so there is one equation."""
    inertia, weight = (count + 1) / 3.0 + count, case.GRAVITY * ((count + 1) / 2.0 + count)
    found = solve_ivp(
        lambda t, y: [y[1], -weight / inertia * math.cos(y[0])], (0.0, times[-1]), [math.pi / 2, -1.0],
        method="DOP853", rtol=1e-13, atol=1e-13, t_eval=times,
    )  # fmt: skip
    return found.y[0], found.y[1]


@pytest.mark.parametrize("count", [2, 10, pytest.param(40, marks=pytest.mark.slow)])
def test_four_bars_pass_their_singular_position(count):
    """Ten times within 10 s all bars lie in one line, where more motions than one are possible."""
    run = gd.simulate(case.four_bars(count), duration=10, output=0.1, method="rk4", step=1e-3)
    angle, speed = equal_pendulum(count, run.t)
    assert run.evidence.dof == 1 and not run.evidence.redundant
    for k in (0, count):
        assert run[f"crank_{k}.angle"] == pytest.approx(angle, abs=1e-7)
        assert run[f"crank_{k}.spin"] == pytest.approx(speed, abs=1e-6)
    assert np.ptp(np.floor(angle / math.pi)) == 10.0
    assert np.ptp(run["energy.balance"]) < (1e-6 if count == 40 else 1e-8)


def test_four_bars_are_counted():
    with pytest.raises(gd.GudgeonError, match="whole number"):
        case.four_bars(0)


PRINTED = {  # beta, Theta, gamma, Phi, delta, Omega, epsilon at 0.03 s [rad], and their rates [rad/s]
    "angle": (0.1581077119629904e2, -0.1575637105984298e2, 0.4082224013073101e-1, -0.5347301163226948,
              0.5244099658805304, 0.5347301163226948, 0.1048080741042263e1),
    "spin": (0.1139920302151208e4, -0.1424379294994111e4, 0.1103291221937134e2, 0.1929337464421385e2,
             0.5735699284790808, -0.1929337464421385e2, 0.3231791658026955),
    "alpha": (-0.2463176316945196e5, 0.5185037701610329e5, 0.3241025686413781e6, 0.5667493645176213e6,
              0.1674362929479361e5, -0.5667493645176222e6, 0.9826520791458422e4),
}  # fmt: skip


# ours, by two methods alike, is 1e-12 s behind: of that size is what the angles, rates and accelerations differ by
CLOSE = {"angle": 2e-9, "spin": 1e-6, "alpha": 0.1}


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_andrews_squeezer_ends_as_printed(method):
    run = gd.simulate(case.andrews(), duration=0.03, output=0.001, rtol=1e-13, method=method)
    for name, printed in PRINTED.items():
        crank, link, triangle, upper, right, lower, left = (run[f"{bar}.{name}"][-1] for bar in case.BARS)
        ours = (crank, link - crank, triangle, upper - right, right, lower - left, left)
        assert ours == pytest.approx(printed, abs=CLOSE[name])
    # what the motor gave: torque times angle
    assert run["energy.applied"] == pytest.approx(0.033 * (run["crank.angle"] - run["crank.angle"][0]), abs=1e-12)
    stored = run["energy.kinetic"] + run["energy.potential"]
    assert np.abs(stored - stored[0] - run["energy.applied"]).max() < 1e-11
    assert run.evidence.dof == 1 and not run.evidence.redundant


# -- Bricard ----------------------------------------------------------------------------------------------------------
#
# With hinge angles q0 ... q5 the rods are a chain of turns about the lines of the hinges, as they stand after the turns
# before, and the chain must close. The lines as screws are dependent; their null vector is the motion of one degree of
# freedom, dq/dq0. Then m(q0) / 2 (dq0/dt)^2 + V(q0) = 0 and the time between two angles is an integral.


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross


def chain(q: np.ndarray) -> tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
    """Screws of the hinges as columns, and the poses of the rods and of what closes the chain."""
    rotation, shift, screws, poses = np.eye(3), np.zeros(3), [], []
    for corner, axis, angle in zip(np.array(case.CORNERS), np.array(case.AXES), q, strict=True):
        line, point = rotation @ axis, rotation @ corner + shift
        screws.append(np.concatenate([line, np.cross(point, line)]))
        step = turn(line, angle)
        rotation, shift = step @ rotation, point + step @ (shift - point)
        poses.append((rotation, shift))
    return np.array(screws).T, poses


def closed(q: np.ndarray) -> np.ndarray:
    """The angles that close the chain, q0 as given: Newton's method."""
    for _ in range(20):
        screws, poses = chain(q)
        rotation, shift = poses[-1]
        skew = rotation - rotation.T
        error = np.concatenate([[skew[2, 1] / 2, skew[0, 2] / 2, skew[1, 0] / 2], shift])
        change = np.linalg.lstsq(screws[:, 1:], -error, rcond=1e-9)[0]
        q = np.concatenate([q[:1], q[1:] + change])
        if np.abs(change).max() < 1e-14:
            break
    return q


def slowness(q: np.ndarray, width: float) -> float:
    """dt/dq0 where the rods have fallen from rest."""
    screws, poses = chain(q)
    null = np.linalg.svd(screws)[2][-1]
    rates = null / null[0]
    mass, height = 0.0, 0.0
    for k in range(5):
        rotation, shift = poses[k]
        spin, speed = np.split(screws[:, : k + 1] @ rates[: k + 1], 2)
        start, end = np.array(case.CORNERS[k]), np.array(case.CORNERS[k + 1])
        centre = rotation @ ((start + end) / 2) + shift
        sides = np.maximum(np.abs(end - start), width)
        local = rotation.T @ spin
        mass += float(((speed + np.cross(spin, centre)) ** 2).sum())
        mass += float((local**2 * ((sides**2).sum() - sides**2) / 12).sum())
        height += float(centre[1] - (start[1] + end[1]) / 2)
    return math.sqrt(mass / (-2.0 * case.GRAVITY * height))


def test_bricard_falls_as_its_only_coordinate_says():
    width, begin, end = 0.1, 0.5, 2.5
    nodes, weights = np.polynomial.legendre.leggauss(40)
    expected, q = 0.0, np.zeros(6)
    for angle, weight in zip((begin + end) / 2 + (end - begin) / 2 * nodes, weights, strict=True):
        while q[0] < angle:  # in small steps, so as to stay on one branch
            q[0] = min(q[0] + 0.02, angle)
            q = closed(q)
        expected += (end - begin) / 2 * weight * slowness(q, width)
    run = gd.simulate(case.bricard(width), duration=2, output=1e-4, rtol=1e-11, channels=["hinge_0.travel"])
    rising = run["hinge_0.travel"][: int(run["hinge_0.travel"].argmax())]
    found = np.interp([begin, end], rising, run.t[: len(rising)])
    assert found[1] - found[0] == pytest.approx(expected, abs=1e-7)


def test_bricard_keeps_its_energy():
    run = gd.simulate(case.bricard(), duration=10, output=0.1, rtol=1e-10)
    assert run.evidence.dof == 1 and run.evidence.redundant == ("hinge_5.shoulder.axial",)
    assert np.ptp(run["energy.potential"]) > 4.0
    assert np.ptp(run["energy.balance"]) < 1e-8 and run.evidence.drift < 1e-8


# -- governor ---------------------------------------------------------------------------------------------------------
#
# Both rods hang at the angle a below the horizontal, the slider stands at s, the shaft turns at w. Nothing turns the
# whole, so that w = H / J(a); with m the mass of rod and ball, d its centre from the hinge, L the length of the
# coupling and F its pull,
#
#   J = J_shaft + J_slider + 2 (m (b + d cos a)^2 + I_t cos^2 a + I_l sin^2 a)
#   2 (m d^2 + I_t) a'' = J' w^2 / 2 + 2 m g d cos a - 2 F dL/da        M s'' = -M g - 2 F dL/ds


def turning(a: float) -> tuple[float, float]:
    """Moment of inertia about the shaft and its derivative."""
    mass, along, across = case.BAR + case.BALL, *case.INERTIA
    out, down = math.cos(a), math.sin(a)
    arm = case.ARM + case.CENTRE * out
    whole = case.BAR * 2 * case.THICK**2 / 12 + case.SLIDER * case.CUBE**2 / 6
    whole += 2 * (mass * arm**2 + across * out**2 + along * down**2)
    return whole, 2 * (-2 * mass * arm * case.CENTRE * down + 2 * (along - across) * out * down)


def governed(times: np.ndarray) -> np.ndarray:
    mass, across, half = case.BAR + case.BALL, case.INERTIA[1], case.REACH / 2
    momentum = turning(case.HANG)[0] * case.TURNING

    def rates(t, y):
        a, s, va, vs = y
        x, z = half * math.cos(a), case.HEIGHT - half * math.sin(a) - s
        length = math.hypot(x, z)
        by_a, by_s = (-x * half * math.sin(a) - z * half * math.cos(a)) / length, -z / length
        pull = case.STIFFNESS * (length - case.LENGTH)
        pull += case.DAMPING * (by_a * va + by_s * vs)
        whole, change = turning(a)
        push = change * (momentum / whole) ** 2 / 2 + 2 * mass * case.GRAVITY * case.CENTRE * math.cos(a)
        return [va, vs, (push - 2 * pull * by_a) / (2 * (mass * case.CENTRE**2 + across)),
                -case.GRAVITY - 2 * pull * by_s / case.SLIDER]  # fmt: skip

    start = [case.HANG, 0.5, 0.0, 0.0]
    return solve_ivp(rates, (0.0, times[-1]), start, method="Radau", rtol=1e-10, atol=1e-12, t_eval=times).y


def test_governor_moves_as_two_coordinates_say():
    run = gd.simulate(case.governor(), duration=10, output=0.1, rtol=1e-10)
    a, s, _, vs = governed(run.t)
    assert run["slider.z"] == pytest.approx(s, abs=1e-6)
    assert run["slider.vz"] == pytest.approx(vs, abs=1e-5)
    momentum = turning(case.HANG)[0] * case.TURNING
    assert run["shaft.wz"] == pytest.approx([momentum / turning(x)[0] for x in a], rel=1e-6)
    assert 0.24 < np.ptp(run["slider.z"]) < 0.25
    # both rods hang alike, and the dampers took what is missing
    assert run["right.z"] == pytest.approx(run["left.z"], abs=1e-9)
    assert np.ptp(run["energy.balance"]) < 1e-6
