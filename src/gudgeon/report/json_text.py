"""JSON with all digits of every number; what is not a number is null."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from gudgeon.model.run_settings import RunSettings
from gudgeon.report.source import tolerance
from gudgeon.results import Run

__all__ = ["json_text", "run_json"]

COLUMNS = ("number", "joint", "contact", "t_on", "speed_on", "angle", "t_off", "speed_off", "peak_force", "energy_lost")


def json_text(whole: Any) -> str:
    """The text of an object, as every `--json` prints it."""
    return json.dumps(_plain(whole), ensure_ascii=False, allow_nan=False, indent=1)


def run_json(name: str, settings: RunSettings, changes: Sequence[str], run: Run, stopped: str = "") -> str:
    """The object that `gudgeon run --json` prints; `stopped` says why a run did not reach its end."""
    requested = {"mechanism": run.name, **asdict(settings), "rtol": tolerance(run.mechanism, settings), "set": changes}
    evidence = {"complete": run.complete, "stopped": stopped or None, "t_end": run.end.t, **asdict(run.evidence)}
    return json_text({
        "case": name,
        "settings": requested,
        "contacts": [{column: getattr(record, column) for column in COLUMNS} for record in run.contacts],
        "extremes": {channel: _extremes(run, channel) for channel in run.channels},
        "final": {channel: float(run[channel][-1]) for channel in run.channels},
        "evidence": evidence,
    })  # fmt: skip


def _extremes(run: Run, channel: str) -> dict[str, float]:
    """Least and largest value of a channel with their times [s], and its root mean square over time."""
    low, high = run.lowest(channel), run.highest(channel)
    return {"min": low.value, "t_min": low.time, "max": high.value, "t_max": high.time, "rms": run.rms(channel)}


def _plain(value: Any) -> Any:
    """Only what JSON knows."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        number = float(value)
        return number if math.isfinite(number) else None
    return value
