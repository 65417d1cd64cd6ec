"""All of a run besides its channels and contacts, as text in its file, so that it can be read back whole."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.assemble import Channel
from gudgeon.model import Mechanism
from gudgeon.model.files import dump, loads
from gudgeon.quantity import GudgeonError
from gudgeon.results.contacts import FIELDS, ContactRecord, ContactRecords
from gudgeon.results.evidence import Evidence, FilmShare, Restitution
from gudgeon.results.extremes import HIGH, LOW, Extremes, Peak
from gudgeon.results.impacts import ImpactRecord

if TYPE_CHECKING:
    import xarray

    from gudgeon.results.run import Run

__all__ = ["read", "rest"]

_PARTS = {"restitution": Restitution, "films": FilmShare}  # tables within the evidence


def rest(run: Run) -> dict[str, str]:
    """What the tables do not hold: model, evidence, impacts and end, as texts."""
    said = {
        "evidence": asdict(run.evidence), "impacts": [asdict(impact) for impact in run.impacts], "period": run.period,
        "end": {"t": run.end.t, "y": run.end.y.tolist(), "m": run.end.m.tolist()},
    }  # fmt: skip
    return {"model": _model(run.mechanism), "run": json.dumps(said)}


def _model(mechanism: Any) -> str:
    """The mechanism as a model file; empty where it has parts that no file can hold, such as laws of the user."""
    try:
        return dump(mechanism)
    except GudgeonError:
        return ""


def read(path: str | Path, mechanism: Mechanism | None = None) -> dict[str, Any]:
    """The fields of a run as it was written, from its file or the folder that holds run.nc; its end as t, y, m."""
    import xarray

    place = Path(path)
    place = place / "run.nc" if place.is_dir() else place
    if not place.is_file():
        raise GudgeonError(f'no run file "{place}"; `run.to_netcdf(...)` and `gudgeon run MODEL --out DIR` write one')
    try:
        with xarray.open_dataset(place, engine="netcdf4") as file:
            dataset = file.load()
        said = json.loads(dataset.attrs["run"])
    except (KeyError, OSError, ValueError):
        raise GudgeonError(f'"{place}" is no run file of gudgeon, or one of an older version') from None
    return _fields(dataset, said, mechanism or _mechanism(dataset.attrs["model"], place))


def _mechanism(text: str, place: Path) -> Mechanism:
    if not text:
        raise GudgeonError(
            f'"{place}": its mechanism has parts that no file can hold, such as laws of your own; give mechanism='
        )
    return loads(text, str(place)).mechanism


def _fields(dataset: xarray.Dataset, said: dict[str, Any], mechanism: Mechanism) -> dict[str, Any]:
    columns = {v.attrs["channel"]: v for v in dataset.data_vars.values() if "channel" in v.attrs}
    channels = {c: Channel(c, str(v.attrs["units"]), str(v.attrs["long_name"])) for c, v in columns.items()}
    t, data = dataset["time"].values, {c: v.values for c, v in columns.items()}
    known = {
        (c, side): Peak(float(v.attrs[word]), float(v.attrs[f"{word}_time"]))
        for c, v in columns.items()
        for word, side in (("highest", HIGH), ("lowest", LOW))
        if word in v.attrs
    }
    return {
        "mechanism": mechanism, "t": t, "data": data, "channels": channels, "contacts": _contacts(dataset),
        "evidence": _evidence(said["evidence"]), "complete": bool(dataset.attrs["complete"]), "period": said["period"],
        "end": (said["end"]["t"], np.array(said["end"]["y"]), np.array(said["end"]["m"])),
        "impacts": [ImpactRecord(**x) for x in said["impacts"]], "extremes": Extremes(t, data, known=known),
    }  # fmt: skip


def _contacts(dataset: xarray.Dataset) -> ContactRecords:
    known = [name for name in FIELDS if f"contact_{name}" in dataset]
    columns = [dataset[f"contact_{name}"].values for name in known]
    rows = [{name: _plain(x) for name, x in zip(known, row, strict=True)} for row in zip(*columns, strict=True)]
    return ContactRecords(ContactRecord(**row) for row in rows)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return str(value)
    return int(value) if np.issubdtype(type(value), np.integer) else float(value)


def _evidence(said: dict[str, Any]) -> Evidence:
    given: dict[str, Any] = dict(said)
    for name, part in _PARTS.items():
        given[name] = tuple(part(**x) for x in given[name])
    whole: dict[str, Any] = {k: tuple(x) if isinstance(x, list) else x for k, x in given.items()}
    return Evidence(**whole)
