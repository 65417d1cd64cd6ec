"""Python's collector of cyclic garbage, paused while something is built of many objects that stay.

The collector goes through the objects of a process each time enough new ones have come. Assembling a mechanism makes a
million nodes and instructions, of which hardly any is garbage before the end: a quarter of the time went into looking.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_pauses = 0  # pauses that last, of all threads: the collector is one for all of them
_resume = False  # whether it ran before the first of them


@contextmanager
def collector_paused() -> Iterator[None]:
    """Nothing is collected within; afterwards the collector is as it was."""
    global _pauses, _resume
    with _lock:
        if _pauses == 0:
            _resume = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if _pauses == 0 and _resume:
                gc.enable()
