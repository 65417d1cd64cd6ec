"""Force and moment that a joint puts on its journal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gudgeon.assemble.solve.elimination import Row
from gudgeon.compile.graph import Scalar
from gudgeon.model.names import GROUND


def reaction(trace: Any, solution: Any, joint: Any, more: Iterable[Row] = ()) -> tuple[list[Any], Any]:
    """Components of force and moment on the journal of a joint, and the world point that the moment is about: from the
    multipliers of its constraints, of what it carries where it has none (a tree), and of `more` generalised forces."""
    graph = trace.graph
    total: dict[int, Scalar] = {}
    forces = [{k: x * multiplier for k, x in trace.equations.gradient(constraint.value).items()}
              for constraint, multiplier in zip(trace.equations.constraints, solution.multipliers, strict=True)
              if constraint.owner == joint.name and not constraint.drive and multiplier is not graph.zero]  # fmt: skip
    for force in (*forces, *more):
        for k, x in force.items():
            total[k] = total.get(k, graph.zero) + x
    carrier, sign = (joint.journal, 1.0) if joint.journal != GROUND else (joint.bearing, -1.0)
    place = trace.places[joint.name][0 if carrier == joint.journal else 1]
    wrench: list[Any] = []
    for body in trace.beams[carrier].nodes if carrier in trace.beams else [trace.bodies[carrier]]:
        width, start = len(body.v), trace.first_velocity(body)
        if any(start + k in total for k in range(width)):
            part = body.wrench([total.get(start + k, graph.zero) for k in range(width)], place.point)
            wrench = [x + y for x, y in zip(wrench, part, strict=True)] if wrench else list(part)
    wrench = wrench or [graph.zero] * (3 if len(trace.space.axes) == 2 else 6)
    held = solution.carried(joint, place.point)
    return [sign * x + y for x, y in zip(wrench, held or [graph.zero] * len(wrench), strict=True)], place.point
