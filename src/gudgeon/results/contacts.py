"""The table of contacts: one line per onset, with what the surfaces did until they parted."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np

LASTING = 1.6  # a contact longer than this many Hertz contact times is no impact but lasting contact
OUTGROWN = 2.0  # nor is one in which loads drive the rate to this many times the speed of first touch


@dataclass(frozen=True)
class ContactRecord:
    """One contact. Times [s], speeds [m/s] (positive: closing), angle [rad] of the touch as seen from the bearing's
    centre in world axes (nan where there is no such angle), force [N], depth [m], energy [J]; for stops and keys of
    rotations, speeds are in [rad/s], the force is a moment [N m] and the depth is in [rad].

    A contact that has not ended has t_off = speed_off = nan. `kind` is "impact" or "contact" (lasting). `number` is
    its place in the table of the whole run, from 1; tables, figures and warnings use this number, also for a part of
    the run.
    """

    joint: str
    contact: str
    t_on: float
    speed_on: float
    angle: float
    t_off: float
    speed_off: float
    peak_force: float
    peak_time: float
    max_depth: float
    energy_lost: float
    kind: str
    number: int = 0

    @property
    def ended(self) -> bool:
        return not math.isnan(self.t_off)

    @property
    def duration(self) -> float:
        return self.t_off - self.t_on

    @property
    def restitution(self) -> float:
        """Parting speed over closing speed."""
        return -self.speed_off / self.speed_on if self.speed_on > 0.0 else math.nan


PRINTED = 40  # contacts that a table shows
FIELDS = tuple(field.name for field in fields(ContactRecord))


class ContactRecords(list[ContactRecord]):
    """Contacts in order of onset, with columns as arrays: table.column("peak_force")."""

    @classmethod
    def numbered(cls, records: Iterable[ContactRecord]) -> ContactRecords:
        """In order of onset, with their numbers."""
        ordered = sorted(records, key=lambda record: record.t_on)
        return cls(replace(record, number=k) for k, record in enumerate(ordered, 1))

    def column(self, name: str) -> np.ndarray:
        return np.array([getattr(record, name) for record in self])

    def of(self, joint: str) -> ContactRecords:
        return ContactRecords(record for record in self if record.joint == joint)

    def to_pandas(self) -> Any:
        """A DataFrame with one row per contact [SI]."""
        import pandas

        return pandas.DataFrame([asdict(record) for record in self], columns=list(FIELDS))

    @property
    def impacts(self) -> ContactRecords:
        return ContactRecords(record for record in self if record.kind == "impact" and record.ended)

    def __str__(self) -> str:
        """A table for the terminal, of many contacts the first; where a rotation is stopped, m reads rad and N reads
        N m."""
        width = max([7, *(len(r.contact) for r in self)])
        titles = ("t_on [ms]", "v_on [m/s]", "angle [deg]", "t_off [ms]", "v_off [m/s]", "peak [N]", "lost [J]")
        lines = [" ".join([f"{'':>5} {'contact':<{width}}", *(f"{title:>11}" for title in titles), " kind"])]
        for r in self[:PRINTED]:
            values = (r.t_on * 1e3, r.speed_on, math.degrees(r.angle), r.t_off * 1e3, r.speed_off, r.peak_force,
                      r.energy_lost)  # fmt: skip
            cells = [f"{'-' if math.isnan(x) else f'{x:.5g}':>11}" for x in values]
            lines.append(" ".join([f"{r.number or '':>5} {r.contact:<{width}}", *cells, f" {r.kind}"]))
        if len(self) > PRINTED:
            lines.append(f"... and {len(self) - PRINTED} more; to_pandas() has all of them")
        return "\n".join(lines)


def classify(duration: float, max_depth: float, speed_on: float, fastest: float) -> str:
    """An impact lasts about the Hertz contact time 2.94 depth/speed and its rate never exceeds its first. What lasts
    much longer is contact, and so is what a load pressed in deeper than the speed of touch could."""
    if math.isnan(duration) or speed_on <= 0.0 or fastest > OUTGROWN * speed_on:
        return "contact"
    return "impact" if duration <= LASTING * 2.94 * max_depth / speed_on else "contact"
