"""Runs on disk: a run.nc that `gudgeon run --out` wrote, with the model beside it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.quantity import GudgeonError
from gudgeon.report.spread import comes_again, is_one_sample

__all__ = ["Saved", "from_run", "read"]


@dataclass(frozen=True)
class Saved:
    """What comparing and citing need of a run, whether it was just computed or read from a file."""

    name: str
    t: np.ndarray
    data: dict[str, np.ndarray]
    units: dict[str, str]
    contacts: dict[str, np.ndarray]
    references: list[str]
    complete: bool
    peaks: dict[str, tuple[float, float]]
    horizon: float | None = None  # [s]

    def one_sample(self, name: str) -> bool:
        """Whether the peak of a channel is no prediction."""
        unknown = is_one_sample(self.peak(name)[1], self.horizon, self.contacts["t_on"])
        return unknown and not comes_again(self.t, self.data[name])

    def peak(self, name: str) -> tuple[float, float]:
        """Largest magnitude of a channel over the motion, and when [s]."""
        return self.peaks[name]


def from_run(run: Any, name: str) -> Saved:
    """A run in memory."""
    data = {channel: run[channel] for channel in run.channels}
    units = {channel: run.channel(channel).unit for channel in run.channels}
    columns = {column: run.contacts.column(column) for column in ("joint", "t_on", "t_off", "peak_force")}
    peaks = {channel: (abs(run.peak(channel).value), run.peak(channel).time) for channel in run.channels}
    return Saved(name, np.asarray(run.t), data, units, columns, list(run.evidence.references), run.complete, peaks,
                 run.evidence.horizon)  # fmt: skip


def read(name: str) -> Saved:
    """A run file, or the one in a folder."""
    import xarray

    path = Path(name)
    path = path / "run.nc" if path.is_dir() else path
    if not path.is_file():
        raise GudgeonError(f'no run file "{path}"; `gudgeon run MODEL --out DIR` writes DIR/run.nc')
    try:
        with xarray.open_dataset(path, engine="netcdf4") as file:
            dataset = file.load()
        channels = {v.attrs["channel"]: v for v in dataset.data_vars.values() if "channel" in v.attrs}
        columns = {c: dataset[f"contact_{c}"].values for c in ("joint", "t_on", "t_off", "peak_force")}
        return Saved(
            path.parent.name if path.name == "run.nc" and path.parent.name else path.stem,
            dataset["time"].values, {c: v.values for c, v in channels.items()},
            {c: str(v.attrs.get("units", "")) for c, v in channels.items()}, columns,
            str(dataset.attrs["references"]).splitlines(), bool(dataset.attrs["complete"]),
            {c: _peak(v.attrs) for c, v in channels.items()}, json.loads(dataset.attrs["run"])["evidence"]["horizon"],
        )  # fmt: skip
    except (KeyError, OSError, ValueError):
        raise GudgeonError(f'"{path}" is no run file of gudgeon') from None


def _peak(extremes: Any) -> tuple[float, float]:
    """Largest magnitude and its time, from the extremes that a file has of a channel."""
    word = max(("highest", "lowest"), key=lambda side: abs(extremes[side]))
    return float(abs(extremes[word])), float(extremes[f"{word}_time"])
