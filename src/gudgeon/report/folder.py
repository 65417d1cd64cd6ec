"""What `--out` writes: the run, its contacts, the model and figures."""

from __future__ import annotations

import csv
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gudgeon.draw import compare, plot
from gudgeon.draw.channels import moment_names, motion_names
from gudgeon.draw.panels.orbit import PLANES
from gudgeon.model.files import RunSettings, dump
from gudgeon.quantity import GudgeonError
from gudgeon.report.source import ModelSource, tolerance
from gudgeon.results import ContactRecord
from gudgeon.written import draft, write_text

if TYPE_CHECKING:
    from gudgeon.model import Joint
    from gudgeon.results import Run

__all__ = ["write"]


def write(source: ModelSource, settings: RunSettings, run: Run, ideal: Run | None, folder: Path) -> list[Path]:
    """Write everything into a folder; the run first, so that a figure that fails loses nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [run.to_netcdf(folder / "run.nc", source=source.name), write_contacts(run, folder / "contacts.csv")]
    files += write_model(source, settings, folder / "model.yaml")
    return [*files, *draw(run, ideal, folder)]


def write_contacts(run: Run, path: Path) -> Path:
    """The table of contacts, SI units."""
    with draft(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, [field.name for field in fields(ContactRecord)])
        table.writeheader()
        table.writerows(asdict(record) for record in run.contacts)
    return path


def write_model(source: ModelSource, settings: RunSettings, path: Path) -> list[Path]:
    """The mechanism as it was run, changes included; none where it has parts that no file can hold."""
    try:
        text = dump(source.mechanism, replace(settings, rtol=tolerance(source.mechanism, settings)))
    except GudgeonError:
        return []
    return [write_text(path, text)]


def draw(run: Run, ideal: Run | None, folder: Path) -> list[Path]:
    """Figures of what most people look at first; over the ideal run where there is one."""
    if len(run.t) < 3:
        return []
    files = []
    for name, channels in figures(run).items():
        figure = plot(run, *channels) if ideal is None else compare(ideal, run, *channels)
        files.append(figure.save(folder / name))
    return files


def figures(run: Run) -> dict[str, list[str]]:
    """File -> names of its figure."""
    joints = run.mechanism.joints.values()
    loose = [j for j in joints if not j.ideal]
    orbits = [name for j in loose if _orbits(j) and f"{j.name}.ex" in run for name in _views(run, j)]
    files = {"overview.svg": motion_names(run)[:3] + orbits[:1]}
    if orbits:
        files["orbit.svg"] = orbits
    if moment_names(run):
        files["bending.svg"] = moment_names(run)[:6]
    normals = [name for name in run.channels if name.endswith(".normal") and run[name].any()]
    if normals:
        hardest = sorted(normals, key=lambda name: -float(run[name].max()))[:6]
        files["contact.svg"] = [name for name in normals if name in hardest]
    touched = [r.joint for r in run.contacts.impacts]
    if touched and not run.impacts and f"{max(touched, key=touched.count)}.depth" in run:
        files["hysteresis.svg"] = [f"{max(touched, key=touched.count)}.hysteresis"]
    if "energy.kinetic" in run:
        files["energy.svg"] = ["energy"]
    return {name: channels for name, channels in files.items() if channels}


def _orbits(joint: Joint) -> bool:
    """Whether the joint has a journal that can leave the centre of its bore."""
    return any(not joint.fit[mate].ideal for mate in joint.round_mates)


def _views(run: Run, joint: Joint) -> list[str]:
    """The orbit of a journal, or of a ball seen along each axis."""
    return [f"{joint.name}.orbit.{p}" for p in PLANES] if f"{joint.name}.ez" in run else [f"{joint.name}.orbit"]
