"""The runs of an optimiser: each candidate on the same machines, one generation after the other, kept in a folder."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.analysis.measures import named
from gudgeon.analysis.measures.measure import ChannelMeasure, JointMeasure
from gudgeon.assemble import Needs, assemble
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError, closest
from gudgeon.study import Study
from gudgeon.study.engines.job import DONE, Job
from gudgeon.written import write_text

__all__ = ["BuiltRuns", "PathRuns", "Runs"]

FEW = 64  # runs: fewer are done in this process, before any other is started


class Runs(ABC):
    """Results of measures for rows of numbers, in a folder by name; what it has is not computed again."""

    units: dict[str, str]

    @abstractmethod
    def values(self, name: str, rows: Sequence[Sequence[Any]]) -> dict[str, np.ndarray]:
        """Of each measure a value for each row, nan without a result."""


class PathRuns(Runs):
    """One mechanism, whose paths have the numbers of a row; a study for each name."""

    def __init__(self, mechanism: Mechanism, paths: Sequence[str], measures: Sequence[str], folder: Path, engine: Any,
                 settings: Mapping[str, Any]) -> None:  # fmt: skip
        self.mechanism, self.paths, self.measures = mechanism, list(paths), list(measures)
        self.folder, self.engine, self.settings = folder, engine, dict(settings)
        self.units = _units(mechanism, measures)

    def values(self, name: str, rows: Sequence[Sequence[Any]]) -> dict[str, np.ndarray]:
        columns = {path: [row[k] for row in rows] for k, path in enumerate(self.paths)}
        study = Study(self.mechanism, columns, self.measures, design="list", name=f"{self.mechanism.name} {name}",
                      **self.settings)  # fmt: skip
        few = self.engine == "auto" and len(rows) < FEW
        table = study.run(self.folder / name, engine=None if few else self.engine, processes=0 if few else None,
                          progress=False)  # fmt: skip
        known = table.status == DONE
        return {measure: np.where(known, np.asarray(table[measure], dtype=float), np.nan) for measure in self.measures}


class BuiltRuns(Runs):
    """A mechanism made anew for each row by a function of the free numbers; the rest of a row is what scatters."""

    def __init__(self, build: Callable[..., Mechanism], names: Sequence[str], scatter: Sequence[str],
                 measures: Sequence[str], folder: Path, settings: Mapping[str, Any],
                 start: Mapping[str, Any]) -> None:  # fmt: skip
        self.build, self.names, self.scatter, self.measures = build, list(names), tuple(scatter), list(measures)
        self.folder, self.settings = folder, dict(settings)
        self.units = _units(build(**start), measures)

    def values(self, name: str, rows: Sequence[Sequence[Any]]) -> dict[str, np.ndarray]:
        path = self.folder / f"{name}.json"
        asked = json.loads(json.dumps([list(row) for row in rows]))
        if path.is_file():
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept["rows"] != asked or kept["settings"] != repr(self.settings):
                raise GudgeonError(f"{path} holds other runs; choose another store, or change nothing and go on")
            return {measure: np.array(column, dtype=float) for measure, column in kept["values"].items()}
        columns: dict[str, list[float | None]] = {measure: [] for measure in self.measures}
        for row in rows:
            own, rest = row[: len(self.names)], tuple(row[len(self.names) :])
            for measure, value in self._one(dict(zip(self.names, own, strict=True)), rest).items():
                columns[measure].append(value)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps({"rows": asked, "settings": repr(self.settings), "values": columns}))
        return {measure: np.array(column, dtype=float) for measure, column in columns.items()}

    def _one(self, numbers: Mapping[str, Any], rest: tuple[Any, ...]) -> dict[str, float | None]:
        none: dict[str, float | None] = dict.fromkeys(self.measures)
        try:
            mechanism = self.build(**numbers)
        except GudgeonError:
            return none  # such numbers make no mechanism
        made = tuple(named(measure) for measure in self.measures)
        channels = tuple(dict.fromkeys(name for measure in made for name in measure.channels))
        outcome = Job(mechanism, self.scatter, made, self.settings, channels=channels).compute(0, rest)
        return none | {k: float(v) for k, v in outcome.values.items() if k in none}


def _units(mechanism: Mechanism, measures: Sequence[str]) -> dict[str, str]:
    """Units of measures; refuses channels and joints that the mechanism does not have."""
    if not measures:
        return {}
    system = assemble(mechanism, Needs(form="residual" if mechanism.beams else "acceleration"))
    known, units = {channel.name: channel.unit for channel in system.channels}, {}
    for text in measures:
        measure = named(text)
        wanted: list[tuple[str, Mapping[str, Any], str]] = [(name, known, "channel") for name in measure.channels]
        wanted += [(measure.joint, mechanism.joints, "joint")] if isinstance(measure, JointMeasure) else []
        for name, there, word in wanted:
            if name not in there:
                likely = closest(name, there)
                hint = f'; did you mean "{likely}"?' if likely else ""
                raise GudgeonError(f'measure "{text}": {word} "{name}" is not known{hint}')
        units[text] = known[measure.channels[0]] if isinstance(measure, ChannelMeasure) else ""
    return units
