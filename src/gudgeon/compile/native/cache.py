"""Where compiled code is kept between processes.

The folder is named by a hash of every source that can end up in machine code: another source, another folder. Inside,
a file is named by a hash of what made it (see compile/python/target.py). Files are written whole under another name
and then renamed, so that processes that compile the same thing at the same time do no harm. The cache does not grow
without end: folders of other sources go when they were not used for a month, and files of mechanisms and laws when
there are more than `MOST` of them, those unused for longest first. `gudgeon cache --clear` empties it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
COMPILED_ROOMS = ("assemble", "batch", "compile", "laws", "methods", "space")
MOST, LEFT = 4000, 3000  # files in one folder; and after the oldest were thrown away
OLD = 30 * 86400.0  # folders of other sources are thrown away after so long [s]


@cache
def directory() -> Path | None:
    """The cache directory of this version of the sources, or None when nothing can be written."""
    digest = hashlib.sha256(sys.version.encode())
    for room in COMPILED_ROOMS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            digest.update(path.read_bytes())
    places = [os.environ.get("GUDGEON_CACHE"), os.environ.get("XDG_CACHE_HOME"), Path.home() / ".cache"]
    for place in [p for p in places if p] + [Path(tempfile.gettempdir())]:
        path = Path(place) / "gudgeon" / digest.hexdigest()[:16]
        try:
            new = not path.exists()
            path.mkdir(parents=True, exist_ok=True)
            probe = path / f".probe-{os.getpid()}"
            probe.touch()
            probe.unlink()
        except OSError:
            continue
        if new:
            _forget_others(path)
        return path
    return None


def _forget_others(own: Path) -> None:
    """Throw away folders of other sources that were not used for long."""
    for path in own.parent.iterdir():
        with suppress(OSError):
            if path != own and path.is_dir() and time.time() - path.stat().st_mtime > OLD:
                shutil.rmtree(path)


def keep(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, whoever else writes it too; a full disk is no reason to stop."""
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}-{time.monotonic_ns()}")
        draft.write_bytes(content)
        draft.replace(path)
        files = list(path.parent.iterdir())
        if len(files) > MOST:
            _forget_oldest(files)


def _forget_oldest(files: list[Path]) -> None:
    ages = []
    for file in files:
        with suppress(OSError):
            ages.append((file.stat().st_mtime, file))
    for _, file in sorted(ages)[: max(0, len(ages) - LEFT)]:
        with suppress(OSError):
            file.unlink()


def read(path: Path) -> bytes | None:
    """A file that was kept, marked as used; None if there is none."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):
        os.utime(path)
    return content
