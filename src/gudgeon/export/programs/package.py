"""What is written: an object file with its header, or an FMU."""

from __future__ import annotations

import contextlib
import keyword
import re
import uuid
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import gudgeon
from gudgeon.bibliography import WORKS, Work
from gudgeon.export.programs.description import About, description
from gudgeon.export.programs.inputs import Given
from gudgeon.export.programs.machine import Machine
from gudgeon.export.programs.platforms import PLATFORMS, SOURCES, chosen, here, toolchain, universal
from gudgeon.model.files.writer import dump
from gudgeon.quantity import GudgeonError

__all__ = ["identifier", "works_of", "write_fmu", "write_object"]

SYMBOL = "gudgeon_exported"  # of the table inside an FMU
STEPS = 500  # that are suggested over the span of a run

RESERVED = {"main", "int", "double", "float", "char", "const", "static", "struct", "for", "if", "else", "do", "while",
            "return", "void", "long", "short", "switch", "case", "break", "default", "extern", "auto", "register",
            "signed", "unsigned", "union", "enum", "goto", "volatile", "typedef", "inline", "sizeof"}  # fmt: skip


def identifier(name: str) -> str:
    """A name as C allows it."""
    made = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
    made = f"m_{made}" if not made or made[0].isdigit() else made
    return f"{made}_model" if made in RESERVED or keyword.iskeyword(made) or made.startswith("gudgeon") else made


def write_object(machine: Machine, folder: Path, name: str, platforms: Sequence[str] | None = None) -> list[Path]:
    """The object file for each platform, its header, and C that calls it, into a folder."""
    for platform in platforms or ():
        if platform not in PLATFORMS:
            raise GudgeonError(f'platform "{platform}" is not known; choose from {", ".join(PLATFORMS)}')
    symbol = identifier(name)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for platform in platforms or [here()]:
        ending = "obj" if platform.startswith("windows") else "o"
        title = f"{symbol}.{ending}" if not platforms or len(platforms) == 1 else f"{symbol}-{platform}.{ending}"
        (folder / title).write_bytes(machine.object_file(symbol, PLATFORMS[platform].triple))
        written.append(folder / title)
    texts = {f"{symbol}.h": _header(machine, symbol),
             "main.c": (SOURCES / "main.c").read_text(encoding="utf-8").replace("NAME", symbol)}  # fmt: skip
    texts |= {name: (SOURCES / name).read_text(encoding="utf-8") for name in ("gudgeon.h", "gudgeon.c")}
    for title, text in texts.items():
        (folder / title).write_text(text, encoding="utf-8")
        written.append(folder / title)
    return written


def _header(machine: Machine, symbol: str) -> str:
    """The header of one mechanism: its table, and numbers of inputs, parameters and outputs by their names."""
    channels = [(c.name, c.unit, c.label) for c in machine.system.channels]
    lines = [f"/* {machine.name.replace('*/', '')}: made by gudgeon, see gudgeon.h. */", "",
             f"#ifndef {symbol.upper()}_H", f"#define {symbol.upper()}_H", "", '#include "gudgeon.h"', "",
             f"extern const gudgeon_model {symbol};"]  # fmt: skip
    for word, entries in (("input", _listed(machine.inputs)), ("parameter", _listed(machine.parameters)),
                          ("output", channels)):  # fmt: skip
        if entries:
            lines += ["", f"enum {symbol}_{word} {{"]
            lines += [f"    {symbol}_{word}_{identifier(name)} = {k}, /* {words} [{unit}] */"
                      for k, (name, unit, words) in enumerate(entries)]  # fmt: skip
            lines += ["};"]
    names = ",\n    ".join(f'"{name}"' for name, *_ in channels)
    lines += ["", f"static const char *const {symbol}_output_names[] = {{\n    {names}\n}};", "", "#endif", ""]
    return "\n".join(lines)


def _listed(given: Sequence[Given]) -> list[tuple[str, str, str]]:
    return [(x.name, x.unit, x.words) for x in given]


def write_fmu(machine: Machine, path: Path, *, version: int = 2,
              platforms: Sequence[str] | None = None) -> list[str]:  # fmt: skip
    """An FMU; gives the platforms that it serves."""
    tools = toolchain()
    names = chosen(platforms, tools)
    symbol = identifier(path.stem)
    code = machine.code(SYMBOL)
    token = _token(code, version)
    about = About(symbol, token, _words(machine), gudgeon.__version__, machine.prepared.span,
                  machine.prepared.span / STEPS)  # fmt: skip
    files: dict[str, bytes] = {"modelDescription.xml": description(machine, about, version)}
    sources = [SOURCES / name for name in ("gudgeon.c", "instance.c", f"fmi{version}.c")]
    defined = (f"GUDGEON_MODEL={SYMBOL}", f'GUDGEON_TOKEN="{token}"')
    made = {}
    for name in names:
        objects = {"mechanism.o": machine.object_file(SYMBOL, PLATFORMS[name].triple)}
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
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"gudgeon {gudgeon.__version__} fmi {version} {code}"))


def _words(machine: Machine) -> str:
    """One sentence."""
    mechanism = machine.system.mechanism
    return (f"{mechanism.name}: {len(mechanism.bodies)} bodies, {len(mechanism.joints)} joints, "
            f"integrated by {machine.method.title}")  # fmt: skip


def works_of(machine: Machine) -> list[Work]:
    """What laws and the method are taken from."""
    report = machine.system.report
    used: list[Any] = [x for c in report.contacts for x in (c.law, c.friction_law) if x is not None]
    used += [x.law for x in (*report.films, *report.frictions)]
    keys = dict.fromkeys(key for one in (*used, machine.method) for key in getattr(one, "works", ()))
    return [WORKS[key] for key in (*keys, "gudgeon") if key in WORKS]


def _documents(machine: Machine, version: int) -> dict[str, bytes]:
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


def _page(machine: Machine, model: bool) -> str:
    """A page that says what is in the FMU."""
    given = [("Inputs", "may change at any time; they are held over a step of co-simulation", _listed(machine.inputs)),
             ("Parameters", "are set before the start", _listed(machine.parameters))]  # fmt: skip
    rows = []
    for title, words, entries in given:
        if entries:
            rows.append(f"<h2>{title}</h2><p>These {words}.</p><table><tr><th>name</th><th>unit</th><th>what</th></tr>")
            rows += [f"<tr>{''.join(f'<td>{escape(x)}</td>' for x in one)}</tr>" for one in entries]
            rows.append("</table>")
    works = "".join(f"<li>{escape(f'{w.author}: {w.title} {w.journal} {w.year}')}</li>" for w in works_of(machine))
    notes = ["The time of the mechanism begins at the start time of the simulation.",
             f"Co-simulation is by {machine.method.title}, relative tolerance {machine.method.rtol:g} or that of the "
             "importer; contacts begin and end at located instants."]  # fmt: skip
    if machine.exchanges:
        notes.append("In model exchange event indicators are depths of contacts; states are brought back onto the "
                     "constraints by events.")  # fmt: skip
    if model:
        notes.append("The model is resources/model.yaml.")
    return (f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>{escape(machine.name)}</title>'
            f"<h1>{escape(machine.name)}</h1><p>{escape(_words(machine))}. Made by gudgeon {gudgeon.__version__}.</p>"
            f"<ul>{''.join(f'<li>{escape(x)}</li>' for x in notes)}</ul>{''.join(rows)}"
            f"<h2>Works</h2><ul>{works}</ul></html>\n")  # fmt: skip
