"""Arguments and options that several commands have."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

__all__ = ["Changes", "Json", "Knobs", "Live", "Model", "ModelChanges", "Quiet", "Revolutions", "Until", "in_options"]

Model = Annotated[str, typer.Argument(metavar="MODEL", help="A model file or a built-in case.")]
Changes = Annotated[
    list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Change a field first, as in `run`.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]

# name= [unit], name="text" or name=number; not a field of a call, of a path or of the mechanism
ARGUMENT = re.compile(
    r"""(?<![\w."'(])(?<!mechanism )(\w+)=(?:( \[\w+\])|"([^"]+)"|([\w.+-]*\w))?(?!\w)"""
)

# of commands that take results or a model to compute
Until = Annotated[
    str | None,
    typer.Option("--until", "--duration", metavar="TIME", help='Of a model: simulated time, for instance "20 ms".'),
]
Revolutions = Annotated[
    float | None, typer.Option("--revolutions", "-r", metavar="N", help="Or number of revolutions of the driven joint.")
]
ModelChanges = Annotated[
    list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Of a model: change a field first.")
]

Live = Annotated[
    bool, typer.Option("--live", help="A page with sliders that computes the motion again, without Python.")
]
Knobs = Annotated[
    list[str] | None,
    typer.Option("--knob", metavar="PATH[=LOW..HIGH]",
        help="With --live: a number with a slider (repeatable); default: play, speed, friction and masses."),
]


def in_options(message: str, command: Any) -> str:
    """A message that names arguments of Python, such as period= [s] or method="alpha", with the options of a command
    instead: --period TIME, --method alpha."""
    members = getattr(command, "commands", {"": command}).values()
    metavars = {word.removeprefix("--"): option.metavar or "" for member in members for option in member.params
                for word in option.opts if word.startswith("--")}  # fmt: skip

    def as_option(match: re.Match[str]) -> str:
        name, unit, text, number = match.groups()
        if name not in metavars:
            return match[0]
        return f"--{name} {metavars[name] if unit else text or number or ''}".rstrip()

    return ARGUMENT.sub(as_option, message)
