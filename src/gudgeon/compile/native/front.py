"""Dense fronts of any size, for a sparse factorisation: what is too wide to be written out. See assemble.looped.factor.

A table has for each front: n, s, number of right sides, base (in w: lower triangle of A by rows, then B by rows);
places of the right sides; of the right sides of the s rows behind; of the lower triangle of their matrix C.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import ir

from gudgeon.compile import python

_alive: list[Any] = []


def _forward(t: float, y: Any, p: Any, m: Any, w: Any, out: Any, table: Any, count: int) -> None:
    here = 0
    for _ in range(count):
        n, s, rights, base = table[here], table[here + 1], table[here + 2], table[here + 3]
        x = here + 4
        later = x + n * rights
        update = later + s * rights
        here = update + s * (s + 1) // 2
        b = base + n * (n + 1) // 2
        for i in range(n):
            row = base + i * (i + 1) // 2
            for j in range(i):
                other = base + j * (j + 1) // 2
                u = w[row + j]
                for k in range(j):
                    u -= w[row + k] * w[other + k]
                w[row + j] = u
            pivot = w[row + i]
            for j in range(i):
                factor = w[row + j] * w[base + j * (j + 3) // 2]
                pivot -= w[row + j] * factor
                w[row + j] = factor
            w[row + i] = 1.0 / pivot
            for k in range(i):
                for j in range(s):
                    w[b + i * s + j] -= w[row + k] * w[b + k * s + j]
                for r in range(rights):
                    w[table[x + r * n + i]] -= w[row + k] * w[table[x + r * n + k]]
        for i in range(n):
            inverse = w[base + i * (i + 3) // 2]
            at = update
            for j in range(s):
                scaled = inverse * w[b + i * s + j]
                for k in range(j + 1):
                    w[table[at]] -= scaled * w[b + i * s + k]
                    at += 1
                for r in range(rights):
                    w[table[later + r * s + j]] -= scaled * w[table[x + r * n + i]]
            for j in range(s):
                w[b + i * s + j] *= inverse
            for r in range(rights):
                w[table[x + r * n + i]] *= inverse


def _backward(t: float, y: Any, p: Any, m: Any, w: Any, out: Any, table: Any, count: int) -> None:
    here = 0
    for _ in range(count):
        n, s, rights, base = table[here], table[here + 1], table[here + 2], table[here + 3]
        x = here + 4
        later = x + n * rights
        here = later + s * rights + s * (s + 1) // 2
        b = base + n * (n + 1) // 2
        for r in range(rights):
            for i in range(n - 1, -1, -1):
                u = w[table[x + r * n + i]]
                for j in range(s):
                    u -= w[b + i * s + j] * w[table[later + r * s + j]]
                for k in range(i + 1, n):
                    u -= w[base + k * (k + 1) // 2 + i] * w[table[x + r * n + k]]
                w[table[x + r * n + i]] = u


@cache
def addresses() -> dict[str, int]:
    """Machine addresses of the loops over fronts, forward and backward."""
    functions = {"forward": _forward, "backward": _backward}

    def text() -> str:
        vector, table = ir.DoubleType().as_pointer(), ir.IntType(32).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [ir.DoubleType(), *[vector] * 5, table, ir.IntType(64)])
        unit = python.CompilationUnit()
        for name, function in functions.items():
            unit.c_function(function, kind, name)
        return str(unit.module)

    found, kept = python.load(python.compiled(__name__, text), list(functions))
    _alive.append(kept)
    return found
