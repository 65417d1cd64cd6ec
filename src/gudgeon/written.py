"""Writing files so that under their name they are whole, or what they were before.

Whatever ends a program while it writes - a full disk, Ctrl-C, kill -9, an error in a figure - leaves no half file that
a person or a program takes for a whole one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["draft", "forget_drafts", "write_text"]

_begun: set[Path] = set()


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """A file beside `path` to write, which takes its name at the end. A pipe or a device is written as it is, a link
    stays one."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        yield path
        return
    part = target.with_name(f"{target.stem}.{os.getpid()}-part{target.suffix}")
    _begun.add(part)
    try:
        yield part
        with suppress(OSError):
            part.chmod(target.stat().st_mode)
        os.replace(part, target)
    except BaseException as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename in (None, str(part)):
            error.filename = str(path)
        raise
    finally:
        _begun.discard(part)


def forget_drafts() -> None:
    """Remove what was begun, where the program ends at once."""
    for part in list(_begun):
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_text(path: Path, text: str, errors: str = "strict") -> Path:
    """A whole text as a file, UTF-8."""
    with draft(path) as part:
        part.write_text(text, encoding="utf-8", errors=errors)
    return path
