"""Find natural frequencies, damping and mode shapes.

They are those of small vibrations about an equilibrium. Driven joints are held, closed contacts stay closed.

\b
Examples:
  gudgeon modes gate.yaml
  gudgeon modes mount.yaml --set mount.liner_stiffness=2e6 --json
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gudgeon.analysis.rest import modes as small_motions
from gudgeon.cli import screen
from gudgeon.cli.options import Changes, Json, Model
from gudgeon.cli.source import find
from gudgeon.quantity import GudgeonError
from gudgeon.report.json_text import json_text

if TYPE_CHECKING:
    from rich.table import Table

    from gudgeon.analysis import Mode, Modes

__all__ = ["command"]


def command(
    model: Model,
    changes: Changes = None,
    start: Annotated[
        bool, typer.Option("--start", help="About the described position; default: about the equilibrium next to it.")
    ] = False,
    time: Annotated[str, typer.Option("--time", metavar="TIME", help="Time at which loads are evaluated.")] = "0 s",
    json: Json = False,
) -> None:
    source = find(model, changes)
    try:
        result = small_motions(source.mechanism, at="start" if start else None, time=time)
    except GudgeonError as error:
        raise GudgeonError(str(error).replace('at="start"', "--start")) from None
    if json:
        print(as_json(source.name, changes or [], result))
        return
    print(screen.title(f"{result.name} · small motions {result.where}"))
    for line in described(result):
        screen.show(line)


def described(result: Modes) -> list[str | Table]:
    """The table, and what to know about it."""
    lines: list[str | Table] = []
    if result.modes:
        table = screen.table(">mode", ">frequency [Hz]", ">[rad/s]", ">damping", "what it does", "*who moves")
        for k, mode in enumerate(result.modes, 1):
            rate = "0" if mode.kind == "free" else f"{abs(mode.root):.6g}"
            damping = f"{mode.damping if abs(mode.damping) > 1e-12 else 0.0:.4g}" if mode.kind == "oscillates" else ""
            table.add_row(str(k), mode.text, rate, damping, words(mode), movers(mode))
        lines.append(table)
    else:
        lines.append(screen.item("modes", "none: drives and joints leave no motion"))
    if not result.stable:
        lines.append(screen.item("warning", "unstable: small disturbances grow; an i marks such frequencies"))
    if result.unbalanced > 1e-6:
        text = f"the forces are not balanced here, they would accelerate by {result.unbalanced:.3g} m/s²"
        lines.append(screen.item("warning", f"{text}; these are small motions about a moving state, not about an "
                                            "equilibrium"))
    return [*lines, *(screen.item("note", text) for text in result.notes)]


def words(mode: Mode) -> str:
    """What a mode does, in a word or two."""
    if mode.kind in ("decays", "unstable") and not mode.root.imag:
        return f"{'grows' if mode.kind == 'unstable' else 'decays'} in {1.0 / abs(mode.root.real):.4g} s"
    return {"unstable": "swings ever wider"}.get(mode.kind, mode.kind)


def movers(mode: Mode) -> str:
    """The bodies with the largest shares in the kinetic energy."""
    most = sorted(mode.shares.items(), key=lambda item: -item[1])[:3]
    return ", ".join(f"{name} {100 * share:.0f}%" for name, share in most if share >= 0.005)


def as_json(name: str, changes: list[str], result: Modes) -> str:
    """Everything with all digits; a shape is [real, imaginary] of each velocity."""
    listed = [
        {
            "frequency": mode.frequency, "root": [mode.root.real, mode.root.imag], "damping": mode.damping,
            "kind": mode.kind, "shares": mode.shares, "shape": {k: [x.real, x.imag] for k, x in mode.shape.items()},
        }
        for mode in result.modes
    ]  # fmt: skip
    whole = {
        "case": name, "set": changes, "where": result.where, "stable": result.stable, "unbalanced": result.unbalanced,
        "undamped": [float(x) for x in result.undamped], "modes": listed, "notes": result.notes,
    }  # fmt: skip
    return json_text(whole)
