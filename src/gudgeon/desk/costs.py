"""The cost of fits by their IT grades, and the fits to choose from: `costs.yaml`, or a file of the user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import yaml

from gudgeon.model.fits.iso286 import IsoFit, iso_fit
from gudgeon.quantity import GudgeonError, in_words

__all__ = ["Costs", "read_costs"]

USUAL = Path(__file__).with_name("costs.yaml")
EXAMPLE = "grades: {6: 10, 7: 6.3, 8: 4}\nfits: [H7/g6, H8/f7]"


@dataclass(frozen=True)
class Costs:
    """`grades`: cost of a hole or shaft by its IT grade; `fits`: holes and shafts such as "H7/f7"."""

    reference: ClassVar[str] = "Chase, Greenwood 1988"
    works: ClassVar[tuple[str, ...]] = ("chase1988",)

    grades: dict[str, float]
    fits: tuple[str, ...]
    source: str = "costs.yaml of gudgeon"

    def of(self, fit: IsoFit) -> float | None:
        """Hole and shaft together; None where a grade has no cost."""
        grades = [part.lstrip("ABCDEFGHJKLMNPRSTUVXYZabcdefghjklmnprstuvxyz") for part in (fit.hole, fit.shaft)]
        parts = [self.grades.get(grade) for grade in grades]
        return None if None in parts else float(sum(part for part in parts if part is not None))


def read_costs(given: Costs | Mapping[str, Any] | str | Path | None = None) -> Costs:
    """From a file or a mapping with `grades` and `fits`; what is left out is as usual."""
    if isinstance(given, Costs):
        return given
    usual = yaml.safe_load(USUAL.read_text(encoding="utf-8"))
    source, data = "costs.yaml of gudgeon", usual
    if isinstance(given, Mapping):
        source, data = "the given costs", {**usual, **given}
    elif given is not None:
        source, data = str(given), {**usual, **_file(Path(given))}
    unknown = [key for key in data if key not in ("grades", "fits")]
    if unknown:
        raise GudgeonError(f'{source}: unknown key "{unknown[0]}"; there are grades and fits')
    return Costs(_grades(source, data["grades"]), _fits(source, data), source)


def _file(path: Path) -> Mapping[str, Any]:
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise GudgeonError(f'costs "{path}": {error.strerror or error}; give a file with {EXAMPLE!r}') from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        place = getattr(error, "problem_mark", None)
        line = f", line {place.line + 1}" if place is not None else ""
        raise GudgeonError(f'costs "{path}"{line}: it is no YAML; write for instance {EXAMPLE!r}') from None
    if not isinstance(data, Mapping):
        raise GudgeonError(f'costs "{path}": it is no mapping; write for instance {EXAMPLE!r}')
    return data


def _grades(source: str, given: Any) -> dict[str, float]:
    if not isinstance(given, Mapping) or not given:
        raise GudgeonError(f"{source}: grades {given!r} must be a mapping of IT grades to costs, such as {{7: 6.3}}")
    for grade, cost in given.items():
        if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0.0 < cost < 1e12:
            raise GudgeonError(f"{source}: grades: IT{grade}: {cost!r} must be a positive number")
    return {str(grade): float(cost) for grade, cost in given.items()}


def _fits(source: str, data: Mapping[str, Any]) -> tuple[str, ...]:
    fits = data["fits"]
    if not isinstance(fits, list | tuple) or not fits:
        raise GudgeonError(f"{source}: fits {fits!r} must be a list such as [H7/f7, H8/e8]")
    costs = Costs(_grades(source, data["grades"]), ())
    for text in fits:
        try:
            fit = iso_fit(f"20 {text}")
        except GudgeonError as error:
            raise GudgeonError(f"{source}: fits: {error}") from None
        if fit.minimum <= 0.0:
            raise GudgeonError(f'{source}: fits: "{text}" may have no clearance at all; choose a looser shaft')
        if costs.of(fit) is None:
            known = in_words([f"IT{grade}" for grade in data["grades"]])
            raise GudgeonError(f'{source}: fits: a grade of "{text}" has no cost; there are {known}')
    return tuple(map(str, fits))
