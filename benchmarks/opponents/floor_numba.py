"""The floor once more in Numba: the algorithm of floor.c, for machines without a C compiler."""

from __future__ import annotations

import time
from functools import cache
from math import cos, exp, log, sin, sqrt

import numpy as np
from numba import njit

from .problem import P1
from .result import RaceResult

NAME = "hand-derived, Numba"
OPTIONS = {"error_model": "numpy", "fastmath": {"contract", "nsz", "reassoc", "arcp", "nnan", "ninf"}}
STEPS, REJECTIONS, EVALUATIONS, ONSETS = range(4)
COUNTERS = ("steps", "rejections", "evaluations", "onsets")


@njit(inline="always", **OPTIONS)
def derivative(p, contact, hysteresis_rate, t, y, f):
    """Rates f of the states y = (phi, xs, phi', xs')."""
    r, rod, rod_mass, slider_mass, omega, c, stiffness = p[0], p[1], p[2], p[3], p[4], p[5], p[6]
    theta = omega * t
    f[0], f[1], f[3] = y[2], y[3], 0.0
    if not contact:
        f[2] = 1.5 * r * omega * omega / rod * sin(theta - y[0])
        return
    st, ct, sp, cp = sin(theta), cos(theta), sin(y[0]), cos(y[0])
    dx, dy = r * ct + rod * cp - y[1], r * st + rod * sp
    f[2] = 1.5 * r * omega * omega / rod * (st * cp - ct * sp)
    square = dx * dx + dy * dy
    if square > c * c:
        vx, vy = -r * omega * st - rod * sp * y[2] - y[3], r * omega * ct + rod * cp * y[2]
        distance = sqrt(square)
        depth = distance - c
        rate = (dx * vx + dy * vy) / distance
        force = stiffness * depth * sqrt(depth) * (1.0 + hysteresis_rate * rate) / distance
        if force > 0.0:
            f[2] -= 3.0 / (rod_mass * rod) * force * (cp * dy - sp * dx)
            f[3] = force * dx / slider_mass


@njit(**OPTIONS)
def gap(p, t, y):
    """Distance of the surfaces (positive: penetration) and its rate."""
    r, rod, omega = p[0], p[1], p[4]
    st, ct, sp, cp = sin(omega * t), cos(omega * t), sin(y[0]), cos(y[0])
    dx, dy = r * ct + rod * cp - y[1], r * st + rod * sp
    vx, vy = -r * omega * st - rod * sp * y[2] - y[3], r * omega * ct + rod * cp * y[2]
    distance = sqrt(dx * dx + dy * dy)
    return distance - p[5], ((dx * vx + dy * vy) / distance if distance > 0.0 else 0.0)


@njit(**OPTIONS)
def stages(p, contact, v, t, h, y, u, end, k):
    """The stages 2 to 6 and the end state of a step; stage 1 is known."""
    for i in range(4):
        u[i] = y[i] + h * (1 / 5 * k[0, i])
    derivative(p, contact, v, t + h / 5, u, k[1])
    for i in range(4):
        u[i] = y[i] + h * (3 / 40 * k[0, i] + 9 / 40 * k[1, i])
    derivative(p, contact, v, t + 0.3 * h, u, k[2])
    for i in range(4):
        u[i] = y[i] + h * (44 / 45 * k[0, i] - 56 / 15 * k[1, i] + 32 / 9 * k[2, i])
    derivative(p, contact, v, t + 0.8 * h, u, k[3])
    for i in range(4):
        u[i] = y[i] + h * (
            19372 / 6561 * k[0, i] - 25360 / 2187 * k[1, i] + 64448 / 6561 * k[2, i] - 212 / 729 * k[3, i]
        )
    derivative(p, contact, v, t + 8 / 9 * h, u, k[4])
    for i in range(4):
        u[i] = y[i] + h * (
            9017 / 3168 * k[0, i]
            - 355 / 33 * k[1, i]
            + 46732 / 5247 * k[2, i]
            + 49 / 176 * k[3, i]
            - 5103 / 18656 * k[4, i]
        )
    derivative(p, contact, v, t + h, u, k[5])
    for i in range(4):
        end[i] = y[i] + h * (
            35 / 384 * k[0, i] + 500 / 1113 * k[2, i] + 125 / 192 * k[3, i] - 2187 / 6784 * k[4, i] + 11 / 84 * k[5, i]
        )


@njit(**OPTIONS)
def error_of(h, weight, k):
    """Mean square of the estimated error in units of the tolerance."""
    total = 0.0
    for i in range(4):
        e = (
            (
                71 / 57600 * k[0, i]
                - 71 / 16695 * k[2, i]
                + 71 / 1920 * k[3, i]
                - 17253 / 339200 * k[4, i]
                + 22 / 525 * k[5, i]
                - 1 / 40 * k[6, i]
            )
            * h
            * weight[i]
        )
        total += e * e
    return total / 4


@njit(**OPTIONS)
def close_gap(p, t, h, value, rate, resolution, y, u, end, k, n):
    """Do the penetrating step again so that it ends where the gap closes; its length and the rate."""
    low, high, length = 0.0, h, h
    for _ in range(60):
        if abs(value) <= resolution or high - low <= 1e-16 * h:
            break
        if value > 0.0:
            high = length
        else:
            low = length
        guess = length - value / rate if rate != 0.0 else low
        length = guess if low < guess < high else 0.5 * (low + high)
        stages(p, False, 0.0, t, length, y, u, end, k)
        n[EVALUATIONS] += 5
        value, rate = gap(p, t + length, end)
    derivative(p, False, 0.0, t + length, end, k[6])
    n[EVALUATIONS] += 1
    return length, rate


@njit(**OPTIONS)
def sample(h, x, y, end, k, row):
    """The state at the fraction x of the step."""
    for i in range(4):
        change = end[i] - y[i]
        ahead = h * k[0, i] - change
        behind = change - h * k[6, i] - ahead
        fifth = h * (
            -12715105075 / 11282082432 * k[0, i]
            + 87487479700 / 32700410799 * k[2, i]
            - 10690763975 / 1880347072 * k[3, i]
            + 701980252875 / 199316789632 * k[4, i]
            - 1453857185 / 822651844 * k[5, i]
            + 69997945 / 29380423 * k[6, i]
        )
        row[i] = y[i] + x * (change + (1 - x) * (ahead + x * (behind + (1 - x) * fifth)))


@njit(**OPTIONS)
def _march(p, start, end_time, rtol, samples, out, n):
    """Integrate to end_time; fills samples + 1 rows of out and the counters n.  False: the step vanished."""
    y, u, end, k = start.copy(), np.zeros(4), np.zeros(4), np.zeros((7, 4))
    weight = np.array([1.0, 1.0 / p[1], 1.0 / p[4], 1.0 / (p[4] * p[1])]) / rtol
    tick, resolution = end_time / samples, max(rtol * p[5], 2e-16)
    t, h, memory, v, contact, coming = 0.0, 1e-6, 0.0, 0.0, False, 1
    out[0] = y
    derivative(p, False, 0.0, t, y, k[0])
    n[EVALUATIONS] += 1
    while coming <= samples:
        last = t + h >= end_time
        if last:
            h = end_time - t
        stages(p, contact, v, t, h, y, u, end, k)
        derivative(p, contact, v, t + h, end, k[6])
        n[EVALUATIONS] += 6
        error = error_of(h, weight, k)
        size = 0.5 * log(error + 1e-20)
        if error > 1.0:
            n[REJECTIONS] += 1
            h *= max(0.2, 0.9 * exp(-0.2 * size))
            if h < 1e-16:
                return False
            continue
        value, rate = gap(p, t + h, end)
        used, onset = h, not contact and value > 0.0
        if onset:
            used, rate = close_gap(p, t, h, value, rate, resolution, y, u, end, k, n)
            v, last = p[7] / max(rate, p[8]), False
            n[ONSETS] += 1
        while coming <= samples and (last or coming * tick <= t + used):
            sample(used, min(1.0, (coming * tick - t) / used), y, end, k, out[coming])
            coming += 1
        t += used
        n[STEPS] += 1
        y[:] = end
        k[0] = k[6]
        if onset:
            contact, memory, h = True, 0.0, min(used, 1e-6)
            continue
        contact = contact and value >= 0.0
        h *= min(5.0, max(0.2, 0.9 * exp(-0.17 * size + 0.04 * memory)))
        memory = max(size, -9.2)
    return True


@cache
def _warm() -> None:
    """Compile outside the clock."""
    _march(np.array(P1.numbers), np.array(P1.start), 1e-5, 1e-8, 1, np.zeros((2, 4)), np.zeros(4, np.int64))


def march(revolutions: float, rtol: float, samples_per_rev: int):
    """CPU seconds, counters, times and states (phi, xs and rates) of one run."""
    _warm()
    samples = max(1, round(revolutions * samples_per_rev))
    end, states, counters = revolutions * P1.period, np.zeros((samples + 1, 4)), np.zeros(4, np.int64)
    parameters, start = np.array(P1.numbers), np.array(P1.start)
    begin = time.process_time()
    done = _march(parameters, start, end, rtol, samples, states, counters)
    spent = time.process_time() - begin
    if not done:
        raise RuntimeError(f"the floor gave up at rtol {rtol:g}: step too small")
    counts = dict(zip(COUNTERS, counters.tolist(), strict=True))
    return spent, counts, np.linspace(0.0, end, samples + 1), states


def run(revolutions: float, rtol: float, samples_per_rev: int) -> RaceResult:
    """One run of the race."""
    spent, counters, times, states = march(revolutions, rtol, samples_per_rev)
    return RaceResult(NAME, rtol, spent, t=times, phi=states[:, 0], xs=states[:, 1], **counters)
