"""Problems of a model file, shown as a good compiler shows them: place, line, caret, remedy."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from gudgeon.quantity import GudgeonError

__all__ = ["ModelFileError", "Problem", "lines_of"]

_WIDEST = 110  # of a source line as shown
_MOST = 50  # problems as shown


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake: line and column from 1, width of the caret marks, what is wrong, and what to do."""

    line: int
    column: int
    width: int
    message: str
    hint: str = ""


class ModelFileError(GudgeonError):
    """Everything that is wrong with one model file, in the order of its lines."""

    def __init__(self, name: str, text: str, problems: Sequence[Problem]) -> None:
        self.name, self.text = name, text
        self.problems = tuple(sorted(set(problems)))
        super().__init__(self._shown())

    def __reduce__(self) -> tuple[type[ModelFileError], tuple[str, str, tuple[Problem, ...]]]:
        return type(self), (self.name, self.text, self.problems)

    def _shown(self) -> str:
        lines = lines_of(self.text)
        blocks = [_block(self.name, problem, lines) for problem in self.problems[:_MOST]]
        count = len(self.problems)
        if count > _MOST:
            blocks.append(f"and {count - _MOST} more behind these; mend the first ones first")
        return "\n".join([*blocks, f"{count} problem{'s' * (count != 1)}, nothing was run"])


def lines_of(text: str) -> list[str]:
    """The lines as YAML counts them."""
    return re.split("\r\n|[\n\r\x85\u2028\u2029]", text)


def _block(name: str, problem: Problem, lines: Sequence[str]) -> str:
    shown = [f"{name}:{problem.line}:{problem.column}: {problem.message}"]
    line = lines[problem.line - 1] if problem.line <= len(lines) else ""
    if line.strip():
        before, marked, after = _window(line, problem.column - 1, problem.width)
        number = f"{problem.line:>5}"
        shown.append(f"{number} | {before}{marked}{after}".rstrip())
        shown.append(f"{' ' * len(number)} | {' ' * _cells(before)}{'^' * max(1, _cells(marked))}")
    if problem.hint:
        shown.append(f"      {problem.hint}")
    return "\n".join(shown)


def _window(line: str, start: int, width: int) -> tuple[str, str, str]:
    """The marked piece with what fits around it; what a terminal would act on becomes harmless."""
    clean = "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in line)
    before, marked, after = clean[:start], clean[start : start + width], clean[start + width :]
    if len(clean) > _WIDEST:
        marked = marked if len(marked) <= 60 else marked[:59] + "…"
        before = before if len(before) <= 30 else "… " + before[-28:]
        room = _WIDEST - len(before) - len(marked)
        after = after if len(after) <= room else after[: max(0, room - 2)] + " …"
    return before, marked, after


def _cells(text: str) -> int:
    """Columns on a terminal."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
