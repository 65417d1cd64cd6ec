"""The slider-crank of Flores et al. 2007 with a loose pin and friction, by a program that shares nothing with gudgeon.

NumPy, Numba and the coefficients of SciPy's DOP853. Two coordinates, the rod's angle f and the slider's place x; the
crank turns at constant speed, its angle a is a third state:

    B = r (cos a, sin a)                  end of the crank
    d = B + L (cos f, sin f) - (x, 0)     from the bore in the slider to the pin on the rod; n = d / |d|, t = n turned
    depth |d| - c, rate n·d', slip t·d' + (R - c) f'
    F = K depth^1.5 (1 + 3 (1 - e²) / 4 rate / first), first the rate at the start of the contact, F of either sign
    T = -mu ramp(|slip|) F sign(slip), along t on the rod, where the surfaces touch

The rod about B, e = (-sin f, cos f), and the slider:

    (I + m L² / 4) f'' = L e·(-F n + T t) + (R - c) T - m L / 2 e·B'',      ms x'' = (F n - T t)·(1, 0)

`python -m independent.intermittent`, in the folder above, makes the data of the tests.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .dop853 import EXTRA, STAGES, attempt, fast, first_change, interpolant, within

CRANK, ROD, ROD_MASS, ROD_INERTIA, SLIDER_MASS, BORE = 0.05, 0.12, 0.21, 2.5e-4, 0.14, 0.01
SPEED = -5000.0 * math.pi / 30.0
PERIOD = 2.0 * math.pi / abs(SPEED)
MODULUS, POISSON, RESTITUTION = 207e9, 0.3, 0.9
HYSTERESIS = 0.75 * (1.0 - RESTITUTION**2)
SLOW, FULL = 1e-3, 1e-2  # slip at which friction begins and is full [m/s]
SIZE = 5  # states: a, f, x, f', x'
CLEARANCE, FRICTION, STIFFNESS = range(3)  # parameters
LONGEST, SHORTEST = PERIOD / 50.0, 1e-12  # steps [s]: nothing closes and opens again unseen
NODES = 8  # places of a step where forces are looked at
PEAK_FORCE, PEAK_ACCELERATION, MEAN_SQUARE, TOUCHING, TOUCHES, VALUES = range(6)


@fast
def pin(y: Any, p: Any) -> tuple[float, float, float, float, float]:
    """Direction n, distance, its rate, and slip."""
    sa, ca, sf, cf = math.sin(y[0]), math.cos(y[0]), math.sin(y[1]), math.cos(y[1])
    dx, dy = CRANK * ca + ROD * cf - y[2], CRANK * sa + ROD * sf
    vx, vy = -CRANK * SPEED * sa - ROD * y[3] * sf - y[4], CRANK * SPEED * ca + ROD * y[3] * cf
    distance = math.sqrt(dx * dx + dy * dy + 1e-300)
    nx, ny = dx / distance, dy / distance
    return nx, ny, distance, nx * vx + ny * vy, nx * vy - ny * vx + (BORE - p[CLEARANCE]) * y[3]


@fast
def depths(y: Any, p: Any, found: Any) -> None:
    _, _, distance, found[0, 1], _ = pin(y, p)
    found[0, 0] = distance - p[CLEARANCE]


@fast
def forces(y: Any, p: Any, closed: Any, first: Any) -> tuple[float, float, float, float]:
    """n, F and T."""
    nx, ny, distance, rate, slip = pin(y, p)
    depth = distance - p[CLEARANCE]
    if closed[0] == 0.0 or depth <= 0.0:
        return nx, ny, 0.0, 0.0
    normal = p[STIFFNESS] * depth**1.5 * (1.0 + HYSTERESIS * rate / first[0])
    ramp = min(1.0, max(0.0, (abs(slip) - SLOW) / (FULL - SLOW)))
    return nx, ny, normal, -p[FRICTION] * normal * math.copysign(ramp, slip)


@fast
def motion(y: Any, p: Any, closed: Any, first: Any, scratch: Any, out: Any) -> None:
    """Rates of the states; `scratch` is not used."""
    nx, ny, normal, rub = forces(y, p, closed, first)
    x, z = -normal * nx - rub * ny, -normal * ny + rub * nx  # on the rod
    sf, cf, centre = math.sin(y[1]), math.cos(y[1]), -CRANK * SPEED * SPEED
    turning = ROD * (-sf * x + cf * z) + (BORE - p[CLEARANCE]) * rub
    turning -= 0.5 * ROD_MASS * ROD * centre * (-sf * math.cos(y[0]) + cf * math.sin(y[0]))
    out[0], out[1], out[2] = SPEED, y[3], y[4]
    out[3], out[4] = turning / (ROD_INERTIA + 0.25 * ROD_MASS * ROD * ROD), -x / SLIDER_MASS


@fast
def look(y: Any, p: Any, closed: Any, first: Any, weight: float, found: Any) -> None:
    """What one place of a step adds to a window, of which it stands for the time `weight`."""
    nx, ny, normal, rub = forces(y, p, closed, first)
    acceleration = (normal * nx + rub * ny) / SLIDER_MASS
    found[PEAK_FORCE] = max(found[PEAK_FORCE], abs(normal))
    found[PEAK_ACCELERATION] = max(found[PEAK_ACCELERATION], abs(acceleration))
    found[MEAN_SQUARE] += weight * acceleration**2
    found[TOUCHING] += weight * closed[0]


@fast
def run(p: Any, rtol: float, ends: Any, states: Any, contacts: Any) -> Any:
    """From the stretched position to each of the instants `ends`: the values of the span before it, one row each.

    `states` takes the states at those instants; `contacts` start, rate, end, rate and peak force of the first contacts.
    """
    y, k, new = np.zeros(SIZE), np.zeros((STAGES + 1 + EXTRA, SIZE)), np.zeros(SIZE)
    closed, first, depth, scratch = np.zeros(1), np.ones(1), np.zeros((1, 2)), np.zeros((1, 1))
    rows, t, h, touches = np.zeros((ends.shape[0], VALUES)), 0.0, 1e-7, 0
    y[2], y[3] = CRANK + ROD, -CRANK * SPEED / ROD
    motion(y, p, closed, first, scratch, k[0])
    for row in range(ends.shape[0]):
        began = t
        while t < ends[row]:
            left = ends[row] - t
            step = left if left < 1.01 * min(h, LONGEST) else min(h, LONGEST)
            error = attempt(motion, y, step, k, new, p, closed, first, scratch, rtol)
            grow = 5.0 if error == 0.0 else min(5.0, max(0.2, 0.9 * error**-0.125))
            if error > 1.0:
                h = step * min(grow, 0.9)
                continue
            c = interpolant(motion, y, step, k, new, p, closed, first, scratch)
            x, which = first_change(depths, y, c, p, closed, depth)
            if which >= 0 and closed[0] == 0.0 and step > SHORTEST:
                depths(within(x, y, c), p, depth)
                if depth[0, 1] <= 0.0:
                    # it has only now ended, at zero but for rounding, and begins again within this step
                    h = 0.25 * step
                    continue
            last = min(x, 1.0)
            for node in range(NODES):
                place = last * (node + 0.5) / NODES
                look(within(place, y, c), p, closed, first, step * last / NODES, rows[row])
                if closed[0] > 0.0 and 0 < touches <= contacts.shape[0]:
                    force = forces(within(place, y, c), p, closed, first)[2]
                    contacts[touches - 1, 4] = max(contacts[touches - 1, 4], force)
            if which < 0:
                y[:], k[0] = new, k[STAGES]
                t = ends[row] if step == left else t + step
                h = max(h, step * grow) if step == left else step * grow
                continue
            y[:] = within(x, y, c)
            t += x * step
            depths(y, p, depth)
            if closed[0] > 0.0:
                closed[0] = 0.0
                if touches <= contacts.shape[0]:
                    contacts[touches - 1, 2], contacts[touches - 1, 3] = t, depth[0, 1]
            else:
                closed[0], first[0] = 1.0, depth[0, 1]
                rows[row, TOUCHES] += 1.0
                if touches < contacts.shape[0]:
                    contacts[touches, 0], contacts[touches, 1] = t, depth[0, 1]
                touches += 1
            motion(y, p, closed, first, scratch, k[0])
        states[row] = y
        rows[row, MEAN_SQUARE] /= ends[row] - began
        rows[row, TOUCHING] /= ends[row] - began
    return rows


def parameters(clearance: float = 5e-4, friction: float = 0.03) -> np.ndarray:
    """Eq 4 of the article with the bore's radius negative, both of steel."""
    give = (1.0 - POISSON**2) / MODULUS
    journal = BORE - clearance
    stiffness = 4.0 / (3.0 * 2.0 * give) * math.sqrt(journal * BORE / (BORE - journal))
    return np.array([clearance, friction, stiffness])
