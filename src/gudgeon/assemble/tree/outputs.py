"""The bodies behind a tree: its start and its channels, from the same mechanism in the coordinates of the bodies.

What a run reports is written once, for bodies with coordinates of their own. Here these formulas are carried over into
the graph of the tree, with coordinates, velocities and accelerations of the bodies replaced by what they are in joint
coordinates. Forces of ideal joints, which a tree does not need, come from the balance of what a joint carries:

    sum over the bodies outboard of  M a - F  =  force and moment of the joint, and of its drive
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gudgeon.assemble.contact.joint_friction import pressing
from gudgeon.assemble.report.channels import Channel, channels
from gudgeon.assemble.solve.elimination import Diagonal, Row
from gudgeon.assemble.solve.equations import SelfStress, Solution
from gudgeon.assemble.solve.start import Start, dependent
from gudgeon.assemble.trace.trace import Trace
from gudgeon.assemble.tree.equations import DRIVEN, TreeEquations
from gudgeon.assemble.tree.tree import Link, Tree
from gudgeon.compile.graph import Graph, Scalar, atan
from gudgeon.compile.graph.passes.transfer import Transfer

GIVEN = "given"  # inputs of the absolute that stand for what the tree has solved for


@dataclass(frozen=True)
class BodySolution:
    """What channels ask of a solution, in the graph of the absolute."""

    absolute: Trace
    tree: Tree
    accelerations: list[Scalar]
    multipliers: list[Scalar]
    drives: dict[str, Scalar]
    balance: list[Scalar]  # M a - F of all bodies, less the rows that are left
    stresses: Sequence[BodySolution] = ()  # of redundant rows: forces without accelerations

    def carried(self, joint: Any, point: Any) -> list[Any] | None:
        link = self.tree.joints.get(joint.name)
        if link is None:
            return None
        equations, sums = self.absolute.equations, list(self.balance)
        total: list[Any] | None = None
        for row in equations.constraints:
            if row.owner == joint.name and row.drive and row.owner in self.drives:
                for k, x in equations.gradient(row.value).items():
                    if k // self._width == self._index(link.body):
                        sums[k] = sums[k] - x * self.drives[row.owner]
        for name in self.tree.outboard(link.body):
            start = self._width * self._index(name)
            wrench = self.absolute.bodies[name].wrench(sums[start : start + self._width], point)
            total = list(wrench) if total is None else [a + b for a, b in zip(total, wrench, strict=True)]
        assert total is not None
        return total if link.outward else [-x for x in total]

    @property
    def _width(self) -> int:
        return len(self.absolute.moving[0].v)

    def _index(self, body: str) -> int:
        return list(self.absolute.bodies).index(body) - 1  # the ground comes first


class TreeOutputs:
    def __init__(self, absolute: Trace, trace: Trace, start: Start) -> None:
        assert trace.tree is not None and isinstance(trace.equations, TreeEquations)
        self.absolute, self.trace, self.tree, self.bodies = absolute, trace, trace.tree, start
        self.matching: dict[int, int] = {}  # places in p of the parameters of the bodies

    def with_numbers(self, absolute: Trace, trace: Trace, start: Start) -> TreeOutputs:
        """The same formulas with the numbers of other traces."""
        other = copy(self)
        other.absolute, other.trace, other.bodies = absolute, trace, start
        vars(other).pop("_start", None)
        return other

    # -- the start ---------------------------------------------------------------------------------------------

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and speeds of the tree where the bodies start."""
        return self._start

    @cached_property
    def _start(self) -> tuple[np.ndarray, np.ndarray]:
        here = numbers(self.absolute, self.bodies.q, self.bodies.v)
        q, v = (np.array([float(here(x)) for pair in self._motion for x in pair[k]]) for k in (0, 1))
        return q, v

    @cached_property
    def _motion(self) -> list[tuple[Sequence[Any], Sequence[Any]]]:
        return [self._described(link) for link in self.tree.links]

    def _described(self, link: Link) -> tuple[Sequence[Any], Sequence[Any]]:
        """Coordinates and speeds of a link as formulas of the bodies'."""
        absolute, body = self.absolute, self.absolute.bodies[link.body]
        if link.joint is None:
            return body.q, body.v
        if link.kind == "spherical":
            return body.q[3:], body.v[3:]
        if absolute.mechanism.planar and link.kind == "revolute":
            return ((), ()) if link.driven else (body.q[2:], body.v[2:])
        joint = absolute.mechanism.joints[link.joint]
        coordinates = [self._move(joint, link, name) for name in link.moves if name not in link.driven]
        return coordinates, [absolute.equations.ddt(x) for x in coordinates]

    def _move(self, joint: Any, link: Link, name: str) -> Any:
        if name in ("rotation", "translation"):
            return self.absolute.space.coordinate(joint, name)
        i, j = self.absolute.places[joint.name]
        if name == "about_t":
            return 2.0 * atan(-(i.h @ j.b) / (1.0 + i.h @ j.h))
        if name == "about_h":
            return 2.0 * atan(-(i.b @ j.t) / (1.0 + i.t @ j.t))
        inner = j if link.outward else i
        return (inner.h if name == "along_h" else inner.t) @ (i.point - j.point)

    def redundant(self, size: float) -> list[int]:
        """Rows of the tree that follow from the rows before them where it starts."""
        equations = self.trace.equations
        if not self._rows:
            return []
        there, units = numbers(self.trace, *self.start()), [x for b in equations.bodies for x in b.velocity_units]
        values = np.array([[float(there(row.get(k, 0.0))) for k in range(len(units))] for row in self._rows])
        return dependent(values / np.where(np.array(units) == "rad/s", size, 1.0))

    @cached_property
    def _rows(self) -> list[Row]:
        equations = self.trace.equations
        return [equations.free(equations.gradient(c.value)) for c in equations.constraints]

    # -- channels ----------------------------------------------------------------------------------------------

    def channels(self, solution: Solution, size: float) -> dict[Channel, Scalar]:
        for name in self.trace.states.integrals:
            self.absolute.states.integrate(name, self.absolute.graph.zero)
        bodies, given = self._behind(solution)
        of_bodies = channels(self.absolute, bodies, size)  # may add parameters
        over = self._over(given)
        return {channel: over(x) for channel, x in of_bodies.items()}

    def pressing(self, solution: Solution) -> list[tuple[Scalar, ...]]:
        """What presses the sliding surfaces of ideal joints together (contact.joint_friction)."""
        bodies, given = self._behind(solution)
        over = self._over(given)
        return [tuple(over(x) for x in own) for own in pressing(self.absolute, bodies)]

    def _behind(self, solution: Solution) -> tuple[Any, list[Scalar]]:
        """The solution for the bodies, and the formulas of the tree that its inputs stand for."""
        graph, equations = self.absolute.graph, self.absolute.equations
        given: list[Scalar] = self._accelerations(solution)
        accelerations = graph.inputs(GIVEN, len(given))
        multipliers, drives = self._given(solution.multipliers, given), {}
        for name, force in solution.drives.items():
            drives[name] = graph.input(GIVEN, len(given))
            given.append(force)
        mass = equations.mass()
        assert isinstance(mass, Diagonal)
        balance = [a / w - f for a, w, f in zip(accelerations, mass.inverse, equations.force, strict=True)]
        stresses = [self._stress(stress, given) for stress in solution.stresses]
        return self._on_bodies(accelerations, multipliers, drives, balance, stresses), given

    def _given(self, of_tree: Sequence[Scalar], given: list[Scalar]) -> list[Scalar]:
        """Multipliers of the constraints of the bodies, from those of the tree, which are added to `given`."""
        graph, multipliers = self.absolute.graph, []
        rows = {c.name: x for c, x in zip(self.trace.equations.constraints, of_tree, strict=True)}
        for row in self.absolute.equations.constraints:
            if row.name in rows:
                multipliers.append(graph.input(GIVEN, len(given)))
                given.append(rows[row.name])
            else:
                multipliers.append(graph.zero)
        return multipliers

    def _stress(self, stress: SelfStress, given: list[Scalar]) -> BodySolution:
        """A self-stress of the tree's rows with what the joints of the tree carry of it."""
        nothing = [self.absolute.graph.zero] * len(self.absolute.equations.v)
        return self._on_bodies(nothing, self._given(stress.multipliers, given), {}, nothing, [])

    def _on_bodies(self, accelerations: list[Scalar], multipliers: list[Scalar], drives: dict[str, Scalar],
                   balance: Sequence[Scalar], stresses: Sequence[BodySolution]) -> BodySolution:  # fmt: skip
        equations, left = self.absolute.equations, list(balance)
        for row, multiplier in zip(equations.constraints, multipliers, strict=True):
            if multiplier is not self.absolute.graph.zero:
                for k, x in equations.gradient(row.value).items():
                    left[k] = left[k] - x * multiplier
        return BodySolution(self.absolute, self.tree, accelerations, multipliers, drives, left, stresses)

    def _accelerations(self, solution: Solution) -> list[Scalar]:
        """Of all bodies, in the graph of the tree."""
        equations, accelerations = self.trace.equations, []
        assert isinstance(equations, TreeEquations)
        solved = [*solution.accelerations, *(x[2] for x in equations.known_motions)]
        for name in self.absolute.mechanism.bodies:
            branch = self.trace.bodies[name]
            for velocity, known in zip(branch.velocities(), branch.known_accelerations(), strict=True):
                total = self.trace.graph.scalar(known)
                for k, x in equations.velocity_gradient(velocity).items():
                    total = total + x * solved[k]
                accelerations.append(total)
        return accelerations

    def _over(self, given: list[Scalar]) -> Transfer:
        """From the graph of the bodies into that of the tree."""
        trace, absolute = self.trace, self.absolute
        inputs: dict[tuple[str, int], Any] = {(GIVEN, k): x for k, x in enumerate(given)}
        places = self.matching = trace.parameters.matching(absolute.parameters)
        inputs |= {("p", k): trace.graph.input("p", place) for k, place in places.items()}
        nodes: list[tuple[Scalar, Any]] = []
        signs = self.signs()
        for k, (name, body) in enumerate(list(absolute.bodies.items())[1:]):  # the ground comes first
            branch = trace.bodies[name]
            pairs = zip((*body.q, *body.v), (*branch.coordinates(), *branch.velocities()), strict=True)
            inputs |= {node.data: value for node, value in pairs}
            if not absolute.mechanism.planar:
                signed = zip(body.q[3:], self._parameters[k], strict=True)
                inputs |= {node.data: signs[k] * value for node, value in signed}
                old, new = body.frame.rotation, branch.rotation()
                nodes += [pair for a in "xyz" for pair in zip(getattr(old, a), getattr(new, a), strict=True)]
        own = {name: trace.states.index(name) for name in trace.states.names}
        for name in absolute.states.names:
            joint = name.rsplit(".", 1)[0]
            value = trace.graph.input("y", own[name]) if name in own else self._angle(joint)
            inputs["y", absolute.states.index(name)] = value
        for name in trace.states.integrals:
            inputs[absolute.states.integral(name).data] = trace.states.integral(name)
        return Transfer(trace.graph, inputs, nodes, places)

    def _angle(self, joint: str) -> Any:
        """What counts the turns of a joint of the tree."""
        return self.tree.joints[joint].moves["rotation"][0]

    def signs(self) -> list[float]:
        """Of the Euler parameters of each body as the tree has them, so that they start as they are described."""
        if self.absolute.mechanism.planar:
            return []
        there, signs = numbers(self.trace, *self.start()), []
        for k, parameters in enumerate(self._parameters):
            now, described = [float(there(x)) for x in parameters], self.bodies.q[7 * k + 3 : 7 * k + 7]
            signs.append(1.0 if np.dot(now, described) >= 0.0 else -1.0)
        return signs

    @cached_property
    def _parameters(self) -> list[Sequence[Any]]:
        """Euler parameters of the bodies."""
        return [self.trace.bodies[name].parameters() for name in list(self.absolute.bodies)[1:]]


def numbers(trace: Trace, q: np.ndarray, v: np.ndarray) -> Transfer:
    """Formulas of a trace as numbers, where it starts; they are no nodes of its graph."""
    at: dict[tuple[str, int], Any] = {("t", 0): 0.0}
    at |= {("p", k): float(x) for k, x in enumerate(trace.parameters.values)}
    at |= {("y", k): float(x) for k, x in enumerate([*q, *v, *trace.states.starts])}
    if isinstance(trace.equations, TreeEquations):
        at |= {(DRIVEN, k): 0.0 for k in range(3 * len(trace.equations.drives))}
    return Transfer(Graph(), at)
