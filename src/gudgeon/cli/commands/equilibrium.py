"""Find the equilibrium near the described position.

Driven joints are held. Springs, bushings, walls and stops carry load; friction and oil films carry none at rest.

\b
Examples:
  gudgeon equilibrium gate.yaml
  gudgeon equilibrium gate.yaml --set arm.mass=3kg --json
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from gudgeon.analysis.rest import equilibrium as find_equilibrium
from gudgeon.cli import screen
from gudgeon.cli.options import Changes, Json, Model
from gudgeon.cli.source import find
from gudgeon.report.json_text import json_text
from gudgeon.report.text import UNITS

if TYPE_CHECKING:
    from rich.table import Table

    from gudgeon.analysis import Equilibrium

__all__ = ["command"]

EULER = ("e0", "e1", "e2", "e3")
CARRIED = ("force", "moment", "torque", "drive_force", "current", "travel", "turn", "offset")


def command(
    model: Model,
    changes: Changes = None,
    time: Annotated[str, typer.Option("--time", metavar="TIME", help="Time at which loads are evaluated.")] = "0 s",
    json: Json = False,
) -> None:
    source = find(model, changes)
    rest = find_equilibrium(source.mechanism, time=time)
    if json:
        print(as_json(source.name, changes or [], rest))
        return
    print(screen.title(f"{rest.name} · at rest"))
    for line in described(rest):
        screen.show(line)


def described(rest: Equilibrium) -> list[str | Table]:
    """The verdict, the bodies and the joints."""
    mechanism, units = rest.standstill.mechanism, rest.units
    bodies = screen.table("body", "*where", ">moved [mm]")
    for name in rest.moved:
        place = [c for c in rest.standstill.coordinates if c.startswith(f"{name}.")]
        turned = [rest[c] for c in place if c.rpartition(".")[2] in EULER]
        place = [c for c in place if c.rpartition(".")[2] not in EULER]
        where = ", ".join(f"{c.rpartition('.')[2]} {_number(rest[c])} {_unit(units[c])}".strip() for c in place)
        where += f", {_rotation(*turned)}" if turned else ""
        bodies.add_row(name, where, f"{rest.moved[name] * 1e3:.4g}")
    joints = screen.table("joint", "*carries")
    for name in mechanism.joints:
        known = [f"{name}.{what}" for what in CARRIED if f"{name}.{what}" in rest.channels]
        carried = ", ".join(f"{c.rpartition('.')[2]} {_number(rest[c])} {_unit(units[c])}".strip() for c in known)
        joints.add_row(name, carried)
    advice = "" if rest.stable else "; describe it a little away from there to find where it moves to"
    closed = [c.name for c in rest.standstill.system.event_contacts if rest[f"{c.name}.depth"] > 0.0]
    lines: list[str | Table] = [screen.item("warning" if not rest.stable else "rest", rest.verdict + advice)]
    lines += [screen.item("contacts", ", ".join(closed))] if closed else []
    lines += ["", bodies, "", joints] if mechanism.joints else ["", bodies]
    return lines


def _rotation(e0: float, *axis: float) -> str:
    """Euler parameters as an angle about an axis."""
    size = math.hypot(*axis)
    if size < 1e-12:
        return "not turned"
    sign = -1.0 if e0 < 0.0 else 1.0
    angle = math.degrees(2.0 * math.atan2(size, abs(e0)))
    return f"turned {angle:.4g}° about {', '.join(f'{_number(sign * x / size)}' for x in axis)}"


def _number(value: float) -> str:
    return "0" if abs(value) < 1e-12 else f"{value:.6g}"


def _unit(unit: str) -> str:
    return "" if unit == "1" else UNITS.get(unit, unit)


def as_json(name: str, changes: list[str], rest: Equilibrium) -> str:
    """Everything with all digits."""
    whole = {
        "case": name, "set": changes, "time": rest.time, "stable": rest.stable, "verdict": rest.verdict,
        "free": rest.free, "steps": rest.steps, "unbalanced": rest.unbalanced,
        "stiffness": [float(x) for x in rest.stiffness], "moved": rest.moved, "channels": rest.channels,
    }  # fmt: skip
    return json_text(whole)
