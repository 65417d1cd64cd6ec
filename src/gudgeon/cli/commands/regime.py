"""gudgeon regime: what kind of motion a model settles in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gudgeon.cli import screen

if TYPE_CHECKING:
    from gudgeon.analysis.regimes import Regime

__all__ = ["regime"]


def regime(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file or a built-in case.")],
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Change a number first, as in `run`.")
    ] = None,
    transient: Annotated[
        float, typer.Option("--transient", metavar="N", help="Periods to settle, not looked at.")
    ] = 100.0,
    turns: Annotated[int, typer.Option("--turns", metavar="N", help="Periods looked at, 40 or more.")] = 200,
    period: Annotated[
        str | None,
        typer.Option("--period", metavar="TIME", help="Period of drives and loads; default: a turn of the drive."),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", "-m", metavar="NAME", help="See `gudgeon list methods`.")
    ] = "dopri5",
    rtol: Annotated[float, typer.Option("--rtol", metavar="X", help="Relative tolerance.")] = 1e-9,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Label the motion: periodic, quasi-periodic or chaotic.

    Three witnesses: whether the section repeats, the largest Lyapunov exponent, the 0-1 test for chaos. Where they do
    not fit together, the motion is not settled.

    \b
    Examples:
      gudgeon regime flores2007/slider_crank
      gudgeon regime flores2007/slider_crank --set pin.radial_clearance=0.01mm --json
    """
    from gudgeon.analysis.regimes import regime as label
    from gudgeon.cli.source import find

    source = find(model).changed(changes or [])
    found = label(source.mechanism, transient=transient, turns=turns, period=period, method=method, rtol=rtol)
    if json:
        print(as_json(source.name, changes or [], found))
    else:
        print("\n".join([screen.title(source.mechanism.name), *lines(found)]))


def lines(found: Regime) -> list[str]:
    """The label and the numbers behind it, for people."""
    at_least = "at least " if found.lower_bound else ""
    items = [
        ("regime", f"{found.label}, confidence {found.confidence:.2f}"),
        ("exponent", f"{at_least}{found.exponent} per period, {found.exponent_per_second} per s"),
        ("section", f"returns to {found.residual:.2g} of {found.length * 1e3:.4g} mm after {found.period or 'no'} "
                    f"period{'' if found.period == 1 else 's'}"),
        ("0-1 test", f"K = {found.k01:.2f}, near 0 regular, near 1 chaotic"),
        ("looked at", f"{found.turns} periods after {found.transient:g}, twins for as many again"),
        ("trust", found.beyond),
        *(("note", text) for text in found.notes),
        ("references", "gudgeon cite regime"),
    ]  # fmt: skip
    return [screen.item(label, text) for label, text in items]


def as_json(name: str, changes: list[str], found: Regime) -> str:
    """Everything with all digits; what is not a number is null."""
    from dataclasses import asdict
    from json import dumps

    from gudgeon.cli.numbers import plain

    whole = {"case": name, "set": changes, **asdict(found), "beyond": found.beyond}
    return dumps(plain(whole), ensure_ascii=False, allow_nan=False, indent=1)
