"""The floors: hand-derived minimal coordinates in C (floor.c for P1), compiled at first use, called by ctypes."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path

import numpy as np

from .problem import P1, SliderCrank
from .result import RaceResult

NAME = "hand-derived, C"
SOURCE = Path(__file__).with_name("floor.c")
FAST = ("-O3", "-march=native", "-ffast-math")
EXTENDED = ("-O2", "-DREAL=long double", "-DGAP_RESOLUTION=1e-19L")
COUNTERS = ("steps", "rejections", "evaluations", "onsets")

_folder: list[tempfile.TemporaryDirectory] = []  # lives as long as the process: the libraries lie in it


def compiler() -> str | None:
    """The system's C compiler, or None."""
    names = (os.environ.get("CC", "cc"), "gcc", "clang")
    return next((path for path in map(shutil.which, names) if path), None)


@cache
def library(source: Path = SOURCE, options: tuple[str, ...] = FAST) -> ctypes.CDLL:
    """A floor compiled with these options."""
    command = compiler()
    if command is None:
        raise RuntimeError("no C compiler (cc, gcc or clang) on the path")
    if not _folder:
        _folder.append(tempfile.TemporaryDirectory(prefix="gudgeon-floor-"))
    folder = Path(tempfile.mkdtemp(dir=_folder[0].name))
    compiled, target = folder / "floor.o", folder / "floor.so"
    subprocess.run([command, *options, "-fPIC", "-c", "-o", str(compiled), str(source)], check=True)
    # linked without the options: -ffast-math at link time would switch denormals off in the whole process
    subprocess.run([command, "-shared", "-o", str(target), str(compiled), "-lm"], check=True)
    found = ctypes.CDLL(str(target))
    numbers = np.ctypeslib.ndpointer(np.float64, flags="C")
    found.march.argtypes = [
        numbers,
        numbers,
        ctypes.c_double,
        ctypes.c_double,
        ctypes.c_long,
        numbers,
        np.ctypeslib.ndpointer(np.dtype(ctypes.c_long), flags="C"),
    ]
    found.march.restype = ctypes.c_int
    return found


def call(
    parameters: tuple[float, ...],
    start: tuple[float, ...],
    end: float,
    rtol: float,
    samples: int,
    source: Path = SOURCE,
    options: tuple[str, ...] = FAST,
) -> tuple[float, dict[str, int], np.ndarray]:
    """CPU seconds, counters and states at evenly spaced times of one run of a floor."""
    states = np.zeros((samples + 1, len(start)))
    counters = np.zeros(len(COUNTERS), np.dtype(ctypes.c_long))
    numbers, state, enter = np.array(parameters), np.array(start), library(source, options).march
    begin = time.process_time()
    status = enter(numbers, state, end, rtol, samples, states, counters)
    spent = time.process_time() - begin
    if status:
        raise RuntimeError(f"the floor gave up at rtol {rtol:g}: step too small")
    return spent, dict(zip(COUNTERS, counters.tolist(), strict=True)), states


def march(
    revolutions: float, rtol: float, samples_per_rev: int, options: tuple[str, ...] = FAST, model: SliderCrank = P1
) -> tuple[float, dict[str, int], np.ndarray, np.ndarray]:
    """CPU seconds, counters, times and states (phi, xs and rates) of one run."""
    samples = max(1, round(revolutions * samples_per_rev))
    end = revolutions * model.period
    spent, counts, states = call(model.numbers, model.start, end, rtol, samples, options=options)
    return spent, counts, np.linspace(0.0, end, samples + 1), states


def run(revolutions: float, rtol: float, samples_per_rev: int) -> RaceResult:
    """One run of the race by the C floor, or by its Numba twin where there is no C compiler."""
    if compiler() is None:
        from . import floor_numba

        return floor_numba.run(revolutions, rtol, samples_per_rev)
    spent, counters, times, states = march(revolutions, rtol, samples_per_rev)
    return RaceResult(NAME, rtol, spent, t=times, phi=states[:, 0], xs=states[:, 1], **counters)
