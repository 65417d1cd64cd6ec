"""Who computed: versions, computer and time of a session, for the store."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import socket
import sys
from typing import Any

from gudgeon.compile.native import cache

__all__ = ["session", "versions"]


def versions() -> dict[str, str]:
    """What numbers may depend on: gudgeon and its compiled sources, libraries, Python, the processor."""
    # not by an import: the package names everything that is public, also of rooms above this one
    by_name = {"gudgeon": sys.modules["gudgeon"].__version__}
    place = cache.directory()
    if place is not None:
        by_name["compiled sources"] = place.name
    for name in ("numpy", "scipy", "llvmlite"):
        by_name[name] = importlib.metadata.version(name)
    return by_name | {"python": platform.python_version(), "machine": f"{sys.platform} {platform.machine()}"}


def session(engine: str) -> dict[str, Any]:
    """One time that a study was computed on."""
    return {"engine": engine, "host": socket.gethostname(), "process": os.getpid(), "versions": versions()}
