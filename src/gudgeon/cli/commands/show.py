"""Show a law, or what a model file says of a joint or part.

\b
Examples:
  gudgeon show LankaraniNikravesh
  gudgeon show cylindrical
  gudgeon show schwab2002/hertz
  gudgeon show "20 H7/f7"
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gudgeon.cli import screen
from gudgeon.laws.material import elastic_limit_speed
from gudgeon.methods import methods
from gudgeon.model import Fit
from gudgeon.model.files.layout import SECTIONS, entries_of, run_entries, section_entries
from gudgeon.model.fits.iso286 import iso_fit
from gudgeon.model.fits.stop import Stop
from gudgeon.model.joint_kinds import KINDS, SPATIAL_KINDS
from gudgeon.model.parts.joint import Joint, SpatialJoint
from gudgeon.papers.case import all_cases
from gudgeon.quantity import GudgeonError, closest
from gudgeon.report.descriptions import families, formula, joint_words, materials, parameters, sentence

if TYPE_CHECKING:
    from gudgeon.laws.law import Law
    from gudgeon.papers.case import Case

__all__ = ["command"]


def command(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A law, joint, fit, ISO fit, method, material, case or part of a model file: body, spring, stop, run.",
        ),
    ],
) -> None:
    for k, line in enumerate(described(name)):
        screen.show(screen.title(line) if k == 0 else line)


def described(name: str) -> Iterator[Any]:
    """Lines and tables about whatever has this name."""
    if re.match(r"[\d.]+ *[A-Za-z]", name):
        return about_iso(name)
    laws = {name: (role, law) for role, registry in families().items() for name, law in registry.items()}
    joints, own, cases = [*KINDS, *SPATIAL_KINDS], parts(), all_cases()
    known = {word.lower(): word for word in [*laws, *methods(), *materials(), *cases, *Fit.registry, *own, *joints]}
    if name.lower() not in known:
        likely = closest(name.lower(), known)
        hint = f'did you mean "{known[likely]}"?' if likely else "`gudgeon list` names what there is"
        raise GudgeonError(f'nothing is called "{name}"; {hint}')
    match = known[name.lower()]
    if match in laws:
        return about_law(*laws[match])
    if match in methods():
        return about_method(match)
    if match in cases:
        return about_case(cases[match])
    if match in joints:
        return about_joint(match)
    if match in own:
        return about_part(match)
    return about_fit(match) if match in Fit.registry else about_material(match)


def about_law(role: str, law: type[Law]) -> Iterator[Any]:
    yield f"{law.__name__} · {role} law"
    yield indented(screen.reflow(sentence(law)))
    yield ""
    yield indented(screen.reflow(formula(law)))
    yield ""
    yield fields_table([(p.name, p.unit, p.default, p.words) for p in parameters(law)])
    yield ""
    yield screen.item("validity", law.validity)
    yield screen.item("reference", law.reference)


def fields_table(rows: list[tuple[str, str, str, str]]) -> Any:
    """Parameters, set in by two columns."""
    from rich.padding import Padding

    table = screen.table("parameter", "unit", "default", "*meaning")
    for name, unit, default, words in rows:
        table.add_row(name, "" if unit == "-" else unit, default or "must be given", words)
    return Padding(table, (0, 0, 0, 2))


def about_method(name: str) -> Iterator[Any]:
    method = methods()[name]
    yield f"{name} · method of order {method.order}, {method.title}"
    yield screen.item("what", sentence(method))
    yield screen.item("reference", method.reference)


def about_material(name: str) -> Iterator[Any]:
    material = materials()[name]
    yield f"{name} · material"
    yield screen.item("modulus", f"{material.youngs_modulus / 1e9:g} GPa (Young)")
    yield screen.item("Poisson", f"{material.poisson_ratio:g}")
    yield screen.item("density", f"{material.density:g} kg/m³")
    yield screen.item("impacts", f"elastic below {elastic_limit_speed(material):.3g} m/s, 1e-5 sqrt(E / density)")


def about_case(case: Case) -> Iterator[Any]:
    yield f"{case.name} · built-in case"
    yield screen.item("article", case.article)
    yield screen.item("what", case.words)
    yield screen.item("source", case.section)
    yield ""
    yield indented(case.mechanism().summary())


def about_iso(name: str) -> Iterator[Any]:
    fit = iso_fit(name)
    yield f"{fit.text} · ISO 286 {fit.kind} fit"
    for word, upper, lower in (
        (fit.hole, fit.hole_upper, fit.hole_lower),
        (fit.shaft, fit.shaft_upper, fit.shaft_lower),
    ):
        yield screen.item(word, f"{upper * 1e6:+.4g} / {lower * 1e6:+.4g} µm from {fit.nominal * 1e3:g} mm diameter")
    for limit in ("minimum", "mean", "maximum"):
        yield screen.item(limit, f"{getattr(fit, limit) * 1e6:.4g} µm radial clearance")


def about_fit(name: str) -> Iterator[Any]:
    yield f"{name} · fit, in a model file {name.lower()}"
    yield indented(screen.reflow(inspect.getdoc(Fit.registry[name]) or ""))
    yield from keys(entries_of(Fit.registry[name]))


def parts() -> dict[str, str]:
    """Parts of a model file in the singular -> the section that they stand in."""
    singular = {"bodies": "body"}
    return {singular.get(section, section[:-1]): section for section in SECTIONS} | {"stop": "joints", "run": "run"}


def about_part(name: str) -> Iterator[Any]:
    section = parts()[name]
    if name == "run":
        yield "run · how a model file is run, section run"
        yield from keys(run_entries())
        return
    cls = Stop if name == "stop" else SECTIONS[section]
    yield f"{name} · {'part of a joint' if name == 'stop' else f'section {section}'} of a model file"
    yield indented(screen.reflow((inspect.getdoc(cls) or "").partition("\n\n")[0]))
    yield from keys(entries_of(Stop) if name == "stop" else section_entries(section))


def about_joint(name: str) -> Iterator[Any]:
    where = " and ".join(word for word, kinds in (("plane", KINDS), ("space", SPATIAL_KINDS)) if name in kinds)
    yield f"{name} · joint of {where}, section joints of a model file"
    yield screen.item("what", joint_words(name))
    entries, cls = section_entries("joints", planar=name in KINDS), (Joint if name in KINDS else SpatialJoint)
    sizes = {size for mate in cls.mates.values() for size in mate.sizes}
    used = {size for mate in cls.kinds[name].mates for size in cls.mates[mate].sizes}
    other = {"arm": "universal", "journal_axis": "universal", "bearing_axis": "universal"}
    yield from keys({key: entry for key, entry in entries.items()
                     if other.get(key, name) == name and key not in sizes - used})  # fmt: skip


def keys(entries: dict[str, Any]) -> Iterator[Any]:
    """The keys of a part in a model file as a table; nothing where it has none."""
    rows = []
    for entry in entries.values():
        default = entry.default if isinstance(entry.default, bool | str | None) else f"{entry.default:g}"
        unit = entry.unit.unit if entry.unit is not None else " or ".join(entry.units)
        text = "must be given" if entry.required else "none" if default in (None, "") else str(default)
        rows.append((entry.name, unit, text, entry.words))
    if rows:
        yield ""
        yield fields_table(rows)


def indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.splitlines())
