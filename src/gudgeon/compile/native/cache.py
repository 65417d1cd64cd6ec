"""Where compiled code is kept between processes.

The folder is named by a hash of every source that can end up in machine code: another source, another folder. Inside,
a file is named by a hash of what made it (see compile/python/target.py). Files are written whole under another name
and then renamed, so that processes that compile the same thing at the same time do no harm, and begin with a checksum:
what a power cut or a failing disk has damaged is compiled again, not run. The cache does not grow
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
CHECKSUM = 32  # bytes before the content of a file
OLD = 30 * 86400.0  # folders of other sources are thrown away after so long [s]


@cache
def directory() -> Path | None:
    """The cache directory of this version of the sources, or None when nothing can be written."""
    digest = hashlib.sha256(sys.version.encode())
    for room in COMPILED_ROOMS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            digest.update(path.read_bytes())
    # a user without an entry in the system's list of users has no home
    home = os.path.expanduser("~/.cache")
    places = [os.environ.get("GUDGEON_CACHE"), os.environ.get("XDG_CACHE_HOME"), home if home[0] != "~" else None]
    for folder in (*(Path(place) / "gudgeon" for place in places if place), _for_all()):
        path = folder / digest.hexdigest()[:16]
        try:
            if folder == _for_all():
                folder.mkdir(mode=0o700, exist_ok=True)
                if not _is_ours(folder):
                    continue
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


def _for_all() -> Path:
    """A folder of this user's own where everybody can write."""
    return Path(tempfile.gettempdir()) / f"gudgeon-{os.getuid() if hasattr(os, 'getuid') else ''}"


def _is_ours(folder: Path) -> bool:
    """Whether nobody else can have put code into it."""
    found = folder.lstat()
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


def _forget_others(own: Path) -> None:
    """Throw away folders of other sources that were not used for long."""
    for path in own.parent.iterdir():
        with suppress(OSError):
            if path != own and path.is_dir() and time.time() - path.stat().st_mtime > OLD:
                shutil.rmtree(path)


def keep(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, whoever else writes it too; a full disk is no reason to stop."""
    if _write(path, hashlib.sha256(content).digest() + content):
        with suppress(OSError):
            files = list(path.parent.iterdir())
            if len(files) > MOST:
                _forget_oldest(files)


def has_text(path: Path, text: str) -> bool:
    """Whether a file has this text, which is written where it has not."""
    with suppress(OSError):
        if path.read_bytes() == text.encode():
            return True
    return _write(path, text.encode())


def _write(path: Path, content: bytes) -> bool:
    draft = path.with_suffix(f".{os.getpid()}-{time.monotonic_ns()}")
    try:
        path.parent.mkdir(exist_ok=True)
        draft.write_bytes(content)
        draft.replace(path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        return False
    return True


def _forget_oldest(files: list[Path]) -> None:
    ages = []
    for file in files:
        with suppress(OSError):
            ages.append((file.stat().st_mtime, file))
    for _, file in sorted(ages)[: max(0, len(ages) - LEFT)]:
        with suppress(OSError):
            file.unlink()


def read(path: Path) -> bytes | None:
    """What was kept, marked as used; None if there is nothing, or it is damaged."""
    try:
        kept = path.read_bytes()
    except OSError:
        return None
    content = kept[CHECKSUM:]
    if hashlib.sha256(content).digest() != kept[:CHECKSUM]:
        return None
    with suppress(OSError):
        os.utime(path)
    return content
