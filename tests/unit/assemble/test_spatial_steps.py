"""Functions of steps in space: work is the change of energy, forces inside a mechanism have no resultant, tangents are
right."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import Needs, assemble
from gudgeon.compile.graph.llvm import call_address
from gudgeon.space.spatial import Vector
from gudgeon.space.spatial.geometry.rotation import after, rotation_matrix

HERTZ = 1e5  # [N/m^1.5]


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


QUICK = ("ball", "disk", "key", "bushing", "travel")
NAMES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in MECHANISMS]
SMOOTH = [name for name, each in zip(NAMES, MECHANISMS, strict=True) if each not in ("sleeve", "disk")]


class Pair:
    """A system between two states far apart."""

    def __init__(self, mechanism: gd.Mechanism, *, size: float, turn: float = 0.5) -> None:
        self.s = assemble(mechanism, Needs(form="step"))
        self.layout = layout = self.s.residual.layout
        self.n, self.nq, rng = layout.velocities, layout.positions, np.random.default_rng(3)
        self.m = np.zeros(self.s.memory)
        self.m[0::2] = 1.0
        self.a = moved(self.s.y0[: self.nq], 0.2 * size * rng.normal(size=self.n))
        # a common turn about the origin, and each body for itself
        step = np.zeros(self.n)
        for move, q in zip(step.reshape(-1, 6), self.a.reshape(-1, 7), strict=True):
            move[3:] = tuple(rotation_matrix(q[3:]).back(Vector(0.3 * turn, -0.2 * turn, 0.25 * turn)))
            near, half = np.array(q[:3]), np.array([0.3, -0.2, 0.25]) * 0.5 * turn
            turned = matrix(after(unit([1.0, *half]), tuple(q[3:]))) @ matrix(tuple(q[3:])).T
            move[:3] = turned @ near - near
        self.step = step + size * rng.normal(size=self.n)
        self.b = moved(self.a, self.step)
        self.y = np.zeros(self.s.residual.longer)
        self.y[: self.s.states] = self.s.y0
        self.y[layout.multipliers : layout.multipliers + layout.rows] = rng.normal(size=layout.rows)
        self.y[: self.nq], self.y[self.s.states : self.s.states + self.nq] = self.b, self.a
        self.put(self.y, self.step)

    def put(self, y: np.ndarray, step: np.ndarray) -> None:
        """Also the step itself belongs to what functions read: last but the changes of time and internal states and the
        share of products of jumps."""
        first = self.s.residual.longer - self.n - 2 - self.layout.internal
        y[first : first + self.n] = step

    def call(self, name: str, y: np.ndarray | None = None) -> np.ndarray:
        s, layout = self.s, self.layout
        works = len(s.layout.integrals)
        count = {"conservative": self.n + layout.rows + works, "dissipative": layout.size + works,
                 "project": self.nq + self.n + 2 * layout.rows, "channels": len(s.channels)}  # fmt: skip
        out = np.zeros(count.get(name, len(s.residual.plan.rows)))
        call_address(s.addresses[name], 0.0, self.y if y is None else y, s.p, self.m, out)
        return out

    def at(self, q: np.ndarray) -> np.ndarray:
        y = self.s.y0.copy()
        y[: self.nq] = q
        return y

    def rows(self, q: np.ndarray) -> np.ndarray:
        """What the constraints are at a position."""
        return self.call("project", self.at(q))[self.nq + self.n :][: self.layout.rows]

    def reached(self, y: np.ndarray) -> np.ndarray:
        """Forces over the step, then the constraints at its end: those of its start and their change."""
        found, count = self.call("conservative", y), self.n + self.layout.rows
        found[self.n : count] += self.rows(y[self.s.states : self.s.states + self.nq])
        return found[:count]

    def stored(self, q: np.ndarray) -> float:
        """Energy of springs and contacts in closed form, and what multipliers would have of the rows."""
        names, found = [c.name for c in self.s.channels], self.call("channels", self.at(q))
        total = found[names.index("energy.potential")]
        for contact in self.s.contacts:
            depth = max(found[names.index(f"{contact.name}.depth")], 0.0)
            share = 1.0 / max(1, sum(c.name.startswith("joint.strip") for c in self.s.contacts))
            total += 0.5 * HERTZ * depth**2 if contact.kind == "liner" else share * 0.4 * HERTZ * depth**2.5
        return float(total - self.y[self.layout.multipliers :][: self.layout.rows] @ self.rows(q))


def unit(p: object) -> tuple[float, ...]:
    return tuple(np.array(p) / np.linalg.norm(p))


def matrix(p: tuple[float, ...]) -> np.ndarray:
    return np.array([tuple(row) for row in (lambda r: (r.x, r.y, r.z))(rotation_matrix(p))])


def moved(q: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Coordinates after a step ψ of every body."""
    found = q.copy()
    for new, move in zip(found.reshape(-1, 7), step.reshape(-1, 6), strict=True):
        new[:3] += move[:3]
        new[3:] = after(tuple(new[3:]), unit([1.0, *(0.5 * move[3:])]))
    return found


@cache
def pair_of(name: str) -> Pair:
    return Pair(MECHANISMS[name](), size=0.02)


@pytest.mark.parametrize("name", NAMES)
def test_work_is_the_change_of_what_is_stored(name):
    """Also that of multipliers on rows that do not hold."""
    pair = pair_of(name)
    work, change = pair.call("conservative")[: pair.n] @ pair.step, pair.stored(pair.b) - pair.stored(pair.a)
    assert abs(change) > 1e-3
    assert work == pytest.approx(change, rel=1e-10)


@pytest.mark.parametrize("name", NAMES)
def test_forces_between_bodies_have_no_resultant_and_no_moment(name):
    """To rounding where lengths are made of products of two vectors; of three, as a sleeve has, the moment is small."""
    pair = pair_of(name)
    y = pair.y.copy()
    y[pair.layout.multipliers :][: pair.layout.rows] = 0.0  # rows along axes of the world hold at both ends
    push, moment = np.zeros(3), np.zeros(3)
    forces = pair.call("conservative", y)[: pair.n].reshape(-1, 6)
    for force, a, b in zip(forces, pair.a.reshape(-1, 7), pair.b.reshape(-1, 7), strict=True):
        push += force[:3]
        mean = 0.5 * (matrix(tuple(a[3:])) + matrix(tuple(b[3:])))
        moment += mean @ force[3:] + np.cross(0.5 * (a[:3] + b[:3]), force[:3])
    large = np.abs(forces).max()
    assert np.abs(push).max() < 1e-12 * large
    assert np.abs(moment).max() < (1e-3 if name in ("sleeve", "disk") else 1e-12) * large


@pytest.mark.parametrize("name", SMOOTH)
def test_tangents_are_those_of_differences(name):
    """By the steps: what the step before has more, this one has less. Normals that a search finds count as held."""
    pair = pair_of(name)
    layout, n, start, tiny = pair.layout, pair.n, pair.s.states, 1e-6
    for side in (0, 1):
        pair.y[layout.factors : layout.factors + 2] = (1.0, 0.0) if side == 0 else (0.0, 1.0)
        found = pair.s.residual.plan.dense(pair.call("conservative_tangent"))[: n + layout.rows, :n]
        expected = np.zeros((n + layout.rows, n))
        for j in range(n):
            for sign in (tiny, -tiny):
                y, more = pair.y.copy(), np.zeros(n)
                more[j] = sign
                if side == 1:
                    y[start : start + pair.nq] = moved(pair.a, more)
                step = pair.step + (more if side == 0 else -more)
                y[: pair.nq] = moved(y[start : start + pair.nq], step)
                pair.put(y, step)
                expected[:, j] += pair.reached(y) / (2.0 * sign)
        assert np.abs(found - expected).max() < 1e-6 * np.abs(expected).max()
