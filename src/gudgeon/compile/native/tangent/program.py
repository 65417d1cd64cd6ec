"""The text of one derivative: the rewritten functions, the constants they read, and the file that holds them."""

from __future__ import annotations

import hashlib
import linecache
import math
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from gudgeon.compile.native import cache
from gudgeon.compile.native.tangent.statements import LawTangent


def tangent(function: Callable[..., float], index: int) -> Callable[..., float] | None:
    """The derivative of `function` with respect to its argument `index`, as a function of the same arguments.

    None where the function does not depend on that argument.
    """
    program = TangentProgram()
    entry = program.rewrite(function, frozenset([index]), entry=True)
    return program.load(entry.name) if entry.depends else None


class TangentProgram:
    def __init__(self) -> None:
        self.functions: dict[tuple[Any, frozenset[int]], LawTangent] = {}
        self.arrays: dict[str, str] = {}
        self.texts: list[str] = []

    def rewrite(self, function: Any, active: frozenset[int], *, entry: bool = False) -> LawTangent:
        """`function` with companions for the arguments in `active`; rewritten once."""
        key = (function, active)
        if key not in self.functions:
            self.functions[key] = LawTangent(self, function, active, entry, len(self.functions))
            self.texts.append(self.functions[key].text())
        return self.functions[key]

    def literal(self, value: Any) -> str | None:
        """A number, or a tuple or array of numbers, as text; None for anything else."""
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, bool | int):
            return repr(value) if value >= 0 else f"({value})"
        if isinstance(value, float):
            text = repr(abs(value)) if math.isfinite(value) else "math.nan" if value != value else "math.inf"
            return text if math.copysign(1.0, value) > 0.0 else f"(-{text})"
        if isinstance(value, tuple):
            items = [self.literal(item) for item in value]
            return None if None in items else f"({''.join(f'{item}, ' for item in items)})"
        if isinstance(value, np.ndarray) and value.dtype.kind in "if" and np.isfinite(value).all():
            text = f"numpy.array({value.tolist()!r})"
            return self.arrays.setdefault(text, f"array_{len(self.arrays)}")
        return None

    def load(self, name: str) -> Callable[..., float]:
        """The function `name` of the text, from a file of its own where one can be written."""
        arrays = [f"{constant} = {text}" for text, constant in self.arrays.items()]
        text = "\n".join(["import math", *(["import numpy"] if arrays else []), *arrays, "", *self.texts])
        place, stem = cache.directory(), f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        path = None if place is None else place / "tangents" / f"{stem}.py"
        file = f"<gudgeon {stem}>"
        if path is not None and cache.has_text(path, text):
            file = str(path)
        else:
            linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        # a module of its own, where the source of the function is found
        module = types.ModuleType(f"gudgeon_tangent_{stem}")
        module.__file__ = file
        sys.modules[module.__name__] = module
        exec(compile(text, file, "exec"), vars(module))
        function: Callable[..., float] = getattr(module, name)
        return function
