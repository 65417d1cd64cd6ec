"""Where compiled code is kept between processes, and how it is told to be out of date.

Numba's own cache does not notice when a function *called* by a cached function changes. So the directory is named
by a hash of every source that can end up in compiled code: another source, another directory.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
COMPILED_ROOMS = ("laws", "methods", "compile/native")
COMPILED_FILES = ("assemble/contact/memory.py",)


@cache
def directory() -> Path | None:
    """The cache directory of this version of the sources, or None when nothing can be written."""
    digest = hashlib.sha256(sys.version.encode())
    rooms = (path for room in COMPILED_ROOMS for path in sorted((PACKAGE / room).rglob("*.py")))
    for path in (*rooms, *(PACKAGE / name for name in COMPILED_FILES)):
        digest.update(path.read_bytes())
    places = [os.environ.get("GUDGEON_CACHE"), os.environ.get("XDG_CACHE_HOME"), Path.home() / ".cache"]
    for place in [p for p in places if p] + [Path(tempfile.gettempdir())]:
        path = Path(place) / "gudgeon" / digest.hexdigest()[:16]
        try:
            path.mkdir(parents=True, exist_ok=True)
            probe = path / f".probe-{os.getpid()}"
            probe.touch()
            probe.unlink()
        except OSError:
            continue
        return path
    return None


def is_compiled(name: str) -> bool:
    """Whether `name` was compiled into this cache before."""
    place = directory()
    return place is not None and (place / f"{name}.compiled").exists()


def mark_compiled(name: str) -> None:
    place = directory()
    if place is not None:
        (place / f"{name}.compiled").touch()
