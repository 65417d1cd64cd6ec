"""Writing files so that they are whole or not there, and saying clearly when the disk does not take them."""

from __future__ import annotations

import errno
import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gudgeon.quantity import GudgeonError

try:
    import fcntl
except ImportError:  # Windows: everything but studies and the reproduction of articles works there
    fcntl = None  # type: ignore[assignment]

__all__ = ["StoreError", "checksum", "guarded", "lock_file", "open_file", "write_file"]

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class StoreError(GudgeonError):
    """A store that cannot be read or written now; what was finished before is kept."""


def open_file(path: Path) -> int:
    """A file that is there, or is made, to be locked."""
    return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)


def lock_file(file: int, *, wait: bool) -> bool:
    """Lock an open file until it is closed or its process ends; False where another process has it and this one does
    not wait."""
    if fcntl is None:
        raise StoreError("files cannot be locked on this system, so that two processes could write one store; use WSL")
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_file(path: Path, data: bytes) -> None:
    """Beside its place, synchronised, renamed, and the folder synchronised: after this it survives a power cut."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.rename(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def guarded(folder: Path) -> Iterator[None]:
    """What the disk says, told in the user's words."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise full(folder) from error
        raise StoreError(f"{error.filename or folder}: {error.strerror or error}") from error
    except sqlite3.Error as error:
        text = str(error)
        if "full" in text:
            raise full(folder) from error
        if "disk I/O" in text and _is_full(folder):
            raise full(folder) from error
        raise StoreError(f"{folder / 'study.db'}: {text}") from error


def full(folder: Path) -> StoreError:
    return StoreError(
        f"the disk is full at {folder}; every run that was finished before is kept: free some space, then resume"
    )


def _is_full(folder: Path) -> bool:
    """Whether not even a page can be written: SQLite reports some full disks as an input or output error."""
    probe = folder / f".probe{os.getpid()}"
    try:
        probe.write_bytes(bytes(8192))
    except OSError as error:
        return error.errno in _FULL
    finally:
        probe.unlink(missing_ok=True)
    return False
