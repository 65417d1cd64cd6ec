"""When modules are loaded: plug-ins because their files exist, heavy modules when something of theirs is first used."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

__all__ = ["load_modules", "loaded_on_use"]


def load_modules(package: str, path: Iterable[str]) -> list[ModuleType]:
    """Import every module of a package, in the order of their names: `load_modules(__name__, __path__)`."""
    names = sorted(module.name for module in pkgutil.iter_modules(path))
    return [importlib.import_module(f"{package}.{name}") for name in names]


def loaded_on_use(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package with names from modules that are loaded when such a name is first used:

        __getattr__ = loaded_on_use(__name__, {"plot": "gudgeon.draw.draw"})

    A name must differ from that of its module, which Python would put in its place.
    """
    assert not any(module == f"{package}.{name}" for name, module in modules.items())

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(modules[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return get
