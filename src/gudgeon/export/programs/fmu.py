"""An FMU: libraries, description and documents in one file."""

from __future__ import annotations

import contextlib
import importlib
import uuid
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Unpack

from gudgeon.bibliography import WORKS, Work
from gudgeon.export.programs.description import About, description
from gudgeon.export.programs.machine import ExportedMechanism, machine_of, object_file
from gudgeon.export.programs.object import identifier, listed
from gudgeon.export.programs.platforms import PLATFORMS, SOURCES, chosen, toolchain, universal
from gudgeon.model import Mechanism
from gudgeon.model.files.writer import dump
from gudgeon.model.run_settings import RunFields, RunSettings
from gudgeon.quantity import GudgeonError

__all__ = ["VERSIONS", "export_fmu", "works_of", "write_fmu"]

SYMBOL = "gudgeon_exported"  # of the table inside an FMU
VERSIONS = (2, 3)
STYLE = (
    "body { font: 16px/1.5 sans-serif; max-width: 46em; margin: 2em } td, th { padding: 0 2em 0 0; text-align: left }"
)
STEPS = 500  # that are suggested over the span of a run


def export_fmu(mechanism: Mechanism, path: str | Path, settings: RunSettings | None = None, *, version: int = 2,
               inputs: Sequence[str] = (), platforms: Sequence[str] | None = None,
               **fields: Unpack[RunFields]) -> Path:  # fmt: skip
    """Write a mechanism as an FMU, for other programs of simulation; gives the file.

    version    of FMI: 2 or 3, each for co-simulation and model exchange
    inputs     values that are formulas of time and become inputs, such as "main.voltage"; numbers are inputs anyway
    platforms  such as "windows-x86_64" (export.programs.platforms); default: all that can be linked here
    settings, fields: as of `simulate`; the duration is the stop time that the FMU suggests
    """
    if version not in VERSIONS:
        raise GudgeonError(f"version {version!r} of FMI is not known; choose 2 or 3")
    path = Path(path)
    if path.suffix != ".fmu":
        raise GudgeonError(f'"{path}": the name of an FMU ends with .fmu')
    names = chosen(platforms, toolchain())
    write_fmu(machine_of(mechanism, settings, inputs, **fields), path, version=version, platforms=names)
    return path


def write_fmu(machine: ExportedMechanism, path: Path, *, version: int = 2,
              platforms: Sequence[str] | None = None) -> list[str]:  # fmt: skip
    """An FMU; gives the platforms that it serves."""
    tools = toolchain()
    names = chosen(platforms, tools)
    symbol = identifier(path.stem)
    code = machine.code(SYMBOL)
    token = _token(code, version)
    about = About(symbol, token, _words(machine), _version(), machine.prepared.span,
                  machine.prepared.span / STEPS)  # fmt: skip
    files: dict[str, bytes] = {"modelDescription.xml": description(machine, about, version)}
    sources = [SOURCES / name for name in ("gudgeon.c", "instance.c", f"fmi{version}.c")]
    defined = (f"GUDGEON_MODEL={SYMBOL}", f'GUDGEON_TOKEN="{token}"')
    made = {}
    for name in names:
        objects = {"mechanism.o": object_file(code, PLATFORMS[name].triple)}
        made[name] = tools.library(name, sources, objects, defined)
    for folder, name, library in _folders(made, version):
        files[f"binaries/{folder}/{symbol}{PLATFORMS[name].library}"] = library
    files |= _documents(machine, version)
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for title, data in files.items():
            entry = zipfile.ZipInfo(title, (2020, 1, 1, 0, 0, 0))  # the same content gives the same file
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)
    return names


def _version() -> str:
    """Of gudgeon, whose root knows every room."""
    return str(importlib.import_module("gudgeon").__version__)


def _folders(made: Mapping[str, bytes], version: int) -> Iterator[tuple[str, str, bytes]]:
    """Folder, platform and library. In FMI 2 both processors of a Mac share a folder."""
    macs = {name: library for name, library in made.items() if name.startswith("mac")}
    for name, library in made.items():
        if version == 3:
            yield PLATFORMS[name].fmi3, name, library
        elif name not in macs or len(macs) < 2:
            yield PLATFORMS[name].fmi2, name, library
    if version == 2 and len(macs) > 1:
        yield PLATFORMS["mac-x86_64"].fmi2, "mac-x86_64", universal(macs)


def _token(code: str, version: int) -> str:
    """A name of the code that is another one where anything is different."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"gudgeon {_version()} fmi {version} {code}"))


def _words(machine: ExportedMechanism) -> str:
    """One sentence."""
    mechanism = machine.mechanism
    return (f"{mechanism.name}: {len(mechanism.bodies)} bodies, {len(mechanism.joints)} joints, "
            f"integrated by {machine.method.title}")  # fmt: skip


def used_by(machine: ExportedMechanism) -> list[Any]:
    """The laws and the method that an exported mechanism contains."""
    report = machine.system.report
    laws: list[Any] = [x for c in report.contacts for x in (c.law, c.friction_law) if x is not None]
    laws += [x.law for x in report.films] + [x.law for x in report.frictions]
    return [*laws, machine.method]


def works_of(machine: ExportedMechanism) -> list[Work]:
    """What laws and the method are taken from."""
    keys = dict.fromkeys(key for one in used_by(machine) for key in getattr(one, "works", ()))
    return [WORKS[key] for key in (*keys, "gudgeon") if key in WORKS]


def _documents(machine: ExportedMechanism, version: int) -> dict[str, bytes]:
    """What is for people: a page, the bibliography, the licence, the model where it can be written."""
    licence = (SOURCES / "LICENSE").read_bytes()
    files = {"documentation/references.bib": "\n\n".join(x.bibtex() for x in works_of(machine)).encode() + b"\n",
             "documentation/licenses/license.txt": licence}  # fmt: skip
    model = ""
    with contextlib.suppress(GudgeonError):
        model = dump(machine.mechanism)
        files["resources/model.yaml"] = model.encode()
    files["documentation/index.html"] = _page(machine, bool(model)).encode()
    return files


def _page(machine: ExportedMechanism, model: bool) -> str:
    """A page that says what is in the FMU."""
    given = [("Inputs", "may change at any time; they are held over a step of co-simulation", listed(machine.inputs)),
             ("Parameters", "are set before the start", listed(machine.parameters))]  # fmt: skip
    rows = []
    for title, words, entries in given:
        if entries:
            rows.append(f"<h2>{title}</h2><p>These {words}.</p><table><tr><th>name</th><th>unit</th><th>what</th></tr>")
            rows += [f"<tr>{''.join(f'<td>{escape(x)}</td>' for x in one)}</tr>" for one in entries]
            rows.append("</table>")
    references = dict.fromkeys(f"{type(one).__name__}: {one.reference}" for one in used_by(machine))
    works = "".join(f"<li>{escape(text)}</li>" for text in references)
    notes = ["The time of the mechanism begins at the start time of the simulation.",
             f"Co-simulation is by {machine.method.title}, relative tolerance {machine.method.rtol:g} or that of the "
             "importer; contacts begin and end at located instants."]  # fmt: skip
    notes.append("In model exchange event indicators are depths of contacts; states are brought back onto the "
                 "constraints by events.")  # fmt: skip
    if model:
        notes.append("The model is resources/model.yaml.")
    return (f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><style>{STYLE}</style>'
            f"<title>{escape(machine.name)}</title>"
            f"<h1>{escape(machine.name)}</h1><p>{escape(_words(machine))}. Made by gudgeon {_version()}.</p>"
            f"<ul>{''.join(f'<li>{escape(x)}</li>' for x in notes)}</ul>{''.join(rows)}"
            f"<h2>Works</h2><ul>{works}</ul><p>As BibTeX: references.bib.</p></html>\n")  # fmt: skip
