"""`simulate`: the one door from a description to results."""

from __future__ import annotations

import inspect
from dataclasses import fields as fields_of
from typing import Any, Unpack

from gudgeon.model import Mechanism
from gudgeon.model.run_settings import RunFields, RunSettings
from gudgeon.results.run import Run
from gudgeon.simulation.prepare import prepare

__all__ = ["simulate", "whole_run"]


def simulate(mechanism: Mechanism, settings: RunSettings | None = None, *, progress: bool | None = None,
             resume: Run | None = None, **fields: Unpack[RunFields]) -> Run:  # fmt: skip
    """Simulate a mechanism and return the results with their evidence.

    settings       a RunSettings; its fields can be given here by name instead, or besides:
{}
    progress       show a bar with the time, contacts, pace and time left; default: only on a terminal and when the run
                   takes longer than a second
    resume         continue this run of the same mechanism
    """
    return prepare(mechanism, settings, resume=resume, **fields).run(progress)


def whole_run(mechanism: Mechanism, settings: RunSettings | None = None, *, resume: Run | None = None,
              **fields: Unpack[RunFields]) -> Run:  # fmt: skip
    """`simulate` for numbers that a shorter run would falsify: Ctrl-C is a KeyboardInterrupt."""
    run = simulate(mechanism, settings, progress=False, resume=resume, **fields)
    if not run.complete:
        raise KeyboardInterrupt
    return run


def _name_settings() -> None:
    """Signature and help of `simulate` name every setting, from the one table of them."""
    table = (RunSettings.__doc__ or "").partition("\n\n")[2].rstrip()
    simulate.__doc__ = (simulate.__doc__ or "").format(table)
    whole = inspect.signature(simulate)
    given = [p for p in whole.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    hints: dict[str, Any] = RunFields.__annotations__
    named = [inspect.Parameter(item.name, inspect.Parameter.KEYWORD_ONLY, default=item.default,
                               annotation=hints[item.name].__forward_arg__)
             for item in fields_of(RunSettings)]  # fmt: skip
    simulate.__signature__ = whole.replace(parameters=[*given[:2], *named, *given[2:]])  # type: ignore[attr-defined]


_name_settings()
