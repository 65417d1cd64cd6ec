"""Which formulation of the equations serves a mechanism and a method, and what cannot go with what: the one table.

A formulation answers `refuses(mechanism, needs)` with its reasons. `choose` takes the formulation that is requested, or
of those that do not refuse the one with the fewest operations; `table` says the same of one small mechanism for each
feature (assemble.features).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from gudgeon.assemble import written_out
from gudgeon.assemble.features import FEATURES
from gudgeon.assemble.looped import refusals as looped
from gudgeon.assemble.needs import ACCELERATIONS, ContactTreatment, EquationForm, Needs, Refusal, refuse
from gudgeon.assemble.residual import refusals as residual
from gudgeon.assemble.tree import refusals as tree
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError

__all__ = ["CASES", "FORMULATIONS", "ContactTreatment", "Coordinates", "EquationForm", "Formulation", "Needs",
           "Refusal", "Support", "choose", "table"]  # fmt: skip

Coordinates = Literal["auto", "tree", "absolute"]
Formulation = Literal["absolute", "tree", "looped", "residual"]

FORMULATIONS: dict[Formulation, Callable[[Mechanism, Needs], list[Refusal]]] = {
    "absolute": written_out.refuses,
    "tree": tree.refuses,
    "looped": looped.refuses,
    "residual": residual.refuses,
}

# what methods need, by words; a method's own needs are Method.needs()
CASES: dict[str, Needs] = {
    "force laws, explicit": Needs(),
    "force laws, implicit (Jacobian)": Needs(jacobian=True),
    "rigid walls, events": Needs(contact="event", sticking=True),
    "rigid walls, impulses": Needs(contact="impulse"),
    "force laws, implicit (residual form)": Needs(form="residual"),
    "rigid walls, implicit (residual form)": Needs(form="residual", contact="multiplier"),
    "force laws, energy methods": Needs(form="step"),
    "rigid walls, energy methods": Needs(form="step", contact="multiplier"),
}


def choose(mechanism: Mechanism, needs: Needs = ACCELERATIONS, coordinates: str = "absolute", *,
           unrolled: bool | None = None, backend: str = "llvm") -> Formulation:  # fmt: skip
    """The formulation for a mechanism; refuses what cannot be, with the reason.

    coordinates  "tree" and "absolute" ask for these; "auto" takes a tree where it is shorter
    unrolled     whether code is written out for each part, or loops over parts of equal formulas; None: by size
    """
    if coordinates not in get_args(Coordinates):
        raise GudgeonError(f'coordinates "{coordinates}" is not known; choose from {", ".join(get_args(Coordinates))}')
    loops = looped.refuses(mechanism, needs)
    if backend != "llvm":
        loops.append(looped.not_known(f'backend "{backend}"'))
    if needs.form != "acceleration":
        refuse(residual.refuses(mechanism, needs))
        return "residual"
    refuse(written_out.refuses(mechanism, needs))
    if coordinates == "tree":
        refuse(tree.refuses(mechanism, needs))
        return "tree"
    if unrolled is False:
        refuse(loops)
        return "looped"
    if unrolled is None and not loops and looped.is_large(mechanism):
        return "looped"
    # implicit steps are long where forces are stiff; the work of a driven coordinate then has fewer digits in a tree
    if coordinates == "absolute" or needs.jacobian or tree.refuses(mechanism, needs):
        return "absolute"
    return "tree" if tree.is_shorter(mechanism) else "absolute"


@dataclass(frozen=True)
class Support:
    """One cell of the table: whether a mechanism with this feature can be integrated by methods with these needs, by
    which formulations, and where there is none the reason, and the methods with the nearest needs that can."""

    feature: str
    method: str
    formulations: tuple[Formulation, ...]
    reason: str = ""
    instead: str = ""

    @property
    def supported(self) -> bool:
        return bool(self.formulations)


def table(methods: Mapping[str, Needs] | None = None) -> list[Support]:
    """The support of every feature by every method, given by name and needs; without any by the kinds of `CASES`."""
    cells = []
    for feature, make in FEATURES.items():
        mechanism, row = make(), list[Support]()
        for method, needs in (methods or CASES).items():
            answers = {name: refuses(mechanism, needs) for name, refuses in FORMULATIONS.items()}
            serving = tuple(name for name, refusals in answers.items() if not refusals)
            main = answers["absolute" if needs.form == "acceleration" else "residual"]
            row.append(Support(feature, method, serving, "" if serving else main[0].reason))
        able = [cell.method for cell in row if cell.supported]
        cells += [cell if cell.supported else replace(cell, instead=_nearest(cell.method, able, methods or CASES))
                  for cell in row]  # fmt: skip
    return cells


def _nearest(method: str, able: Sequence[str], methods: Mapping[str, Needs]) -> str:
    """Of the methods that are able, the one whose needs are nearest: the same kind of walls first, then the same form
    of the equations."""
    wanted = methods[method]

    def distance(other: str) -> tuple[bool, bool, bool]:
        needs = methods[other]
        return (needs.hard_walls != wanted.hard_walls, needs.form != wanted.form, needs.jacobian != wanted.jacobian)

    return min(able, key=distance, default="")
