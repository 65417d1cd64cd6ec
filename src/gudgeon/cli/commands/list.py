"""gudgeon list: what there is to choose from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from gudgeon.cli import screen

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["list_things"]


def list_things(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="[KIND]",
            help="cases, joints, fits, laws, films, drives, methods, measures, materials or templates; default: all.",
        ),
    ] = None,
) -> None:
    """List what there is: cases, joints, laws, methods, measures.

    \b
    Examples:
      gudgeon list joints
      gudgeon list laws
      gudgeon list cases
    """
    from gudgeon.quantity import GudgeonError, closest

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
    from gudgeon.cli.cases import CASES

    table = screen.table("case", "*what it is", "run")
    for name, case in CASES.items():
        table.add_row(name, case.words, case.length)
    return table


def joints() -> Table:
    from gudgeon.model.joint_kinds import KINDS as PLANE
    from gudgeon.model.joint_kinds import SPATIAL_KINDS as SPACE

    table = screen.table("joint", "plane", "space", "*what it is")
    for name in dict.fromkeys([*PLANE, *SPACE]):
        table.add_row(name, "yes" if name in PLANE else "", "yes" if name in SPACE else "", joint_words(name))
    return table


def joint_words(name: str) -> str:
    """What a joint of this kind is, in a sentence."""
    from gudgeon.model.builder.joints import JointMaker
    from gudgeon.model.joint_kinds import KINDS as PLANE
    from gudgeon.model.joint_kinds import SPATIAL_KINDS as SPACE

    kind = {**SPACE, **PLANE}[name]
    if name in kind.aliases:
        return f"Another name of {kind.name}."
    words = (getattr(JointMaker, kind.method or name).__doc__ or "").split(";")[0].strip().removeprefix("Add ")
    sentence = " ".join(words.split()).rstrip(".") + "."
    return sentence[0].upper() + sentence[1:]


def measures() -> Table:
    from dataclasses import fields

    from gudgeon.analysis.measure import MEASURES
    from gudgeon.cli.laws import sentence

    table = screen.table("measure", "*what it is", "*needs")
    for word, measure in MEASURES.items():
        text = " ".join([word, *(field.name.upper() for field in fields(measure))])
        table.add_row(text, sentence(measure), "run: {transient: ..., turns: ...}" if measure.settled else "")
    return table


def laws() -> Table:
    from gudgeon.cli.laws import families, sentence

    table = screen.table("law", "role", "*what it is")
    for role, registry in families().items():
        for name, law in registry.items():
            table.add_row(name, role, sentence(law))
    return table


def films() -> Table:
    from gudgeon.cli.laws import families, sentence

    table = screen.table("film", "*what it is", "*reference")
    for name, law in families()["film"].items():
        table.add_row(name, sentence(law), law.reference)
    return table


def methods() -> Table:
    from gudgeon.cli.methods import METHODS, described

    table = screen.table("method", "order", "*what it is", "*reference")
    for name in METHODS:
        method = described(name)
        table.add_row(name, method.order, method.words, method.reference)
    return table


def materials() -> Table:
    from gudgeon.cli.laws import materials as known

    table = screen.table("material", ">Young's modulus", ">Poisson's ratio", ">density")
    for name, m in known().items():
        table.add_row(name, f"{m.youngs_modulus / 1e9:g} GPa", f"{m.poisson_ratio:g}", f"{m.density:g} kg/m³")
    return table


def fits() -> Table:
    from gudgeon.cli.laws import sentence
    from gudgeon.model import Fit

    table = screen.table("fit", "*what it is")
    for name, fit in Fit.registry.items():
        table.add_row(name, sentence(fit))
    table.add_row(
        "ISO 286",
        'In a model file fit: {iso: "20 H7/f7", wall: ...}, or film: ...; see gudgeon show "20 H7/f7".',
    )
    return table


def drives() -> Table:
    from gudgeon.cli.laws import sentence
    from gudgeon.model.files.layout import BY_JOINT, SECTIONS

    table = screen.table("drive", "*what it is")
    for section in BY_JOINT:
        table.add_row(section[:-1], sentence(SECTIONS[section]))
    return table


def templates() -> Table:
    from gudgeon.cli.templates import WORDS

    table = screen.table("template", "*what it is")
    for name, words in WORDS.items():
        table.add_row(name, words)
    return table


KINDS: dict[str, Callable[[], Table]] = {
    "cases": cases, "joints": joints, "fits": fits, "laws": laws, "films": films, "drives": drives, "methods": methods,
    "measures": measures, "materials": materials, "templates": templates,
}  # fmt: skip
