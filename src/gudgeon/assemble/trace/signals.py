"""Functions of time in a description: numbers, formulas, or code that branches."""

from __future__ import annotations

import warnings
from typing import Any

from gudgeon.assemble.trace.parameters import Parameters
from gudgeon.compile.graph import Scalar, SymbolicBranch
from gudgeon.compile.native.scalar import opaque
from gudgeon.quantity import GudgeonError


def formula(signal: Any, time: Scalar, name: str) -> Scalar:
    """A drive's function of time as a graph, so that it can be differentiated."""
    try:
        return time.graph.scalar(signal(time))
    except SymbolicBranch as error:
        raise GudgeonError(
            f"{name} must be a formula of t, since its derivatives are needed: {error}; "
            "use gudgeon.sin, cos, exp, sqrt, tanh"
        ) from None


def signal_value(signal: Any, time: Scalar, name: str, parameters: Parameters) -> Scalar:
    """A load's value: a parameter, a formula, or a compiled function where the formula branches."""
    if not callable(signal):
        return parameters.geometry(name, float(signal))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return time.graph.scalar(signal(time))
    except (SymbolicBranch, TypeError):
        return time.graph.call(opaque(signal, 1, block=False, name="signal"), [time])
