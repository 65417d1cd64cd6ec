"""The lock of a store: one process computes, others are told who. It falls with its process, even by kill -9."""

from __future__ import annotations

import json
import os
import socket
import time
from pathlib import Path

from gudgeon.study.storage.disk import StoreError, guarded, lock_file, open_file

__all__ = ["Lock"]


class Lock:
    """Held from its creation until `release`."""

    def __init__(self, folder: Path) -> None:
        path = folder / "lock"
        with guarded(folder):
            self._file = open_file(path)
        if not lock_file(self._file, wait=False):
            who = _holder(self._file)
            os.close(self._file)
            raise StoreError(
                f"{folder} is being computed by {who}; wait for it, or stop it first; "
                f"`gudgeon study status {folder}` shows how far it is"
            )
        mine = {"process": os.getpid(), "host": socket.gethostname(), "since": time.strftime("%Y-%m-%d %H:%M:%S")}
        # who holds it is for people only: a full disk must not stop a resumption that will be told soon enough
        try:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, json.dumps(mine).encode(), 0)
        except OSError:
            pass

    def release(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _holder(file: int) -> str:
    try:
        holder = json.loads(os.pread(file, 1000, 0))
        return f"process {holder['process']} on {holder['host']} since {holder['since']}"
    except (OSError, ValueError, KeyError):
        return "another process"
