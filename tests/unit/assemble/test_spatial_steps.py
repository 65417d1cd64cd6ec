"""Functions of steps in space: work is the change of energy, forces inside a mechanism have no resultant, tangents are
right."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from step_pairs import HERTZ, Pair, moved, resultant

import gudgeon as gd


def two(kind: str, fit: dict[str, object] | None = None, **more: object) -> gd.Mechanism:
    """Two free bodies, askew, with a joint between them."""
    m = gd.Mechanism(f"two bodies in a {kind} joint", planar=False, start="given")
    one = m.body("one", mass=1.0, inertia=(0.1, 0.2, 0.25), at=(0.0, 0.0, 0.0), orientation=(0.8, 0.6, 0.0, 0.0))
    other = m.body("other", mass=2.0, inertia=(0.2, 0.3, 0.15), at=(1.0, 0.1, 0.2), orientation=(0.6, 0.0, 0.8, 0.0))
    getattr(m, kind)("joint", journal=one, bearing=other, at=(0.5, 0.0, 0.1), **more)
    return m if fit is None else m.refit(joint=fit)


BLOCK = np.diag([4e3, 5e3, 9e3, 30.0, 20.0, 40.0])
BLOCK[2, 5] = BLOCK[5, 2] = 300.0
AXIS = {"axis": (0.6, 0.0, 0.8)}
HARD = gd.Hertz(stiffness=HERTZ)
WALL = gd.Clearance(1e-3, wall=HARD)
MECHANISMS = {
    "ball": lambda: two("spherical", {"ball": WALL}, radius=0.1),
    "sleeve": lambda: two("cylindrical", {"sleeve": WALL}, radius=0.1, length=0.2, strips=2, **AXIS),
    "disk": lambda: two("cylindrical", {"sleeve": WALL}, radius=0.1, length=0.01, strips=1, short=True, **AXIS),
    "key": lambda: two("translational", {"key": gd.Clearance(angular_clearance=1e-3, wall=HARD)}, radius=0.1, **AXIS),
    "bushing": lambda: two("spherical", {"ball": gd.Bushing(gd.LinearLiner(stiffness=HERTZ))}, radius=0.1),
    "conical bushing": lambda: two("cylindrical", {"sleeve": CONICAL}, radius=0.1, length=0.2, **AXIS),
    "stop": lambda: two("revolute", stop=gd.Stop(upper=1e-3, lower=-1e-3, wall=HARD), radius=0.1, **AXIS),
    "block": lambda: two("mount", gd.Elastic(BLOCK), **AXIS),
    "travel": lambda: two("translational", stop=gd.Stop(upper=1e-3, lower=-1e-3, wall=HARD), radius=0.1, **AXIS),
}
CONICAL = gd.Bushing(gd.LinearLiner(stiffness=HERTZ), conical=gd.LinearLiner(stiffness=HERTZ))


@cache
def pair_of(name: str) -> Pair:
    return Pair(MECHANISMS[name](), size=0.02)


@pytest.mark.parametrize("name", MECHANISMS)
def test_work_is_the_change_of_what_is_stored(name):
    """Also that of multipliers on rows that do not hold."""
    pair = pair_of(name)
    work, change = pair.call("between")[: pair.n] @ pair.step, pair.stored(pair.b) - pair.stored(pair.a)
    assert abs(change) > 1e-3
    assert work == pytest.approx(change, rel=1e-10)


@pytest.mark.parametrize("name", MECHANISMS)
def test_forces_between_bodies_have_no_resultant_and_no_moment(name):
    """To rounding where lengths are made of products of two vectors; of three, as a sleeve has, the moment is small."""
    pair = pair_of(name)
    y = pair.y.copy()
    y[pair.layout.multipliers :][: pair.layout.rows] = 0.0  # rows along axes of the world hold at both ends
    forces = pair.call("between", y)[: pair.n]
    push, moment = resultant(forces, pair)
    large = np.abs(forces).max()
    assert np.abs(push).max() < 1e-12 * large
    assert np.abs(moment).max() < (1e-3 if name in ("sleeve", "disk") else 1e-12) * large


@pytest.mark.parametrize("name", [name for name in MECHANISMS if name not in ("sleeve", "disk")])
def test_tangents_are_those_of_differences(name):
    """By the steps: what the step before has more, this one has less. Normals that a search finds count as held."""
    pair = pair_of(name)
    layout, n, start, tiny = pair.layout, pair.n, pair.s.states, 1e-6
    rows = slice(0, n + layout.rows)
    for side in (0, 1):
        pair.y[layout.factors : layout.factors + 2] = (1.0, 0.0) if side == 0 else (0.0, 1.0)
        found = pair.s.unsolved.plan.dense(pair.call("between_tangent"))[rows, :n]
        expected = np.zeros((n + layout.rows, n))
        for j in range(n):
            for sign in (tiny, -tiny):
                y, more = pair.y.copy(), np.zeros(n)
                more[j] = sign
                if side == 1:
                    y[start : start + pair.nq] = moved(pair.a, more)
                y[: pair.nq] = moved(y[start : start + pair.nq], pair.step + (more if side == 0 else -more))
                expected[:, j] += pair.call("between", y)[rows] / (2.0 * sign)
        assert np.abs(found - expected).max() < 1e-6 * np.abs(expected).max()
