"""Two states of a system of space, far apart, and the functions of steps between them."""

from __future__ import annotations

import numpy as np

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.graph.llvm import call_address
from gudgeon.space.spatial import Vector
from gudgeon.space.spatial.rotation import after, rotation_matrix

HERTZ = 1e5  # [N/m^1.5]


class Pair:
    """A system between two states far apart."""

    def __init__(self, mechanism: gd.Mechanism, *, size: float, turn: float = 0.5) -> None:
        self.s = assemble(mechanism, unsolved="steps")
        self.layout = layout = self.s.unsolved.layout
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
        self.y = np.zeros(self.s.unsolved.longer)
        self.y[: self.s.states] = self.s.y0
        self.y[layout.multipliers : layout.multipliers + layout.rows] = rng.normal(size=layout.rows)
        self.y[: self.nq], self.y[self.s.states : self.s.states + self.nq] = self.b, self.a

    def call(self, name: str, y: np.ndarray | None = None) -> np.ndarray:
        s, layout = self.s, self.layout
        count = {"between": self.n + layout.rows + len(s.integrals), "losses": layout.size + len(s.integrals),
                 "project": self.nq + self.n + 2 * layout.rows, "channels": len(s.channels),
                 "inertia": self.n}  # fmt: skip
        out = np.zeros(count.get(name, len(s.unsolved.plan.rows)))
        call_address(s.addresses[name], 0.0, self.y if y is None else y, s.p, self.m, out)
        return out

    def at(self, q: np.ndarray) -> np.ndarray:
        y = self.s.y0.copy()
        y[: self.nq] = q
        return y

    def channel(self, name: str, q: np.ndarray, v: np.ndarray | None = None) -> float:
        y = self.at(q)
        if v is not None:
            y[self.nq : self.nq + self.n] = v
        names = [c.name for c in self.s.channels]
        return float(self.call("channels", y)[names.index(name)])

    def stored(self, q: np.ndarray) -> float:
        """Energy of springs and contacts in closed form, and what multipliers would have of the rows."""
        names, found = [c.name for c in self.s.channels], self.call("channels", self.at(q))
        total = found[names.index("energy.potential")]
        for contact in self.s.contacts:
            depth = max(found[names.index(f"{contact.name}.depth")], 0.0)
            share = 1.0 / max(1, sum(c.name.startswith("joint.strip") for c in self.s.contacts))
            total += 0.5 * HERTZ * depth**2 if contact.kind == "liner" else share * 0.4 * HERTZ * depth**2.5
        rows = self.call("project", self.at(q))[self.nq + self.n :][: self.layout.rows]
        return float(total - self.y[self.layout.multipliers :][: self.layout.rows] @ rows)


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


def resultant(forces: np.ndarray, pair: Pair) -> tuple[np.ndarray, np.ndarray]:
    """Push and moment about the origin of forces on all bodies over a step."""
    push, moment = np.zeros(3), np.zeros(3)
    for force, a, b in zip(forces.reshape(-1, 6), pair.a.reshape(-1, 7), pair.b.reshape(-1, 7), strict=True):
        push += force[:3]
        mean = 0.5 * (matrix(tuple(a[3:])) + matrix(tuple(b[3:])))
        moment += mean @ force[3:] + np.cross(0.5 * (a[:3] + b[:3]), force[:3])
    return push, moment
