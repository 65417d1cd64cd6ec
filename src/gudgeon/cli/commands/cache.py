"""Show where compiled code is kept, or delete it.

Each method and each new structure of a mechanism is compiled once and used again in later runs. The code is in
~/.cache/gudgeon, or in the folder given by the environment variable GUDGEON_CACHE. It can be deleted at any time.

\b
Examples:
  gudgeon cache
  gudgeon cache --clear
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from gudgeon.cli import screen
from gudgeon.compile.native import cache

__all__ = ["command"]


def command(clear: Annotated[bool, typer.Option("--clear", help="Delete all of it.")] = False) -> None:
    own = cache.directory()
    if own is None:
        screen.say("nothing is kept: no folder can be written; set GUDGEON_CACHE to one that can")
        return
    place = own.parent
    files = [path for path in place.rglob("*") if path.is_file()]
    said = f"{len(files)} files, {_size(files):.1f} MB"
    if clear:
        for folder in [path for path in place.iterdir() if path.is_dir()]:
            shutil.rmtree(folder, ignore_errors=True)
        print(f"{place}: {said} thrown away")
    else:
        mine = [path for path in files if own in path.parents]
        print(f"{place}: {said}; of this version of gudgeon {len(mine)} files, {_size(mine):.1f} MB")


def _size(files: list[Path]) -> float:
    """Of all together [MB]."""
    return sum(path.stat().st_size for path in files) / 1e6
