"""Export a model as an FMU or an object file.

An FMU runs in other programs of simulation without Python: FMI 2 or 3, co-simulation and model exchange. Loads, motor
voltages, set points of controllers and accelerations of drives that are numbers are its inputs, the channels its
outputs. An object file comes with a header and an example, main.c.

\b
Examples:
  gudgeon export press.yaml --fmu press.fmu
  gudgeon export press.yaml --fmu press.fmu --fmi 3 --input main.voltage --platform windows-x86_64
  gudgeon export flores2007/slider_crank --object out/slider_crank
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gudgeon.cli.options import Changes, Model, Revolutions, Until
from gudgeon.cli.running import run_settings
from gudgeon.cli.source import find
from gudgeon.export.programs.fmu import export_fmu
from gudgeon.export.programs.object import export_object
from gudgeon.model.run_settings import RunSettings, period_of
from gudgeon.quantity import GudgeonError
from gudgeon.report.source import ModelSource

__all__ = ["command"]


def command(
    model: Model,
    fmu: Annotated[
        Path | None, typer.Option("--fmu", metavar="FILE", help="Write an FMU. It needs `pip install gudgeon[fmu]`.")
    ] = None,
    objects: Annotated[
        Path | None, typer.Option("--object", metavar="DIR", help="Write an object file, its header and main.c.")
    ] = None,
    fmi: Annotated[int, typer.Option("--fmi", metavar="2|3", help="Version of FMI.")] = 2,
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", metavar="NAME", help="A formula of time that becomes an input, such as main.voltage."),
    ] = None,
    platforms: Annotated[
        list[str] | None,
        typer.Option(
            "--platform",
            metavar="NAME",
            help="Such as windows-x86_64, linux-arm64 or mac-arm64 "
            "(repeatable); default: all that can be linked here; of an object file this computer.",
        ),
    ] = None,
    channels: Annotated[
        list[str] | None,
        typer.Option("--channel", "-c", metavar="NAME", help="An output (repeatable); default: all channels."),
    ] = None,
    until: Until = None,
    revolutions: Revolutions = None,
    method: Annotated[str | None, typer.Option("--method", metavar="NAME", help="Of co-simulation.")] = None,
    rtol: Annotated[float | None, typer.Option("--rtol", metavar="N", help="Relative tolerance.")] = None,
    step: Annotated[
        str | None, typer.Option("--step", metavar="TIME", help="Step of methods without error control.")
    ] = None,
    changes: Changes = None,
) -> None:
    if (fmu is None) == (objects is None):
        raise GudgeonError("say what to write: --fmu FILE or --object DIR")
    source = find(model, changes)
    settings = _settings(source, until, revolutions, method, rtol, step).merged(channels=channels)
    if fmu is not None:
        print(export_fmu(source.mechanism, fmu, settings, version=fmi, inputs=inputs or (), platforms=platforms))
        return
    assert objects is not None
    for path in export_object(source.mechanism, objects, settings, name=Path(source.stem).stem, inputs=inputs or (),
                              platforms=platforms):  # fmt: skip
        print(path)


def _settings(source: ModelSource, until: str | None, revolutions: float | None, method: str | None,
              rtol: float | None, step: str | None) -> RunSettings:  # fmt: skip
    """Those of a run; a model need not say how long it is to run."""
    if until is None and revolutions is None and source.settings.duration is None:
        until = "1 s" if period_of(source.mechanism) is None else until
        revolutions = source.settings.revolutions or (2.0 if until is None else None)
    return run_settings(source, until, revolutions, method=method, rtol=rtol, step=step)
