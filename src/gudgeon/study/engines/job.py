"""`Job`: what a worker needs to make any run of a study, and what it gives back."""

from __future__ import annotations

import pickle
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from gudgeon.analysis.motions.motion import Motion
from gudgeon.model import Mechanism
from gudgeon.model.files import dump, loads
from gudgeon.model.files.edit import put
from gudgeon.model.names import about
from gudgeon.quantity import GudgeonError
from gudgeon.simulation import whole_run
from gudgeon.study.engines.one_run import OneRun
from gudgeon.study.points.design import Point

__all__ = ["Job", "Outcome", "is_own", "measure_names", "model_text"]

DONE, FAILED = "done", "failed"


@dataclass(frozen=True)
class Outcome:
    """What came out of one run: values of its measures, or why there are none; traces of the kept channels."""

    index: int
    status: str
    values: dict[str, float | str]
    message: str = ""
    seconds: float = 0.0
    traces: dict[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """The mechanism, as file text, pickled or itself, the paths that change, what is measured, with which settings."""

    model: str | bytes | Mechanism
    paths: tuple[str, ...]
    measures: tuple[Any, ...]
    settings: Mapping[str, Any]
    keep: tuple[str, ...] = ()
    channels: tuple[str, ...] | None = None  # to record; None: all

    @property
    def mechanism(self) -> Mechanism:
        return self.model if isinstance(self.model, Mechanism) else _read(self.model)

    def at(self, point: Point) -> Mechanism:
        """The mechanism at one point."""
        mechanism = self.mechanism
        for path, value in zip(self.paths, point, strict=True):
            mechanism = put(mechanism, path, value)
        return mechanism

    def compute(self, index: int, point: Point) -> Outcome:
        """One run; whatever goes wrong in it is its outcome and stops no other."""
        began = time.perf_counter()
        try:
            values, traces = self._measured(self.at(point))
        except Exception as error:
            spent = time.perf_counter() - began
            return Outcome(index, FAILED, {}, _reason(error), spent)
        return Outcome(index, DONE, values, "", time.perf_counter() - began, traces)

    def _measured(self, mechanism: Mechanism) -> tuple[dict[str, float | str], dict[str, np.ndarray]]:
        own = [is_own(measure) for measure in self.measures]
        motion = None if all(own) and not self.keep else self._motion(mechanism)
        values: dict[str, float | str] = {}
        for measure in self.measures:
            names = measure_names(measure)
            with about(f'measure "{names[0]}"'):
                values |= _values(names, _found(measure, mechanism, motion))
        if not self.keep or motion is None:
            return values, {}
        run = motion.run
        return values, {"time": run.t, **{name: np.asarray(run[name], dtype=float) for name in self.keep}}

    def _motion(self, mechanism: Mechanism) -> Any:
        """What all measures look at: one run from the start, or a settled motion where `turns` are given."""
        if "turns" in self.settings:
            return Motion(mechanism, channels=self.channels, **self.settings)
        return OneRun(whole_run(mechanism, channels=self.channels, **self.settings))


@lru_cache(maxsize=4)
def _read(model: str | bytes) -> Mechanism:
    """Once in each process, however often the job is sent to it."""
    if isinstance(model, bytes):
        made: Mechanism = pickle.loads(model)
        return made
    return loads(model, "the study's model").mechanism


def _found(measure: Any, mechanism: Mechanism, motion: Any) -> Any:
    if hasattr(measure, "take"):
        return measure.take(motion)
    return measure.measure(mechanism) if is_own(measure) else measure(motion.run)


def is_own(measure: Any) -> bool:
    """Whether a measure does its own runs: it has `names` and `measure(mechanism)`, and needs no run of the study."""
    return hasattr(measure, "measure") and hasattr(measure, "names") and not hasattr(measure, "take")


def measure_names(measure: Any) -> tuple[str, ...]:
    """The columns that a measure fills."""
    if hasattr(measure, "names"):
        return tuple(measure.names)
    return (getattr(measure, "__name__", type(measure).__name__),)


def model_text(mechanism: Mechanism) -> str | bytes | Mechanism:
    """The mechanism for another process: as file text, pickled where no file can hold it, itself where nothing can."""
    try:
        text = dump(mechanism)
        if dump(loads(text).mechanism) == text:
            return text
    except GudgeonError:
        pass  # it has functions of Python, for instance
    try:
        return pickle.dumps(mechanism)
    except (pickle.PicklingError, AttributeError, TypeError):
        return mechanism


def _values(names: tuple[str, ...], measured: Any) -> dict[str, float | str]:
    """Numbers and words of a measure, under its names."""
    given = dict(measured) if isinstance(measured, Mapping) else dict.fromkeys(names, measured)
    missing = [name for name in names if name not in given]
    if missing:
        raise GudgeonError(f"it gave no {missing[0]}")
    return {name: _value(given[name]) for name in names}


def _value(measured: Any) -> float | str:
    if isinstance(measured, str):
        return str(measured)
    try:
        return float(measured)
    except (TypeError, ValueError):
        raise GudgeonError(f"it gave {measured!r}, which is neither a number nor a word") from None


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if isinstance(error, GudgeonError) else f"{type(error).__name__}: {text}"
