"""A run as one JSON object: every number with all its digits, what is not a number as null."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gudgeon.cli.source import Settings
    from gudgeon.results import Run

__all__ = ["as_json", "extremes", "plain"]

COLUMNS = ("joint", "t_on", "speed_on", "angle", "t_off", "speed_off", "peak_force", "energy_lost")


def as_json(name: str, settings: Settings, changes: list[str], run: Run, stopped: str = "") -> str:
    """The object that `gudgeon run --json` prints; `stopped` says why a run did not reach its end."""
    said = {"mechanism": run.name, **asdict(settings), "rtol": settings.tolerance, "set": changes}
    evidence = {"complete": run.complete, "stopped": stopped or None, "t_end": run.end.t, **asdict(run.evidence)}
    whole = {
        "case": name,
        "settings": said,
        "contacts": [{column: getattr(record, column) for column in COLUMNS} for record in run.contacts],
        "extremes": {channel: extremes(run, channel) for channel in run.channels},
        "final": {channel: float(run[channel][-1]) for channel in run.channels},
        "evidence": evidence,
    }
    return json.dumps(plain(whole), ensure_ascii=False, allow_nan=False, indent=1)


def extremes(run: Run, channel: str) -> dict[str, float]:
    """Least and largest value of a channel with their times [s], and its root mean square over time."""
    low, high = run.lowest(channel), run.highest(channel)
    return {"min": low.value, "t_min": low.time, "max": high.value, "t_max": high.time, "rms": run.rms(channel)}


def plain(value: Any) -> Any:
    """Only what JSON knows."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float):
        number = float(value)
        return number if math.isfinite(number) else None
    return value
