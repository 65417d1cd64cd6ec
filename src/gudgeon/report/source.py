"""A model to run: its mechanism, its name or file, and the settings of its run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gudgeon.methods import methods
from gudgeon.model import Mechanism
from gudgeon.model.run_settings import RunSettings, default_method

__all__ = ["ModelSource", "method_name", "tolerance"]


@dataclass(frozen=True)
class ModelSource:
    """A mechanism with the name it was called by, its settings and, for a model file, the path."""

    name: str
    mechanism: Mechanism
    settings: RunSettings
    path: Path | None = None

    @property
    def stem(self) -> str:
        """A name for its folder."""
        return self.path.stem if self.path is not None else self.name.replace("/", "-")


def method_name(mechanism: Mechanism, settings: RunSettings) -> str:
    """Name of the method; where none is given, the one a run takes unless a film is too stiff for it."""
    return (settings.method or default_method(mechanism)).lower()


def tolerance(mechanism: Mechanism, settings: RunSettings) -> float | None:
    """Relative tolerance of the run; None for a method without error control."""
    method = methods().get(method_name(mechanism, settings))
    if settings.rtol is not None or method is None:
        return settings.rtol
    return method.rtol if method.adaptive else None
