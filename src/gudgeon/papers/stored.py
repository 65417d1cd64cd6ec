"""Results of published cases that outlive the process: in memory always, on disk where a folder is set.

A file is named by a hash of what decides its content: the sources of the rooms that compute, the versions of the
libraries, the modules of the article (but for its figures), the function and its arguments. Another source, another
file; so a run that was killed continues with what it had, and nothing is ever out of date.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import pickle
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar

from gudgeon.compile.native import cache as compiled
from gudgeon.study.storage.disk import guarded, lock_file, open_file, write_file
from gudgeon.study.storage.provenance import versions

__all__ = ["keep_in", "kept", "place", "sources", "stored", "tidy"]

Answer = TypeVar("Answer")

PAPERS = Path(__file__).resolve().parent
PACKAGE = PAPERS.parent
# rooms that no number of an article depends on; a new room counts until it is named here
OTHER = ("__init__", "__main__", "batch", "bibliography", "cli", "demo", "draw", "papers", "progress", "report",
         "study", "view")  # fmt: skip
OLD = 30 * 86400.0  # results of other sources are thrown away after so long [s]

_folder: Path | None = None


def keep_in(folder: Path | None) -> None:
    """From now on results of this process are kept there; None: in memory only."""
    global _folder
    if folder is not None:
        with guarded(folder):
            folder.mkdir(parents=True, exist_ok=True)
    _folder = folder
    for file in PAPERS.rglob("*.py"):
        _hashed(file)


def place() -> Path | None:
    """The folder for results of these sources, beside the compiled code; None where nothing can be written."""
    home = compiled.directory()
    return None if home is None else home.parent / "reproduce" / _computing()[:16]


def tidy(folder: Path | None, fresh: bool = False) -> None:
    """Throw away results of other sources that were not used for a month; with `fresh` also those of these."""
    own = place()
    if own is not None:
        for other in own.parent.glob("*"):
            if other != own and time.time() - other.stat().st_mtime > OLD:
                shutil.rmtree(other, ignore_errors=True)
    for path in folder.glob("*.pickle") if fresh and folder is not None else ():
        path.unlink()


def stored(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """A function of an article, called once for each choice of arguments."""
    signature, memory = inspect.signature(function), {}
    own = Path(inspect.getfile(function))
    article = own.parent.name
    files = {own, *sources(article)}

    @wraps(function)
    def recall(*arguments: Any, **options: Any) -> Answer:
        given = signature.bind(*arguments, **options)
        given.apply_defaults()
        key = tuple(given.arguments.items())
        if key not in memory:
            name = f"{article}-{function.__name__}"
            memory[key] = kept(name, f"{function.__module__} {key}", files, lambda: function(*arguments, **options))
        return memory[key]

    return recall


def sources(article: str = "**") -> list[Path]:
    """The modules that claims of an article depend on, or those of all articles; figures are left out."""
    return [file for file in PAPERS.glob(f"{article}/*.py") if not file.stem.endswith("figures")]


def kept(name: str, key: str, files: Iterable[Path], compute: Callable[[], Answer]) -> Answer:
    """What was computed before under this name and key from these sources, or what is computed now."""
    if _folder is None:
        return compute()
    digest = hashlib.sha256(f"{_computing()} {name} {key}".encode())
    for file in sorted(files):
        digest.update(_hashed(file))
    path = _folder / f"{name}-{digest.hexdigest()[:20]}.pickle"
    with _alone(path.with_suffix(".lock")):
        # a file that was damaged is computed anew
        with suppress(OSError, EOFError, pickle.UnpicklingError, AttributeError, ImportError, ValueError):
            answer: Answer = pickle.loads(path.read_bytes())
            return answer
        answer = compute()
        with guarded(_folder):
            write_file(path, pickle.dumps(answer))
    return answer


@cache
def _hashed(file: Path) -> bytes:
    """Hash of a source when it was first read: an edit while a run goes on counts for the next run."""
    return hashlib.sha256(file.read_bytes()).digest()


@cache
def _computing() -> str:
    """A hash of everything that a number can depend on, but for the articles."""
    digest = hashlib.sha256(repr(sorted(versions().items())).encode())
    for file in sorted(PACKAGE.rglob("*.py")):
        if file.relative_to(PACKAGE).parts[0].removesuffix(".py") not in OTHER:
            digest.update(file.read_bytes())
    return digest.hexdigest()


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Two workers that need the same run compute it once: the second waits. The lock falls with its process."""
    file = open_file(path)
    try:
        lock_file(file, wait=True)
        yield
    finally:
        os.close(file)
