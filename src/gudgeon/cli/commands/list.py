"""List cases, joints, laws, measures, units and oils.

\b
Examples:
  gudgeon list joints
  gudgeon list laws
  gudgeon list support
  gudgeon list support --of beam
  gudgeon list units
  gudgeon list cases
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table

from gudgeon.analysis.measures import MEASURES
from gudgeon.batch.whole import LARGEST, MOST_CONTACTS
from gudgeon.cli import screen
from gudgeon.cli.templates import descriptions
from gudgeon.laws.oil import GRADES, TYPICAL_VI, oil
from gudgeon.methods import methods as all_methods
from gudgeon.model import Fit
from gudgeon.model.files.layout import BY_JOINT, SECTIONS
from gudgeon.model.joint_kinds import KINDS as PLANE
from gudgeon.model.joint_kinds import MISSING
from gudgeon.model.joint_kinds import SPATIAL_KINDS as SPACE
from gudgeon.papers.case import all_cases
from gudgeon.quantity import QUANTITIES, GudgeonError, closest
from gudgeon.report.descriptions import families, joint_words, sentence
from gudgeon.report.descriptions import materials as known
from gudgeon.report.json_text import json_text
from gudgeon.report.support import support_table

__all__ = ["command"]

# checked by running a study of every feature in tests/unit/study/test_study_support.py
ENGINES = (
    f"studies by processes and clusters take what a run takes, those by threads and on a card what a takes, of up to "
    f"{MOST_CONTACTS} contacts and {LARGEST:,} operations"
)


def command(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="[KIND]",
            help="cases, joints, fits, laws, films, drives, methods, support, measures, materials, oils, units or "
            "templates; default: all.",
        ),
    ] = None,
    of: Annotated[
        str, typer.Option("--of", metavar="WORDS", help="Of the support table the features that contain these words.")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="The support table as JSON.")] = False,
) -> None:
    if (of or json) and kind != "support":
        raise GudgeonError(f"{'--of' if of else '--json'} belongs to the support table: gudgeon list support")
    if kind == "support":
        print(json_text(support_table(of).cells)) if json else screen.show(support(of))
        return
    if kind in ("channels", "channel"):
        raise GudgeonError("every model has channels of its own: gudgeon check MODEL --channels lists them")
    if kind in MISSING:
        raise GudgeonError(f'list "{kind}": {MISSING[kind]}')
    if kind is not None and kind not in KINDS:
        likely = closest(kind, KINDS)
        hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(KINDS)}"
        raise GudgeonError(f'list "{kind}": not known; {hint}')
    # films are among the laws
    for k, name in enumerate([name for name in KINDS if name != "films"] if kind is None else [kind]):
        if k:
            print()
        screen.show(KINDS[name]())


def cases() -> Table:
    table = screen.table("case", "*what it is", "run")
    for name, case in all_cases().items():
        table.add_row(name, case.words, case.length)
    return table


def joints() -> Table:
    table = screen.table("joint", "plane", "space", "*what it is")
    for name in dict.fromkeys([*PLANE, *SPACE]):
        table.add_row(name, "yes" if name in PLANE else "", "yes" if name in SPACE else "", joint_words(name))
    return table


def measures() -> Table:
    table = screen.table("measure", "*what it is", "*needs")
    for word, measure in MEASURES.items():
        text = " ".join([word, *(field.name.upper() for field in fields(measure))])
        table.add_row(text, sentence(measure), "run: {transient: ..., turns: ...}" if measure.settled else "")
    return table


def laws() -> Table:
    table = screen.table("law", "role", "*what it is")
    for role, registry in families().items():
        for name, law in registry.items():
            table.add_row(name, role, sentence(law))
    return table


def films() -> Table:
    table = screen.table("film", "*what it is", "*reference")
    for name, law in families()["film"].items():
        table.add_row(name, sentence(law), law.reference)
    return table


def methods() -> Table:
    table = screen.table("method", "order", "*what it is", "*reference")
    for name, method in all_methods().items():
        table.add_row(name, str(method.order), sentence(method), method.reference)
    return table


def support(of: str = "") -> Group:
    """Which kinds of methods integrate a mechanism with which features, and why not where they do not."""
    found = support_table(of)
    table = screen.table("*feature", *found.kinds)
    for feature, row in found.rows.items():
        table.add_row(feature, *row)
    legend = [f"{letter}  {kind}" for letter, kind in found.kinds.items()]
    reasons = [f"({k}) {reason}" for k, reason in enumerate(found.reasons, 1)]
    return Group(table, "", *legend, "", *reasons, *([""] if reasons else []), f"{found.share}; {ENGINES}")


def materials() -> Table:
    table = screen.table("material", ">Young's modulus", ">Poisson's ratio", ">density")
    for name, m in known().items():
        table.add_row(name, f"{m.youngs_modulus / 1e9:g} GPa", f"{m.poisson_ratio:g}", f"{m.density:g} kg/m³")
    return table


def oils() -> Group:
    """Dynamic viscosities of mineral oils by their ISO grade and temperature."""
    temperatures = (20, 40, 60, 80, 100)
    table = screen.table("oil", ">kinematic, 40 °C", *(f">{t} °C" for t in temperatures))
    for grade, kinematic in GRADES.items():
        cells = []
        for t in temperatures:
            try:
                value = f"{oil(f'ISO VG {grade}', f'{t} °C') * 1e3:.3g}"
                cells.append(f"{float(value):g}")
            except GudgeonError:
                cells.append("-")  # too thin for a viscosity index
        table.add_row(f"ISO VG {grade}", f"{kinematic:g} mm²/s", *cells)
    words = (
        f"Dynamic viscosities in mPa s at viscosity index {TYPICAL_VI:g}; two oils of one grade may differ by 20 %. "
        "Write viscosity: ISO VG 46 at 60 °C, with another index ISO VG 46 VI 140 at 60 °C; in Python "
        'gd.oil("ISO VG 46", "60 °C").'
    )
    return Group(table, "", screen.reflow(words))


def units() -> Group:
    """Units in which numbers of a field may be written."""
    table = screen.table("quantity", "SI", "*also", "example")
    for kind in QUANTITIES:
        table.add_row(kind.word, kind.unit, ", ".join(kind.others), kind.example)
    words = (
        "A number without a unit is SI. Units multiply with a space, * or · and where they are written together (Nmm), "
        "divide with /, and have powers as m^2, m2 or m²; behind a / a product stands in brackets: N/(m s). Every "
        'unit that has the dimension of its field is taken. Decimals have a point. Oils: "gudgeon list oils".'
    )
    return Group(table, "", screen.reflow(words))


def fits() -> Table:
    table = screen.table("fit", "*what it is")
    for name, fit in Fit.registry.items():
        table.add_row(name, sentence(fit))
    table.add_row(
        "ISO 286",
        'In a model file fit: {iso: "20 H7/f7", wall: ...}, or film: ...; see gudgeon show "20 H7/f7".',
    )
    return table


def drives() -> Table:
    table = screen.table("drive", "*what it is")
    for section in BY_JOINT:
        table.add_row(section[:-1], sentence(SECTIONS[section]))
    return table


def templates() -> Table:
    table = screen.table("template", "*what it is")
    for name, words in descriptions().items():
        table.add_row(name, words)
    return table


KINDS: dict[str, Callable[[], Table | Group]] = {
    "cases": cases, "joints": joints, "fits": fits, "laws": laws, "films": films, "drives": drives, "methods": methods,
    "support": support, "measures": measures, "materials": materials, "oils": oils, "units": units,
    "templates": templates,
}  # fmt: skip
