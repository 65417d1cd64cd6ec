"""Two designs beside each other: fits, errors of position, measures over all machines, and what the limits allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from gudgeon.desk.answer import DesignAnswer
from gudgeon.quantity import GudgeonError
from gudgeon.study.comparison import Comparison, compare_values

__all__ = ["Beside", "beside"]


@dataclass(frozen=True)
class Beside:
    """Two answers to the same questions; `measures` compares the runs of both."""

    names: tuple[str, str]
    answers: tuple[DesignAnswer, DesignAnswer]
    measures: tuple[Comparison, ...]

    @property
    def worst(self) -> Mapping[str, tuple[float, float]]:
        """Worst errors of the positions of both [m or rad]."""
        one, two = ({error.name: error.worst for error in answer.errors} for answer in self.answers)
        return {name: (one[name], two[name]) for name in one if name in two}

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(line for found in self.measures for line in (f"{found.measure}:", *found.lines))

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def as_dict(self) -> dict[str, Any]:
        """For JSON, in SI units."""
        return {"names": list(self.names), "worst": {k: list(v) for k, v in self.worst.items()},
                "measures": [asdict(found) for found in self.measures]}  # fmt: skip


def beside(first: DesignAnswer, second: DesignAnswer, names: tuple[str, str] | None = None) -> Beside:
    """Compare two answers of `tolerance`; measures that both have."""
    titles = names or (first.name, second.name)
    if titles[0] == titles[1]:
        titles = (f"{titles[0]} (first)", f"{titles[1]} (second)")
    measures = []
    for one in first.spreads:
        two = next((each for each in second.spreads if each.name == one.name), None)
        if two is None:
            continue
        if one.unit != two.unit:
            raise GudgeonError(f'beside: "{one.name}" is in {one.unit} and in {two.unit}')
        limit = None if one.limit is None or one.limit.least else one.limit.value
        measures.append(compare_values(one.name, one.unit, titles, one.values, two.values, limit))
    found = Beside(titles, (first, second), tuple(measures))
    if not found.measures and not found.worst:
        raise GudgeonError("beside: the designs were not asked the same; give both the same positions or measures")
    return found
