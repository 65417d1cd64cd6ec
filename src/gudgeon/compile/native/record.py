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
"""

from __future__ import annotations

import ctypes
import difflib
import inspect
from collections.abc import Callable
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
            raise GudgeonError(unfit(owner, name, value, dtype, axes))
        slots = self._integers
        slots[first] = _address_of(_begin(value)) if value.size else 0
        shape = value.shape
        slots[first + 1] = shape[0]
        if axes == 2:
            slots[first + 2] = shape[1]
        self._kept[kept] = value

    return property(lambda self: self._kept[kept], put)


def unfit(owner: str, name: str, value: Any, dtype: np.dtype, axes: int) -> str:
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
