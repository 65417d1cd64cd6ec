"""Expressions of a function that is read: their values, known at once or as code."""

from __future__ import annotations

import ast
import types
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir

from gudgeon.compile.python.arithmetic import Product, is_known
from gudgeon.compile.python.calls import call
from gudgeon.compile.python.source import Source
from gudgeon.compile.python.values import Array, Bundle, Cell, Number, Reference

if TYPE_CHECKING:
    from gudgeon.compile.python.reader import Reader

__all__ = ["SUMS", "Expressions"]

SUMS = ("Add", "Sub")


class Expressions:
    """What a frame does with expressions; it knows its names, and the reader that writes."""

    reader: Reader
    source: Source

    @property
    def builder(self) -> ir.IRBuilder:
        return self.reader.builder

    def name(self, node: ast.Name) -> Any:
        """The value behind a name; the frame knows."""
        self.source.refuse(node, f"{node.id} is not known")

    def _unknown(self, node: Any) -> Any:
        self.source.refuse(node, f"{type(node).__name__.lower()} is not arithmetic")

    def value(self, node: ast.expr) -> Any:
        return getattr(self, f"value_{type(node).__name__}", self._unknown)(node)

    def value_Constant(self, node: ast.Constant) -> Any:
        return node.value

    def value_Name(self, node: ast.Name) -> Any:
        return self.name(node)

    def value_Tuple(self, node: ast.Tuple) -> Any:
        return tuple(self.value(item) for item in node.elts)

    def value_Attribute(self, node: ast.Attribute) -> Any:
        base = self.value(node.value)
        if isinstance(base, np.ndarray | Array) and node.attr == "shape":
            return base.shape
        if isinstance(base, Reference):
            found = self.reader.field(base, node.attr)
            if found is None:
                self.source.refuse(node, f"{base.record.__name__} has no field {node.attr}")
            return found
        if isinstance(base, types.ModuleType | Bundle) and hasattr(base, node.attr):
            value = getattr(base, node.attr)
            return Number(value.kind, self.builder.load(value.pointer)) if isinstance(value, Cell) else value
        self.source.refuse(node, f"{ast.unparse(node)} is not known")

    def value_BinOp(self, node: ast.BinOp) -> Any:
        op = self._operator(node)
        if op in SUMS:
            return self.reader.sum(op, self.summand(node.left), self.summand(node.right))
        a, b = self.value(node.left), self.value(node.right)
        if op == "Pow" and not (is_known(a) and is_known(b)):
            return call(self, node, pow, [a, b])
        return self.reader.binary(op, a, b)

    def summand(self, node: ast.expr) -> Any:
        """A value that is added: of a product its factors, so that it need not be rounded before."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return Product(self.value(node.left), self.value(node.right))
        return self.value(node)

    def _operator(self, node: ast.BinOp | ast.AugAssign) -> str:
        op = type(node.op).__name__
        if op not in ("Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow"):
            self.source.refuse(node, f"{op} is not arithmetic")
        return op

    def value_UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return self.reader.inverse(value)
        if isinstance(node.op, ast.USub):
            return self.reader.negative(value)
        return value if isinstance(node.op, ast.UAdd) else self._unknown(node)

    def value_Compare(self, node: ast.Compare) -> Any:
        left, comparisons = self.value(node.left), []
        for op, right in zip(node.ops, node.comparators, strict=True):
            value = self.value(right)
            comparisons.append(self.reader.compare(type(op).__name__, left, value))
            left = value
        if any(x is False for x in comparisons):
            return False
        rest = [self.reader.truth(x).value for x in comparisons if x is not True]
        if not rest:
            return True
        whole = rest[0]
        for x in rest[1:]:
            whole = self.builder.and_(whole, x)
        return Number("bool", whole)

    def value_BoolOp(self, node: ast.BoolOp) -> Any:
        """The second is looked at only where the first leaves it open, as in Python."""
        whole = isinstance(node.op, ast.And)
        b, end, slot = self.builder, None, None
        for item in node.values:
            value = self.value(item)
            if not isinstance(value, Number):
                if bool(value) is not whole:
                    if end is None:
                        return value
                    b.store(self.reader.truth(value).value, slot)
                    break
                continue
            if end is None:
                end, slot = b.append_basic_block("known"), self.reader.variable("bool")
            truth = self.reader.truth(value).value
            b.store(truth, slot)
            further = b.append_basic_block("further")
            b.cbranch(truth, further if whole else end, end if whole else further)
            b.position_at_end(further)
        if end is None:
            return whole
        b.branch(end)
        b.position_at_end(end)
        return Number("bool", b.load(slot))

    def value_IfExp(self, node: ast.IfExp) -> Any:
        condition = self.value(node.test)
        if not isinstance(condition, Number):
            return self.value(node.body if condition else node.orelse)
        b, sides = self.builder, []
        yes, no, end = (b.append_basic_block(name) for name in ("then", "else", "fi"))
        b.cbranch(self.reader.truth(condition).value, yes, no)
        for start, part in ((yes, node.body), (no, node.orelse)):
            b.position_at_end(start)
            sides.append((self.value(part), b.block))
        kind = self.reader.common(*(value for value, _ in sides))
        slot = self.reader.variable(kind)
        for value, block in sides:
            b.position_at_end(block)
            b.store(self.reader.as_kind(value, kind), slot)
            b.branch(end)
        b.position_at_end(end)
        return Number(kind, b.load(slot))

    def value_Subscript(self, node: ast.Subscript) -> Any:
        base = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            return self._tail(node, base)
        index = self.index(node)
        if isinstance(base, tuple) and isinstance(index[0], int):
            return base[index[0]]
        if isinstance(base, tuple | np.ndarray):
            base = self.reader.unit.table(np.asarray(base))
        if not isinstance(base, Array) or len(index) > len(base.shape):
            self.source.refuse(node, f"{ast.unparse(node)} is not an element of an array")
        if len(index) < len(base.shape):
            return Array(base.kind, self.reader.pointer(base, (*index, 0)), base.shape[1:])  # a row of a matrix
        return self.reader.load(base, index)

    def _tail(self, node: ast.Subscript, base: Any) -> Array:
        cut: Any = node.slice
        if not isinstance(base, Array) or len(base.shape) != 1 or cut.upper is not None or cut.step is not None:
            self.source.refuse(node, f"{ast.unparse(node)}: only the rest of an array, p[2:], can be taken")
        start = self.value(cut.lower) if cut.lower is not None else 0
        return Array(base.kind, self.reader.pointer(base, (start,)), (0,))

    def index(self, node: ast.Subscript) -> tuple[Any, ...]:
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        indices = tuple(self.value(item) for item in items)
        if any(self.reader.kind(i) == "real" for i in indices if isinstance(i, Number) or is_known(i)):
            self.source.refuse(node, f"{ast.unparse(node)}: an index must be a whole number")
        return indices

    def value_Call(self, node: ast.Call) -> Any:
        if any(isinstance(x, ast.Starred) for x in node.args) or any(k.arg is None for k in node.keywords):
            self.source.refuse(node, f"{ast.unparse(node)} passes a list of arguments")
        function = self.value(node.func)
        arguments = [self.value(x) for x in node.args]
        named = {k.arg: self.value(k.value) for k in node.keywords}
        return call(self, node, function, arguments, named)
