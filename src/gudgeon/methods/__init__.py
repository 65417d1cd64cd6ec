"""Ways through time: explicit, implicit, event-driven and time-stepping methods, and the time loop that they share.

A method is one file below this folder: a subclass of `contract.Method` and the kernels it names. It is found because
the file exists; importing it compiles nothing, since kernels are compiled when they first run (compile/native/).
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gudgeon.methods.contract import Method


@cache
def methods() -> dict[str, type[Method]]:
    """All methods by their names, the default first."""
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        importlib.import_module(module.name)
    registry = importlib.import_module("gudgeon.methods.contract").Method.registry
    ours = {name: method for name, method in registry.items() if method.__module__.startswith(f"{__name__}.")}
    return {"dopri5": ours["dopri5"], **dict(sorted(ours.items()))}
