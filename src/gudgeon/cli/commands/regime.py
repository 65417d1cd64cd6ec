"""Classify the motion: periodic, quasi-periodic or chaotic.

Three results are combined: whether the Poincaré section repeats, the largest Lyapunov exponent, and the 0-1 test for
chaos. If they contradict each other, the label is "not settled".

\b
Examples:
  gudgeon regime flores2007/slider_crank
  gudgeon regime flores2007/slider_crank --set pin.radial_clearance=0.01mm --json
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from gudgeon.analysis.motions.motion import regime as label
from gudgeon.cli import screen
from gudgeon.cli.options import Changes, Json, Model
from gudgeon.cli.source import find
from gudgeon.report.json_text import json_text

if TYPE_CHECKING:
    from gudgeon.analysis.motions.regimes import Regime

__all__ = ["command"]


def command(
    model: Model,
    changes: Changes = None,
    transient: Annotated[
        float, typer.Option("--transient", metavar="N", help="Periods that are left out (transient).")
    ] = 100.0,
    turns: Annotated[int, typer.Option("--turns", metavar="N", help="Periods that are evaluated, 40 or more.")] = 200,
    period: Annotated[
        str | None,
        typer.Option("--period", metavar="TIME", help="Period of drives and loads; default: a turn of the drive."),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option("--method", "-m", metavar="NAME", help="See `gudgeon list methods`; default: dopri5 or alpha."),
    ] = None,
    rtol: Annotated[float, typer.Option("--rtol", metavar="X", help="Relative tolerance.")] = 1e-9,
    json: Json = False,
) -> None:
    source = find(model, changes)
    result = label(source.mechanism, transient=transient, turns=turns, period=period, method=method, rtol=rtol)
    if json:
        print(as_json(source.name, changes or [], result))
    else:
        print("\n".join([screen.title(source.mechanism.name), *lines(result)]))


def lines(result: Regime) -> list[str]:
    """The label and the numbers behind it, for people."""
    at_least = "at least " if result.lower_bound else ""
    items = [
        ("regime", f"{result.label}, confidence {result.confidence:.2f}"),
        ("exponent", f"{at_least}{result.exponent} per period, {result.exponent_per_second} per s"),
        ("section", f"returns to {result.residual:.2g} of {result.length * 1e3:.4g} mm after {result.period or 'no'} "
                    f"period{'' if result.period == 1 else 's'}"),
        ("0-1 test", f"K = {result.k01:.2f}, near 0 regular, near 1 chaotic"),
        ("looked at", f"{result.turns} periods after {result.transient:g}, twins for as many again"),
        ("trust", result.beyond),
        *(("note", text) for text in result.notes),
        ("references", "gudgeon cite regime"),
    ]  # fmt: skip
    return [screen.item(label, text) for label, text in items]


def as_json(name: str, changes: list[str], result: Regime) -> str:
    """Everything with all digits; what is not a number is null."""
    whole = {"case": name, "set": changes, **asdict(result), "beyond": result.beyond}
    return json_text(whole)
