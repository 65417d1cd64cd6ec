"""MODEL on the command line: a model file or a built-in case, with its changes and run settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gudgeon.cli.methods import METHODS, described
from gudgeon.papers.case import all_cases, find_case
from gudgeon.quantity import GudgeonError, closest

if TYPE_CHECKING:
    from gudgeon.model import Mechanism
    from gudgeon.results import Run

__all__ = ["Settings", "Source", "find", "is_run", "is_study"]


@dataclass(frozen=True)
class Settings:
    """How a model is run. Exactly one of duration [s] and revolutions; method None is what `simulate` takes, rtol None
    that of the method."""

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
        """These settings with what was given; a new end replaces the old one, whichever it is."""
        known = {name: value for name, value in given.items() if value is not None}
        if "duration" in known or "revolutions" in known:
            known = {"duration": None, "revolutions": None, **known}
        return replace(self, **known)

    def file(self) -> dict[str, Any]:
        """What a model file can say of them."""
        said = {name: value for name, value in (asdict(self) | {"rtol": self.tolerance}).items() if value is not None}
        return said if self.trust else {name: value for name, value in said.items() if name != "trust"}

    @property
    def usual(self) -> str:
        """The method by name; where none is said, what a run takes unless a film is too stiff for it."""
        return (self.method or "dopri5").lower()

    @property
    def tolerance(self) -> float | None:
        """The one that a run takes; None of a method without."""
        name = self.usual
        return described(name).rtol if self.rtol is None and name in METHODS else self.rtol

    def simulate(self, mechanism: Mechanism, progress: bool | None) -> Run:
        """The run of a mechanism."""
        from gudgeon.simulation import simulate

        name = self.usual
        if self.step is None and name in METHODS and not described(name).adaptive:
            raise GudgeonError(f'--method {name} has no error control: give its step, for instance --step "1 us"')
        return simulate(mechanism, **{**asdict(self), "progress": progress})


@dataclass(frozen=True)
class Source:
    """What MODEL named: the mechanism, its settings, and for a built-in case the case."""

    name: str
    mechanism: Mechanism
    settings: Settings
    path: Path | None = None

    @property
    def stem(self) -> str:
        """A name for its folder."""
        return self.path.stem if self.path is not None else self.name.replace("/", "-")

    def changed(self, changes: Sequence[str]) -> Source:
        """The source with every `path=value` applied."""
        from gudgeon.cli.changes import apply

        return replace(self, mechanism=apply(self.mechanism, changes)) if changes else self


def find(model: str) -> Source:
    """The model file or built-in case that MODEL names."""
    case = find_case(model)
    if case is not None:
        settings = Settings(case.duration, case.revolutions, case.method, case.rtol, case.step, case.output)
        return Source(model, case.mechanism(), settings)
    path = Path(model)
    if is_run(model) and path.exists():
        raise GudgeonError(f'"{model}" holds results, not a model; `gudgeon compare` and `gudgeon cite` read it')
    if not path.is_file():
        raise _missing(model, path)
    from gudgeon.model.files import load

    read = load(path)
    return Source(model, read.mechanism, _settings(read.run, bool(read.mechanism.beams)), path)


def is_run(name: str) -> bool:
    """Whether a name is that of results on disk: a run file, or a folder with one."""
    path = Path(name)
    return path.suffix == ".nc" or (path / "run.nc").is_file()


def is_study(name: str) -> bool:
    """Whether a name is that of a folder with a study."""
    return (Path(name) / "study.db").is_file()


def _settings(run: Any, flexible: bool) -> Settings:
    """Run settings of a file; what it leaves out is as for a built-in case."""
    usual = Settings(method="alpha") if flexible else Settings()
    return usual if run is None else usual.merged(**run.arguments())


def _missing(model: str, path: Path) -> GudgeonError:
    if is_study(model):
        return GudgeonError(f'"{model}" holds a study; `gudgeon report` makes a page of it, `gudgeon view --watch` too')
    if path.is_dir():
        return GudgeonError(f'"{model}" is a folder; give a model file in it')
    beside = [p.name for p in path.parent.glob("*.y*ml")] if path.parent.is_dir() else []
    name = closest(path.name, beside)
    likely = str(path.parent / name) if name is not None else closest(model, all_cases())
    hint = f'did you mean "{likely}"?' if likely else "`gudgeon list cases` names the built-in cases"
    return GudgeonError(f'no model file or built-in case "{model}"; {hint}')
