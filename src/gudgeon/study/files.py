"""Study files: a study as YAML, read like a model file, with every mistake at its place.

model: ../models/slider-crank.yaml
vary:
  pin.radial_clearance: {logspace: [0.01 mm, 0.5 mm, 60]}
  pin.friction: [0, 0.01, 0.03]
measure: [peak pin.force, contacts pin]
run: {revolutions: 4}
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.analysis.measures import MEASURES, named
from gudgeon.model import Mechanism
from gudgeon.model.files import ModelFileError
from gudgeon.model.files.edit import put
from gudgeon.model.files.json_schema import schema_of
from gudgeon.model.files.layout import Entry, run_entries
from gudgeon.model.files.parts import Keys, Parts
from gudgeon.model.files.reader import load as load_model
from gudgeon.model.files.reader import parse, read_text
from gudgeon.model.files.source import FileLeaf, FileNode, FileRow, FileTable
from gudgeon.model.files.values import FAILED, Problems, shown
from gudgeon.quantity import GudgeonError, Unit, in_words
from gudgeon.study.points.design import DESIGNS
from gudgeon.study.points.values import KINDS, Axis, Iso, Linspace, Listed
from gudgeon.study.study import Study

__all__ = ["Finder", "StudyFile", "load", "loads", "schema", "study_entries"]

Finder = Callable[[str], Mechanism | None]

_EMPTY = ("there is no study in this file", "a study begins with model: and vary:")


@dataclass(frozen=True)
class StudyFile:
    """A study as a file describes it; path is None for a text."""

    study: Study
    model: str
    path: Path | None = None


def load(path: str | Path, cases: Finder | None = None) -> StudyFile:
    """Read a study file; ModelFileError shows everything that is wrong with it.

    cases: gives the mechanism of a built-in case by its name, None where there is no such case.
    """
    place = Path(path)
    read = loads(read_text(place), str(place), place.parent, cases)
    return StudyFile(read.study, read.model, place)


def loads(text: str, name: str = "<text>", folder: str | Path = ".", cases: Finder | None = None) -> StudyFile:
    """The same from a text; models are looked for in `folder`."""
    file: StudyFile = parse(text, name, lambda p, root: _Reader(p, Path(folder), cases).file(root), *_EMPTY)
    return file


def study_entries() -> dict[str, Entry]:
    """Keys of a study file."""
    count = Unit("", above=0.0)
    entries = (
        Entry("name", "text", words="name of the study"),
        Entry("model", "text", required=True, words="a model file, from the folder of this file, or a built-in case"),
        Entry("set", "changes", words="changes of the model before anything is varied: path: value"),
        Entry("vary", "axes", required=True, words=f"path: a list of values, or {', '.join(KINDS)}"),
        Entry("design", "choice", choices=tuple(DESIGNS), words="which combinations; default grid"),
        Entry("samples", "count", unit=count, words="number of runs of a sampled design; of saltelli, of pairs"),
        Entry("seed", "count", unit=Unit("", minimum=0.0), words="seed of a sampled design; default 0"),
        Entry("measure", "measures", required=True, words=f"texts that begin with {', '.join(MEASURES)}"),
        Entry("keep", "list", words="channels whose traces are stored"),
        Entry("run", "run", required=True, words="settings of the runs"),
    )
    return {entry.name: entry for entry in entries}


def settings_entries() -> dict[str, Entry]:
    """Keys of `run` in a study: those of a model file, and the settled motion."""
    own = {name: entry for name, entry in run_entries().items() if name not in ("channels", "trust")}
    turns = Entry("turns", "quantity", unit=Unit("", above=0.0), words="periods of the settled motion to measure")
    transient = Entry("transient", "quantity", unit=Unit("", minimum=0.0), words="periods before that, which are "
        "left out")
    period = Entry("period", "quantity", unit=Unit("s", above=0.0), words="period of drives and loads; default: one "
        "turn of the drive")
    return {**own, "turns": turns, "transient": transient, "period": period}


def schema() -> dict[str, Any]:
    """JSON Schema of a study file, for editors."""
    value = float | str
    kinds: Any = list[value] | str
    extra = {"set": dict[str, Any], "vary": dict[str, kinds | dict[str, kinds]], "measure": str | list[str]}
    return schema_of("study file", study_entries(), settings_entries(), extra)


class _Reader(Parts):
    """One file."""

    def __init__(self, problems: Problems, folder: Path, cases: Finder | None) -> None:
        super().__init__(problems)
        self.folder, self.cases = folder, cases
        self.nodes: dict[str, FileNode] = {}

    def file(self, root: FileNode) -> StudyFile | None:
        if not isinstance(root, FileTable):
            self.problems.at(root, f"a study file is a mapping, not {shown(root)}", "begin with model: ...")
            return None
        first = root.entries[0][0] if root.entries else root
        model = root.get("model")
        if root.get("bodies") is not None and root.get("vary") is None:
            self.problems.at(first, "a study file says what to vary", "this is a model; a study names it in model:")
            return None
        self.mechanism = self._model(model) if isinstance(model, FileLeaf) and isinstance(model.value, str) else None
        changes = root.get("set")
        if self.mechanism is not None and isinstance(changes, FileTable):
            self._change(changes)
        keys = self.keys(root, study_entries(), "a study file", first)
        if self.problems or self.mechanism is None:
            return None
        return self._study(keys)

    def _model(self, node: FileLeaf) -> Mechanism | None:
        mechanism = self.cases(node.value) if self.cases is not None else None
        if mechanism is not None:
            return mechanism
        path = self.folder / node.value
        try:
            return load_model(path).mechanism
        except ModelFileError as error:
            count = len(error.problems)
            worst = error.problems[0]
            message = (
                f"model {path} has {count} problem{'s' * (count != 1)}, first in line {worst.line}: {worst.message}"
            )
            self.problems.at(node, message, f"`gudgeon check {path}` shows all")
        except GudgeonError as error:
            likely = str(error).partition("; ")[2]
            about = likely or "give a model file, or a case of `gudgeon list cases`"
            self.problems.at(node, f'no model file or built-in case "{node.value}"', about)
        return None

    def _change(self, node: FileTable) -> None:
        for key, value in node.entries:
            assert self.mechanism is not None
            given = (
                value.value
                if isinstance(value, FileLeaf)
                else [getattr(x, "value", None) for x in getattr(value, "items", [])]
            )
            try:
                self.mechanism = put(self.mechanism, key.text, given)
            except GudgeonError as error:
                self._refuse(key, value, key.text, error)

    def _study(self, keys: Keys) -> StudyFile | None:
        assert self.mechanism is not None
        given = dict(keys.values)
        model, run = given.pop("model"), given.pop("run")
        given.pop("set", None)
        try:
            study = Study(self.mechanism, **given, **run)
            study.check()
        except GudgeonError as error:
            self._wrong(keys, str(error).removeprefix("Study: "))
            return None
        return StudyFile(study, model)

    def _wrong(self, keys: Keys, text: str) -> None:
        """Where an error of the whole study belongs: at the text, path or key that it names."""
        first = [node for word, node in self.spots.items() if re.match(rf"{word}=? ", text) and word != "measure"]
        inner = [node for word, node in self.nodes.items() if f'"{word}"' in text]
        others = [node for word, node in keys.spots.items() if word in text.partition(";")[0]]
        self.problems.error([*first, *inner, *others, keys.place][0], text)

    # -- kinds of entries of this file -----------------------------------------------------------------------------

    def read_changes(self, entry: Entry, node: FileNode) -> Any:
        if isinstance(node, FileTable) or (isinstance(node, FileLeaf) and node.value is None):
            return {}
        return self.problems.at(node, f"set must be a mapping, not {shown(node)}", "write set: {pin.friction: 0.03}")

    def read_list(self, entry: Entry, node: FileNode) -> Any:
        if isinstance(node, FileRow):
            self.nodes |= {item.text: item for item in node.items if isinstance(item, FileLeaf)}
        return super().read_list(entry, node)

    def read_run(self, entry: Entry, node: FileNode) -> Any:
        keys = self.keys(node, settings_entries(), "run", node)
        if not keys.sound:
            return FAILED
        ends = [key for key, _ in getattr(node, "entries", []) if key.text in ("duration", "revolutions", "turns")]
        if len(ends) != 1:
            place, words = (ends[1], "more than one") if ends else (node, "none")
            return self.problems.at(place, f"run has {words} of revolutions, duration and turns", "give one of them")
        return dict(keys.values)

    def read_measures(self, entry: Entry, node: FileNode) -> Any:
        items = node.items if isinstance(node, FileRow) else [node]
        measures = []
        for item in items:
            if not isinstance(item, FileLeaf) or not isinstance(item.value, str):
                message = f"a measure must be a text, not {shown(item)}"
                measures.append(self.problems.at(item, message, "write for instance peak pin.force"))
                continue
            try:
                measures.append(named(item.value))
                self.nodes[" ".join(item.value.split())] = item
            except GudgeonError as error:
                measures.append(self.problems.error(item, error))
        if not items:
            return self.problems.at(node, "measure is empty", "write for instance measure: [peak pin.force]")
        return FAILED if FAILED in measures else measures

    def read_axes(self, entry: Entry, node: FileNode) -> Any:
        if not isinstance(node, FileTable) or not node.entries:
            hint = "write vary: {pin.radial_clearance: [0.1 mm, 0.2 mm]}"
            return self.problems.at(node, f"vary must be a mapping of paths, not {shown(node)}", hint)
        axes = {}
        for key, value in node.entries:
            self.nodes[key.text] = key
            axes[key.text] = self._axis(key, value)
        return FAILED if FAILED in axes.values() else axes

    def _axis(self, key: FileLeaf, node: FileNode) -> Any:
        if isinstance(node, FileLeaf) and isinstance(node.value, str) and "/" in node.value:
            return self._made(key, node, Iso, [node])
        if isinstance(node, FileRow) and node.items:
            return self._made(key, node, None, node.items)
        if isinstance(node, FileTable) and len(node.entries) == 1:
            word, inner = node.entries[0]
            if word.text not in KINDS:
                return self.problems.unknown(word, "kind of values", word.text, KINDS)
            return self._made(key, word, KINDS[word.text], inner.items if isinstance(inner, FileRow) else [inner])
        hint = f"write a list, or one of {in_words(KINDS)}, for instance {{linspace: [0.1 mm, 0.5 mm, 5]}}"
        return self.problems.at(node, f'"{key.text}" has no values: {shown(node)}', hint)

    def _made(self, key: FileLeaf, place: FileNode, kind: type[Axis] | None, items: list[FileNode]) -> Any:
        values = []
        for item in items:
            if isinstance(item, FileLeaf) and item.value is not None:
                values.append(item.value)
            elif kind is None and isinstance(item, FileRow):
                values.append([getattr(inner, "value", None) for inner in item.items])
            else:
                return self.problems.at(item, f"a value must be a number or a text, not {shown(item)}",
                                        "write it as in the model, a number or a text with a unit")  # fmt: skip
        if kind is not None and kind.word == "logspace" and values and not _positive(values[0]):
            return self.problems.at(items[0], f"logspace cannot begin at {values[0]}, which has no logarithm",
                                    "begin above 0, or use linspace")  # fmt: skip
        try:
            axis = Listed(tuple(values)) if kind is None else kind(*values)
        except TypeError:
            wanted = "[low, high, points]" if kind is not None and issubclass(kind, Linspace) else "[first, second]"
            return self.problems.at(place, f"{place.text} takes {wanted}, not {len(values)} values",  # type: ignore[attr-defined]
                                    f"write for instance {place.text}: {_sample(kind)}")  # type: ignore[attr-defined]  # fmt: skip
        except GudgeonError as error:
            return self.problems.error(place, error)
        return axis if self._taken(key, place, axis, items) else FAILED

    def _taken(self, key: FileLeaf, place: FileNode, axis: Axis, items: list[FileNode]) -> bool:
        """Whether the mechanism takes the values: each of a list, both ends of a range, the middle of others."""
        if self.mechanism is None:
            return True
        checked = items[:2] if isinstance(axis, Linspace) else items if isinstance(axis, Listed) else []
        for item in checked:
            try:
                put(self.mechanism, key.text, getattr(item, "value", None))
            except GudgeonError as error:
                self._refuse(key, item, key.text, error)
                return False
        try:
            axis.draw(self.mechanism, key.text, np.array([0.5]))
        except GudgeonError as error:
            self._refuse(key, place, key.text, error)
            return False
        return True

    def _refuse(self, key: FileLeaf, item: FileNode, path: str, error: GudgeonError) -> None:
        """An unknown path is wrong at its key, a wrong value at its own place."""
        text = str(error).removeprefix(f'vary "{path}": ')
        at_key = "unknown p" in text or "has no friction law" in text or "is ideal and has no sizes" in text
        self.problems.error(key if at_key else item, f'"{path}": {text}' if at_key else text)


def _sample(kind: type[Axis] | None) -> str:
    return "[0.1 mm, 0.5 mm, 5]" if kind is not None and issubclass(kind, Linspace) else "[0.2 mm, 0.01 mm]"


def _positive(value: Any) -> bool:
    """Whether a value begins with a positive number; what is no number is refused elsewhere."""
    match = re.match(r"\s*[-+]?[\d.]+(e[-+]?\d+)?", str(value))
    return match is None or float(match[0]) > 0.0
