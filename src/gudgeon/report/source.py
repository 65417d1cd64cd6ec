"""A model to run: its mechanism, its name or file, and the settings of its run."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError
from gudgeon.report.methods import METHODS, described
from gudgeon.results import Run
from gudgeon.simulation import simulate

__all__ = ["ModelSource", "Settings"]


@dataclass(frozen=True)
class Settings:
    """How a model is run. Exactly one of duration [s] and revolutions; method None is the default of `simulate`, rtol
    None that of the method."""

    duration: float | None = None
    revolutions: float | None = None
    method: str | None = None
    rtol: float | None = None
    step: float | None = None
    output: float | None = None
    after: float | None = None
    channels: tuple[str, ...] | None = None
    stabilisation: tuple[float, float] | None = None
    trust: bool = False

    def merged(self, **given: Any) -> Settings:
        """These settings with those given; a new end replaces the old one, whichever it is."""
        known = {name: value for name, value in given.items() if value is not None}
        if "duration" in known or "revolutions" in known:
            known = {"duration": None, "revolutions": None, **known}
        return replace(self, **known)

    def file(self) -> dict[str, Any]:
        """The settings that a model file can hold."""
        fields = {name: value for name, value in (asdict(self) | {"rtol": self.tolerance}).items() if value is not None}
        return fields if self.trust else {name: value for name, value in fields.items() if name != "trust"}

    @property
    def usual(self) -> str:
        """Name of the method; where none is given, the one a run takes unless a film is too stiff for it."""
        return (self.method or "dopri5").lower()

    @property
    def tolerance(self) -> float | None:
        """Relative tolerance of the run; None for a method without error control."""
        name = self.usual
        return described(name).rtol if self.rtol is None and name in METHODS else self.rtol

    def simulate(self, mechanism: Mechanism, progress: bool | None) -> Run:
        """The run of a mechanism."""
        name = self.usual
        if self.step is None and name in METHODS and not described(name).adaptive:
            raise GudgeonError(f'--method {name} has no error control: give its step, for instance --step "1 us"')
        return simulate(mechanism, **{**asdict(self), "progress": progress})


@dataclass(frozen=True)
class ModelSource:
    """A mechanism with the name it was called by, its settings and, for a model file, the path."""

    name: str
    mechanism: Mechanism
    settings: Settings
    path: Path | None = None

    @property
    def stem(self) -> str:
        """A name for its folder."""
        return self.path.stem if self.path is not None else self.name.replace("/", "-")
