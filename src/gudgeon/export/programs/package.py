"""What is written: an object file with its header, or an FMU."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from pathlib import Path

from gudgeon.export.programs.inputs import Given
from gudgeon.export.programs.machine import Machine
from gudgeon.export.programs.platforms import PLATFORMS, SOURCES, here
from gudgeon.quantity import GudgeonError

__all__ = ["identifier", "write_object"]

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
