"""A mechanism as an object file with a C header, and an example that calls it."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from gudgeon.export.programs.inputs import Given
from gudgeon.export.programs.machine import ExportedMechanism, machine_of, object_file
from gudgeon.export.programs.platforms import PLATFORMS, SOURCES, here, known
from gudgeon.model import Mechanism
from gudgeon.model.run_settings import RunFields, RunSettings

__all__ = ["export_object", "identifier", "listed", "write_object"]

RESERVED = {"main", "int", "double", "float", "char", "const", "static", "struct", "for", "if", "else", "do", "while",
            "return", "void", "long", "short", "switch", "case", "break", "default", "extern", "auto", "register",
            "signed", "unsigned", "union", "enum", "goto", "volatile", "typedef", "inline", "sizeof"}  # fmt: skip


def identifier(name: str) -> str:
    """A name as C allows it."""
    made = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
    made = f"m_{made}" if not made or made[0].isdigit() else made
    return f"{made}_model" if made in RESERVED or keyword.iskeyword(made) or made.startswith("gudgeon") else made


def export_object(mechanism: Mechanism, folder: str | Path, settings: RunSettings | None = None, *,
                  name: str | None = None, inputs: Sequence[str] = (), platforms: Sequence[str] | None = None,
                  **fields: Unpack[RunFields]) -> list[Path]:  # fmt: skip
    """Write a mechanism as an object file with a C header and an example, for programs in C; gives the files.

    name       of the symbol and the files; default: that of the mechanism
    inputs     values that are formulas of time and become inputs, such as "main.voltage"; numbers are inputs anyway
    platforms  such as "linux-arm64" (export.programs.platforms); default: this computer
    settings, fields: as of `simulate`; of them method, rtol and channels matter
    """
    for platform in platforms or ():
        known(platform)
    machine = machine_of(mechanism, settings, inputs, **fields)
    return write_object(machine, Path(folder), name or mechanism.name, platforms)


def write_object(
    machine: ExportedMechanism, folder: Path, name: str, platforms: Sequence[str] | None = None
) -> list[Path]:
    """The object file for each platform, its header, and C that calls it, into a folder."""
    symbol = identifier(name)
    code = machine.code(symbol)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for platform in platforms or [here()]:
        ending = "obj" if platform.startswith("windows") else "o"
        title = f"{symbol}.{ending}" if not platforms or len(platforms) == 1 else f"{symbol}-{platform}.{ending}"
        (folder / title).write_bytes(object_file(code, PLATFORMS[platform].triple))
        written.append(folder / title)
    texts = {f"{symbol}.h": _header(machine, symbol),
             "main.c": (SOURCES / "main.c").read_text(encoding="utf-8").replace("NAME", symbol)}  # fmt: skip
    texts |= {name: (SOURCES / name).read_text(encoding="utf-8") for name in ("gudgeon.h", "gudgeon.c", "LICENSE")}
    for title, text in texts.items():
        (folder / title).write_text(text, encoding="utf-8")
        written.append(folder / title)
    return written


def _header(machine: ExportedMechanism, symbol: str) -> str:
    """The header of one mechanism: its table, and numbers of inputs, parameters and outputs by their names."""
    channels = [(c.name, c.unit, c.label) for c in machine.system.channels]
    lines = [f"/* {machine.name.replace('*/', '')}: made by gudgeon, see gudgeon.h. */", "",
             f"#ifndef {symbol.upper()}_H", f"#define {symbol.upper()}_H", "", '#include "gudgeon.h"', "",
             f"extern const gudgeon_model {symbol};"]  # fmt: skip
    for word, entries in (("input", listed(machine.inputs)), ("parameter", listed(machine.parameters)),
                          ("output", channels)):  # fmt: skip
        if entries:
            lines += ["", f"enum {symbol}_{word} {{"]
            lines += [f"    {symbol}_{word}_{identifier(name)} = {k}, /* {words} [{unit}] */"
                      for k, (name, unit, words) in enumerate(entries)]  # fmt: skip
            lines += ["};"]
    names = ",\n    ".join(f'"{name}"' for name, *_ in channels)
    lines += ["", f"static const char *const {symbol}_output_names[] = {{\n    {names}\n}};", "", "#endif", ""]
    return "\n".join(lines)


def listed(given: Sequence[Given]) -> list[tuple[str, str, str]]:
    return [(x.name, x.unit, x.words) for x in given]
