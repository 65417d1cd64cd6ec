"""What a mechanism is made of, for a page: a drawing, bodies, joints, laws with their formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gudgeon.model.builder.summary import controller_line, motor_line
from gudgeon.quantity import GudgeonError
from gudgeon.report.descriptions import formula, used
from gudgeon.report.html import facts, picture, safe, table
from gudgeon.report.run_page import ReportContext
from gudgeon.report.text import time_text
from gudgeon.view import page as viewer_page
from gudgeon.view import sketch

__all__ = ["model", "viewer"]

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def model(context: ReportContext) -> Iterator[str]:
    """The model as a person would describe it."""
    mechanism = context.source.mechanism
    yield "<h2>What was modelled</h2>"
    yield from _drawing(context)
    if mechanism.bodies:
        yield table(["body", "mass [kg]", "inertia [kg m²]", "at [mm]"], [_body(b) for b in mechanism.bodies.values()],
                    words={0})  # fmt: skip
    yield from _beams(mechanism)
    yield table(["joint", "kind", "journal", "bearing", "fit"], [_joint(j) for j in mechanism.joints.values()],
                words={0, 1, 2, 3, 4})  # fmt: skip
    drives = [(f"drive of {name}", _drive(drive)) for name, drive in mechanism.drives.items()]
    drives += [(f"motor of {name}", motor_line(motor)) for name, motor in mechanism.motors.items()]
    drives += [(f"controller of {name}", controller_line(part)) for name, part in mechanism.controllers.items()]
    gravity = [("gravity", f"{', '.join(f'{g:g}' for g in mechanism.gravity)} m/s²")] if any(mechanism.gravity) else []
    if drives or gravity:
        yield facts([*drives, *gravity])
    yield from _laws(mechanism)


def _drawing(context: ReportContext) -> Iterator[str]:
    try:
        figure = sketch(context.run, magnify=None)
    except GudgeonError:
        # positions were not recorded
        return
    with TemporaryDirectory() as folder:
        yield f"<figure>{picture(figure.save(Path(folder) / 'sketch.svg'), 'the mechanism')}</figure>"


def _body(body: Any) -> list[str]:
    inertia = body.inertia if isinstance(body.inertia, tuple) else (body.inertia,)
    place = ", ".join(f"{1e3 * x:.4g}" for x in body.at)
    return [body.name, f"{body.mass:.6g}", ", ".join(f"{x:.4g}" for x in inertia), place]


def _beams(mechanism: Any) -> Iterator[str]:
    """Flexible links and their sections."""
    links = list(mechanism.modal_links.values())
    if links:
        titles = ["link with modes", "from [mm]", "to [mm]", "mass [kg]", "EI [N m²]", "modes", "axes", "damping"]
        yield table(titles, [_modal(link) for link in links], words={0, 6})
        yield (
            "<p>These links bend a little about a rigid frame, by a few shapes (Euler-Bernoulli, inextensible). "
            "Damping is the ratio of the first shape.</p>"
        )
    if not mechanism.beams:
        return
    titles = ["beam", "from [mm]", "to [mm]", "mass [kg]", "section", "elements", "damping"]
    yield table(titles, [_beam(b) for b in mechanism.beams.values()], words={0, 4, 5})
    yield (
        "<p>Beams are geometrically exact: they bend, stretch and shear as far as they like (Reissner 1972; "
        "Simo 1985). Damping is proportional to the rates of strain.</p>"
    )


def _beam(beam: Any) -> list[str]:
    ends = [", ".join(f"{1e3 * x:.4g}" for x in point) for point in (beam.a, beam.b)]
    section = ", ".join(f"{name} {_power(value)} {unit}" for name, value, unit in _stiffness(beam.section))
    return [beam.name, *ends, f"{beam.section.mass * beam.length:.4g}", section,
            f"{beam.elements} of order {beam.order}", time_text(beam.damping) if beam.damping else "none"]  # fmt: skip


def _modal(link: Any) -> list[str]:
    ends = [", ".join(f"{1e3 * x:.4g}" for x in point) for point in (link.a, link.b)]
    return [link.name, *ends, f"{link.mass:.4g}", _power(link.EI), str(link.modes), link.axes,
            f"{100.0 * link.damping:.3g} %" if link.damping else "none"]  # fmt: skip


def _stiffness(section: Any) -> list[tuple[str, float, str]]:
    """Names, values and units of what a section resists."""
    if not hasattr(section, "stiffness"):
        return [("EA", section.EA, "N"), ("GA", section.GA, "N"), ("EI", section.EI, "N m²")]
    # in space: the diagonal of a matrix
    names = ("EA", "GA y", "GA z", "GJ", "EI y", "EI z")
    return [(name, section.stiffness[k][k], "N" if k < 3 else "N m²") for k, name in enumerate(names)]


def _power(value: float) -> str:
    """Three digits and a power of ten, as on paper: 57.0·10⁶."""
    if value == 0.0 or 1e-2 <= abs(value) < 1e4:
        return f"{value:.4g}"
    power = 3 * math.floor(math.log10(abs(value)) / 3)
    return f"{value / 10.0**power:.4g}·10{str(power).translate(RAISED)}"


def _joint(joint: Any) -> list[str]:
    fits = [f"{mate}: {fit.describe()}" if len(joint.fit) > 1 else fit.describe() for mate, fit in joint.fit.items()]
    stops = [f"stop {s.lower if s.lower is not None else '-∞'} … {s.upper if s.upper is not None else '∞'}, "
             f"{type(s.wall).__name__}" for s in joint.stops.values()]  # fmt: skip
    return [joint.name, joint.kind.name, joint.journal, joint.bearing, "; ".join(dict.fromkeys([*fits, *stops]))]


def _drive(drive: Any) -> str:
    speed = getattr(drive, "speed", None)
    return f"{speed:.6g} {drive.unit or 'rad/s'}" if isinstance(speed, float) else "a function of time"


def _laws(mechanism: Any) -> Iterator[str]:
    """Each law once, with the description of its file."""
    laws = {type(law): law for law in used(mechanism)}
    if not laws:
        return
    yield "<h3>Laws</h3>"
    for kind, law in laws.items():
        yield f"<details open><summary>{safe(kind.__name__)}: {safe(law.reference)}</summary>"
        yield f"<pre>{safe(formula(kind))}</pre></details>"


def viewer(context: ReportContext) -> Iterator[str]:
    """The moving mechanism inside the page; it is not printed."""
    try:
        view = context.live or viewer_page(context.run, context.ideal)
    except GudgeonError:
        return
    yield '<div class="screen"><h2>In motion</h2>'
    yield f'<iframe title="viewer" srcdoc="{escape(view.text, quote=True)}"></iframe></div>'
