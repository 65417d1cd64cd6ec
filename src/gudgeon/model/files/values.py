"""Reads single values: each kind of entry from its node, every mistake at its own place."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gudgeon.model.files.errors import Problem
from gudgeon.model.files.layout import Entry
from gudgeon.model.files.source import FileLeaf, FileNode, FileRow, FileTable
from gudgeon.model.files.words import ALSO_SAID
from gudgeon.model.formula import Formula, looks_like_formula
from gudgeon.model.values import read_either
from gudgeon.quantity import GudgeonError, Unit, closest, example_of, in_words, plural, quantity

__all__ = ["FAILED", "Problems", "Values", "in_file_words", "in_range", "shown"]

FAILED: Any = object()
# how the messages of the classes are said in Python, and how in a file
_REWORDED = (
    (r'"(\w+)": Ideal\(\)', r"\1: ideal"),
    (r"Ideal\(\)", "fit: ideal"),
    (r"a dict of fits with", "fits for each contact pair with"),
    (r'give a dict, for instance fit=\{"(\w+)": Bushing\(\.\.\.\)\}', r"write for instance fit: {\1: {bushing: ...}}"),
    (r"\w+\(\.\.\., (\w+)=([\w.]+)\)", r"\1: \2"),
    (r"\bfit=Touching\(wall=\.\.\.\)", r"fit: {touching: {wall: {law: KelvinVoigt, ...}}}"),
    (r"\b(\w+)=\(([^()]*)\)", r"\1: [\2]"),
    (r'\b(\w+)="(\w+)"', r"\1: \2"),
    (r'Clearance\("([^"]+)", wall=\.\.\.\)', r"clearance: {radial_clearance: \1, wall: ...}"),
    (r"\b(\w+)=(\.\.\.|\d+\b)", r"\1: \2"),
    (r"\b(\w+)=(?=[,;\s]|$)", r"\1"),
    (r"\bTrue\b", "true"),
    (r"\bFalse\b", "false"),
)


def in_range(call: Callable[..., Any], *values: Any, **named: Any) -> Any:
    """The call, with a clear error where numbers of the file are too large or too small to calculate with."""
    try:
        return call(*values, **named)
    except GudgeonError:
        raise
    except (ArithmeticError, ValueError):
        raise GudgeonError("the numbers are too large or too small to calculate with; check their units") from None


def in_file_words(text: str) -> str:
    """A message of the Python classes for someone who writes YAML."""
    for pattern, words in _REWORDED:
        text = re.sub(pattern, words, text)
    return text


def shown(node: FileNode) -> str:
    """A node in a message."""
    if isinstance(node, FileTable):
        return "a mapping"
    if isinstance(node, FileRow):
        return "a list"
    assert isinstance(node, FileLeaf)
    if node.value is None:
        return "nothing"
    text = node.text if len(node.text) <= 50 else node.text[:49] + "…"
    return f'"{text}"' if isinstance(node.value, str) else text


def sample_of(entry: Entry, size: int, given: FileNode | None = None) -> str:
    """A list of components that an entry may have: no direction of length 0, no body without inertia. A number that was
    given alone is that of every moment of inertia."""
    if entry.name == "gravity":
        return f"[{'0, ' * (size - 1)}-9.81]"
    if entry.name == "inertia":
        one = given.text if isinstance(given, FileLeaf) and given.text else "1e-4"
        return f"[{', '.join([one] * 3)}]"
    directed = entry.units == ("",) or entry.name == "orientation"
    first = "1" if directed else "10 mm" if "m" in entry.units else "0"
    return f"[{first}{', 0' * (size - 1)}]"


class Problems(list[Problem]):
    """The mistakes found so far."""

    def at(self, node: FileNode, message: str, hint: str = "") -> Any:
        """Note one and give back FAILED."""
        message = " ".join(message.split())
        self.append(Problem(node.line, node.column, node.width, message, " ".join(hint.split())))
        return FAILED

    def error(self, node: FileNode, error: GudgeonError | str) -> Any:
        """Note what a class said: what is wrong before the first semicolon, the remedy behind it."""
        message, _, hint = in_file_words(str(error)).partition("; ")
        return self.at(node, message, hint)

    def unknown(self, node: FileNode, word: str, name: str, known: Any) -> Any:
        """Note a name that nothing carries."""
        names = list(dict.fromkeys(known))
        likely = next((n for n in names if n.lower() in (name.lower(), ALSO_SAID.get(name.lower()))), None)
        likely = likely or closest(name, names)
        listed = f"choose from {in_words(names)}" if names else ""
        return self.at(node, f'unknown {word} "{name[:60]}"', f'did you mean "{likely}"?' if likely else listed)


class Values:
    """Reads values that need nothing but themselves."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems

    def read(self, entry: Entry, node: FileNode) -> Any:
        """The value of a key, or FAILED; what a class checks itself passes as written."""
        reader = getattr(self, f"read_{entry.kind}")
        return reader(entry, node)

    def read_quantity(self, entry: Entry, node: FileNode) -> Any:
        unit = entry.unit
        assert unit is not None
        return self.number(entry.name, node, unit)

    def number(self, name: str, node: FileNode, unit: Unit) -> Any:
        """A number, or a text with a unit; as written, once it is known to be right."""
        if not self._is_number_or_text(node):
            message = f"{name} must be {_wanted(unit.unit)}, not {shown(node)}"
            return self.problems.at(node, message, _advice(unit.example, unit.unit))
        assert isinstance(node, FileLeaf)
        try:
            in_range(unit.read, node.value, name)
        except GudgeonError as error:
            return self.problems.error(node, error)
        return node.value

    def _is_number_or_text(self, node: FileNode) -> bool:
        return (
            isinstance(node, FileLeaf)
            and isinstance(node.value, int | float | str)
            and not isinstance(node.value, bool)
        )

    def read_either(self, entry: Entry, node: FileNode) -> Any:
        """A number whose unit the class knows."""
        if not self._is_number_or_text(node):
            wanted = "a number or a text with a unit"
            usual = " or ".join(map(example_of, entry.units))
            hint = f"write for instance {usual}" if usual else "write a number"
            return self.problems.at(node, f"{entry.name} must be {wanted}, not {shown(node)}", hint)
        assert isinstance(node, FileLeaf)
        try:
            if entry.units:
                in_range(read_either, node.value, entry.units, entry.name)
        except GudgeonError as error:
            return self.problems.error(node, error)
        return node.value

    def read_point(self, entry: Entry, node: FileNode) -> Any:
        assert entry.unit is not None
        (size,) = entry.sizes
        sample = sample_of(entry, size)
        items = self.row(entry.name, node, size, sample, in_space=True)
        if items is FAILED:
            return FAILED
        values = [self.number(f"{entry.name}[{k}]", item, entry.unit) for k, item in enumerate(items)]
        return FAILED if FAILED in values else tuple(values)

    def read_points(self, entry: Entry, node: FileNode) -> Any:
        if not isinstance(node, FileRow):
            zeros = ", 0" * (entry.sizes[0] - 1)
            message = f"{entry.name} must be a list of points, not {shown(node)}"
            return self.problems.at(node, message, f"write {entry.name}: [[10 mm{zeros}], [20 mm{zeros}]]")
        read = [self.read_point(replace(entry, name=f"{entry.name}[{k}]"), item) for k, item in enumerate(node.items)]
        return FAILED if FAILED in read else tuple(read)

    def row(self, name: str, node: FileNode, size: int, example: str, *, in_space: bool = False) -> Any:
        if not isinstance(node, FileRow):
            message = f"{name} must be a list of {size}, not {shown(node)}"
            return self.problems.at(node, message, f"write {name}: {example}")
        if len(node.items) != size:
            count, hint = len(node.items), f"write {name}: {example}"
            if in_space and (count, size) == (3, 2):
                hint += ", or planar: false at the top for a mechanism in space"
            elif in_space and (count, size) == (2, 3):
                hint += "; the file says planar: false"
            leaves = [item.text for item in node.items if isinstance(item, FileLeaf)]
            if count < size and any(NUMBERS_APART.fullmatch(text) for text in leaves):
                hint = f"put a comma between the values: {name}: {example}"
            elif count > size and leaves[0] == "0" and leaves[1].isdigit() and int(leaves[1]) > 0:
                hint = f"a comma divides values; did you mean {name}: [0.{', '.join(leaves[1:])}]?"
            if any(text.count("(") != text.count(")") for text in leaves):
                hint = "a comma divides values here; put a formula that has one in quotes"
            return self.problems.at(node, f"{name} has {plural(count, 'value')} instead of {size}", hint)
        return node.items

    def read_vector(self, entry: Entry, node: FileNode) -> Any:
        """A list of one of several sizes, each with its unit."""
        sizes, units = entry.sizes, entry.units
        example = f"write {entry.name}: {sample_of(entry, sizes[0], node)}"
        words = " or ".join(str(size) for size in sizes)
        if not isinstance(node, FileRow):
            return self.problems.at(node, f"{entry.name} must be a list of {words}, not {shown(node)}", example)
        if len(node.items) not in sizes:
            message = f"{entry.name} has {plural(len(node.items), 'value')} instead of {words}"
            return self.problems.at(node, message, f"{example}; {entry.words}")
        unit = Unit(units[sizes.index(len(node.items))])
        values = [self.number(f"{entry.name}[{k}]", item, unit) for k, item in enumerate(node.items)]
        return FAILED if FAILED in values else tuple(values)

    def read_count(self, entry: Entry, node: FileNode) -> Any:
        """A whole number."""
        value = getattr(node, "value", None)
        least = 0 if entry.unit is not None and entry.unit.minimum == 0.0 else 1
        if isinstance(value, int) and not isinstance(value, bool) and value >= least:
            return value
        hint = f"write for instance {entry.name}: {least + 2}"
        message = f"{entry.name} must be a whole number of at least {least}, not {shown(node)}"
        return self.problems.at(node, message, hint)

    def read_numbers(self, entry: Entry, node: FileNode) -> Any:
        if not isinstance(node, FileRow):
            return self.problems.at(node, f"{entry.name} must be a list, not {shown(node)}", "write [0, 1, 2]")
        for k, item in enumerate(node.items):
            if not self._is_number_or_text(item):
                message = f"{entry.name}[{k}] must be a number or a text with a unit, not {shown(item)}"
                return self.problems.at(item, message, "write a number, for instance 2.5")
        return tuple(item.value for item in node.items)  # type: ignore[attr-defined]

    def read_matrix(self, entry: Entry, node: FileNode) -> Any:
        """Rows of numbers, or the diagonal alone; the class knows units and what a matrix must keep to."""
        (size,) = entry.sizes
        rows = self.row(entry.name, node, size, f"[{', '.join('0' * size)}]")
        if rows is FAILED or not any(isinstance(item, FileRow) for item in rows):
            return FAILED if rows is FAILED else self.read_numbers(entry, node)
        read = []
        for k, item in enumerate(rows):
            one = replace(entry, name=f"{entry.name}[{k}]")
            inner = self.row(one.name, item, size, f"[{', '.join('0' * size)}]")
            read.append(FAILED if inner is FAILED else self.read_numbers(one, item))
        return FAILED if FAILED in read else tuple(read)

    def read_signal(self, entry: Entry, node: FileNode) -> Any:
        return self.signal(entry.name, node, entry.units)

    def read_signals(self, entry: Entry, node: FileNode) -> Any:
        (size,) = entry.sizes
        items = self.row(entry.name, node, size, f"[5 {entry.units[0]}{', 0' * (size - 1)}]", in_space=True)
        if items is FAILED:
            return FAILED
        values = [self.signal(f"{entry.name}[{k}]", item, entry.units) for k, item in enumerate(items)]
        return FAILED if FAILED in values else tuple(values)

    def signal(self, name: str, node: FileNode, units: tuple[str, ...]) -> Any:
        """A number, a text with a unit, or a formula."""
        if not self._is_number_or_text(node):
            # of drives, whose unit is that of their joint
            wanted = f"{_wanted(' or '.join(units))}, or a formula{' of t' if len(units) > 1 else ''}"
            advice = _advice(example_of(units[0]), units[0])
            return self.problems.at(node, f"{name} must be {wanted}, not {shown(node)}", advice)
        assert isinstance(node, FileLeaf)
        try:
            if len(units) > 1:
                in_range(read_either, node.value, units, name)
            else:
                in_range(quantity, node.value, units[0], name)
            return node.value
        except GudgeonError as error:
            if not isinstance(node.value, str) or not looks_like_formula(node.value):
                return self.problems.error(node, error)
        return self.formula(name, node)

    def read_formula(self, entry: Entry, node: FileNode) -> Any:
        if not self._is_number_or_text(node):
            return self.problems.at(node, f"{entry.name} must be a formula of t, not {shown(node)}", _FORMULA)
        return self.formula(entry.name, node)

    def formula(self, name: str, node: FileNode) -> Any:
        assert isinstance(node, FileLeaf)
        try:
            return Formula(node.text)
        except GudgeonError as error:
            return self.formula_problem(name, node, error)

    def formula_problem(self, name: str, node: FileLeaf, error: GudgeonError) -> Any:
        """Note what is wrong with a formula, at the place in it."""
        match = re.match(r'formula ".*", position (\d+): (.*)', str(error), re.DOTALL)
        if match is None:
            return self.problems.at(node, f"{name}: {error}", _FORMULA)
        # inside a plain or quoted text on one line the place is exact
        quoted = 1 if node.width == len(node.text) + 2 else 0
        step = min(int(match[1]) - 1 + quoted, node.width - 1)
        spot = FileNode(node.line, node.column + step, node.width - step - quoted or 1)
        message, _, hint = match[2].partition("; ")
        return self.problems.at(spot, f"{name}: {message}", hint)

    def read_text(self, entry: Entry, node: FileNode) -> Any:
        if isinstance(node, FileLeaf) and isinstance(node.value, str):
            if node.value.strip():
                return node.value
            return self.problems.at(node, f"{entry.name} is empty", "write a word")
        hint = f'put quotes around it: "{node.text}"' if isinstance(node, FileLeaf) and node.text else "write a word"
        return self.problems.at(node, f"{entry.name} must be a text, not {shown(node)}", hint)

    def read_flag(self, entry: Entry, node: FileNode) -> Any:
        if isinstance(node, FileLeaf) and isinstance(node.value, bool):
            return node.value
        message = f"{entry.name} must be true or false, not {shown(node)}"
        return self.problems.at(node, message, f"write {entry.name}: true, or {entry.name}: false")

    def read_choice(self, entry: Entry, node: FileNode) -> Any:
        if not isinstance(node, FileLeaf) or not isinstance(node.value, str):
            hint = f"choose from {in_words(entry.choices)}"
            return self.problems.at(node, f"{entry.name} must be a word, not {shown(node)}", hint)
        if node.value in entry.choices:
            return node.value
        return self.problems.unknown(node, entry.name, node.value, entry.choices)

    def read_list(self, entry: Entry, node: FileNode) -> Any:
        if not isinstance(node, FileRow):
            message = f"{entry.name} must be a list, not {shown(node)}"
            one = node.value if isinstance(node, FileLeaf) and isinstance(node.value, str) else "a, b"
            return self.problems.at(node, message, f"write {entry.name}: [{one}]")
        values = [self.read_text(Entry(f"{entry.name}[{k}]", "text"), item) for k, item in enumerate(node.items)]
        return FAILED if FAILED in values else tuple(values)

    def read_any(self, entry: Entry, node: FileNode) -> Any:
        """A field of somebody's own law: its class knows what it takes."""
        if isinstance(node, FileLeaf):
            return node.value
        if isinstance(node, FileRow) and all(isinstance(item, FileLeaf) for item in node.items):
            return tuple(item.value for item in node.items)  # type: ignore[attr-defined]
        return self.problems.at(node, f"{entry.name} must be a value or a list of values, not {shown(node)}")


# values with only a space between them, as in [0.025 0]
NUMBERS_APART = re.compile(r"[-+]?\d[\d.e+-]*( ?[a-zµ]{1,2})?\s+[-+]?\d.*")
_FORMULA = 'write for instance "0.1*sin(20*t)"'


def _wanted(unit: str) -> str:
    return f"a number or a text with a unit [{unit}]" if unit else "a number"


def _advice(example: str, unit: str) -> str:
    return f"write for instance {example}" if unit else "give the number alone"

