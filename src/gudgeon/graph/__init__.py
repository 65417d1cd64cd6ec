"""The core: formulas in, machine code out.

Plain Python formulas run once on symbolic scalars (`Scalar`); the `Graph` folds and shares what it sees,
`Direction` differentiates it, `Module` cuts it into straight-line functions, and a back end turns those
into machine code (`llvm`) or into readable Python (`python`).
"""

from gudgeon.graph.direction import Direction
from gudgeon.graph.functions import atan, cos, exp, log, sin, sqrt, tanh
from gudgeon.graph.graph import Graph
from gudgeon.graph.module import Module
from gudgeon.graph.opaque import Opaque
from gudgeon.graph.scalar import Scalar, SymbolicBranch

__all__ = [
    "Direction", "Graph", "Module", "Opaque", "Scalar", "SymbolicBranch",
    "atan", "cos", "exp", "log", "sin", "sqrt", "tanh",
]  # fmt: skip
