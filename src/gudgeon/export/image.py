"""The memory of a march as one block of bytes, with addresses that count from its start.

Everything that compiled code reads or writes hangs on one record (methods/march/memory.py): numbers, arrays and other
records by their addresses. The block holds copies of all of them in one piece. `pointers` are the places of addresses
in it, to which whoever puts the block into memory adds the place of its start; `functions` are the places of addresses
of functions, by the names of the functions.

Arrays that are parts of the same memory stay parts of the same memory.

What a mechanism with other numbers has there differs in `numbers` alone. Parameters that are derived from others are
not filled in: the function "prepare" of the mechanism computes them, f(0, 0, p, 0, derived).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gudgeon.assemble import System
from gudgeon.compile.native.record import ARRAYS, SLOT, Record
from gudgeon.export.code import OF_SYSTEM
from gudgeon.methods.contract import Method
from gudgeon.methods.march import driver
from gudgeon.methods.march.memory import March, Memory
from gudgeon.methods.march.scales import SHARE
from gudgeon.quantity import GudgeonError
from gudgeon.simulation.prepare import Prepared

__all__ = ["MarchImage", "image_of"]

LINE = 64  # bytes: arrays begin on lines of the cache
WRITTEN_FIRST = ("tape", "events")  # arrays that are written before they are read
ROUGH = 1e8  # tolerances have kinks, and need not be exact: 1e-4 of them is enough
ADDRESS = "_at"  # how names of fields end that hold the address of a function or of a record


@dataclass
class MarchImage:
    """A march that has not begun.

    fields   places of the fields of its record, which lies at the start
    arrays   places of the arrays of its record
    derived  place of the derived parameters
    numbers  words (of 8 bytes) that are real numbers which the march starts with, for each the magnitude that errors
             are relative to where that is larger than the number; of what only scales tolerances, very large
    """

    data: bytes
    pointers: list[int]
    functions: dict[int, str]
    fields: dict[str, int]
    arrays: dict[str, int]
    derived: int
    numbers: dict[int, float] = field(repr=False)

    @property
    def words(self) -> np.ndarray:
        """All words as real numbers."""
        return np.frombuffer(self.data, np.float64)

    def has_structure_of(self, other: MarchImage) -> bool:
        """Whether two images differ in their numbers alone."""
        if (self.pointers, self.functions, len(self.data)) != (other.pointers, other.functions, len(other.data)):
            return False
        mine, its = np.frombuffer(self.data, np.int64), np.frombuffer(other.data, np.int64)
        return set(np.flatnonzero(mine != its).tolist()) <= set(self.numbers)


@dataclass
class _Walk:
    """What was found from a record on: records, arrays as (address, bytes)."""

    records: list[Record] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)

    def visit(self, record: Record) -> None:
        if any(known is record for known in self.records):
            return
        self.records.append(record)
        for name, place in type(record).layout.items():
            value = getattr(record, name)
            if place.kind == "record" and value is not None:
                self.visit(value)
            elif place.kind in ARRAYS and value.size:
                self.spans.append((value.ctypes.data, value.nbytes))

    def buffers(self) -> list[tuple[int, int]]:
        """Pieces of memory, from and to an address, each with all arrays that share any of it, as they were found."""
        pieces: list[list[int]] = []
        for start, size in sorted(self.spans):
            if pieces and start < pieces[-1][1]:
                pieces[-1][1] = max(pieces[-1][1], start + size)
            else:
                pieces.append([start, start + size])
        order = [next(k for k, (low, high) in enumerate(pieces) if low <= begin < high) for begin, _ in self.spans]
        return [(pieces[k][0], pieces[k][1]) for k in dict.fromkeys(order)]


def image_of(prepared: Prepared, *, tape: int = driver.TAPE_ROWS, events: int = 256) -> MarchImage:
    """A run before its first step. tape, events: rows that are recorded until the caller empties them."""
    system, method, start = prepared.system, prepared.method, prepared.start
    w = _memory(system, method, tape, events)
    driver.begin(w, system, method, start.t, start.t + prepared.span, start.y, start.m, prepared.spacing,
                 prepared.longest)  # fmt: skip
    own = method.connect(system, w)
    walk = _Walk()
    walk.visit(w)
    if own is not None:
        walk.visit(own)
    return _written(walk, system, method)


def _memory(system: System, method: Method, tape: int, events: int) -> March:
    """A record with arrays of its own."""
    pooled = driver.memory_for(system, method)
    states, memory, contacts, rows, correction, _, gap_columns = pooled.sizes
    pooled.give_back()
    w = Memory(states, memory, contacts, rows, correction, tape, gap_columns).march
    w.tape = np.zeros(w.tape.shape)
    w.events = np.zeros((events + 4 * contacts + 2, w.events.shape[1]))
    return w


def _written(walk: _Walk, system: System, method: Method) -> MarchImage:
    places: dict[int, int] = {}  # of records, by their address
    size = 0
    for record in walk.records:
        places[record.address] = size
        size += -(-type(record).nbytes // LINE) * LINE
    starts: list[tuple[int, int, int]] = []  # of buffers: from, to, place
    for begin, end in walk.buffers():
        starts.append((begin, end, size))
        size += -(-(end - begin) // LINE) * LINE
    block = bytearray(size)
    slots = memoryview(block).cast("q")
    pointers: list[int] = []
    functions: dict[int, str] = {}
    known = {address: name for name, address in system.addresses.items() if address}

    def inside(address: int) -> int:
        begin, _, place = next(x for x in starts if x[0] <= address < x[1])
        return place + address - begin

    for record in walk.records:
        base = places[record.address]
        slots[base // SLOT : (base + type(record).nbytes) // SLOT] = record._integers[: type(record).nbytes // SLOT]
        for name, lies in type(record).layout.items():
            at, address = base + lies.offset, 0
            value: Any = getattr(record, name)
            if lies.kind == "record" and value is not None:
                address = places[value.address]
            elif lies.kind in ARRAYS:
                address = inside(value.ctypes.data) if value.size else 0
            elif name.endswith(ADDRESS) and value in known:
                functions[at] = f"{OF_SYSTEM}{known[value]}"
            elif name.endswith(ADDRESS) and value in places:
                address = places[value]
            elif name.endswith(ADDRESS) and value:
                raise GudgeonError(f"{method.title} cannot be exported: {type(record).__name__}.{name} is an address "
                                   "of neither a record nor a function of the mechanism")  # fmt: skip
            else:
                continue
            slots[at // SLOT] = address
            if address:
                pointers.append(at)
    for record in walk.records:
        for name, lies in type(record).layout.items():
            value = getattr(record, name)
            if lies.kind in ARRAYS and value.size:
                at = inside(value.ctypes.data)
                block[at : at + value.nbytes] = value.tobytes()
    march: Any = walk.records[0]
    arrays = {n: inside(getattr(march, n).ctypes.data) for n, x in March.layout.items()
              if x.kind in ARRAYS and getattr(march, n).size}  # fmt: skip
    derived = arrays["p"] + SLOT * system.module.parameters
    block[derived : arrays["p"] + march.p.nbytes] = bytes(march.p.nbytes - SLOT * system.module.parameters)
    fields = {n: x.offset for n, x in March.layout.items()}
    numbers: dict[int, float] = {}
    for record in walk.records:
        for name, lies in type(record).layout.items():
            value = getattr(record, name)
            if lies.kind == "float":
                numbers[(places[record.address] + lies.offset) // SLOT] = 0.0
            elif lies.kind in ("floats", "matrix") and name not in WRITTEN_FIRST:
                count = system.module.parameters if value is march.p else value.size
                first = inside(value.ctypes.data) // SLOT if count else 0
                numbers.update(dict.fromkeys(range(first, first + count), 0.0))
    first = arrays["y"] // SLOT
    # states at the start are as exact as the closing of the mechanism
    scale = 10.0 * march.atol / (SHARE * march.rtol)
    numbers.update({first + k: float(x) for k, x in enumerate(scale)})
    rough = [fields["speed"] // SLOT, *(arrays["atol"] // SLOT + k for k in range(march.atol.size))]
    rough += [fields["h"] // SLOT] if method.adaptive else []
    words = np.frombuffer(block, np.float64)
    numbers.update({k: ROUGH * abs(float(words[k])) for k in rough})
    return MarchImage(bytes(block), pointers, functions, fields, arrays, derived, numbers)
