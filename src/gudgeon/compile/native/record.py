"""Records: the numbers and arrays of a calculation under their names, seen alike by Python and by compiled code.

A record is declared like a data class. Its fields are numbers, integers (machine addresses among them), arrays, and
references to other records::

    class March(Record):
        t: float  # time [s]
        steps: int
        y: Floats  # states
        k: Matrix  # slopes, one row per stage

    w = March(y=np.zeros(5), k=np.zeros((7, 5)))

    @kernel
    def advance(w: March, h: float) -> float:
        y, k = w.y, w.k
        for i in range(y.shape[0]):
            y[i] += h * k[0, i]
        w.t += h
        w.steps += 1
        return w.t

Two dozen arrays with integer places in them would do the same, but then a place is a number that nobody checks, an
address is kept as a float, and every call hands over every array. A record is one pointer. What it points to is a row
of slots of 8 bytes: a number or an integer takes one, an array those of its address and of its shape, a reference the
address of the other record. Compiled code and Python read and write these same slots; `March.layout` says where each
field lies, for other compilers.

Compiled code changes numbers and the contents of arrays. Which arrays and which other records these are is Python's to
say, because it keeps them alive; the compiler relies on that and reads addresses and shapes once, not in every round
of a loop. A method with a record of its own hands over its address: `s = record_at(w.method, Alpha)`.

Declaring and filling records does not load numba. It comes with `March.numba_type` and with `record_at`.
"""

from __future__ import annotations

import ctypes
import difflib
import hashlib
import inspect
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, ClassVar, NamedTuple, get_origin

import numpy as np

from gudgeon.quantity import GudgeonError

__all__ = ["Field", "Floats", "Integers", "Matrix", "Record", "Table"]

# annotations of array fields; to a type checker they are arrays
Floats = Annotated[np.ndarray, "floats"]  # a vector of doubles
Integers = Annotated[np.ndarray, "integers"]  # a vector of 64-bit integers
Matrix = Annotated[np.ndarray, "matrix"]  # doubles, row by row
Table = Annotated[np.ndarray, "table"]  # 64-bit integers, row by row

SLOT = 8  # bytes
# number type and number of axes of array fields
ARRAYS: dict[str, tuple[np.dtype, int]] = {
    "floats": (np.dtype(np.float64), 1), "integers": (np.dtype(np.int64), 1),
    "matrix": (np.dtype(np.float64), 2), "table": (np.dtype(np.int64), 2),
}  # fmt: skip
_EMPTY = {kind: np.zeros((0,) * axes, dtype) for kind, (dtype, axes) in ARRAYS.items()}
_begin: Callable[[Any], Any] = ctypes.c_char.from_buffer
_address_of = ctypes.addressof


class Field(NamedTuple):
    """Where a field lies. An array has its address at `offset` and the lengths of its axes in the slots behind it."""

    kind: str  # float, integer, record, or one of ARRAYS
    offset: int  # bytes
    record: RecordClass | None = None  # what a reference refers to

    @property
    def slots(self) -> int:
        return 1 + ARRAYS[self.kind][1] if self.kind in ARRAYS else 1


class RecordClass(type):
    """The class of record classes: it makes the layout and the properties from the annotations."""

    layout: dict[str, Field]
    nbytes: int  # of an instance's slots
    _empty: list[Any]  # what the fields that are kept alive hold before anything is assigned
    _setters: dict[str, Callable[[Any, Any], None]]
    _numbers: list[int]  # slots of numbers and integers

    def __new__(meta, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> RecordClass:
        space.setdefault("__slots__", ())
        space["_numba_type_"] = property(lambda self: type(self).numba_type)  # until the first use replaces it
        return super().__new__(meta, name, bases, space)

    def __init__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> None:
        super().__init__(name, bases, space)
        base: Any = bases[0] if bases else None
        cls.layout, cls._setters = (dict(base.layout), dict(base._setters)) if base else ({}, {})
        cls._empty, cls._numbers = (list(base._empty), list(base._numbers)) if base else ([], [])
        cls.nbytes = base.nbytes if base else 0
        if len(bases) > 1:
            raise GudgeonError(f"{name}: a record continues one other record at most, not {len(bases)}")
        for field, annotation in _annotations(cls).items() if base else ():
            if field.startswith("_") or field in space or hasattr(cls, field):
                raise GudgeonError(
                    f"{name}: {field!r} cannot be declared as a field: names of fields are new, begin with a letter "
                    "and have no value in the class"
                )
            cls._add(field, annotation)

    def _add(cls, name: str, annotation: Any) -> None:
        kind, record = _kind(cls.__name__, name, annotation)
        place = cls.layout[name] = Field(kind, cls.nbytes, record)
        cls.nbytes += SLOT * place.slots
        if kind in ("float", "integer"):
            cls._numbers.append(place.offset // SLOT)
            made = _number(cls.__name__, name, place)
        elif record is not None:
            made = _reference(cls.__name__, name, place, len(cls._empty))
            cls._empty.append(None)
        else:
            made = _array(cls.__name__, name, place, len(cls._empty))
            cls._empty.append(_EMPTY[kind])
        setattr(cls, name, made)
        assert made.fset is not None
        cls._setters[name] = made.fset

    @property
    def numba_type(cls) -> Any:
        """The type of these records in signatures of compiled functions."""
        made = cls.__dict__["_numba_type_"]
        if isinstance(made, property):
            fields = {name: (place.kind, place.offset // SLOT, place.record and place.record.numba_type)
                      for name, place in cls.layout.items()}  # fmt: skip
            digest = hashlib.sha256(repr(fields).encode()).hexdigest()[:12]
            made = compiled_records()["RecordType"](f"{cls.__module__}.{cls.__qualname__}#{digest}", fields)
            cls._numba_type_ = made  # found by numba on every instance
        return made


def _annotations(cls: type) -> dict[str, Any]:
    try:
        annotations = inspect.get_annotations(cls, eval_str=True)
    except NameError as error:
        raise GudgeonError(f"{cls.__name__}: {error} where its fields are declared; declare or import that before it, "
                           "at the top level of the file") from None  # fmt: skip
    return {name: annotation for name, annotation in annotations.items() if get_origin(annotation) is not ClassVar}


def _kind(owner: str, name: str, annotation: Any) -> tuple[str, RecordClass | None]:
    if annotation is float or annotation is int:
        return ("float" if annotation is float else "integer"), None
    if isinstance(annotation, RecordClass):
        return "record", annotation
    for kind, known in (("floats", Floats), ("integers", Integers), ("matrix", Matrix), ("table", Table)):
        if annotation == known:
            return kind, None
    raise GudgeonError(f"{owner}: field {name!r} is declared as {annotation!r}; a field is a float, an int, Floats, "
                       "Integers, Matrix, Table or a record")  # fmt: skip


# -- a property of each field -----------------------------------------------------------------------------------


def _number(owner: str, name: str, place: Field) -> property:
    """A number or an integer, in its slot."""
    k = place.offset // SLOT

    # written out for both: finding out which of them it is would cost more than the rest
    def put_float(self: Any, value: Any) -> None:
        try:
            self._floats[k] = value
        except (TypeError, ValueError):
            raise GudgeonError(f"{owner}: {name} is a number, not {value!r}") from None

    def put_integer(self: Any, value: Any) -> None:
        try:
            self._integers[k] = value
        except (TypeError, ValueError):
            raise GudgeonError(f"{owner}: {name} is an integer of 64 bits, not {value!r}") from None

    if place.kind == "float":
        return property(lambda self: self._floats[k], put_float)
    return property(lambda self: self._integers[k], put_integer)


def _array(owner: str, name: str, place: Field, kept: int) -> property:
    """An array: kept alive by the record, its address and shape in the slots."""
    first, (dtype, axes) = place.offset // SLOT, ARRAYS[place.kind]

    def put(self: Any, value: Any) -> None:
        # `carray`: row by row without gaps, aligned, and it may be written
        if not (isinstance(value, np.ndarray) and value.dtype == dtype and value.ndim == axes and value.flags.carray):
            raise GudgeonError(_unfit(owner, name, value, dtype, axes))
        slots = self._integers
        slots[first] = _address_of(_begin(value)) if value.size else 0
        shape = value.shape
        slots[first + 1] = shape[0]
        if axes == 2:
            slots[first + 2] = shape[1]
        self._kept[kept] = value

    return property(lambda self: self._kept[kept], put)


def _unfit(owner: str, name: str, value: Any, dtype: np.dtype, axes: int) -> str:
    """What is wrong with an array."""
    expected = f"{owner}: {name} is an array of {dtype} with {axes} {'axis' if axes == 1 else 'axes'}"
    if not isinstance(value, np.ndarray):
        return f"{expected}, not {value!r}"
    if value.dtype != dtype or value.ndim != axes:
        return f"{expected}, not one of {value.dtype} with {value.ndim}"
    if not value.flags.c_contiguous:
        return f"{expected} that lies row by row without gaps; take np.ascontiguousarray of this one"
    return f"{expected} that can be written and is aligned; take a copy of this one"


def _reference(owner: str, name: str, place: Field, kept: int) -> property:
    """Another record: kept alive by this one, its address in the slot; None is the address 0."""
    k, record = place.offset // SLOT, place.record
    assert record is not None

    def put(self: Any, value: Any) -> None:
        if value is not None and not isinstance(value, record):
            raise GudgeonError(f"{owner}: {name} is a record {record.__name__}, not {value!r}")
        self._integers[k] = 0 if value is None else value._address
        self._kept[kept] = value

    return property(lambda self: self._kept[kept], put)


class Record(metaclass=RecordClass):
    """What records are derived from. A record may continue another: the fields of that one come first.

    Numbers begin as 0, arrays as empty ones, references as None.
    """

    __slots__ = ("_address", "_floats", "_integers", "_kept", "_memory")

    def __init__(self, **fields: Any) -> None:
        cls = type(self)
        self._memory = memory = bytearray(cls.nbytes or SLOT)
        self._address = _address_of(_begin(memory))
        view = memoryview(memory)
        self._floats, self._integers = view.cast("d"), view.cast("q")
        self._kept = cls._empty.copy()
        setters = cls._setters
        for name, value in fields.items():
            if name not in setters:
                near = difflib.get_close_matches(name, setters, 1)
                raise GudgeonError(f"{cls.__name__} has no field {name!r}; "
                                   + (f"{near[0]!r}?" if near else f"it has {', '.join(setters)}"))  # fmt: skip
            setters[name](self, value)

    def clear(self) -> None:
        """Set all numbers and integers to 0; arrays and references stay."""
        for k in type(self)._numbers:
            self._integers[k] = 0

    @property
    def address(self) -> int:
        """The machine address of the slots, for `record_at`; good as long as this object lives."""
        return self._address

    def __repr__(self) -> str:
        parts = (getattr(self, name) for name in type(self).layout)
        shown = (f"array{x.shape}" if isinstance(x, np.ndarray) else repr(x) for x in parts)
        return f"{type(self).__name__}({', '.join(map('='.join, zip(type(self).layout, shown, strict=True)))})"


# -- numba ------------------------------------------------------------------------------------------------------

def __getattr__(name: str) -> Any:
    """Where a compiled function that was kept on disk finds the types of its records."""
    if name in ("RecordType", "RecordClassType"):
        return compiled_records()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def compiled_records() -> dict[str, Any]:
    """The types that numba sees, and `record_at`; numba is told what they are and how they are compiled."""
    from numba import types
    from numba.extending import models, register_model, typeof_impl

    class RecordType(types.Type):
        """A pointer to the slots of a record. The name has a digest of the layout, and is what is compared."""

        def __init__(self, name: str, fields: dict[str, tuple[str, int, Any]]) -> None:
            super().__init__(name)
            self.fields = fields  # kind, slot, and the type of what a reference refers to

    class RecordClassType(types.Type):
        """The record class itself, as an argument of `record_at`."""

        def __init__(self, record: Any) -> None:
            super().__init__(f"class({record.name})")
            self.record = record

    for made in (RecordType, RecordClassType):
        made.__qualname__ = made.__name__  # where a compiled function that was kept on disk finds it
        register_model(made)(models.OpaqueModel)
    typeof_impl.register(RecordClass)(lambda value, context: RecordClassType(value.numba_type))
    _compile_fields(RecordType)
    return {"RecordType": RecordType, "RecordClassType": RecordClassType, "record_at": _compile_at(RecordClassType)}


def _compile_fields(kind: Any) -> None:
    """Tell numba how fields of records are typed, read and written, and how a record comes from Python."""
    from llvmlite import ir
    from numba.core.errors import TypingError
    from numba.core.typing.templates import AttributeTemplate
    from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, lower_setattr_generic, unbox

    from gudgeon.compile.native import intrinsics

    known = {"float": intrinsics.FLOAT, "integer": intrinsics.INT, "floats": intrinsics.VECTOR,
             "integers": intrinsics.INTEGERS, "matrix": intrinsics.MATRIX, "table": intrinsics.TABLE}  # fmt: skip

    class Fields(AttributeTemplate):
        key = kind

        def generic_resolve(self, record: Any, name: str) -> Any:
            field = record.fields.get(name)
            return field and (field[2] or known[field[0]])

    def slot(builder: Any, pointer: Any, k: int, number: Any) -> Any:
        whole = builder.bitcast(pointer, number.as_pointer())
        return builder.gep(whole, [ir.Constant(ir.IntType(64), k)], inbounds=True)

    def fixed(builder: Any, pointer: Any, k: int) -> Any:
        """An address or a length: compiled code never writes it, so that it need not be read twice."""
        loaded = builder.load(slot(builder, pointer, k, ir.IntType(64)))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    def read(context: Any, builder: Any, record: Any, pointer: Any, name: str) -> Any:
        what, k, other = record.fields[name]
        if other is not None:
            return builder.inttoptr(fixed(builder, pointer, k), context.get_value_type(other))
        if what in ARRAYS:
            shape = [fixed(builder, pointer, k + 1 + axis) for axis in range(ARRAYS[what][1])]
            return intrinsics.array_at(context, builder, known[what], fixed(builder, pointer, k), shape)
        return builder.load(slot(builder, pointer, k, context.get_value_type(known[what])))

    def write(context: Any, builder: Any, signature: Any, args: Any, name: str) -> None:
        what, k, _ = signature.args[0].fields[name]
        if what not in ("float", "integer"):
            raise TypingError(f"field {name!r} of {signature.args[0]} is assigned in Python only; compiled code "
                              "writes numbers, and into arrays")  # fmt: skip
        builder.store(args[1], slot(builder, args[0], k, args[1].type))

    def receive(record: Any, instance: Any, c: Any) -> Any:
        attribute = c.pyapi.object_getattr_string(instance, "_address")
        address = c.pyapi.long_as_longlong(attribute)
        c.pyapi.decref(attribute)
        pointer = c.builder.inttoptr(address, c.context.get_value_type(record))
        return NativeValue(pointer, is_error=c.pyapi.c_api_error())

    infer_getattr(Fields)
    lower_getattr_generic(kind)(read)
    lower_setattr_generic(kind)(write)
    unbox(kind)(receive)


def _compile_at(kind: Any) -> Any:
    """`record_at`, of a machine address and a record class that is a global name of the compiled function."""
    from numba import types
    from numba.core.errors import TypingError
    from numba.core.imputils import lower_constant
    from numba.extending import intrinsic

    lower_constant(kind)(lambda context, builder, of, value: context.get_dummy_value())

    def record_at(context: Any, address: Any, record: Any) -> Any:
        """The record of this class at a machine address."""
        if not isinstance(record, kind) or not isinstance(address, types.Integer):
            raise TypingError("record_at takes an integer address and a record class")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

        return record.record(types.int64, record), generate

    return intrinsic(record_at)
