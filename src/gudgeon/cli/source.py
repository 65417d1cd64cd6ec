"""MODEL on the command line: a model file or a built-in case, with changes by `--set`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from gudgeon.model import Mechanism
from gudgeon.model.files import RunSettings, load
from gudgeon.model.files.edit import put
from gudgeon.papers.case import all_cases, find_case
from gudgeon.quantity import GudgeonError, closest
from gudgeon.report.source import ModelSource

__all__ = ["changed", "find", "is_run", "is_study"]

# of a run, which have options of their own; a mechanism has a field `start` too
SETTINGS = ("duration", "revolutions", "method", "rtol", "step", "output", "after")


def find(model: str, changes: Iterable[str] | None = None) -> ModelSource:
    """The model file or built-in case that MODEL names, with every `path=value` of `--set` applied in order."""
    source = _case(model) or _file(model)
    return replace(source, mechanism=changed(source.mechanism, changes)) if changes else source


def changed(mechanism: Mechanism, changes: Iterable[str]) -> Mechanism:
    """The mechanism with every `path=value`: a number by its short path, or any field by its path in the file."""
    for change in changes:
        path, equals, value = (text.strip() for text in change.partition("="))
        if not (equals and path and value):
            raise GudgeonError(f'--set "{change}": write path=value, for instance --set pin.radial_clearance=0.2mm')
        if path.removeprefix("run.") in SETTINGS:
            name = path.removeprefix("run.")
            option = f"--{'until' if name == 'duration' else name} {value}"
            raise GudgeonError(f'--set "{path}": a setting of the run, not of the mechanism; give {option}')
        try:
            mechanism = put(mechanism, path, value)
        except GudgeonError as error:
            reason = str(error).removeprefix(f'vary "{path}": ')
            raise GudgeonError(f"--set {path}={value}: {reason}") from None
    return mechanism


def is_run(name: str) -> bool:
    """Whether a name is that of results on disk: a run file, or a folder with one."""
    path = Path(name)
    return path.suffix == ".nc" or (path / "run.nc").is_file()


def is_study(name: str) -> bool:
    """Whether a name is that of a folder with a study."""
    return (Path(name) / "study.db").is_file()


def _case(model: str) -> ModelSource | None:
    case = find_case(model)
    if case is None:
        return None
    settings = RunSettings(case.duration, case.revolutions, case.method, case.rtol, case.step, case.output)
    return ModelSource(model, case.mechanism(), settings)


def _file(model: str) -> ModelSource:
    path = Path(model)
    if is_run(model) and path.exists():
        raise GudgeonError(f'"{model}" holds results, not a model; `gudgeon compare` and `gudgeon cite` read it')
    if not path.is_file():
        raise _missing(model, path)
    read = load(path)
    return ModelSource(model, read.mechanism, read.run, path)


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
