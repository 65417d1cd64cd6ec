"""Runs on disk: netCDF for programs, CSV for everything else."""

from __future__ import annotations

import csv
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.quantity import GudgeonError
from gudgeon.results.contacts import FIELDS
from gudgeon.results.whole import rest
from gudgeon.written import draft

if TYPE_CHECKING:
    import xarray

    from gudgeon.results.run import Run

PACKED = {"zlib": True, "complevel": 1, "shuffle": True}  # nothing is lost
# what a netCDF name may have in the tools people use: no dots, no strokes, no quotes
_UNSAFE = re.compile(r"[^\w+-]|^(?=[^\w])")


def to_xarray(run: Run) -> xarray.Dataset:
    """A dataset over `time`, with units and labels as attributes, and the contacts over `contact`."""
    import xarray

    variables: dict[str, Any] = {}
    safe = netcdf_names(run.channels, ["time", *(f"contact_{column}" for column in FIELDS)])
    for name in run.channels:
        channel = run.channel(name)
        attributes = {"units": channel.unit, "long_name": channel.label, "channel": name, **_extremes(run, name)}
        variables[safe[name]] = ("time", run[name], attributes)
    for column in FIELDS:
        values = run.contacts.column(column)
        variables[f"contact_{column}"] = ("contact", values.astype(str) if values.dtype.kind in "OU" else values)
    dataset = xarray.Dataset(variables, coords={"time": ("time", run.t, {"units": "s", "long_name": "time"})})
    evidence = run.evidence
    dataset.attrs.update(
        title=run.name, complete=int(run.complete), method=evidence.method, rtol=evidence.rtol,
        steps=evidence.steps, evaluations=evidence.evaluations, energy_balance=evidence.balance,
        constraint_drift=evidence.drift, warnings="\n".join(evidence.warnings),
        references="\n".join(evidence.references), Conventions="CF-1.8", **rest(run),
    )  # fmt: skip
    return dataset


def _extremes(run: Run, name: str) -> dict[str, float]:
    """Extremes of a channel over the motion, which its rows do not tell."""
    if not len(run.t):
        return {}
    high, low = run.highest(name), run.lowest(name)
    return {"highest": high.value, "highest_time": high.time, "lowest": low.value, "lowest_time": low.time}


def write_netcdf(run: Run, path: Path, about: Mapping[str, str]) -> Path:
    """Channels, contacts and evidence."""
    path.parent.mkdir(parents=True, exist_ok=True)
    dataset = to_xarray(run).assign_attrs(**about)
    packed = {str(name): PACKED for name, x in dataset.variables.items() if x.dtype.kind == "f" and x.size}
    save_dataset(dataset, path, packed)
    return path


def netcdf_names(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """A name that netCDF takes for each name, and no two alike: "pin.wall.normal" of the joint "pin" and
    "pin_wall.normal" of the joint "pin_wall" differ.
    """
    given: dict[str, str] = {}
    used = set(taken)
    for name in names:
        safe = _UNSAFE.sub("_", name)
        while safe in used:
            safe += "_"
        given[name] = safe
        used.add(safe)
    return given


def save_dataset(dataset: xarray.Dataset, path: Path, encoding: Mapping[str, Any] | None = None) -> None:
    """A dataset as netCDF 4."""
    with draft(path) as part:
        try:
            dataset.to_netcdf(part, engine="netcdf4", format="NETCDF4", encoding=encoding)
        except RuntimeError as error:
            # all that the library says of a disk that takes no more is "HDF error"
            free = shutil.disk_usage(path.parent).free / 1e6
            said = f"{error}, {free:.3g} MB are free there" if free < 100.0 else error
            raise GudgeonError(f"{path} cannot be written: {said}; free some space or choose another folder") from None


def write_csv(run: Run, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    names = run.channels
    header = ",".join(["time [s]", *(f"{name} [{run.channel(name).unit}]" for name in names)])
    table = np.column_stack([run.t, *(run[name] for name in names)])
    with draft(path) as part:
        np.savetxt(part, table, delimiter=",", header=header, comments="", fmt="%.12g", encoding="utf-8")
    beside = path.with_name(f"{path.stem}_contacts.csv")
    with draft(beside) as part, part.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(asdict(record) for record in run.contacts)
    return path
