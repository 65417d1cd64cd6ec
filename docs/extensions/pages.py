"""Pages made from the registries: one for each law, mate and method, the bibliography, the benchmarks.

A page has what the source says (words, formula, fields, validity, reference) and, in front of it, the formula and its
derivation from theory/derivations/NAME.md, where somebody has written that.
"""

from __future__ import annotations

import inspect
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import beams
import contact_losses
import figures
import tolerances
from claims import QUOTED, claims_page, quoted
from sphinx.application import Sphinx

from gudgeon.bibliography import WORKS
from gudgeon.cli import commands as command_files
from gudgeon.cli import templates
from gudgeon.cli.app import load
from gudgeon.cli.sketch import sketch
from gudgeon.methods import methods
from gudgeon.model.files import loads
from gudgeon.report.descriptions import families, formula, parameters, sentence
from gudgeon.report.support import support_table
from gudgeon.space.mate import Mate, SpatialMate

HERE = Path(__file__).resolve().parents[1]
THEORY = HERE / "theory"
WORDS = {"wall": "contact law", "friction": "friction law", "liner": "liner law", "film": "film law"}


def write(path: Path, text: str) -> None:
    """Only what has changed: Sphinx reads by the time of a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def derivation(folder: str, name: str, otherwise: str = "") -> str:
    """What somebody has written, or the words of the source."""
    path = THEORY / "derivations" / folder / f"{name}.md"
    if path.exists():
        return path.read_text(encoding="utf-8").strip() + "\n"
    return f"## Formula\n\n```text\n{otherwise.strip()}\n```\n" if otherwise else ""


def quoted_source(text: str, title: str) -> str:
    """The words of the source, as they stand there."""
    return f":::{{dropdown}} {title}\n```text\n{text.strip()}\n```\n:::\n"


def cell(text: str) -> str:
    """A cell of a table; nothing is markup but names between backquotes."""
    pieces = re.split(r"(`[^`]+`)", text.replace("\n", " "))
    return "".join(p if p.startswith("`") else re.sub(r"([\\|*_<$\[\]])", r"\\\1", p) for p in pieces)


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def bibtex(keys: tuple[str, ...]) -> str:
    known = [WORKS[key].bibtex() for key in keys if key in WORKS]
    return "```bibtex\n" + "\n\n".join(known) + "\n```\n" if known else ""


def law_page(role: str, law: Any) -> str:
    name = law.__name__
    rows = [(f"`{p.name}`", cell("" if p.unit == "-" else p.unit), cell(p.default or "must be given"), cell(p.words))
            for p in parameters(law)]  # fmt: skip
    picture = figures.of_law(role, law, THEORY / "figures")
    parts = [f"# {name}\n", f"*{WORDS[role].capitalize()}.* {sentence(law)}\n", derivation("laws", name, formula(law))]
    if picture:
        parts += ["## Figure\n", f"```{{image}} ../figures/{picture.file}\n:alt: {name}\n```\n", picture.words + "\n"]
    parts += ["## Fields\n", table(("field", "unit", "default", "meaning"), rows)]
    parts += ["## Validity\n", law.validity + "\n", "## Reference\n", cell(law.reference) + "\n", bibtex(law.works)]
    parts += [quoted_source(formula(law), f"From the source code: {inspect.getmodule(law).__name__}")]
    return "\n".join(part for part in parts if part)


def mate_page(mate: Any, space: str) -> str:
    name = mate.name
    module = inspect.getmodule(mate)
    picture = figures.of_mate(name, space, THEORY / "figures")
    formula, _, validity = derivation("mates", f"{space.split()[-1]}-{name}").partition("## Validity\n")
    parts = [f"# {name.capitalize()}, {space}\n", (module.__doc__ or "").strip().partition(": ")[2].capitalize() + "\n",
             "## Formula\n", formula]  # fmt: skip
    if picture:
        parts += ["## Figure\n", f"```{{image}} ../figures/{picture.file}\n:alt: {name}\n```\n", picture.words + "\n"]
    parts += [
        f"## Validity\n{validity}",
        "## Joints that have it\n",
        joints_with(name, space),
        "## From the source code\n",
    ]
    parts += [cell(inspect.getdoc(mate).replace("\n\n", "\0")).replace("\0", "\n\n") + "\n"]
    source = "".join(inspect.getsource(mate.rows)) + "\n" + "".join(inspect.getsource(mate.touches))
    parts += [f"Constraint equations (`rows`) and places of contact (`touches`), {{file}}`{module.__name__}`:\n",
              f"```python\n{inspect.cleandoc(source)}\n```\n"]  # fmt: skip
    return "\n".join(part for part in parts if part)


def joints_with(name: str, space: str) -> str:
    from gudgeon.model.joint_kinds import KINDS, SPATIAL_KINDS

    kinds = dict.fromkeys((KINDS if space == "of the plane" else SPATIAL_KINDS).values())
    rows = [(k.name, ", ".join(k.mates), " and ".join(k.directions) or "nothing that can be driven") for k in kinds
            if name in k.mates]  # fmt: skip
    return table(("joint", "its contact pairs", "driven or stopped"), rows)


def method_page(name: str) -> str:
    method = methods()[name]
    parts = [f"# {name}: {method.title}\n", sentence(method) + "\n", derivation("methods", name, module_words(name))]
    picture = figures.of_method(name, THEORY / "figures")
    if picture:
        parts += ["## Figure\n", f"```{{image}} ../figures/{picture.file}\n:alt: {name}\n```\n", picture.words + "\n"]
    order = f"Order {method.order}; " + ("the step follows the tolerance" if method.adaptive else "the step is given")
    use = f'{order}. As an argument: `method="{name}"`, or with options the class `gudgeon.{method.__name__}`.\n'
    parts += ["## Use\n", use, "## Reference\n", cell(method.reference) + "\n", bibtex(method.works)]
    return "\n".join(part for part in parts if part)


def module_words(method: str) -> str:
    """The docstring of a method's module."""
    return inspect.getdoc(inspect.getmodule(methods()[method])) or ""


def theory() -> Iterator[tuple[Path, str]]:
    lists: dict[str, list[tuple[str, ...]]] = {}
    for role, registry in families().items():
        for name, law in sorted(registry.items()):
            if law.__module__.startswith("gudgeon."):
                yield THEORY / "laws" / f"{name}.md", law_page(role, law)
                lists.setdefault(role, []).append(
                    (f"[{name}](laws/{name}.md)", cell(sentence(law)), cell(law.validity))
                )
    for space, registry in (("of the plane", Mate.registry), ("of space", SpatialMate.registry)):
        for name, mate in registry.items():
            file = f"{space.split()[-1]}-{name}"
            yield THEORY / "mates" / f"{file}.md", mate_page(mate, space)
            words = (inspect.getmodule(mate).__doc__ or "").strip().partition(": ")[2]
            lists.setdefault(space, []).append((f"[{name}](mates/{file}.md)", cell(words)))
    for name in methods():
        yield THEORY / "methods" / f"{name}.md", method_page(name)
        lists.setdefault("methods", []).append((f"[{name}](methods/{name}.md)", str(methods()[name].order),
                                                cell(sentence(methods()[name]))))  # fmt: skip
    titles = {"wall": "Contact", "friction": "Friction", "liner": "Liners of bushings", "film": "Films"}
    families_of = [(title, ("law", "what", "validity"), lists[role]) for role, title in titles.items()]
    yield THEORY / "laws.md", listing("Laws", "laws", families_of)
    yield THEORY / "mates.md", listing("Contact pairs", "mates", [
        (f"Contact pairs {space}", ("contact pair", "what"), lists[space]) for space in ("of the plane", "of space")
    ])  # fmt: skip
    yield THEORY / "methods.md", listing("Methods", "methods", [("", ("method", "order", "what"), lists["methods"])])
    yield THEORY / "references.md", references()


INTRODUCTIONS = {
    "Laws": "A law computes a force from the relative motion of two surfaces; its inputs and outputs are scalars. Its "
            "parameters are the fields of a frozen class. You can define laws of your own in the same way, see "
            "[extending](../extending.md).",
    "Contact pairs": "A contact pair (class `Mate`) is a pair of surfaces of a joint that can touch. Formulas of "
                     "position give the constraint equations of an ideal fit, the places where the surfaces can "
                     "touch, and the deflections that a bushing or a film resists. It does not depend on any law. A "
                     "joint has one contact pair or several, and each can have a fit of its own.",
    "Methods": "A method integrates the equations of motion in time. All methods use the same compiled equations and "
               "locate the onset of contacts within the step.",
}  # fmt: skip


def listing(title: str, folder: str, sections: list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]) -> str:
    parts = [f"# {title}\n", INTRODUCTIONS[title] + "\n"]
    for head, columns, rows in sections:
        parts += [f"## {head}\n" if head else "", table(columns, rows)]
    parts.append(f"```{{toctree}}\n:hidden:\n:glob:\n\n{folder}/*\n```\n")
    return "\n".join(part for part in parts if part)


def references() -> str:
    parts = ["# References\n", "All publications that laws, methods, analyses and cases cite. `gudgeon cite MODEL` "
             "prints those that a model uses.\n"]  # fmt: skip
    for key in sorted(WORKS):
        parts += [f"(ref-{key})=\n", f"```bibtex\n{WORKS[key].bibtex()}\n```\n"]
    return "\n".join(parts)


def benchmarks() -> str:
    """The tables of the last `make bench` that was committed."""
    path = HERE.parent / "benchmarks" / "logs" / "bench.json"
    if not path.exists():
        return "No run of `make bench` has been kept.\n"
    results = json.loads(path.read_text(encoding="utf-8"))
    parts = [f"Measured on {results['machine']}, {results['date']}, gudgeon {results['version']}.\n"]
    for one in results["tables"]:
        rows = [tuple(cell(x) for x in row) for row in one["rows"]]
        parts += [f"## {one['title']}\n", one["words"] + "\n" if one["words"] else "",
                  table(tuple(cell(x) for x in one["header"]), rows)]  # fmt: skip
        parts += [f"- {cell(line)}" for line in one["notes"]] + [""]
    parts += ["## Many cores\n", *cores(HERE.parent / "benchmarks" / "logs" / "threads.json")]
    parts += ["## On a graphics card\n", *card(HERE.parent / "benchmarks" / "logs" / "h200.txt")]
    return "\n".join(part for part in parts if part is not None)


def card(path: Path) -> Iterator[str]:
    """Trajectories at once, from the first part of the log of `benchmarks/gpu.py`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = []
    for line in lines[1:]:
        if line.startswith("before"):
            break
        if line.startswith('{"case"'):
            one = json.loads(line)
            rows.append((cell(one["case"]), f"{one['count']:,}", f"{one['seconds']:.3g} s",
                         f"{one['per second']:,.0f}"))  # fmt: skip
    yield cell(lines[0].partition(";")[0]) + ".\n"
    yield table(("case", "trajectories at once", "time, with transfers", "per second"), rows)
    maps = [json.loads(line) for line in lines if line.startswith('{"side"')]
    largest = max(maps, key=lambda one: one["points"])
    yield (f"\nThe largest map of regimes (`benchmarks/gpu_map.py`): {largest['points']:,} motions, {largest['turns']} "
           f"revolutions after {largest['transient']:g} with a twin beside each, rtol {largest['rtol']:g}, in "
           f"{largest['seconds']:,.0f} s; {largest['failed']:,} without result.\n")  # fmt: skip


def cores(path: Path) -> Iterator[str]:
    """A study in threads and in processes, from the log of `benchmarks/threads.py`."""
    results = json.loads(path.read_text(encoding="utf-8"))
    paces: dict[int, dict[str, float]] = {}
    for one in results["rows"]:
        paces.setdefault(one["workers"], {})[one["engine"]] = one["runs per second"]
    first = paces[min(paces)]["threads"]
    rows = [(str(n), f"{pace['threads']:.1f}", f"{pace['threads'] / first:.1f}", f"{pace['local']:.1f}")
            for n, pace in sorted(paces.items())]  # fmt: skip
    yield f"Regimes of P1 ({results['here']}), runs per second.\n"
    yield table(("workers", '`engine="threads"`', "times one", '`engine="local"` (processes)'), rows)


def restitution() -> str:
    """What laws that are asked for a restitution return in a free impact."""
    import gudgeon as gd

    laws = (gd.LankaraniNikravesh, gd.HuntCrossley, gd.Flores2011, gd.Gonthier, gd.ExactRestitution)
    requested, rows = (0.9, 0.8, 0.7, 0.5, 0.3), []
    for law in laws:
        got = [f"{law(restitution=e).effective_restitution:.3f}" for e in requested]
        rows.append((f"[{law.__name__}](theory/laws/{law.__name__}.md)", *got))
    return table(("given", *(f"{e:g}" for e in requested)), rows)


def laws_by_role() -> str:
    """Every law with its fields in the order they are given, and the page that says the rest."""
    rows = []
    for role, registry in families().items():
        for name, law in registry.items():
            if law.__module__.startswith("gudgeon."):
                given = ", ".join(p.name if p.default == "" else f"{p.name}={p.default}" for p in parameters(law))
                rows.append((role, f"[{name}](../theory/laws/{name}.md)", cell(f"`{given}`"), cell(sentence(law))))
    return table(("role", "law", "fields", "what"), rows)


def material_rows() -> str:
    """The materials of `import gudgeon as gd`."""
    import gudgeon as gd

    known = [(name, getattr(gd, name)) for name in gd.__all__ if isinstance(getattr(gd, name), gd.Material)]
    rows = [
        (f"`gd.{name}`", f"{m.youngs_modulus / 1e9:g}", f"{m.poisson_ratio:g}", f"{m.density:g}") for name, m in known
    ]
    return table(("material", "Young's modulus [GPa]", "Poisson's ratio [-]", "density [kg/m³]"), rows)


def support() -> str:
    """Features by kinds of methods, and the reasons where one cannot integrate the other."""
    found = support_table()
    rows = [(feature, *row) for feature, row in found.rows.items()]
    legend = [f"- {letter}: {kind}" for letter, kind in found.kinds.items()]
    reasons = [f"({k}) {text}\n" for k, text in enumerate(found.reasons, 1)]
    return "\n".join([*legend, "", table(("feature", *found.kinds), rows), "", *reasons, f"{found.share}.\n"])


def commands() -> str:
    """The texts of `gudgeon COMMAND --help`."""
    parts = ["Every command has `--help`; `gudgeon COMMAND --json`, where there is such an option, is for programs.\n"]
    for module in pkgutil.iter_modules(command_files.__path__):
        title = f"gudgeon {module.name}"
        parts += [f"## {title}\n", *described_command(load(module.name), title)]
    return "\n".join(parts)


def described_command(command: Any, title: str) -> Iterator[str]:
    text = inspect.cleandoc((command.help or "").replace("\b\n", ""))
    yield f"```text\n{text}\n```\n"
    if hasattr(command, "commands"):
        for name, inner in command.commands.items():
            yield f"### {title} {name}\n"
            yield from described_command(inner, f"{title} {name}")
        return
    rows = []
    for item in command.params:
        word = ", ".join(item.opts) if item.param_type_name == "option" else (item.metavar or item.name.upper())
        rows.append((f"`{word}`", cell(getattr(item, "help", "") or "")))
    if rows:
        yield table(("argument or option", "meaning"), rows)


def template_sections() -> str:
    """Every template: what it is, its sketch, its file."""
    sections = []
    for name, words in templates.descriptions().items():
        content = templates.text(name)
        drawn = "\n".join(sketch(loads(content).mechanism, width=44, height=12))
        sections.append(f"## {name}\n\n{words[0].upper()}{words[1:]}.\n\n```text\n{drawn}\n```\n\n"
                        f":::{{dropdown}} The file\n```yaml\n{content}```\n:::\n")  # fmt: skip
    return "\n".join(sections)


def build(app: Sphinx) -> None:
    write(HERE / "generated" / "commands.md", commands())
    write(HERE / "generated" / "support.md", support())
    for path, text in theory():
        write(path, text)
    write(HERE / "generated" / "benchmarks.md", benchmarks())
    write(HERE / "generated" / "restitution.md", restitution())
    write(HERE / "generated" / "laws.md", laws_by_role())
    write(HERE / "generated" / "materials.md", material_rows())
    write(HERE / "generated" / "templates.md", template_sections())
    beams.draw(THEORY / "figures")
    write(HERE / "generated" / "tolerances.md", tolerances.page(THEORY / "figures", table))
    write(HERE / "generated" / "contact-loss-borders.md", contact_losses.borders(table))
    write(HERE / "generated" / "contact-loss.md", contact_losses.page(THEORY / "figures", table))
    write(HERE / "generated" / "claims.md", claims_page(HERE / "papers"))
    for key in QUOTED:
        write(HERE / "generated" / f"quoted-{key}.md", quoted(HERE / "papers", key))


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", build)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
