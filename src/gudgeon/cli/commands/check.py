"""Validate a model and show what would be computed.

\b
Examples:
  gudgeon check press.yaml
  gudgeon check schwab2002/hertz --parameters
  gudgeon check press.yaml --channels
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gudgeon.assemble import Needs, assemble
from gudgeon.cli import screen
from gudgeon.cli.options import Changes, Model
from gudgeon.cli.screen import item
from gudgeon.cli.source import find
from gudgeon.model import plausible
from gudgeon.model.plausible import separation
from gudgeon.model.run_settings import period_of
from gudgeon.model.units import unit_of
from gudgeon.model.values import size_text
from gudgeon.report.source import method_name, tolerance
from gudgeon.report.text import UNITS, plural
from gudgeon.results.recorder import selected

if TYPE_CHECKING:
    from rich.table import Table

    from gudgeon.assemble import System
    from gudgeon.report.source import ModelSource

__all__ = ["command"]


def command(
    model: Model,
    changes: Changes = None,
    parameters: Annotated[
        bool, typer.Option("--parameters", "-p", help="List every number that --set can change, with its value.")
    ] = False,
    channels: Annotated[
        bool, typer.Option("--channels", "-c", help="List every channel of a run, with its unit and meaning.")
    ] = False,
) -> None:
    source = find(model, changes)
    system = assemble(source.mechanism, Needs(form="residual" if source.mechanism.beams else "acceleration"))
    selected(system, source.settings.channels)
    print("\n".join([*described(source), "", *computed(source, system)]))
    if parameters:
        print("\n".join(["", *numbers(source)]))
    if channels:
        print()
        screen.show(channel_table(system))


def described(source: ModelSource) -> Iterator[str]:
    """The mechanism's own summary, folded to the page."""
    title, *lines = source.mechanism.summary().splitlines()
    yield screen.title(title)
    before = ""
    for line in lines:
        word, text = line[2:10].strip(), line[10:]
        yield item("" if word == before else word, text)
        before = word


def computed(source: ModelSource, system: System) -> Iterator[str]:
    """Degrees of freedom, constraints, contacts, channels and the run."""
    rows = len(system.report.constraint_names) - len(system.report.redundant)
    free = system.start.dof
    driven = ", drives included" if source.mechanism.drives else ""
    rest = f"{system.velocities} coordinates, {rows} constraints{driven}"
    yield item("freedom", f"{plural(free, 'degree')} of freedom: {rest}")
    redundancy = system.report.redundancy
    if redundancy is not None:
        yield item("redundant", str(redundancy))
        counts = ", ".join(f"{name} {count}" for name, count in redundancy.joints.items() if count)
        yield item("", f"how many each joint could do without: {counts}")
        if redundancy.remedy:
            yield item("", redundancy.remedy)
    if system.start.moved:
        worst = max(system.start.moved, key=lambda name: system.start.moved[name])
        yield item("assembly", f"moves {worst} by {system.start.moved[worst] * 1e3:.3g} mm to close the joints")
    for k, contact in enumerate(system.contacts):
        laws = [type(law).__name__ for law in (contact.law, contact.friction_law) if law is not None]
        line = f"{contact.name}: {contact.kind}, {', '.join(laws)}{apart(source, contact)}"
        yield item("contact" if k == 0 else "", line)
    owners = dict.fromkeys(channel.name.split(".")[0] for channel in system.channels)
    kinds = ", ".join(f"{owner}.*" for owner in owners)
    yield item("channels", f"{len(system.channels)}: {kinds}; --channels lists them")
    yield item("run", length(source))
    for note in doubts(source):
        yield item("note", note)


def apart(source: ModelSource, contact: Any) -> str:
    """How far round bodies are from each other as described."""
    joint = source.mechanism.joints.get(contact.joint)
    if joint is None or not any(mate.external for mate in joint.own_mates.values()):
        return ""
    gap = separation(source.mechanism, joint)
    return f", {size_text(gap)} apart at the start" if gap > 1e-9 else ", touching at the start"


def doubts(source: ModelSource) -> Iterator[str]:
    """What is allowed, but hardly meant."""
    mechanism, settings = source.mechanism, source.settings
    span = settings.duration
    if settings.revolutions is not None and period_of(mechanism) is not None:
        span = settings.revolutions * (period_of(mechanism) or 0.0)
    if span is not None and settings.after is not None and settings.after >= span:
        yield f"after {settings.after:g} s lies beyond the end of the run at {span:g} s, so that nothing is left " \
              "out; give an earlier time"  # fmt: skip
    if span is not None and settings.spacing > span:
        yield f"output {settings.spacing:g} s is longer than the run of {span:g} s, which refuses it; " \
              "give a shorter time"  # fmt: skip
    if settings.duration is None and settings.revolutions is not None and period_of(mechanism) is None:
        yield f"no rotation is driven at a constant speed, so that {settings.revolutions:g} revolutions have no " \
              'length; give --until "0.1 s", or duration under run'  # fmt: skip
    yield from plausible.doubts(mechanism)


def length(source: ModelSource) -> str:
    """How long and how it would be run."""
    s = source.settings
    if s.duration is not None:
        span = f"until {s.duration:g} s"
    elif s.revolutions is not None:
        span = plural(s.revolutions, "revolution")
    else:
        span = "no length given, needs --until or --revolutions"
    extra = f", results every {s.spacing:g} s" if s.spacing else ", every step recorded" if s.output else ""
    extra += f", {len(s.channels)} of the channels" if s.channels is not None else ""
    extra += f", the first {s.after:g} s left out" if s.after is not None else ""
    limit = tolerance(source.mechanism, s)
    rtol = f", rtol {limit:.0e}" if limit is not None else ""
    return f"{span}, {method_name(source.mechanism, s)}{rtol}{extra}"


def channel_table(system: System) -> Table:
    """Every channel with its unit and a few words."""
    table = screen.table("channel", "unit", "*meaning")
    for channel in system.channels:
        table.add_row(channel.name, "" if channel.unit == "1" else UNITS.get(channel.unit, channel.unit), channel.label)
    return table


def numbers(source: ModelSource) -> Iterator[str]:
    """Every path that --set knows."""
    values = source.mechanism.parameters
    longest = max(len(path) for path in values)
    yield "numbers that --set can change [SI]"
    for path, value in values.items():
        yield f"  {path:<{longest}}  {value:.12g} {unit_of(source.mechanism, path)}".rstrip()


