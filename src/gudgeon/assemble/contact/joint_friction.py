"""Friction in ideal joints, from the reactions of their constraints.

Surface k slides with s_k under the load N_k = |R_k|, where R_k are the components of the reaction that press it
together (`Mate.slidings`). Friction laws are proportional to the load, f_k = m_k(s_k) N_k, so that with the rows T_k of
the slips

    M a - Jᵀ λ = F + Σ T_kᵀ m_k N_k,      J a = γ,      N_k = |R_k(λ)|

The residual form has λ among its unknowns: there friction is a function of them as of others. Solved for accelerations
the first two equations make R_j linear in the loads, R_j = r_j + Σ B_jk N_k, and leave as many equations as surfaces:

    N_j = |r_j + Σ B_jk N_k|

They are solved in the right-hand side itself, by Newton's method: what is integrated is the consistent solution, and
nothing lags. With u_j = R_j / |R_j| its matrix is K = 1 - u B. Where the gains, the sums of |B_jk| over k, are below 1,
the right side is a contraction and there is one solution. Beyond, friction can raise its own load without bound: there
may be no solution or several (Painlevé 1895), and joints lock themselves. Newton's method begins without any load; then
one surface whose friction relieves it is solved exactly, whatever its gain. A solution must have positive pivots of K,
as the one without friction has: others are not reached from it as the coefficient grows. Where there is none the loads
are nan, which ends a run; the gains say in which joint.

While the equations are built the loads are inputs "load"; at the end they are replaced by the solution (`closed`), in
the coordinates of bodies or of joints alike. What the loads change by, for the Jacobian, follows from the same matrix:
K δN = u (δR with the loads held).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.assemble.contact.contacts import Friction, friction_of, magnitude
from gudgeon.assemble.solve.elimination import Row, eliminate
from gudgeon.assemble.solve.reactions import reaction
from gudgeon.compile.graph import Direction, Graph, Scalar
from gudgeon.compile.graph.passes.transfer import Transfer
from gudgeon.compile.native.scalar import opaque
from gudgeon.quantity import GudgeonError, in_words
from gudgeon.space.mate import Sliding

LOAD = "load"  # the array of inputs that stand for the loads until they are solved for
NEWTON = 7  # iterations; of random problems with gains of 0.9 all are solved then, by a gain of 0.3 after 5
MOST = 16  # mates with friction: 12 pins of a chain have 21,000 operations, which take 10 s to compile
CONSISTENT = 1e-9  # of all loads: the most that a load may differ from the one that it brings about
UNIQUE = 1e-9  # of a reaction that redundant constraints leave open


@dataclass(frozen=True)
class Surface:
    """One sliding surface of an ideal mate: its law with its parameters, and the places of its states in y."""

    joint: Any
    name: str
    law: Any
    block: int
    sliding: Sliding
    places: tuple[int, ...]


@dataclass(frozen=True)
class JointFriction:
    """Friction of a surface under a load [N]."""

    joint: str
    name: str
    law: Any
    load: Scalar
    made: Friction
    sliding: Sliding
    forces: tuple[Row, ...]
    state: int | None = None  # place in y of the first state of the law
    states: int = 0

    def along(self, way: str) -> Scalar | None:
        """The couple [N m] or the force [N] of this surface; None where it has none. In several directions their size,
        negative as it is against the slip."""
        parts = [x for x, own in zip(self.made.parts, self.sliding.ways, strict=True) if own == way]
        if not parts:
            return None
        total = parts[0] if len(parts) == 1 else -magnitude(self.load.graph, parts)
        return total * self.sliding.arm if way == "rotation" else total


def trace_surfaces(trace: Any, joint: Any) -> list[Surface]:
    """The sliding surfaces of the ideal mates of a joint that have friction, with room for the states of their laws."""
    if not joint.reaction_friction:
        return []
    (i, j), sizes, surfaces = trace.surfaces(joint), trace.space.sizes(joint, trace.graph.zero), []
    for mate, law in joint.reaction_friction.items():
        owner = f"{joint.name}.{mate}" if len(joint.fit) > 1 else joint.name
        block = trace.parameters.block(f"{owner}.friction", law.pack(joint.pair(mate)))
        for sliding in trace.space.mates[mate].slidings(i, j, sizes, joint.kind.directions):
            name = f"{owner}.{sliding.label}" if sliding.label else owner
            count = len(sliding.slip) if law.states else 0
            words = [f"{name}.bristle_{k + 1}" if count > 1 else f"{name}.bristle" for k in range(count)]
            surfaces.append(Surface(joint, name, law, block, sliding, tuple(trace.states.reserve(words))))
    return surfaces


def put_friction(trace: Any, loads: Sequence[Scalar] | None = None) -> Any:
    """The trace with friction of its ideal joints in its equations; without `loads` they are inputs."""
    graph = trace.graph
    loads = graph.inputs(LOAD, len(trace.sliding)) if loads is None else loads
    frictions = []
    for surface, load in zip(trace.sliding, loads, strict=True):
        slips = tuple(graph.scalar(x) for x in surface.sliding.slip)
        unit = friction_of(trace.equations, trace.states, surface.law, surface.block, slips, graph.one, surface.places,
                           pressing=load)  # fmt: skip
        made = unit.loaded(load)
        frictions.append(JointFriction(
            surface.joint.name, surface.name, surface.law, load, made, surface.sliding, made.act(trace.equations),
            surface.places[0] if surface.places else None, len(surface.places)))  # fmt: skip
    return trace.with_friction(tuple(frictions))


def pressing(trace: Any, solution: Any) -> list[tuple[Scalar, ...]]:
    """The components R of the reaction that press each surface together, with the multipliers (and accelerations) of a
    solution."""
    components, known = [], {}
    for surface in trace.sliding:
        joint = surface.joint
        if joint.name not in known:
            wrench, point = reaction(trace, solution, joint)
            force = trace.space.vector(*wrench[: len(trace.space.axes)])
            about = (point - trace.places[joint.name][0].point).cross(force)
            moments = wrench[len(trace.space.axes) :]
            moment = trace.space.vector(*moments) if len(moments) > 1 else moments[0]
            known[joint.name] = force, moment + about
        components.append(tuple(trace.graph.scalar(x) for x in surface.sliding.load(*known[joint.name])))
    return components


def loads_of(trace: Any, solution: Any) -> list[Scalar]:
    """The loads where the reactions are known."""
    return [magnitude(trace.graph, x) for x in pressing(trace, solution)]


def consistent(load: float, other: float, total: float, least: float) -> float:
    """A load, if it agrees with the one that it brings about and every pivot is positive; else nan."""
    if least > 0.0 and abs(load - other) <= CONSISTENT * total:
        return load
    return math.nan


def smaller(a: float, b: float) -> float:
    return a if a < b else b


class LoadEquations:
    """N = |r + B N|: `reactions` are the components R of every surface, with the loads N in them as inputs."""

    def __init__(self, graph: Graph, reactions: Sequence[tuple[Scalar, ...]]) -> None:
        self.graph, self.count, self.reactions = graph, len(reactions), reactions
        self.inputs = graph.inputs(LOAD, self.count)
        slopes = [Direction(graph, [(x, 1.0)]) for x in self.inputs]
        self.slopes = [[tuple(slope(x) for x in own) for slope in slopes] for own in reactions]
        free = Transfer(graph, {(LOAD, k): graph.zero for k in range(self.count)})
        self.free = [tuple(free(x) for x in own) for own in reactions]

    def under(self, loads: Sequence[Scalar]) -> list[tuple[Scalar, ...]]:
        """R under given loads."""
        values = []
        for own, columns in zip(self.free, self.slopes, strict=True):
            for load, column in zip(loads, columns, strict=True):
                own = tuple(x + b * load for x, b in zip(own, column, strict=True))
            values.append(own)
        return values

    def matrix(self, values: Sequence[tuple[Scalar, ...]], sizes: Sequence[Scalar]) -> list[list[Scalar]]:
        """K = 1 - u B where R has these values and sizes."""
        lines = []
        for j, (own, size, columns) in enumerate(zip(values, sizes, self.slopes, strict=True)):
            along = [x / size for x in own]
            line = []
            for k, column in enumerate(columns):
                entry = sum((u * b for u, b in zip(along[1:], column[1:], strict=True)), along[0] * column[0])
                line.append((self.graph.one if j == k else self.graph.zero) - entry)
            lines.append(line)
        return lines

    def solve(self) -> list[Scalar]:
        """The loads."""
        graph = self.graph
        loads, least = [graph.zero] * self.count, graph.one
        for _ in range(NEWTON):
            values = self.under(loads)
            sizes = [magnitude(graph, own) for own in values]
            steps, pivots = eliminate(graph, self.matrix(values, sizes),
                                      [size - load for size, load in zip(sizes, loads, strict=True)])  # fmt: skip
            loads = [load + step for load, step in zip(loads, steps, strict=True)]
        for pivot in pivots:
            least = graph.call(opaque(smaller, 2, block=False), (least, pivot))
        after = [magnitude(graph, own) for own in self.under(loads)]
        total = sum(after, graph.zero)
        check = opaque(consistent, 4, block=False)
        return [graph.call(check, (x, load, total, least)) for x, load in zip(after, loads, strict=True)]

    def gains(self) -> list[Scalar]:
        """By how much the friction of all surfaces under 1 N raises the load of each, at most."""
        return [sum((magnitude(self.graph, column) for column in columns), self.graph.zero) for columns in self.slopes]

    def changes(self, held: Sequence[tuple[Scalar, ...]]) -> list[Scalar]:
        """Changes of the loads by those of R with the loads held."""
        sizes = [magnitude(self.graph, own) for own in self.reactions]
        right = [sum((u / size * x for u, x in zip(own[1:], change[1:], strict=True)), own[0] / size * change[0])
                 for own, size, change in zip(self.reactions, sizes, held, strict=True)]  # fmt: skip
        return eliminate(self.graph, self.matrix(self.reactions, sizes), right)[0]


def closed(functions: dict[str, Sequence[Scalar]], equations: LoadEquations) -> dict[str, Sequence[Scalar]]:
    """Functions with the loads solved for, and one more, "friction", with the gains and the loads."""
    loads = equations.solve()
    over = Transfer(equations.graph, {(LOAD, k): x for k, x in enumerate(loads)})
    every = {**functions, "friction": [*equations.gains(), *loads]}
    return {name: [over(x) for x in nodes] for name, nodes in every.items()}


# -- what cannot be ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _OpenReactions:
    """Multipliers that balance among themselves, as a solution."""

    multipliers: list[Scalar]

    def carried(self, joint: Any, point: Any) -> None:
        return None


def check_unique(trace: Any, jacobian: np.ndarray, redundant: Sequence[int],
                 here: Any) -> None:  # fmt: skip
    """Refuse friction from reactions that redundant constraints leave open. `jacobian` has all constraints; `here`
    makes numbers of formulas where the motion starts."""
    kept = [r for r in range(len(jacobian)) if r not in set(redundant)]
    joints: list[str] = []
    for r in redundant:
        balance = np.zeros(len(jacobian))
        balance[r] = 1.0
        balance[kept] = -np.linalg.lstsq(jacobian[kept].T, jacobian[r], rcond=None)[0]
        multipliers = [trace.graph.scalar(x if abs(x) > UNIQUE else 0.0) for x in balance.tolist()]
        open_loads = pressing(trace, _OpenReactions(multipliers))
        joints += [surface.name for surface, own in zip(trace.sliding, open_loads, strict=True)
                   if max(abs(float(here(x))) for x in own) > UNIQUE]  # fmt: skip
    if joints:
        names = [trace.equations.constraints[r].name for r in redundant]
        raise GudgeonError(
            f"friction of {in_words(dict.fromkeys(joints))}: constraints {in_words(names)} are redundant, so that the "
            "force there is not unique, nor is friction from it; let joints hold only what they must (spherical or "
            'cylindrical joints in a loop), or give friction to other contact pairs, such as fit={"sleeve": '
            "Ideal(friction=...)} without a length"
        )


@dataclass(frozen=True)
class Locking:
    """A joint whose friction leaves no reaction that agrees with it, and why."""

    joint: str
    part: str
    why: str


def locking(frictions: Sequence[JointFriction], values: np.ndarray) -> Locking | None:
    """Of joints with friction the one that locks, by what the function "friction" gives; None where loads agree."""
    gains, loads = values[: len(frictions)], values[len(frictions) :]
    if np.isfinite(loads).all() or not np.isfinite(gains).all():
        return None
    k = int(np.argmax(gains))
    friction = frictions[k]
    why = (
        f'joint "{friction.joint}" locks itself ({friction.name}, {type(friction.law).__name__}): friction of 1 N of '
        f"load on each surface adds up to {gains[k]:.3g} N to its load; no reaction is found that agrees with its own "
        "friction"
    )
    return Locking(friction.joint, friction.name, why)


LOCKED_REMEDY = "a smaller coefficient, a longer guide or a smaller radius; or a Clearance, whose walls give way"
