"""Show a law, or how a model file describes a part.

\b
Examples:
  gudgeon show LankaraniNikravesh
  gudgeon show cylindrical
  gudgeon show schwab2002/hertz
  gudgeon show "20 H7/f7"
  gudgeon show formula
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gudgeon.cli import screen
from gudgeon.laws.material import elastic_limit_speed
from gudgeon.laws.oil import oil
from gudgeon.methods import methods
from gudgeon.model import Fit
from gudgeon.model.files.layout import (
    SECTIONS,
    SPATIAL_SECTIONS,
    entries_of,
    run_entries,
    section_entries,
    shape_entries,
    top_entries,
)
from gudgeon.model.fits.ideal import rubs_by_reaction
from gudgeon.model.fits.iso286 import iso_fit
from gudgeon.model.fits.stop import Stop
from gudgeon.model.formula import GRAMMAR
from gudgeon.model.joint_kinds import ALSO_CALLED, KINDS, MISSING, SPATIAL_KINDS
from gudgeon.model.parts import SpatialSection
from gudgeon.model.parts.joint import Joint, SpatialJoint
from gudgeon.model.parts.section import Section
from gudgeon.papers.case import all_cases
from gudgeon.quantity import GudgeonError, closest, in_words
from gudgeon.report.descriptions import families, formula, joint_words, materials, parameters, sentence
from gudgeon.study.files import settings_entries, study_entries

if TYPE_CHECKING:
    from gudgeon.laws.law import Law
    from gudgeon.papers.case import Case

__all__ = ["command"]


def command(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A law, joint, fit, ISO fit, oil, method, material, case, or of a file: body, stop, section, formula, "
            "run, study, and every key, such as gravity.",
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
    word = name.lower()
    if word not in known and is_oil(name):
        return about_oil(name)
    if word in families():
        return about_role(word)
    if word not in known and word.removesuffix("s") in known:
        word = word.removesuffix("s")
    uses = [] if word in known else uses_of(word)
    if uses:
        return about_key(word, uses)
    if word not in known and word in ALSO_CALLED:
        return about_joint(ALSO_CALLED[word])
    if word in MISSING:
        raise GudgeonError(f'nothing is called "{name}": {MISSING[word]}')
    if word not in known:
        likely = closest(word, [*known, *ALSO_CALLED])
        hint = f'did you mean "{known.get(likely, likely)}"?' if likely else "`gudgeon list` names what there is"
        raise GudgeonError(f'nothing is called "{name}"; {hint}')
    match = known[word]
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


def fields_table(rows: list[tuple[str, str, str, str]], first: str = "parameter") -> Any:
    """Parameters, set in by two columns."""
    from rich.padding import Padding

    table = screen.table(first, "unit", "default", "*meaning")
    for name, unit, default, words in rows:
        table.add_row(name, "" if unit == "-" else unit, default or "must be given", words)
    return Padding(table, (0, 0, 0, 2))


def about_role(role: str) -> Iterator[Any]:
    """The laws that a fit takes under one of its keys."""
    yield f"{role} · law of a fit, one of these; see `gudgeon show NAME`"
    table = screen.table("law", "*what it is")
    for name, law in families()[role].items():
        table.add_row(name, sentence(law))
    yield ""
    yield table


def is_oil(name: str) -> bool:
    return bool(re.match(r"\s*(ISO[\s-]*)?VG", name, re.IGNORECASE))


def about_oil(name: str) -> Iterator[Any]:
    stated = re.search(r"at|@|°", name)
    yield f"{name} · oil of a viscosity grade (ISO 3448)"
    for celsius in () if stated else (20, 40, 60, 80, 100):
        yield screen.item(f"{celsius} °C", f"{oil(name, f'{celsius} °C') * 1e3:.4g} mPa s")
    if stated:
        yield screen.item("viscosity", f"{oil(name) * 1e3:.4g} mPa s")


def uses_of(key: str) -> list[tuple[str, Any]]:
    """The parts of a model file that have a key of this name, with its entry."""
    places = {"the file itself": top_entries(), "run": run_entries(), "stop": entries_of(Stop)}
    places |= {singular: section_entries(section) for singular, section in parts().items() if section in SECTIONS}
    places |= {word.lower(): entries_of(fit) for word, fit in Fit.registry.items()}
    places |= {name: entries_of(law) for registry in families().values() for name, law in registry.items()}
    found = {place: entries[key] for place, entries in places.items() if key in entries}
    return list(found.items())


def about_key(key: str, uses: list[tuple[str, Any]]) -> Iterator[Any]:
    yield f"{key} · key of a model file"
    rows = [(place, *row(entry)[1:]) for place, entry in uses]
    yield ""
    yield fields_table(rows, "key of")


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
    own = {singular.get(section, section[:-1]): section for section in SECTIONS}
    return own | {"stop": "joints", "section": "beams", "run": "run", "study": "study", "formula": "forces"}


def about_part(name: str) -> Iterator[Any]:
    section = parts()[name]
    if name in ("run", "study"):
        where = "a study file, see `gudgeon study`" if name == "study" else "how a model file is run, section run"
        yield f"{name} · {where}"
        yield from keys(study_entries() if name == "study" else run_entries())
        if name == "study":
            yield "\n  run: {...}"
            yield from keys(settings_entries())
        return
    if name == "formula":
        yield from about_formulas()
        return
    if name == "section":
        yield "section · of a beam in a model file: a shape, or the numbers themselves"
        for shape, entries in shape_entries().items():
            yield f"\n  section: {{{shape}: {{...}}}}"
            yield from keys(entries)
        yield "\n  section: {...}"
        yield from keys(entries_of(Section))
        yield from in_space(entries_of(Section), entries_of(SpatialSection))
        return
    cls = Stop if name == "stop" else SECTIONS[section]
    yield f"{name} · {'part of a joint' if name == 'stop' else f'section {section}'} of a model file"
    yield indented(screen.reflow((inspect.getdoc(cls) or "").partition("\n\n")[0]))
    if name == "stop":
        yield from keys(entries_of(Stop))
        return
    plane = section_entries(section)
    yield from keys(plane)
    if section in SPATIAL_SECTIONS:
        yield from in_space(plane, section_entries(section, planar=False))


def about_formulas() -> Iterator[Any]:
    """What formulas of a model file are made of."""
    yield "formula · in the place of a number: forces, torques, voltages, speeds of controllers; of t alone: drives"
    for word, text in GRAMMAR.items():
        yield screen.item(word, text)


def in_space(plane: dict[str, Any], space: dict[str, Any]) -> Iterator[Any]:
    """The keys that a part has otherwise, or alone, in a file with planar: false, and those that it has not."""

    def kind(entry: Any) -> tuple[Any, ...]:
        return (entry.kind, entry.units, entry.words, entry.required)

    other = {name: entry for name, entry in space.items() if name not in plane or kind(entry) != kind(plane[name])}
    gone = [name for name in plane if name not in space]
    if other or gone:
        without = f"; it has no {in_words(gone, 'or')}" if gone else ""
        yield f"\n  In space (planar: false), vectors with three components{without}"
        yield from keys(other)


def about_joint(name: str) -> Iterator[Any]:
    where = " and ".join(word for word, kinds in (("plane", KINDS), ("space", SPATIAL_KINDS)) if name in kinds)
    yield f"{name} · joint of {where}, section joints of a model file"
    tables = [joint_entries(cls, name) for cls in (Joint, SpatialJoint) if name in cls.kinds]
    given = any(getattr(table.get("axis"), "required", False) for table in tables)
    # the default of an argument in Python
    yield screen.item("what", joint_words(name).replace(", by default (1, 0)", "") if given else joint_words(name))
    yield from keys(tables[0])
    if len(tables) > 1:
        yield from in_space(*tables)


def joint_entries(cls: type[Joint], name: str) -> dict[str, Any]:
    """What a joint of this kind takes and needs, of all keys of a joint."""
    kind, planar = cls.kinds[name], cls.dimensions == 2
    mates = [cls.mates[mate] for mate in kind.mates]
    entries = dict(section_entries("joints", planar=planar))
    every = {size for mate in cls.mates.values() for size in mate.sizes}
    sizes = every - {size for mate in mates for size in mate.sizes}
    strips, turned = any(mate.strips for mate in mates), any(mate.axial for mate in mates)
    none = {*sizes, *(() if strips else ("strips", "profile", "short")), *(() if kind.directions else ("stop",))}
    if any(mate.external for mate in mates):
        none.add("at")  # both bodies have a place of their own
    if kind.cross:
        none |= {"axis", "arm"}  # the two that people have say the same
        for side in ("journal_axis", "bearing_axis"):
            words = f"cross axis fixed in the {side[:7]}, in the world"
            entries[side] = replace(entries[side], required=True, words=words)
    else:
        none |= {"arm", "journal_axis", "bearing_axis"} | (set() if turned else {"axis"})
        needed = turned and not (kind.rails or kind.name in ("mount", "rigid"))
        if "axis" in entries:
            entries["axis"] = replace(entries["axis"], required=needed)
    ideal = any(not mate.takes or "Ideal" in mate.takes for mate in mates)
    taken = [word.lower() for word, fit in Fit.registry.items() if any(fits_on(fit, mate) for mate in mates)]
    words = ", ".join(f"{{{word}: ...}}" for word in taken if word != "ideal")
    if any(rubs_by_reaction(kind, cls.mates, mate) for mate in kind.mates):
        words += ", {ideal: {friction: ...}}"
    words += "; ideal where left out" if ideal else ""
    entries["fit"] = replace(entries["fit"], required=not ideal, words=words)
    for mate in mates:
        for size in mate.required:
            entries[size] = replace(entries[size], required=True)
    return {key: entry for key, entry in entries.items() if key not in none}


def fits_on(fit: type[Fit], mate: Any) -> bool:
    """Whether a mate takes a fit."""
    if mate.takes:
        return fit.__name__ in mate.takes
    return not fit.reserved and (not fit.filmed or bool(mate.film_shape))


def keys(entries: dict[str, Any]) -> Iterator[Any]:
    """The keys of a part in a model file as a table; nothing where it has none."""
    rows = [row(entry) for entry in entries.values()]
    if rows:
        yield ""
        yield fields_table(rows)


def row(entry: Any) -> tuple[str, str, str, str]:
    """Name, unit, default and meaning of a key."""
    default = entry.default if isinstance(entry.default, bool | str | None) else f"{entry.default:g}"
    unit = entry.unit.unit if entry.unit is not None else " or ".join(dict.fromkeys(filter(None, entry.units)))
    text = "must be given" if entry.required else "none" if default in (None, "") else str(default)
    return entry.name, unit, text, entry.words


def indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.splitlines())
