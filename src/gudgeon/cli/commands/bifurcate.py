"""Draw a bifurcation diagram over a parameter, up and down.

The run of each value starts from the last state of the run before it.

\b
Examples:
  gudgeon bifurcate flores2007/slider_crank --vary pin.radial_clearance 0.01mm:0.5mm:100
  gudgeon bifurcate press.yaml --vary main.speed 50:90:41 --channel pin.force --up
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from gudgeon.analysis.motions.bifurcation import bifurcate as sweep
from gudgeon.cli import screen
from gudgeon.cli.options import Changes, Model, Quiet
from gudgeon.cli.source import find
from gudgeon.draw import bifurcation as drawn
from gudgeon.progress import counter
from gudgeon.quantity import GudgeonError, parse_unit

if TYPE_CHECKING:
    from gudgeon.analysis.motions.bifurcation import Bifurcation
    from gudgeon.model import Mechanism

__all__ = ["command"]

MOST = 100_000  # values of a diagram


def command(
    model: Model,
    vary: Annotated[
        tuple[str, str],
        typer.Option(
            "--vary", metavar="PATH FROM:TO:COUNT", help="The parameter and its values; see `gudgeon check -p`."
        ),
    ],
    channel: Annotated[
        str | None,
        typer.Option("--channel", "-c", metavar="NAME",
            help="Channel to draw; default: the offset of the journal in a loose joint."),
    ] = None,
    changes: Changes = None,
    transient: Annotated[
        float, typer.Option("--transient", metavar="N", help="Periods that are left out at each value (transient).")
    ] = 50.0,
    turns: Annotated[int, typer.Option("--turns", metavar="N", help="Periods that are drawn at each value.")] = 60,
    phase: Annotated[float, typer.Option("--phase", metavar="X", help="At which part of the period, 0 to 1.")] = 0.0,
    up: Annotated[bool, typer.Option("--up", help="Increasing values only.")] = False,
    period: Annotated[
        str | None,
        typer.Option("--period", metavar="TIME", help="Period of drives and loads; default: a turn of the drive."),
    ] = None,
    rtol: Annotated[float, typer.Option("--rtol", metavar="X", help="Relative tolerance.")] = 1e-8,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="Folder for bifurcation.png and bifurcation.csv.")
    ] = Path("out/bifurcation"),
    quiet: Quiet = False,
) -> None:
    mechanism = find(model, changes).mechanism
    path, span = vary
    values, unit = spread(mechanism, path, span)
    out.mkdir(parents=True, exist_ok=True)
    with counter(False if quiet else None, "points") as on_point:
        diagram = sweep(mechanism, path, values, channel or offset(mechanism), transient=transient, turns=turns,
                       both=not up, phase=phase, rtol=rtol, period=period, on_point=on_point)  # fmt: skip
    table = diagram.to_csv(out / "bifurcation.csv")
    figure = drawn(diagram, unit=unit).save(out / "bifurcation.png")
    print("\n".join([screen.title(mechanism.name), *lines(diagram, unit)]))
    print(screen.item("written", f"{figure}  {table}"))


def spread(mechanism: Mechanism, path: str, span: str) -> tuple[np.ndarray, str]:
    """The values FROM:TO:COUNT in SI, and the unit they were written in."""
    parts = [part.strip() for part in span.split(":")]
    if len(parts) != 3 or not parts[2].isdigit() or not 2 <= int(parts[2]) <= MOST:
        raise GudgeonError(f'--vary {path} "{span}": write FROM:TO:COUNT, for instance 0.01mm:0.5mm:100')
    ends = [mechanism.vary(path, part).parameters[path] for part in parts[:2]]
    if ends[0] == ends[1]:
        raise GudgeonError(f'--vary {path} "{span}": both ends are the same')
    unit = re.sub(r"^[-+\d.]+(?:[eE][-+]?\d+)?\s*", "", parts[1])
    return np.linspace(min(ends), max(ends), int(parts[2])), unit


def offset(mechanism: Mechanism) -> str:
    """The channel that is drawn where none is named."""
    for joint in mechanism.joints.values():
        for mate in joint.round_mates:
            if not joint.fit[mate].ideal:
                return f"{joint.name}.eccentricity" if joint.gap(mate) > 0.0 else f"{joint.name}.offset"
    raise GudgeonError(f'"{mechanism.name}" has no loose pin; say what to draw with --channel NAME')


def lines(diagram: Bifurcation, unit: str) -> list[str]:
    """The periods of each branch, and where the branches differ."""
    scale = 1.0 / parse_unit(unit)[0] if unit else 1.0
    items = []
    for word, branch in diagram.branches.items():
        regular = int((branch.periods > 0).sum())
        seen = sorted(set(branch.periods[branch.periods > 0].tolist()))
        periods = f", periods {', '.join(map(str, seen))}" if seen else ""
        items.append((word, f"{regular} of {len(diagram.values)} values repeat{periods}"))
    two = diagram.hysteresis
    if diagram.down is not None:
        where = f", {two.min() * scale:.4g} to {two.max() * scale:.4g} {unit}".rstrip() if len(two) else ""
        items.append(
            ("hysteresis", f"{len(two)} of {len(diagram.values)} values end in another motion on the way down{where}")
        )
    items.append(("trust", "values without a period have clouds of points; only their statistics can be reproduced"))
    return [screen.item(label, text) for label, text in items]
