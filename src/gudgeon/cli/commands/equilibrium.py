"""gudgeon equilibrium: where a mechanism rests, and what its joints carry there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gudgeon.cli import screen

if TYPE_CHECKING:
    from rich.table import Table

    from gudgeon.analysis import Equilibrium

__all__ = ["equilibrium"]

CARRIED = ("force", "moment", "torque", "drive_force", "current", "travel", "turn", "offset")


def equilibrium(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file or a built-in case.")],
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Change a number first, as in `run`.")
    ] = None,
    time: Annotated[str, typer.Option("--time", metavar="TIME", help="When loads in time are taken.")] = "0 s",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Find where the mechanism rests, from the described position.

    Drives hold their joints. Springs, bushings, walls and stops carry; friction and oil films carry nothing at rest.

    \b
    Examples:
      gudgeon equilibrium gate.yaml
      gudgeon equilibrium gate.yaml --set arm.mass=3kg --json
    """
    from gudgeon.analysis.rest import equilibrium as rest
    from gudgeon.cli.source import find

    source = find(model).changed(changes or [])
    found = rest(source.mechanism, time=time)
    if json:
        print(as_json(source.name, changes or [], found))
        return
    print(screen.title(f"{found.name} · at rest"))
    for line in described(found):
        screen.show(line)


def described(found: Equilibrium) -> list[str | Table]:
    """The verdict, the bodies and the joints."""
    mechanism, units = found.standstill.mechanism, found.units
    bodies = screen.table("body", "*where", ">moved [mm]")
    for name in found.moved:
        place = [c for c in found.standstill.coordinates if c.startswith(f"{name}.")]
        where = ", ".join(f"{c.rpartition('.')[2]} {_number(found[c])} {_unit(units[c])}".strip() for c in place)
        bodies.add_row(name, where, f"{found.moved[name] * 1e3:.4g}")
    joints = screen.table("joint", "*carries")
    for name in mechanism.joints:
        known = [f"{name}.{what}" for what in CARRIED if f"{name}.{what}" in found.channels]
        carried = ", ".join(f"{c.rpartition('.')[2]} {_number(found[c])} {_unit(units[c])}".strip() for c in known)
        joints.add_row(name, carried)
    advice = "" if found.stable else "; describe it a little away from there to find where it falls to"
    closed = [c.name for c in found.standstill.system.event_contacts if found[f"{c.name}.depth"] > 0.0]
    lines: list[str | Table] = [screen.item("warning" if not found.stable else "rest", found.verdict + advice)]
    lines += [screen.item("contacts", ", ".join(closed))] if closed else []
    lines += ["", bodies, "", joints] if mechanism.joints else ["", bodies]
    return lines


def _number(value: float) -> str:
    return "0" if abs(value) < 1e-12 else f"{value:.6g}"


def _unit(unit: str) -> str:
    from gudgeon.cli.report import UNITS

    return "" if unit == "1" else UNITS.get(unit, unit)


def as_json(name: str, changes: list[str], found: Equilibrium) -> str:
    """Everything with all digits."""
    from json import dumps

    from gudgeon.cli.numbers import plain

    whole = {
        "case": name, "set": changes, "time": found.time, "stable": found.stable, "verdict": found.verdict,
        "free": found.free, "steps": found.steps, "unbalanced": found.unbalanced,
        "stiffness": [float(x) for x in found.stiffness], "moved": found.moved, "channels": found.channels,
    }  # fmt: skip
    return dumps(plain(whole), ensure_ascii=False, allow_nan=False, indent=1)
