"""Expressions that carry a derivative, taken apart: one line for each value and one for its derivative."""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from gudgeon.compile.native.tangent import slopes
from gudgeon.compile.native.tangent.scope import Scope

if TYPE_CHECKING:
    from gudgeon.compile.native.tangent.program import TangentProgram

Dual = tuple[str, str | None]  # a value and its derivative as text; None: does not depend on the argument
ATOM = re.compile(r"[A-Za-z_]\w*|\d[\d.]*(e-?\d+)?")


class TangentExpressions(Scope):
    def __init__(self, program: TangentProgram, function: Any, active: frozenset[int]) -> None:
        super().__init__(program, function, active)
        self.lines: list[str] = []
        self.depth, self.count = 1, 0

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def fresh(self) -> str:
        self.count += 1
        return f"{self.prefix}{self.count}"

    def bind(self, text: str) -> str:
        name = self.fresh()
        self.emit(f"{name} = {text}")
        return name

    def atom(self, text: str) -> str:
        """A name for what may be used more than once."""
        return text if ATOM.fullmatch(text) else self.bind(text)

    def chain(self, terms: Iterable[tuple[str, str | None]]) -> str:
        """Sum of slope times derivative, over what has a derivative."""
        parts = [d if slope == "1.0" else f"{slope} * {d}" for slope, d in terms if d is not None]
        return self.atom(" + ".join(parts))

    def several(self, node: ast.expr) -> list[Dual]:
        """The values of a tuple, or of a helper that returns one."""
        if isinstance(node, ast.Tuple):
            return [self.dual(item) for item in node.elts]
        if isinstance(node, ast.Call) and isinstance(self.callee(node), types.FunctionType):
            return self.helper(node)
        return [self.dual(node)]

    def dual(self, node: ast.expr) -> Dual:
        if not self.varies(node):
            return self.plain(node), None
        match node:
            case ast.Name():
                return node.id, self.companion + node.id
            case ast.BinOp():
                return self.binary(node)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                v, d = self.dual(node.operand)
                sign = "-" if isinstance(node.op, ast.USub) else ""
                return self.bind(f"{sign}{self.atom(v)}"), self.bind(f"{sign}{d}")
            case ast.IfExp():
                return self.choice(node)
            case ast.Call():
                return self.call(node)
        self.refuse(node, f"{ast.unparse(node)} has no derivative")

    def binary(self, node: ast.BinOp) -> Dual:
        (a, da), (b, db) = ((self.atom(v), d) for v, d in (self.dual(node.left), self.dual(node.right)))
        match node.op:
            case ast.Add():
                return self.bind(f"{a} + {b}"), self.chain([("1.0", da), ("1.0", db)])
            case ast.Sub():
                return self.bind(f"{a} - {b}"), self.chain([("1.0", da), ("-1.0", db)])
            case ast.Mult():
                return self.bind(f"{a} * {b}"), self.chain([(b, da), (a, db)])
            case ast.Div():
                v = self.bind(f"{a} / {b}")
                return v, self.bind(f"{self.chain([('1.0', da), (f'-{v}', db)])} / {b}")
            case ast.Mod():
                v = self.bind(f"{a} % {b}")
                of_divisor = self.inner(slopes.remainder_slope, a, b, v) if db is not None else ""
                return v, self.chain([("1.0", da), (of_divisor, db)])
            case ast.Pow():
                return self.power((a, da), (b, db))
        self.refuse(node, f"{ast.unparse(node)} has no derivative")

    def power(self, base: Dual, exponent: Dual) -> Dual:
        (a, da), (b, db) = base, exponent
        v = self.bind(f"{a} ** {b}")
        of_base = of_exponent = ""
        if b.isdigit():  # a whole number in the source stays one: products instead of a general power
            of_base = {"0": "0.0", "1": "1.0", "2": f"2.0 * {a}"}.get(b, f"{b} * {a} ** {int(b) - 1}")
        elif da is not None:
            of_base = self.inner(slopes.power_slope, a, b)
        if db is not None:
            of_exponent = self.inner(slopes.exponent_slope, a, v)
        return v, self.chain([(of_base, da), (of_exponent, db)])

    def inner(self, function: Callable[..., float], *arguments: str) -> str:
        """Call of a slope that is code."""
        return f"{self.program.rewrite(function, frozenset()).name}({', '.join(arguments)})"

    def choice(self, node: ast.IfExp) -> Dual:
        """a if test else b: only the side taken is computed."""
        v, d = self.fresh(), self.fresh()
        for head, side in ((f"if {self.plain(node.test)}:", node.body), ("else:", node.orelse)):
            self.emit(head)
            self.depth += 1
            value, slope = self.dual(side)
            self.emit(f"{v} = {value}")
            self.emit(f"{d} = {slope or '0.0'}")
            self.depth -= 1
        return v, d

    def extreme(self, duals: list[Dual], sign: str) -> Dual:
        """max or min: the derivative of the one chosen."""
        best, d_best = duals[0]
        for x, d_x in duals[1:]:
            other = self.bind(f"{x} {sign} {best}")
            v, d = f"{x} if {other} else {best}", f"{d_x or '0.0'} if {other} else {d_best or '0.0'}"
            best, d_best = self.bind(v), self.bind(d)
        return best, d_best

    def call(self, node: ast.Call) -> Dual:
        function = self.callee(node)
        if isinstance(function, types.FunctionType):
            results = self.helper(node)
            if len(results) != 1:
                self.refuse(node, f"{ast.unparse(node.func)} returns several numbers")
            return results[0]
        name = slopes.spelling(function)
        if name is None or node.keywords or any(isinstance(x, ast.Starred) for x in node.args):
            self.refuse(node, f"{ast.unparse(node)} has no known derivative")
        return self.elementary(node, name, [(self.atom(v), d) for v, d in map(self.dual, node.args)])

    def elementary(self, node: ast.Call, name: str, duals: list[Dual]) -> Dual:
        values, first = [v for v, _ in duals], duals[0][1]
        if name in ("max", "min") and len(duals) > 1:
            return self.extreme(duals, ">" if name == "max" else "<")
        if name == "pow" and len(duals) == 2:
            return self.power(duals[0], duals[1])
        v = self.bind(f"{name}({', '.join(values)})")
        if name == "float":
            return v, first
        coded = slopes.CODED.get(name, ())
        if len(coded) == len(duals):
            terms = [(self.inner(f, *values, v), d) for f, (_, d) in zip(coded, duals, strict=True) if f and d]
            return v, self.chain(terms) if terms else None
        texts = slopes.slope_texts(name, values, v)
        if texts is None:
            self.refuse(node, f"{ast.unparse(node)} has no known derivative")
        return v, self.chain(zip(texts, (d for _, d in duals), strict=True))

    def helper(self, node: ast.Call) -> list[Dual]:
        """Call of another plain function, rewritten for the arguments that carry a derivative."""
        duals = [self.dual(x) for x in self.arguments(node).values()]
        active = frozenset(k for k, (_, d) in enumerate(duals) if d is not None)
        child = self.program.rewrite(self.callee(node), active)
        if child.width is None:
            self.refuse(node, f"{ast.unparse(node.func)} calls itself or returns nothing")
        passed = [*(v for v, _ in duals), *(d for _, d in duals if d is not None)]
        results = [self.fresh() for _ in range(child.width * (2 if active else 1))]
        self.emit(f"{', '.join(results)} = {child.name}({', '.join(passed)})")
        if not active:
            return [(v, None) for v in results]
        return list(zip(results[: child.width], results[child.width :], strict=True))
