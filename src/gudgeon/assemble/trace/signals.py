"""Values that change in time or with the motion, as graphs: numbers, formulas, and functions of a user.

A function of t and s is called once, with symbols. What it reads are the formulas behind the channels of a run, in
whatever coordinates the equations are, so that the derivatives of a load by positions and speeds are exact.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from gudgeon.compile.graph import Scalar, SymbolicBranch
from gudgeon.compile.native.piecewise import kinked
from gudgeon.compile.native.scalar import opaque
from gudgeon.model.signals import missing_channel, reads_motion, unit_of_channel
from gudgeon.quantity import GudgeonError

if TYPE_CHECKING:
    from gudgeon.assemble.trace.trace import Trace


class MotionReader:
    """Positions and speeds by the names of their channels."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def __getitem__(self, name: str) -> Scalar:
        """A channel, in SI."""
        trace = self.trace
        if unit_of_channel(trace.mechanism, str(name)) is None:
            raise GudgeonError(missing_channel(trace.mechanism, str(name)))
        owner, _, what = name.partition(".")
        if owner in trace.mechanism.joints:
            joint = trace.mechanism.joints[owner]
            if what == "speed":
                return trace.equations.ddt(trace.coordinate(joint, "rotation"))
            if what in joint.kind.coordinates:
                return trace.coordinate(joint, joint.kind.coordinates[what])
            measures = [mate.measures(*trace.places[owner]) for mate in joint.own_mates.values()]
            return trace.graph.scalar(next(one[what].value for one in measures if what in one))
        body, kind = trace.bodies[owner], trace.space.rigid_body
        if what in kind.coordinates:
            values, names = body.q if trace.tree is None else body.coordinates(), kind.coordinates
        else:
            values, names = body.v if trace.tree is None else body.velocities(), kind.velocities
        return trace.graph.scalar(values[names.index(what)])

    def rate(self, x: Any) -> Scalar:
        """The rate of a formula of positions, or of a channel."""
        trace, value = self.trace, self[x] if isinstance(x, str) else self.trace.graph.scalar(x)
        first = trace.states.positions
        velocities = {("y", k) for k in range(first, first + trace.states.velocities)}
        if any(trace.graph.nodes[k].data in velocities for k in value.inputs()):
            raise GudgeonError(
                "the rate of a speed is an acceleration, which follows from the loads; rate takes formulas of positions"
            )
        return trace.equations.ddt(value)


def formula(signal: Any, time: Scalar, name: str) -> Scalar:
    """A drive's function of time as a graph, so that it can be differentiated."""
    try:
        value = time.graph.scalar(signal(time))
    except SymbolicBranch as error:
        raise GudgeonError(
            f"{name} must be a formula of t, since its derivatives are needed: {error}; "
            "use gudgeon.sin, cos, exp, sqrt, tanh, step"
        ) from None
    if name.startswith("motion") and _kinks(value):
        raise GudgeonError(f"{name} has a kink, where its speed would jump; use gudgeon.step in place of it")
    return value


def _kinks(value: Scalar) -> bool:
    """Whether a formula is made with the smaller or larger of two, or with an absolute value."""
    laws, stack, seen = kinked(), [value], set()
    while stack:
        node = stack.pop()
        if node.id not in seen:
            seen.add(node.id)
            if node.op == "call" and any(node.data[0] is law for law in laws):
                return True
            stack.extend(node.args)
    return False


def signal_value(signal: Any, trace: Trace, name: str) -> Scalar:
    """The value of a load, voltage or target: a parameter, a formula, or a function of time that is compiled where it
    branches."""
    graph, time = trace.graph, trace.time
    if not callable(signal):
        return trace.parameters.geometry(name, float(signal))
    if reads_motion(signal):
        return _of_motion(signal, trace, name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return graph.scalar(signal(time))
    except (SymbolicBranch, TypeError):
        return graph.call(opaque(signal, 1, block=False, name="signal"), [time])


def _of_motion(signal: Any, trace: Trace, name: str) -> Scalar:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return trace.graph.scalar(signal(trace.time, MotionReader(trace)))
    except SymbolicBranch as error:
        raise GudgeonError(
            f"{name}: {str(error).partition(';')[0]}; a function of t and s is called once, with symbols: use "
            "gudgeon.sin, cos, sqrt, exp, tanh, and absolute, minimum, maximum or step in place of a branch"
        ) from None
    except GudgeonError as error:
        raise GudgeonError(f"{name}: {error}") from None
    except Exception as error:
        raise GudgeonError(
            f"{name}: its function of t and s raised {type(error).__name__}: {error}; it is called once, with symbols "
            'for t and for channels such as s["bob.x"]'
        ) from error
