"""WebAssembly: code as a module that a browser compiles.

LLVM writes an object file for a linker. With one piece of code there is nothing to link: the object already is a module
with an import of its memory, of the pointer of its stack and of the table of functions. It lacks exports, which are
added here from its list of symbols; what only a linker reads is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gudgeon.compile.python import target
from gudgeon.quantity import GudgeonError

__all__ = ["TRIPLE", "BrowserModule", "module_of"]

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint"  # what all browsers have had since 2021
CUSTOM, IMPORTS, EXPORTS, DATA = 0, 2, 7, 11  # sections
ORDER = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11)  # in which a module has them
FUNCTION, TABLE, MEMORY, GLOBAL = range(4)  # kinds of imports and exports
GIVEN = ("__linear_memory", "__stack_pointer", "__indirect_function_table")
SYMBOLS = 8  # the part of the custom section "linking"
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40


@dataclass(frozen=True)
class BrowserModule:
    """A module, and how many bytes at the start of the memory are its constants."""

    code: bytes
    constants: int


def module_of(text: str, names: list[str], *, effort: int = 2) -> BrowserModule:
    """LLVM code as a module that exports some of its functions. It imports from "env": "__linear_memory",
    "__stack_pointer" and "__indirect_function_table"."""

    def make() -> bytes:
        return target.object_for(text, TRIPLE, features=FEATURES, effort=effort, shared=False)

    return _linked(target.remembered("export", f"{TRIPLE} {FEATURES} {effort} {text}", "wasm", make), names)


def _linked(made: bytes, names: list[str]) -> BrowserModule:
    sections = dict(_sections(made))
    places = _functions(_linking(made))
    missing = [name for name in names if name not in places]
    assert not missing, f"not in the code: {missing}"
    imported = [name for kind, name in _imports(sections.get(IMPORTS, b"\0")) if kind == FUNCTION or name not in GIVEN]
    if imported:
        raise GudgeonError(f"the code cannot leave: it needs {', '.join(imported)} of the C library")
    exports = b"".join(_text(name) + bytes([FUNCTION]) + _number(places[name]) for name in names)
    sections[EXPORTS] = _number(len(names)) + exports
    body = b"".join(bytes([k]) + _number(len(sections[k])) + sections[k] for k in ORDER if k in sections)
    return BrowserModule(made[:8] + body, _constants(sections.get(DATA, b"\0")))


class _ByteReader:
    """Reads numbers and names one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self, *, signed: bool = False) -> int:
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value

    def bytes(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def text(self) -> str:
        return self.bytes(self.number()).decode()


def _sections(made: bytes) -> Iterator[tuple[int, bytes]]:
    """All but the custom ones."""
    yield from ((kind, body) for kind, body in _every_section(made) if kind != CUSTOM)


def _every_section(made: bytes) -> Iterator[tuple[int, bytes]]:
    read = _ByteReader(made)
    read.bytes(8)
    while read.at < len(made):
        kind = read.byte()
        yield kind, read.bytes(read.number())


def _linking(made: bytes) -> bytes:
    """What is said for a linker."""
    for kind, body in _every_section(made):
        if kind == CUSTOM:
            read = _ByteReader(body)
            if read.text() == "linking":
                return body[read.at :]
    raise AssertionError("LLVM wrote an object file without symbols")


def _functions(linking: bytes) -> dict[str, int]:
    """Numbers of the functions that have a symbol."""
    read, found = _ByteReader(linking), {}
    read.number()  # version
    while read.at < len(linking):
        part, size = read.byte(), read.number()
        end = read.at + size
        for _ in range(read.number() if part == SYMBOLS else 0):
            kind, flags = read.byte(), read.number()
            named = not flags & UNDEFINED or bool(flags & EXPLICIT_NAME)
            if kind == 1:  # data: a name, then where it lies
                read.text()
                for _ in range(0 if flags & UNDEFINED else 3):
                    read.number()
            elif kind == 3:  # a section
                read.number()
            else:  # a function, a global or a table
                number = read.number()
                name = read.text() if named else ""
                if kind == 0 and not flags & UNDEFINED:
                    found[name] = number
        read.at = end
    return found


def _imports(body: bytes) -> Iterator[tuple[int, str]]:
    """Kind and name of each import."""
    read = _ByteReader(body)
    for _ in range(read.number()):
        read.text()
        name, kind = read.text(), read.byte()
        if kind == FUNCTION:
            read.number()
        elif kind == GLOBAL:
            read.bytes(2)
        else:  # a table has a type before its limits
            if kind == TABLE:
                read.byte()
            for _ in range(1 + read.byte()):
                read.number()
        yield kind, name


def _constants(body: bytes) -> int:
    """The end of the data that the code finds in memory."""
    read, end = _ByteReader(body), 0
    for _ in range(read.number()):
        assert read.number() == 0, "data of a memory that is not the only one"
        assert read.byte() == 0x41, "data whose place is no number"
        place = read.number(signed=True)
        assert read.byte() == 0x0B
        size = read.number()
        read.bytes(size)
        end = max(end, place + size)
    return end


def _number(value: int) -> bytes:
    out = bytearray()
    while True:
        value, byte = value >> 7, value & 0x7F
        out.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(out)


def _text(name: str) -> bytes:
    return _number(len(name.encode())) + name.encode()
