"""Arguments and options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["Changes", "Json", "Model", "ModelChanges", "Quiet", "Revolutions", "Until"]

Model = Annotated[str, typer.Argument(metavar="MODEL", help="A model file or a built-in case.")]
Changes = Annotated[
    list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Change a field first, as in `run`.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]

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
