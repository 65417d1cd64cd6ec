"""Factors and solution of a sparse system written out: machine code for one pattern, without tables and loops.

With the pattern and the order of elimination known (assemble.solve.ordering), every product has its place. The code
loads no indices and never branches, so that the processor works on several rows at once where these do not need each
other: a quarter of the time of loops over the same products. The matrix A becomes L D U, row by row,

    r_ij = a_ij - sum over k < min(i, j) of r_ik u_kj        d_i = r_ii,   u_ij = r_ij / d_i,   l_ij = r_ij / d_j

L and U both with unit diagonals, so that one product and no more stands between a row of the solution and the next.
What is zero by the pattern is left out, even where the pattern is not symmetric.

Code and the time to compile it grow with the number of products; beyond `MOST` there are loops (sparse.py). It is kept
on disk by its pattern. Factors are compiled without any optimisation, in a tenth of the time, and take 1.4 times as
long; solutions, which are needed far more often, with what LLVM does at level 1.
"""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

import numpy as np

from gudgeon.assemble.solve.ordering import Plan
from gudgeon.compile import python

MOST = 6000  # products of the elimination
EFFORT = {"factor": 0, "solve": 1}  # functions, and how much LLVM optimises them
_known: dict[str, tuple[dict[str, int], Any]] = {}
Columns = list[list[int]]  # of each row of the factors


def written(plan: Plan) -> dict[str, int]:
    """Addresses of the functions f(t, y, p, m, out) of a plan; none where they would be too long.

    "factor"  y: values of the matrix; makes p: inverse pivots, out: factors
    "solve"   m: factors, p: inverse pivots; makes of out, a right-hand side, the solution
    """
    lower, upper, regular = pattern(plan)
    if not regular or sum(len(upper[k]) for row in lower for k in row) > MOST:
        return {}
    parts = (plan.starts, plan.columns, plan.places)
    key = hashlib.sha256(b" ".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()
    if key not in _known:
        functions: dict[str, int] = {}
        kept = []
        for name, write in (("factor", _factor), ("solve", _solve)):
            text = partial(write, plan, lower, upper)
            code = python.compiled(f"sparse {name} {key}", text, effort=EFFORT[name], passes=False)
            addresses, engine = python.load(code, [name])
            functions |= addresses
            kept.append(engine)
        _known[key] = functions, kept
    return _known[key][0]


def pattern(plan: Plan) -> tuple[Columns, Columns, bool]:
    """Columns before and behind the diagonal that are not zero by the entries, of each row of the factors; whether each
    has a pivot."""
    rows: list[set[int]] = [set() for _ in range(plan.size)]
    position = plan.position.tolist()
    for i, j in zip(plan.rows.tolist(), plan.columns_of.tolist(), strict=True):
        rows[position[i]].add(position[j])
    lower: Columns = []
    upper: Columns = []
    for i, row in enumerate(rows):
        lower.append([])
        for k in range(i):
            if k in row:
                lower[i].append(k)
                row.update(upper[k])
        upper.append(sorted(j for j in row if j > i))
    return lower, upper, all(i in row for i, row in enumerate(rows))


class _StraightCode:
    """LLVM code of one function; values are their names."""

    def __init__(self, name: str) -> None:
        from llvmlite import ir

        self.pointer = str(ir.DoubleType().as_pointer())  # as this version of LLVM writes it
        arrays = ", ".join(f"{self.pointer} noalias %{array}" for array in ("y", "p", "m", "out"))
        self.lines = [f"define void @{name}(double %t, {arrays}) {{", "entry:"]
        self.count = 0

    def text(self) -> str:
        return "\n".join([*self.lines, "ret void", "}", ""])

    def value(self, code: str) -> str:
        self.count += 1
        self.lines.append(f"%v{self.count} = {code}")
        return f"%v{self.count}"

    def place(self, array: str, k: int) -> str:
        return self.pointer + " " + self.value(f"getelementptr double, {self.pointer} %{array}, i64 {k}")

    def load(self, array: str, k: int) -> str:
        return self.value(f"load double, {self.place(array, k)}")

    def store(self, value: str, array: str, k: int) -> None:
        self.lines.append(f"store double {value}, {self.place(array, k)}")

    def times(self, a: str, b: str) -> str:
        return self.value(f"fmul contract nsz double {a}, {b}")

    def minus(self, total: str | None, a: str, b: str) -> str:
        """total - a b; without a total, -a b."""
        product = self.times(a, b)
        return self.value(f"fneg double {product}" if total is None else
                          f"fsub contract nsz double {total}, {product}")  # fmt: skip


def _places(plan: Plan) -> list[dict[int, int]]:
    """Of each row of the factors the place of each column."""
    columns, starts = plan.columns.tolist(), plan.starts.tolist()
    return [{columns[k]: k for k in range(starts[i], starts[i + 1])} for i in range(plan.size)]


def _factor(plan: Plan, lower: Columns, upper: Columns) -> str:
    # a factor is loaded from memory each time: what is not kept for long needs no register
    w, at, entry = _StraightCode("factor"), _places(plan), {k: n for n, k in enumerate(plan.places.tolist())}
    for i in range(plan.size):
        row = {j: w.load("y", entry[at[i][j]]) for j in (*lower[i], i, *upper[i]) if at[i][j] in entry}
        for k in lower[i]:
            for j in upper[k]:
                row[j] = w.minus(row.get(j), row[k], w.load("out", at[k][j]))
            w.store(w.times(row[k], w.load("p", k)), "out", at[i][k])
        inverse = w.value(f"fdiv double 1.0, {row[i]}")
        w.store(inverse, "p", i)
        for j in upper[i]:
            w.store(w.times(row[j], inverse), "out", at[i][j])
    return w.text()


def _solve(plan: Plan, lower: Columns, upper: Columns) -> str:
    w, at = _StraightCode("solve"), _places(plan)
    x: list[str] = []
    for i in range(plan.size):
        total = w.load("out", i)
        for k in lower[i]:
            total = w.minus(total, w.load("m", at[i][k]), x[k])
        x.append(total)
    x = [w.times(total, w.load("p", i)) for i, total in enumerate(x)]
    for i in range(plan.size - 1, -1, -1):
        for j in reversed(upper[i]):
            x[i] = w.minus(x[i], w.load("m", at[i][j]), x[j])
        w.store(x[i], "out", i)
    return w.text()
