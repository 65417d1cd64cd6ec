"""Options that commands share which take results or a model to compute."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["Changes", "Revolutions", "Until"]

Until = Annotated[
    str | None,
    typer.Option("--until", "--duration", metavar="TIME", help='Of a model: simulated time, for instance "20 ms".'),
]
Revolutions = Annotated[
    float | None, typer.Option("--revolutions", "-r", metavar="N", help="Or revolutions of the driven joint.")
]
Changes = Annotated[
    list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Of a model: change a field first.")
]
