"""Reads a plain Python function and writes it as LLVM code, every call of another function written in place.

What is known at compile time (numbers from outside, sizes, functions, bundles) is followed at once: a branch on it
leaves one side, a loop over the elements of an array is written out, so that arrays become registers.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
from llvmlite import ir

from gudgeon.compile.python.arithmetic import Arithmetic, Retype, is_known
from gudgeon.compile.python.expressions import SUMS, Expressions
from gudgeon.compile.python.source import Source, source_of
from gudgeon.compile.python.values import DOUBLE, LONG, Array, Bundle, Cell, Number, Reference

__all__ = ["Reader"]

DEEPEST = 40  # calls inside each other: more is a function that calls itself
LONGEST = 64  # turns of a loop that is written out
SLOT = 8  # bytes of a slot of a record
SLOTS = LONG.as_pointer()
KINDS = {"float": "real", "integer": "int", "floats": "real", "matrix": "real", "integers": "int", "table": "int"}


class Reader(Arithmetic):
    """One function in the making; `frame` is the Python function that is being read."""

    def __init__(self, unit: Any, function: ir.Function) -> None:
        self.entry = function.append_basic_block("entry")
        super().__init__(ir.IRBuilder(function.append_basic_block("begin")), unit.flags, unit.integer, fused=unit.fused)
        self.unit, self.kinds, self.depth = unit, unit.kinds, 0

    def finish(self) -> None:
        """Join the block of variables to the code."""
        last = ir.IRBuilder(self.entry)
        last.position_at_end(self.entry)
        last.branch(self.entry.parent.blocks[1])

    def variable(self, kind: str, count: int = 1) -> ir.Value:
        """Memory of this function, which the compiler turns into registers where it can."""
        return ir.IRBuilder(self.entry).alloca(self.type_of(kind), count if count > 1 else None)

    def array(self, kind: str, *shape: int, fixed: dict[int, Any] | None = None) -> Array:
        count = 1
        for size in shape:
            count *= size
        memory = ir.IRBuilder(self.entry).alloca(ir.ArrayType(self.type_of(kind), max(count, 1)))
        start = ir.IRBuilder(self.entry)
        start.position_at_end(self.entry)
        zero = ir.Constant(ir.IntType(32), 0)
        return Array(kind, start.gep(memory, [zero, zero]), shape, fixed or {})

    # -- records --------------------------------------------------------------------------------------------

    def field(self, reference: Reference, name: str) -> Any:
        """A field of a record; None where it has no such field."""
        place = reference.record.layout.get(name)
        if place is None:
            return None
        if place.kind == "record":
            return Reference(place.record, self.builder.inttoptr(self._fixed(reference, place.offset), SLOTS))
        if place.kind in ("float", "integer"):
            kind = KINDS[place.kind]
            value = self.builder.load(self.slot(reference, place.offset, kind))
            return Number(kind, value if kind == "real" else self.narrowed(value))
        element = DOUBLE if KINDS[place.kind] == "real" else LONG
        pointer = self.builder.inttoptr(self._fixed(reference, place.offset), element.as_pointer())
        axes = range(1, place.slots)
        shape = (Number("int", self.narrowed(self._fixed(reference, place.offset + SLOT * axis))) for axis in axes)
        return Array(KINDS[place.kind], pointer, tuple(shape))

    def set_field(self, reference: Reference, name: str, value: Any) -> bool:
        """Write a number of a record; False where this is none."""
        place = reference.record.layout.get(name)
        if place is None or place.kind not in ("float", "integer"):
            return False
        kind = KINDS[place.kind]
        written = self.as_kind(value, kind)
        self.builder.store(self.widened(written), self.slot(reference, place.offset, kind))
        return True

    def slot(self, reference: Reference, offset: int, kind: str = "int") -> ir.Value:
        """Pointer to a slot of a record, which holds a real number or an integer of 64 bits."""
        place = self.builder.gep(reference.pointer, [LONG(offset // SLOT)], inbounds=True)
        return self.builder.bitcast(place, DOUBLE.as_pointer()) if kind == "real" else place

    def _fixed(self, reference: Reference, offset: int) -> ir.Value:
        """An address or a length. Compiled code never writes it, so that it need not be read twice."""
        loaded = self.builder.load(self.slot(reference, offset))
        loaded.set_metadata("invariant.load", self.builder.module.add_metadata([]))
        return loaded

    def narrowed(self, value: ir.Value) -> ir.Value:
        """An integer of 64 bits in the width that is computed with."""
        return value if self.integer == LONG else self.builder.trunc(value, self.integer)

    def widened(self, value: ir.Value) -> ir.Value:
        """An integer in 64 bits, anything else as it is."""
        narrow = isinstance(value.type, ir.IntType) and value.type.width < LONG.width
        return self.builder.sext(value, LONG) if narrow else value

    # -- calls ----------------------------------------------------------------------------------------------

    def inline(self, function: Any, arguments: dict[str, Any]) -> Any:
        """The value of a call, its code written here."""
        if self.depth > DEEPEST:
            source_of(function).refuse(None, "it calls itself")
        self.depth += 1
        value = CallFrame(self, source_of(function), arguments).run()
        self.depth -= 1
        return value


def same(a: Any, b: Any) -> bool:
    """Whether two values are known to be one."""
    return a is b or (is_known(a) and is_known(b) and type(a) is type(b) and a == b)


def common(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """The names that have the same value on two ways."""
    return {name: value for name, value in first.items() if name in second and same(value, second[name])}


class CallFrame(Expressions):
    """One Python function being read: its names and where it returns to."""

    def __init__(self, reader: Reader, source: Source, arguments: dict[str, Any]) -> None:
        self.reader, self.source = reader, source
        self.names: dict[str, Any] = {}
        self.slots: dict[str, tuple[str, ir.Value]] = {}
        self.loops: list[tuple[ir.Block, ir.Block]] = []  # where continue and break go
        for name, value in arguments.items():
            self.assign_name(name, value)

    def run(self) -> Any:
        body, returns = self.source.tree.body, self.source.returns
        if not returns:
            self.block(body)
            return None
        if len(returns) == 1 and body[-1] is returns[0]:
            self.block(body[:-1])
            return self.result(returns[0])
        self.end = self.builder.append_basic_block("back")
        self.returned: list[tuple[str, ir.Value]] = []
        self.shape: int | None = None
        self.block(body)
        if not self.builder.block.is_terminated:
            self.builder.branch(self.end)
        self.builder.position_at_end(self.end)
        numbers = [Number(kind, self.builder.load(slot)) for kind, slot in self.returned]
        return tuple(numbers) if self.shape is not None else numbers[0] if numbers else None

    def result(self, node: ast.Return) -> Any:
        return None if node.value is None else self.value(node.value)

    # -- names ----------------------------------------------------------------------------------------------

    def assign_name(self, name: str, value: Any) -> None:
        """A name set once to what is known stays known; all else is a variable."""
        if isinstance(value, np.generic):
            value = value.item()
        if not (isinstance(value, Number) or is_known(value)) or (
            self.source.stores.get(name, 0) <= 1 and not isinstance(value, Number)
        ):
            self.names[name] = value
            return
        key = (self.source.function, name)
        if name not in self.slots:
            kind = self.reader.kinds.get(key, self.reader.kind(value))
            self.slots[name] = kind, self.reader.variable(kind)
        kind, slot = self.slots[name]
        if not self.reader.fits(value, kind):
            raise Retype(key, self.reader.kind(value))
        self.names.pop(name, None)
        self.builder.store(self.reader.as_kind(value, kind), slot)

    def name(self, node: ast.Name) -> Any:
        if node.id in self.names:
            return self.names[node.id]
        if node.id in self.slots:
            kind, slot = self.slots[node.id]
            return Number(kind, self.builder.load(slot))
        if node.id in self.source.stores:
            self.source.refuse(node, f"{node.id} is used where it may not have been set, or not to the same")
        return self.source.outside(node, node.id)

    # -- statements -----------------------------------------------------------------------------------------

    def block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            if self.builder.block.is_terminated:
                return
            getattr(self, f"do_{type(statement).__name__}", self._unknown)(statement)

    def do_Pass(self, node: ast.Pass) -> None:
        """Nothing."""

    def do_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def do_Return(self, node: ast.Return) -> None:
        value = self.result(node)
        parts = list(value) if isinstance(value, tuple) else [] if value is None else [value]
        self.shape = len(parts) if isinstance(value, tuple) else None
        for k, part in enumerate(parts):
            key = (self.source.function, f"return {k}")
            if k == len(self.returned):
                kind = self.reader.kinds.get(key, self.reader.kind(part))
                self.returned.append((kind, self.reader.variable(kind)))
            kind, slot = self.returned[k]
            if not self.reader.fits(part, kind):
                raise Retype(key, self.reader.kind(part))
            self.builder.store(self.reader.as_kind(part, kind), slot)
        self.builder.branch(self.end)

    def do_Assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self.assign(target, value)

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.value(node.value))

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        target: Any = node.target
        before, op = self.value(target), self._operator(node)
        added = self.summand(node.value) if op in SUMS else self.value(node.value)
        self.assign(target, self.reader.sum(op, before, added) if op in SUMS else self.reader.binary(op, before, added))

    def assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            self.assign_name(target.id, value)
        elif isinstance(target, ast.Tuple):
            if not isinstance(value, tuple) or len(value) != len(target.elts):
                self.source.refuse(target, f"{ast.unparse(target)} is set from something else than so many values")
            for part, item in zip(target.elts, value, strict=True):
                self.assign(part, item)
        elif isinstance(target, ast.Subscript):
            array = self.value(target.value)
            if not isinstance(array, Array):
                self.source.refuse(target, f"{ast.unparse(target.value)} cannot be changed")
            self.reader.store(array, self.index(target), value)
        elif isinstance(target, ast.Attribute):
            self.assign_attribute(target, self.value(target.value), value)
        else:
            self.source.refuse(target, f"{ast.unparse(target)} cannot be set")

    def assign_attribute(self, target: ast.Attribute, base: Any, value: Any) -> None:
        """A number of a record."""
        if isinstance(value, Number) or is_known(value):
            if isinstance(base, Reference) and self.reader.set_field(base, target.attr, value):
                return
            cell = getattr(base, target.attr, None) if isinstance(base, Bundle) else None
            if isinstance(cell, Cell):
                self.builder.store(self.reader.as_kind(value, cell.kind), cell.pointer)
                return
        self.source.refuse(target, f"{ast.unparse(target)} cannot be changed")

    def do_If(self, node: ast.If) -> None:
        condition = self.value(node.test)
        if not isinstance(condition, Number):
            self.block(node.body if condition else node.orelse)
            return
        b, before, left = self.builder, self.names, []
        yes, no, end = (b.append_basic_block(name) for name in ("then", "else", "fi"))
        b.cbranch(self.reader.truth(condition).value, yes, no)
        for start, statements in ((yes, node.body), (no, node.orelse)):
            b.position_at_end(start)
            self.names = dict(before)
            self.block(statements)
            if not b.block.is_terminated:
                b.branch(end)
                left.append(self.names)
        self.names = left[0] if left else before
        for other in left[1:]:
            self.names = common(self.names, other)
        b.position_at_end(end)
        if not left:
            b.unreachable()

    def do_While(self, node: ast.While) -> None:
        if node.orelse:
            self.source.refuse(node, "while has an else")
        b = self.builder
        test, body, end = (b.append_basic_block(name) for name in ("test", "body", "done"))
        b.branch(test)
        b.position_at_end(test)
        b.cbranch(self.reader.truth(self.value(node.test)).value, body, end)
        b.position_at_end(body)
        self._body(node.body, test, end)
        b.position_at_end(end)

    def _body(self, statements: list[ast.stmt], again: ir.Block, end: ir.Block) -> None:
        """The body of a loop. What it sets besides variables is not known behind it, and must be set in each turn."""
        before = self.names
        self.names = dict(before)
        self.loops.append((again, end))
        self.block(statements)
        self.loops.pop()
        for name, value in before.items():
            if name in self.names and not same(self.names[name], value):
                self.source.refuse(statements[0], f"{name} is something else in each turn of a loop")
        self.names = before
        if not self.builder.block.is_terminated:
            self.builder.branch(again)

    def do_Continue(self, node: ast.Continue) -> None:
        self.builder.branch(self.loops[-1][0])

    def do_Break(self, node: ast.Break) -> None:
        self.builder.branch(self.loops[-1][1])

    def do_For(self, node: ast.For) -> None:
        if node.orelse:
            self.source.refuse(node, "for has an else")
        values = self.value(node.iter)
        if isinstance(values, Array) and isinstance(values.shape[0], int):
            values = tuple(self.reader.load(values, (k,)) for k in range(values.shape[0]))
        short = isinstance(values, range) and len(values) <= LONGEST
        if isinstance(values, tuple) or (short and (len(values) <= 2 or self._indexes(node))):
            self._written_out(node, list(values))
        elif isinstance(values, range | Bundle) and isinstance(node.target, ast.Name):
            self._rolled(node, values.start, values.stop, values.step)  # type: ignore[union-attr]
        else:
            self.source.refuse(node, f"{ast.unparse(node.iter)} is neither a range nor a tuple")

    @staticmethod
    def _indexes(node: ast.For) -> bool:
        """Whether the variable of a loop is used as an index, or handed to a function that may."""
        name = getattr(node.target, "id", "")
        for place in ast.walk(node):
            inside = [*ast.walk(place.slice)] if isinstance(place, ast.Subscript) else []
            inside += place.args if isinstance(place, ast.Call) else []
            if any(isinstance(x, ast.Name) and x.id == name for x in inside):
                return True
        return False

    def _written_out(self, node: ast.For, values: list[Any]) -> None:
        b, target = self.builder, node.target
        end, before = b.append_basic_block("done"), self.names
        early = any(isinstance(x, ast.Break | ast.Continue) for x in ast.walk(node))
        for value in values:
            following = b.append_basic_block("next")
            if isinstance(target, ast.Name) and not isinstance(value, Number):
                self.names = {**self.names, target.id: value}  # known in each turn
            else:
                self.assign(target, value)
            self.loops.append((following, end))
            self.block(node.body)
            self.loops.pop()
            if not b.block.is_terminated:
                b.branch(following)
            b.position_at_end(following)
        b.branch(end)
        b.position_at_end(end)
        if early:
            self.names = common(before, self.names)

    def _rolled(self, node: ast.For, start: Any, stop: Any, step: int) -> None:
        b, name = self.builder, node.target.id  # type: ignore[attr-defined]
        counter = self.reader.variable("int")
        b.store(self.reader.as_kind(start, "int"), counter)
        test, body, again, end = (b.append_basic_block(x) for x in ("test", "body", "again", "done"))
        b.branch(test)
        b.position_at_end(test)
        here = Number("int", b.load(counter))
        b.cbranch(self.reader.compare("Lt" if step > 0 else "Gt", here, stop).value, body, end)
        b.position_at_end(body)
        self.assign_name(name, here)
        self._body(node.body, again, end)
        b.position_at_end(again)
        b.store(b.add(b.load(counter), ir.Constant(counter.type.pointee, step)), counter)
        b.branch(test)
        b.position_at_end(end)
