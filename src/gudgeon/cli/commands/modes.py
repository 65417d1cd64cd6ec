"""gudgeon modes: natural frequencies and what moves in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gudgeon.cli import screen

if TYPE_CHECKING:
    from rich.table import Table

    from gudgeon.analysis import Mode, Modes

__all__ = ["modes"]


def modes(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file or a built-in case.")],
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Change a number first, as in `run`.")
    ] = None,
    start: Annotated[
        bool, typer.Option("--start", help="In the described position; default: in equilibrium, found from there.")
    ] = False,
    time: Annotated[str, typer.Option("--time", metavar="TIME", help="When loads in time are taken.")] = "0 s",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Natural frequencies, damping and shapes about a rest.

    Drives hold their joints, ideal joints hold as they are; contacts that touch there stay closed.

    \b
    Examples:
      gudgeon modes gate.yaml
      gudgeon modes mount.yaml --set mount.liner_stiffness=2e6 --json
    """
    from gudgeon.analysis.rest import modes as small_motions
    from gudgeon.cli.source import find
    from gudgeon.quantity import GudgeonError

    source = find(model).changed(changes or [])
    try:
        found = small_motions(source.mechanism, at="start" if start else None, time=time)
    except GudgeonError as error:
        raise GudgeonError(str(error).replace('at="start"', "--start")) from None
    if json:
        print(as_json(source.name, changes or [], found))
        return
    print(screen.title(f"{found.name} · small motions {found.where}"))
    for line in described(found):
        screen.show(line)


def described(found: Modes) -> list[str | Table]:
    """The table, and what to know about it."""
    lines: list[str | Table] = []
    if found.modes:
        table = screen.table(">mode", ">frequency [Hz]", ">[rad/s]", ">damping", "what it does", "*who moves")
        for k, mode in enumerate(found.modes, 1):
            rate = "0" if mode.kind == "free" else f"{abs(mode.root):.6g}"
            damping = f"{mode.damping if abs(mode.damping) > 1e-12 else 0.0:.4g}" if mode.kind == "oscillates" else ""
            table.add_row(str(k), mode.text, rate, damping, words(mode), movers(mode))
        lines.append(table)
    else:
        lines.append(screen.item("modes", "none: drives and joints leave no motion"))
    if not found.stable:
        lines.append(screen.item("warning", "unstable: what is pushed a little runs away; an i marks such frequencies"))
    if found.unbalanced > 1e-6:
        text = f"the forces are not balanced here, they would accelerate by {found.unbalanced:.3g} m/s²"
        lines.append(screen.item("warning", f"{text}; these are motions beside a motion, not about a rest"))
    return [*lines, *(screen.item("note", text) for text in found.notes)]


def words(mode: Mode) -> str:
    """What a mode does, in a word or two."""
    if mode.kind in ("decays", "unstable") and not mode.root.imag:
        return f"{'grows' if mode.kind == 'unstable' else 'decays'} in {1.0 / abs(mode.root.real):.4g} s"
    return {"unstable": "swings ever wider"}.get(mode.kind, mode.kind)


def movers(mode: Mode) -> str:
    """The bodies with the largest shares in the kinetic energy."""
    most = sorted(mode.shares.items(), key=lambda item: -item[1])[:3]
    return ", ".join(f"{name} {100 * share:.0f}%" for name, share in most if share >= 0.005)


def as_json(name: str, changes: list[str], found: Modes) -> str:
    """Everything with all digits; a shape is [real, imaginary] of each velocity."""
    from json import dumps

    from gudgeon.cli.numbers import plain

    listed = [
        {
            "frequency": mode.frequency, "root": [mode.root.real, mode.root.imag], "damping": mode.damping,
            "kind": mode.kind, "shares": mode.shares, "shape": {k: [x.real, x.imag] for k, x in mode.shape.items()},
        }
        for mode in found.modes
    ]  # fmt: skip
    whole = {
        "case": name, "set": changes, "where": found.where, "stable": found.stable, "unbalanced": found.unbalanced,
        "undamped": [float(x) for x in found.undamped], "modes": listed, "notes": found.notes,
    }  # fmt: skip
    return dumps(plain(whole), ensure_ascii=False, allow_nan=False, indent=1)
