"""Ctrl-C in the program `gudgeon`: it ends wherever it is, with a sentence and the exit code 130.

An exception between any two instructions can leave a lock taken for ever, break an import, or be swallowed in a
finaliser. So the program does not raise one: it removes the files that it has begun and leaves. All else that it writes
is whole after kill -9, too. A march of which the results are wanted ends early instead (`results_kept`).

In scripts and notebooks nothing is changed: there Ctrl-C is a KeyboardInterrupt.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from gudgeon.written import forget_drafts

__all__ = ["INTERRUPTED", "ends_the_program", "heed", "results_kept", "told", "wait_for_it"]

INTERRUPTED = 130  # exit code
GLANCE = 0.1  # [s]
SHOW_CURSOR = "\r\033[?25h\n"  # a progress bar may have hidden it

_words = ["gudgeon: stopped"]
_in_program = _keeps = False


def heed(words: str = _words[0]) -> None:
    """From now on this process is the program: the first thing that it does. A job in the background, for which Ctrl-C
    is ignored, goes on ignoring it."""
    global _in_program
    if _in_program or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    _in_program, _words[0] = True, words
    # registered first, so last of all: when Python takes itself apart, all is done and said
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGINT, _leave)


def ends_the_program() -> bool:
    """Whether Ctrl-C would end this process now, with nothing of what it computes kept."""
    return _in_program and not _keeps


@contextmanager
def results_kept() -> Iterator[None]:
    """Meanwhile a march ends early by Ctrl-C, and its results are kept; a second one ends the program."""
    global _keeps
    _keeps = True
    try:
        yield
    finally:
        _keeps = False


@contextmanager
def told(words: str) -> Iterator[None]:
    """What is said before the last sentence, if Ctrl-C comes meanwhile."""
    _words.insert(0, words)
    try:
        yield
    finally:
        _words.remove(words)


def wait_for_it() -> None:
    """Sleep until Ctrl-C."""
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        while not came:
            time.sleep(GLANCE)
    finally:
        signal.signal(signal.SIGINT, before)


def _leave(*_: Any) -> None:
    forget_drafts()
    stream = sys.stderr
    with suppress(OSError, ValueError, AttributeError):
        # not by the stream, which may be in the midst of a line
        start = SHOW_CURSOR if stream.isatty() else ""
        os.write(stream.fileno(), (start + "\n".join(_words) + "\n").encode(errors="replace"))
    os._exit(INTERRUPTED)
