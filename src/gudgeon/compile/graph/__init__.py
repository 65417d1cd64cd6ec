"""The core: formulas in, machine code out.

Plain Python formulas run once on symbolic scalars (`Scalar`); the `Graph` folds and shares what it sees,
`Direction` differentiates it, `Module` cuts it into straight-line functions, and a back end turns those
into machine code (`llvm`) or into readable Python (`python`).
"""

from gudgeon.compile.graph.functions import atan, cos, exp, log, sin, sqrt, tanh
from gudgeon.compile.graph.graph import Graph
from gudgeon.compile.graph.module import Module
from gudgeon.compile.graph.opaque import Opaque
from gudgeon.compile.graph.passes.direction import Direction
from gudgeon.compile.graph.scalar import Scalar, SymbolicBranch

__all__ = [
    "Direction", "Graph", "Module", "Opaque", "Scalar", "SymbolicBranch",
    "atan", "cos", "exp", "log", "sin", "sqrt", "tanh",
]  # fmt: skip
