"""YAML text to nodes that know where they stand. Nothing is constructed here, so nothing can be executed.

PyYAML only splits the text into events. What they mean follows YAML 1.2: `1e-4` is a number, `on` and `no` are
texts, `12:30:45` is a text, a key that comes twice is a problem. Tags are refused, aliases are allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from gudgeon.model.files.errors import Problem, lines_of

__all__ = ["FileLeaf", "FileNode", "FileRow", "FileTable", "compose", "place_of", "scalar"]

_DEEPEST = 30
_MOST_REPEATED = 20_000  # values that the aliases of a file may stand for together
_WHOLE = re.compile(r"[-+]?\d{1,15}")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "true": True, "false": False}
_WORDS |= {word.capitalize(): value for word, value in _WORDS.items() if word.isalpha()}
_WORDS |= {word.upper(): value for word, value in _WORDS.items() if word.isalpha()}
_WORDS |= {".inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan")}
# what YAML does not allow in a text
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(eq=False)
class FileNode:
    """A piece of the text: line and column from 1, width on its first line."""

    line: int
    column: int
    width: int


@dataclass(eq=False)
class FileLeaf(FileNode):
    """A text, number, true, false or nothing."""

    text: str
    value: Any


@dataclass(eq=False)
class FileRow(FileNode):
    """A list."""

    items: list[FileNode] = field(default_factory=list)


@dataclass(eq=False)
class FileTable(FileNode):
    """A mapping; keys are texts as written."""

    entries: list[tuple[FileLeaf, FileNode]] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [key.text for key, _ in self.entries]

    def get(self, name: str) -> FileNode | None:
        return next((value for key, value in self.entries if key.text == name), None)


class _Stop(Exception):
    """A problem after which the rest cannot be read."""


def scalar(text: str) -> Any:
    """What a plain scalar means."""
    if _WHOLE.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    return _WORDS.get(text, text)


def compose(text: str, problems: list[Problem]) -> FileNode | None:
    """The root node; None where the text is empty or cannot be read, which is then a problem."""
    import yaml

    bad = _UNPRINTABLE.search(text)
    if bad is not None:
        line, column = place_of(text, bad.start())
        hint = "remove it; editors show it as a box or not at all"
        problems.append(Problem(line, column, 1, f"the character U+{ord(bad[0]):04X} is not allowed in YAML", hint))
        return None
    composer = _Composer(text, problems)
    try:
        return composer.document(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    except _Stop:
        return None
    except yaml.YAMLError as error:
        problems.append(_syntax(error, lines_of(text)))
        return None


def place_of(text: str, index: int) -> tuple[int, int]:
    """Line and column of a character, as YAML counts them."""
    before = lines_of(text[:index])
    return len(before), len(before[-1]) + 1


class _Composer:
    """Builds the tree of one document; a list instead of recursion, so that nesting cannot overflow."""

    def __init__(self, text: str, problems: list[Problem]) -> None:
        self.lines, self.problems = lines_of(text), problems
        self.anchors: dict[str, FileNode] = {}
        self.sizes: dict[FileNode, int] = {}  # values in each list and mapping, those behind aliases too
        self.repeated = 0
        self.open: list[FileRow | FileTable] = []
        self.known: list[dict[str, FileLeaf]] = []  # keys of each open mapping
        self.names: list[str | None] = []
        self.keys: list[FileLeaf | None] = []
        self.root: FileNode | None = None

    def document(self, events: Iterator[Any]) -> FileNode | None:
        for event in events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent" and self.root is not None:
                self.refuse(event, "a second document begins here", "keep one model per file, without a second ---")
            elif kind == "AliasEvent":
                self.add(self.alias(event))
            elif kind == "ScalarEvent":
                self.add(self.leaf(event))
            elif kind in ("SequenceStartEvent", "MappingStartEvent"):
                self.begin(event, FileRow if kind[0] == "S" else FileTable)
            elif kind in ("SequenceEndEvent", "MappingEndEvent"):
                node, anchor = self.open.pop(), self.names.pop()
                self.keys.pop()
                self.known.pop()
                if event.end_mark.line + 1 == node.line:
                    node.width = max(1, event.end_mark.column + 1 - node.column)
                if anchor:
                    self.anchors[anchor] = node
                self.add(node)
        return self.root

    def spot(self, event: Any) -> tuple[int, int, int]:
        start, end = event.start_mark, event.end_mark
        line = min(start.line + 1, len(self.lines))
        length = len(self.lines[line - 1])
        column = min(start.column + 1, length + 1) if line == start.line + 1 else length + 1
        stop = end.column if end.line == start.line else length
        return line, column, max(1, stop - column + 1)

    def refuse(self, event: Any, message: str, hint: str) -> None:
        self.problems.append(Problem(*self.spot(event), message, hint))
        raise _Stop

    def tagged(self, event: Any) -> None:
        if event.tag is not None and event.tag != "!":
            line, column, _ = self.spot(event)
            shown = event.tag.replace("tag:yaml.org,2002:", "!!")
            problem = Problem(line, column, 1, f"the tag {shown} is not allowed", "write the plain value instead")
            self.problems.append(problem)

    def begin(self, event: Any, cls: type[FileRow] | type[FileTable]) -> None:
        self.tagged(event)
        if len(self.open) >= _DEEPEST:
            self.refuse(event, f"nested deeper than {_DEEPEST} levels", "a model needs at most ten")
        self.open.append(cls(*self.spot(event)))
        self.names.append(event.anchor)
        self.keys.append(None)
        self.known.append({})
        self.sizes[self.open[-1]] = 1

    def leaf(self, event: Any) -> FileLeaf:
        self.tagged(event)
        value = event.value if event.style else scalar(event.value)
        node = FileLeaf(*self.spot(event), event.value, value)
        if event.anchor:
            self.anchors[event.anchor] = node
        return node

    def alias(self, event: Any) -> FileNode:
        if event.anchor not in self.anchors:
            message = f'the alias "*{event.anchor}" names no anchor above it'
            hint = f"write &{event.anchor} before the value it means"
            self.problems.append(Problem(*self.spot(event), message, hint))
            return FileLeaf(*self.spot(event), f"*{event.anchor}", f"*{event.anchor}")
        node = self.anchors[event.anchor]
        self.repeated += self.sizes.get(node, 1)
        if self.repeated > _MOST_REPEATED:
            self.refuse(event, f"the aliases up to here stand for more than {_MOST_REPEATED} values",
                        "write what is needed in the place of the alias")  # fmt: skip
        return node

    def add(self, node: FileNode) -> None:
        if not self.open:
            self.root = node
            return
        owner = self.open[-1]
        self.sizes[owner] += self.sizes.get(node, 1)
        if isinstance(owner, FileRow):
            owner.items.append(node)
        elif self.keys[-1] is None:
            self.keys[-1] = self.key(owner, node)
        else:
            key = self.keys[-1]
            if isinstance(node, FileLeaf) and not node.text:
                # nothing has no place of its own
                node = FileLeaf(key.line, key.column, key.width, "", node.value)
            owner.entries.append((key, node))
            self.keys[-1] = None

    def key(self, owner: FileTable, node: FileNode) -> FileLeaf:
        if not isinstance(node, FileLeaf):
            hint = "write key: value, the key a word"
            self.problems.append(Problem(node.line, node.column, node.width, "a key must be a text", hint))
            return FileLeaf(node.line, node.column, node.width, "", None)
        first = self.known[-1].setdefault(node.text, node)
        if first is not node:
            problem = Problem(node.line, node.column, node.width, f'the key "{node.text}" is given twice',
                              f"it is already on line {first.line}; keep one of them")  # fmt: skip
            self.problems.append(problem)
        return node


_KNOWN = (
    ("cannot start any token", "\t", "a tab is used for indentation", "indent with spaces; YAML does not allow tabs"),
    ("mapping values are not allowed", "", "a colon does not fit here",
     'put "..." around a text with a colon in it, check the indentation, or a colon is missing on the line before'),
    ("could not find expected ':'", "", "a colon is missing", "write key: value"),
    ("did not find expected key", "", "a key is expected here",
     "check the indentation, and that every { } and [ ] is closed"),
    ("did not find expected '-' indicator", "", "this does not belong to the list above", "check the indentation"),
    ("expected ',' or '}'", "", "a comma or } is missing before this", "close what was opened with {"),
    ("expected ',' or ']'", "", "a comma or ] is missing before this", "close what was opened with ["),
    ("unexpected end of stream", "", "a quoted text is not closed", "close it with the same quote"),
)  # fmt: skip


def _syntax(error: Any, lines: list[str]) -> Problem:
    mark, opened = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    text = str(getattr(error, "problem", None) or error).strip()
    at_end = mark is not None and not any(line.strip() for line in lines[mark.line :])
    if opened is not None and (mark is None or at_end):
        # the end of the file says little; where it was opened says all
        mark = opened
    line = min(mark.line + 1, len(lines)) if mark is not None else 1
    column = min(mark.column + 1, len(lines[line - 1]) + 1) if mark is not None else 1
    here = lines[line - 1][column - 1 : column]
    for words, character, message, hint in _KNOWN:
        if words in text and (not character or here == character):
            if mark is opened:
                return Problem(line, column, 1, "what begins here is not closed before the file ends", hint)
            if opened is not None and opened.line + 1 != line:
                hint += f" (it began on line {opened.line + 1})"
            return Problem(line, column, 1, message, hint)
    hint = "indent with spaces" if "tab" in text else "check brackets, quotes and indentation"
    return Problem(line, column, 1, f"this is no YAML: {text.splitlines()[0] if text else 'it cannot be read'}", hint)
