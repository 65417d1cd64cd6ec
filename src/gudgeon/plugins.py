"""Registration by existence: a law, mate, fit or joint kind is found because its file lies in its folder."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType

__all__ = ["load_modules"]


def load_modules(package: str, path: Iterable[str]) -> list[ModuleType]:
    """Import every module of a package, in the order of their names: `load_modules(__name__, __path__)`."""
    names = sorted(module.name for module in pkgutil.iter_modules(path))
    return [importlib.import_module(f"{package}.{name}") for name in names]
