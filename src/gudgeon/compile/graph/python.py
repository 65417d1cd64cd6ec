"""The Python back end: a module as readable source, for debugging and as the oracle of tests."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

from gudgeon.compile.graph.functions import FUNCTIONS
from gudgeon.compile.graph.module import Function, Instruction, Module

FORMS = {
    "add": "{} + {}", "subtract": "{} - {}", "multiply": "{} * {}", "divide": "{} / {}",
    "negate": "-{}", "reciprocal": "1.0 / {}",
}  # fmt: skip


def source(function: Function) -> str:
    """Python source of one function of a module: one line per instruction."""
    lines = [f"def {function.name}(t, y, p, m, out):"]
    lines += [f"    v{i.result} = {_expression(i)}" for i in function.code]
    lines += [f"    out[{k}] = v{node}" for k, node in enumerate(function.outputs)]
    return "\n".join([*lines, "    return None", ""])


def _expression(i: Instruction) -> str:
    args = [f"v{a}" for a in i.args]
    if i.op == "constant":
        return repr(i.data)
    if i.op == "input":
        array, index = i.data
        return array if array == "t" else f"{array}[{index}]"
    if i.op == "call":
        _, block, guards = i.data
        call = f"{_symbol(i)}({', '.join(args[guards:] + ([f'p[{block}:]'] if block >= 0 else []))})"
        return f"({call} if {' and '.join(f'{g} > 0.0' for g in args[:guards])} else 0.0)" if guards else call
    return FORMS[i.op].format(*args) if i.op in FORMS else f"{i.op}({args[0]})"


def _symbol(i: Instruction) -> str:
    opaque = i.data[0]
    readable = re.sub(r"\W", "_", opaque.name)
    return f"call_{readable}_{id(opaque)}"


@lru_cache(maxsize=256)  # another mechanism of the same structure finds its code here, a fifth of its assembly
def _code(text: str, name: str) -> CodeType:
    return compile(text, f"<gudgeon {name}>", "exec")


def compile_module(module: Module) -> dict[str, Callable[..., Any]]:
    """Plain Python functions f(t, y, p, m, out) for every function of the module."""
    compiled = {}
    for name, function in module.functions.items():
        scope: dict[str, Any] = {n: f.evaluate for n, f in FUNCTIONS.items()}
        scope.update(inf=math.inf, nan=math.nan)
        scope.update({_symbol(i): i.data[0].function for i in function.code if i.op == "call"})
        exec(_code(source(function), name), scope)
        compiled[name] = scope[name]
    return compiled
