"""Reads a plain Python function and writes it as LLVM code, every call of another function written in place.

What is known at compile time (numbers from outside, sizes, functions, bundles) is followed at once: a branch on it
leaves one side, a loop over the elements of an array is written out, so that arrays become registers.
"""

from __future__ import annotations

import ast
import types
from typing import Any

import numpy as np
from llvmlite import ir

from gudgeon.device.arithmetic import Arithmetic, Retype, is_known
from gudgeon.device.calls import call
from gudgeon.device.source import Source, plain, source_of
from gudgeon.device.values import Array, Bundle, Number

__all__ = ["Reader"]

DEEPEST = 40  # calls inside each other: more is a function that calls itself
LONGEST = 64  # turns of a loop that is written out


class Reader(Arithmetic):
    """One function in the making; `frame` is the Python function that is being read."""

    def __init__(self, unit: Any, function: ir.Function, kinds: dict[Any, str]) -> None:
        self.entry = function.append_basic_block("entry")
        super().__init__(ir.IRBuilder(function.append_basic_block("begin")), unit.real, unit.flags)
        self.unit, self.kinds, self.depth = unit, kinds, 0

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

    def inline(self, function: Any, arguments: dict[str, Any]) -> Any:
        """The value of a call, its code written here."""
        if self.depth > DEEPEST:
            source_of(function).refuse(None, "it calls itself")
        self.depth += 1
        value = Frame(self, source_of(function), arguments).run()
        self.depth -= 1
        return value


class Frame:
    """One Python function being read: its names and where it returns to."""

    def __init__(self, reader: Reader, source: Source, arguments: dict[str, Any]) -> None:
        self.reader, self.source = reader, source
        self.names: dict[str, Any] = {}
        self.slots: dict[str, tuple[str, ir.Value]] = {}
        self.loops: list[tuple[ir.Block, ir.Block]] = []  # where continue and break go
        for name, value in arguments.items():
            self.assign_name(name, value)

    @property
    def builder(self) -> ir.IRBuilder:
        return self.reader.builder

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
        found = [Number(kind, self.builder.load(slot)) for kind, slot in self.returned]
        return tuple(found) if self.shape is not None else found[0] if found else None

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
        if kind != "real" and self.reader.kind(value) == "real":
            raise Retype(key)
        self.names.pop(name, None)
        self.builder.store(self.reader.as_kind(value, kind), slot)

    def name(self, node: ast.Name) -> Any:
        if node.id in self.names:
            return self.names[node.id]
        if node.id in self.slots:
            kind, slot = self.slots[node.id]
            return Number(kind, self.builder.load(slot))
        if node.id in self.source.stores:
            self.source.refuse(node, f"{node.id} is used before it is set")
        return self.source.outside(node, node.id)

    # -- statements -----------------------------------------------------------------------------------------

    def block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            if self.builder.block.is_terminated:
                return
            getattr(self, f"do_{type(statement).__name__}", self._unknown)(statement)

    def _unknown(self, node: Any) -> None:
        self.source.refuse(node, f"{type(node).__name__.lower()} is not arithmetic")

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
            if kind != "real" and self.reader.kind(part) == "real":
                raise Retype(key)
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
        before = self.name(target) if isinstance(target, ast.Name) else self.value_Subscript(target)
        self.assign(target, self.reader.binary(self._operator(node), before, self.value(node.value)))

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
        else:
            self.source.refuse(target, f"{ast.unparse(target)} cannot be set")

    def do_If(self, node: ast.If) -> None:
        condition = self.value(node.test)
        if not isinstance(condition, Number):
            self.block(node.body if condition else node.orelse)
            return
        b, before = self.builder, dict(self.names)
        yes, no, end = (b.append_basic_block(name) for name in ("then", "else", "fi"))
        b.cbranch(self.reader.truth(condition).value, yes, no)
        for start, statements in ((yes, node.body), (no, node.orelse)):
            b.position_at_end(start)
            self.block(statements)
            if not b.block.is_terminated:
                b.branch(end)
            before |= self.names
        self.names = before
        b.position_at_end(end)

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
        self.loops.append((again, end))
        self.block(statements)
        self.loops.pop()
        if not self.builder.block.is_terminated:
            self.builder.branch(again)

    def do_Continue(self, node: ast.Continue) -> None:
        self.builder.branch(self.loops[-1][0])

    def do_Break(self, node: ast.Break) -> None:
        self.builder.branch(self.loops[-1][1])

    def do_For(self, node: ast.For) -> None:
        if node.orelse or not isinstance(node.target, ast.Name):
            self.source.refuse(node, "only loops over a range or a tuple can be read")
        values = self.value(node.iter)
        if isinstance(values, Array) and isinstance(values.shape[0], int):
            values = tuple(self.reader.load(values, (k,)) for k in range(values.shape[0]))
        if isinstance(values, tuple):
            self._written_out(node, list(values))
        elif isinstance(values, range) and (self._indexes(node) or len(values) <= 2) and len(values) <= LONGEST:
            self._written_out(node, list(values))
        elif isinstance(values, range):
            self._rolled(node, values.start, values.stop, values.step)
        elif isinstance(values, Bundle):
            self._rolled(node, values.start, values.stop, values.step)  # type: ignore[attr-defined]
        else:
            self.source.refuse(node, f"{ast.unparse(node.iter)} is neither a range nor a tuple")

    @staticmethod
    def _indexes(node: ast.For) -> bool:
        """Whether the variable of a loop is used as an index, or handed to a function that may."""
        name = node.target.id  # type: ignore[attr-defined]
        for place in ast.walk(node):
            inside = [*ast.walk(place.slice)] if isinstance(place, ast.Subscript) else []
            inside += place.args if isinstance(place, ast.Call) else []
            if any(isinstance(x, ast.Name) and x.id == name for x in inside):
                return True
        return False

    def _written_out(self, node: ast.For, values: list[Any]) -> None:
        b, name = self.builder, node.target.id  # type: ignore[attr-defined]
        end = b.append_basic_block("done")
        for value in values:
            following = b.append_basic_block("next")
            if isinstance(value, Number):
                self.assign_name(name, value)
            else:
                self.names[name] = value
            self._body(node.body, following, end)
            b.position_at_end(following)
        b.branch(end)
        b.position_at_end(end)

    def _rolled(self, node: ast.For, start: Any, stop: Any, step: int) -> None:
        b, name = self.builder, node.target.id  # type: ignore[attr-defined]
        counter = self.reader.variable("int")
        self.names.pop(name, None)
        self.slots.setdefault(name, ("int", self.reader.variable("int")))
        b.store(self.reader.as_kind(start, "int"), counter)
        test, body, again, end = (b.append_basic_block(x) for x in ("test", "body", "again", "done"))
        b.branch(test)
        b.position_at_end(test)
        here = Number("int", b.load(counter))
        b.cbranch(self.reader.compare("Lt" if step > 0 else "Gt", here, stop).value, body, end)
        b.position_at_end(body)
        b.store(here.value, self.slots[name][1])
        self._body(node.body, again, end)
        b.position_at_end(again)
        b.store(b.add(b.load(counter), ir.Constant(counter.type.pointee, step)), counter)
        b.branch(test)
        b.position_at_end(end)

    # -- expressions ----------------------------------------------------------------------------------------

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
        if isinstance(base, types.ModuleType | Bundle) and hasattr(base, node.attr):
            return getattr(base, node.attr)
        self.source.refuse(node, f"{ast.unparse(node)} is not known")

    def value_BinOp(self, node: ast.BinOp) -> Any:
        a, b = self.value(node.left), self.value(node.right)
        op = self._operator(node)
        if op == "Pow" and not (is_known(a) and is_known(b)):
            return call(self, node, pow, [a, b])
        return self.reader.binary(op, a, b)

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
        left, found = self.value(node.left), []
        for op, right in zip(node.ops, node.comparators, strict=True):
            value = self.value(right)
            found.append(self.reader.compare(type(op).__name__, left, value))
            left = value
        if any(x is False for x in found):
            return False
        rest = [self.reader.truth(x).value for x in found if x is not True]
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
        kinds = {self.reader.kind(value) for value, _ in sides}
        kind = "real" if "real" in kinds else "int" if "int" in kinds else "bool"
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
            base = self.reader.unit.table(np.asarray(base, dtype=float))
        if not isinstance(base, Array) or len(index) != len(base.shape):
            self.source.refuse(node, f"{ast.unparse(node)} is not an element of an array")
        return self.reader.load(base, index)

    def _tail(self, node: ast.Subscript, base: Any) -> Array:
        cut: Any = node.slice
        if not isinstance(base, Array) or len(base.shape) != 1 or cut.upper is not None or cut.step is not None:
            self.source.refuse(node, f"{ast.unparse(node)}: only the rest of an array, p[2:], can be taken")
        start = self.value(cut.lower) if cut.lower is not None else 0
        return Array(base.kind, self.reader.pointer(base, (start,)), (0,))

    def index(self, node: ast.Subscript) -> tuple[Any, ...]:
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        found = tuple(self.value(item) for item in items)
        if any(self.reader.kind(i) == "real" for i in found if isinstance(i, Number) or is_known(i)):
            self.source.refuse(node, f"{ast.unparse(node)}: an index must be a whole number")
        return found

    def value_Call(self, node: ast.Call) -> Any:
        if any(isinstance(x, ast.Starred) for x in node.args) or any(k.arg is None for k in node.keywords):
            self.source.refuse(node, f"{ast.unparse(node)} passes a list of arguments")
        function = plain(self.value(node.func))
        arguments = [self.value(x) for x in node.args]
        named = {k.arg: self.value(k.value) for k in node.keywords}
        return call(self, node, function, arguments, named)
