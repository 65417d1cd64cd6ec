"""The memory of a march as one block of bytes, with addresses that count from its start.

Everything that compiled code reads or writes hangs on one record (methods/march/memory.py): numbers, arrays and other
records by their addresses. The block holds copies of all of them in one piece. `pointers` are the places of addresses
in it, to which whoever puts the block into memory adds the place of its start; `functions` are the places of addresses
of functions, by the names of the functions.

Arrays that are parts of the same memory stay parts of the same memory.
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
from gudgeon.quantity import GudgeonError
from gudgeon.simulation.prepare import Prepared

__all__ = ["MarchImage", "image_of"]

LINE = 64  # bytes: arrays begin on lines of the cache
ADDRESS = "_at"  # how names of fields end that hold the address of a function or of a record


@dataclass
class MarchImage:
    """A march that has not begun.

    fields  places of the fields of its record, which lies at the start
    arrays  places of the arrays of its record
    """

    data: bytes
    pointers: list[int]
    functions: dict[int, str]
    fields: dict[str, int]
    arrays: dict[str, int]


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
        """Pieces of memory, from and to an address, each holding all arrays that share any of it."""
        pieces: list[list[int]] = []
        for begin, size in sorted(self.spans):
            if pieces and begin < pieces[-1][1]:
                pieces[-1][1] = max(pieces[-1][1], begin + size)
            else:
                pieces.append([begin, begin + size])
        return [(begin, end) for begin, end in pieces]


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
    march = walk.records[0]
    arrays = {n: inside(getattr(march, n).ctypes.data) for n, x in March.layout.items()
              if x.kind in ARRAYS and getattr(march, n).size}  # fmt: skip
    return MarchImage(bytes(block), pointers, functions, {n: x.offset for n, x in March.layout.items()}, arrays)
