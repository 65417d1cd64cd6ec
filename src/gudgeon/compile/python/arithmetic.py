"""Arithmetic on numbers known at compile time and at run time alike, as LLVM code."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from llvmlite import ir

from gudgeon.compile.processor import multiply_add
from gudgeon.compile.python.values import BIT, DOUBLE, LONG, Array, Number

__all__ = ["Arithmetic", "Product", "Retype", "is_known"]

KNOWN = (bool, int, float)
WIDTH = {"bool": 0, "int": 1, "real": 2}
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv,
    "FloorDiv": operator.floordiv, "Mod": operator.mod, "Pow": operator.pow,
}  # fmt: skip
COMPARES: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "Lt": ("<", operator.lt), "LtE": ("<=", operator.le), "Gt": (">", operator.gt), "GtE": (">=", operator.ge),
    "Eq": ("==", operator.eq), "NotEq": ("!=", operator.ne),
}  # fmt: skip


class Retype(Exception):
    """A variable was taken for a narrower kind than it has: read the function again."""

    def __init__(self, key: Any, kind: str) -> None:
        super().__init__(key, kind)
        self.key, self.kind = key, kind


def is_known(value: Any) -> bool:
    return isinstance(value, KNOWN)


class Product:
    """Two factors of a product that is about to be added."""

    def __init__(self, *factors: Any) -> None:
        self.factors = factors


def fused_known(x: float, y: float, z: float) -> float:
    """x y + z rounded once."""
    if not all(map(math.isfinite, (x, y, z))) or x == 0.0 or y == 0.0:
        return x * y + z
    return float(Fraction(x) * Fraction(y) + Fraction(z))


class Arithmetic:
    """Writes operations at the builder's place; what is known at compile time is computed at once."""

    def __init__(self, builder: ir.IRBuilder, flags: tuple[str, ...], integer: ir.IntType, *, fused: bool) -> None:
        self.builder, self.flags, self.integer, self.fused = builder, flags, integer, fused

    # -- kinds ----------------------------------------------------------------------------------------------

    def type_of(self, kind: str) -> ir.Type:
        return DOUBLE if kind == "real" else self.integer if kind == "int" else BIT

    @staticmethod
    def kind(value: Any) -> str:
        if isinstance(value, Number):
            return value.kind
        return "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "real"

    def common(self, *values: Any) -> str:
        """The kind in which some values are computed together."""
        kinds = {self.kind(value) for value in values}
        if "real" in kinds:
            return "real"
        return "bool" if kinds == {"bool"} else "int"

    def fits(self, value: Any, kind: str) -> bool:
        """Whether a variable of this kind can hold a value without loss."""
        return WIDTH[self.kind(value)] <= WIDTH[kind]

    def can_be(self, value: Any, kind: str) -> bool:
        """Whether a value is a number that this kind can hold."""
        return (isinstance(value, Number) or is_known(value)) and self.fits(value, kind)

    def constant(self, kind: str, value: Any) -> ir.Value:
        return ir.Constant(self.type_of(kind), float(value) if kind == "real" else int(value))

    def as_kind(self, value: Any, kind: str) -> ir.Value:
        """The value as code of this kind."""
        if not isinstance(value, Number):
            return self.constant(kind, value)
        if value.kind == kind:
            return value.value
        b = self.builder
        if kind == "real":
            return (b.uitofp if value.kind == "bool" else b.sitofp)(value.value, DOUBLE)
        if kind == "int":
            return (b.zext if value.kind == "bool" else b.fptosi)(value.value, self.integer)
        return self.truth(value).value

    def real(self, value: Any) -> ir.Value:
        return self.as_kind(value, "real")

    def truth(self, value: Any) -> Number:
        """Whether a value is other than zero, as code."""
        if not isinstance(value, Number):
            return Number("bool", ir.Constant(BIT, int(bool(value))))
        return value if value.kind == "bool" else self.compare("NotEq", value, 0)

    # -- operations -----------------------------------------------------------------------------------------

    def binary(self, op: str, a: Any, b: Any) -> Any:
        if is_known(a) and is_known(b):
            return OPERATORS[op](a, b)
        kind = self.common(a, b)
        if op == "Div" or kind == "real":
            return self._real_binary(op, a, b)
        return self._int_binary(op, self.as_kind(a, "int"), self.as_kind(b, "int"))

    def sum(self, op: str, a: Any, b: Any) -> Any:
        """a + b or a - b, where one product among them is not rounded before if the processor can; of two both are, so
        that equal ones cancel. Whether numbers are known makes no difference, since they are known in one place where a
        function is used, and not in another."""
        first, second = (self.common(*x.factors) == "real" if isinstance(x, Product) else False for x in (a, b))
        if not self.fused or first == second:
            return self.binary(op, self._rounded(a), self._rounded(b))
        (x, y), other = (a.factors, self._rounded(b)) if first else (b.factors, a)
        other = self._rounded(other)
        if all(map(is_known, (x, y, other))):
            x, other = (x, -other) if op == "Sub" and first else (-x, other) if op == "Sub" else (x, other)
            return fused_known(x, y, other)
        values = [self.real(x), self.real(y), self.real(other)]
        if op == "Sub":
            changed = 2 if first else 0
            values[changed] = self.builder.fneg(values[changed])
        return Number("real", multiply_add(self.builder, *values, fused=True))

    def _rounded(self, a: Any) -> Any:
        return self.binary("Mult", *a.factors) if isinstance(a, Product) else a

    def _real_binary(self, op: str, a: Any, b: Any) -> Any:
        build, x, y = self.builder, self.real(a), self.real(b)
        simple = {"Add": build.fadd, "Sub": build.fsub, "Mult": build.fmul, "Div": build.fdiv}
        if op in simple:
            return Number("real", simple[op](x, y, flags=self.flags))
        floor = self.intrinsic("floor", [build.fdiv(x, y)])
        if op == "FloorDiv":
            return Number("real", floor)
        negative = build.fneg(floor)
        return Number("real", multiply_add(build, negative, y, x, fused=self.fused, flags=self.flags))

    def _int_binary(self, op: str, x: ir.Value, y: ir.Value) -> Number:
        build = self.builder
        simple = {"Add": build.add, "Sub": build.sub, "Mult": build.mul}
        if op in simple:
            return Number("int", simple[op](x, y))
        # Python rounds down: where the rest has another sign than the divisor, one less and the rest made up
        rest = build.srem(x, y)
        zero = ir.Constant(self.integer, 0)
        wrong = build.and_(build.icmp_signed("!=", rest, zero),
                           build.icmp_signed("<", build.xor(rest, y), zero))  # fmt: skip
        if op == "Mod":
            return Number("int", build.select(wrong, build.add(rest, y), rest))
        return Number("int", build.sub(build.sdiv(x, y), build.zext(wrong, self.integer)))

    def negative(self, a: Any) -> Any:
        if not isinstance(a, Number):
            return -a
        if a.kind == "real":
            return Number(a.kind, self.builder.fneg(a.value))
        return Number("int", self.builder.neg(self.as_kind(a, "int")))

    def compare(self, op: str, a: Any, b: Any) -> Any:
        sign, known = COMPARES[op]
        if is_known(a) and is_known(b):
            return known(a, b)
        kind = self.common(a, b)
        if kind == "real":
            build = self.builder.fcmp_unordered if sign == "!=" else self.builder.fcmp_ordered
            return Number("bool", build(sign, self.as_kind(a, kind), self.as_kind(b, kind)))
        return Number("bool", self.builder.icmp_signed(sign, self.as_kind(a, "int"), self.as_kind(b, "int")))

    def inverse(self, a: Any) -> Any:
        return Number("bool", self.builder.not_(self.truth(a).value)) if isinstance(a, Number) else not a

    def choose(self, condition: Any, a: Any, b: Any) -> Any:
        """a where the condition holds, else b; both have been computed."""
        if not isinstance(condition, Number):
            return a if condition else b
        kind = self.common(a, b)
        chosen = self.builder.select(self.truth(condition).value, self.as_kind(a, kind), self.as_kind(b, kind))
        return Number(kind, chosen)

    def extreme(self, op: str, values: Sequence[Any]) -> Any:
        """max ("Gt") or min ("Lt") as Python has it: the first stays unless another is beyond it."""
        extreme = values[0]
        for value in values[1:]:
            extreme = self.choose(self.compare(op, value, extreme), value, extreme)
        return extreme

    def magnitude(self, a: Any) -> Any:
        if not isinstance(a, Number):
            return abs(a)
        if a.kind == "real":
            return Number(a.kind, self.intrinsic("fabs", [a.value]))
        return self.choose(self.compare("Lt", a, 0), self.negative(a), a)

    def intrinsic(self, name: str, args: list[ir.Value]) -> ir.Value:
        """A function that every target has an instruction for."""
        kind = ir.FunctionType(args[0].type, [args[0].type] * len(args))
        function = self.builder.module.declare_intrinsic(f"llvm.{name}", (args[0].type,), kind)
        return self.builder.call(function, args)

    # -- arrays ---------------------------------------------------------------------------------------------

    def pointer(self, array: Array, index: Sequence[Any]) -> ir.Value:
        """Where an element is: row by row, in 64 bits since all trajectories together may be many numbers."""
        b, place = self.builder, index[0]
        for i, size in zip(index[1:], array.shape[1:], strict=True):
            if all(isinstance(x, int) for x in (place, i, size)):
                place = place * size + i
            else:
                place = Number("int", b.add(b.mul(self._wide(place), self._wide(size)), self._wide(i)))
        return b.gep(array.pointer, [self._wide(place)])

    def _wide(self, value: Any) -> ir.Value:
        if isinstance(value, Number):
            return value.value if value.value.type == LONG else self.builder.sext(value.value, LONG)
        return ir.Constant(LONG, int(value))

    def load(self, array: Array, index: Sequence[Any]) -> Any:
        if array.fixed and all(isinstance(i, int) for i in index):
            flat = index[0] if len(index) == 1 else index[0] * array.shape[1] + index[1]
            if flat in array.fixed:
                return array.fixed[flat]
        return Number(array.kind, self._fitted(self.builder.load(self.pointer(array, index)), array.kind))

    def store(self, array: Array, index: Sequence[Any], value: Any) -> None:
        place, written = self.pointer(array, index), self.as_kind(value, array.kind)
        if array.kind == "int" and written.type != place.type.pointee:
            written = self.builder.sext(written, place.type.pointee)
        self.builder.store(written, place)

    def _fitted(self, value: ir.Value, kind: str) -> ir.Value:
        """What was read from memory, integers in the width that is computed with."""
        if kind != "int" or value.type == self.integer:
            return value
        return (self.builder.trunc if value.type.width > self.integer.width else self.builder.sext)(value, self.integer)
