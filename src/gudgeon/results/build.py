"""From the tape of a march to a run: channels, contacts and evidence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gudgeon.assemble import Contact, System
from gudgeon.results.contacts import ContactRecord, ContactTable, classify
from gudgeon.results.evidence import Evidence, Restitution

STALE = 3.0  # a rate this many times the first-touch speed in lasting contact makes the damping a fiction

# columns of an event row before the state
TIME, CONTACT, KIND, DEPTH, RATE, FORCE, FORCE_TIME, MAX_DEPTH, HEADER = range(9)


class Contacts:
    """Pairs onsets with releases."""

    def __init__(self, system: System, events: np.ndarray, channels_at: Any, final: np.ndarray, peaks: np.ndarray) -> None:
        self.system, self.events, self.final, self.peaks = system, events, final, peaks
        self.columns = {channel.name: k for k, channel in enumerate(system.channels)}
        rows = np.column_stack([events[:, TIME], events[:, HEADER:]]) if len(events) else np.zeros((0, 1))
        self.at_events = channels_at(rows) if len(events) else np.zeros((0, len(system.channels)))
        self.order = [k for k, c in enumerate(system.contacts) if c.index is not None]

    def table(self) -> ContactTable:
        open_rows: dict[int, int] = {}
        records: list[tuple[int, ContactRecord]] = []
        for row, event in enumerate(self.events):
            index = int(event[CONTACT])
            if event[KIND] > 0.0:
                open_rows[index] = row
            elif index in open_rows:
                start = open_rows.pop(index)
                records.append((start, self._record(index, start, row)))
        records += [(start, self._record(index, start, None)) for index, start in open_rows.items()]
        return ContactTable(record for _, record in sorted(records, key=lambda pair: pair[0]))

    def _record(self, index: int, start: int, stop: int | None) -> ContactRecord:
        contact = self.system.event_contacts[index]
        on = self.events[start]
        if stop is not None:
            off = self.events[stop]
            t_off, speed_off, end = off[TIME], off[RATE], off[HEADER:]
            force, force_time, depth = off[FORCE], off[FORCE_TIME], off[MAX_DEPTH]
        else:
            t_off = speed_off = math.nan
            end = self.final
            force, force_time, depth = self.peaks[index, :3]
        lost = self._work(index, end) - self._work(index, on[HEADER:])
        kind = classify(t_off - on[TIME], depth, on[RATE])
        return ContactRecord(
            contact.joint, contact.name, float(on[TIME]), float(on[RATE]), self._angle(contact, start), float(t_off),
            float(speed_off), float(force), float(force_time), float(depth), float(lost), kind,
        )  # fmt: skip

    def _work(self, index: int, state: np.ndarray) -> float:
        name = f"absorbed.{self.order[index]}"
        return float(state[self.system.controlled + self.system.integrals.index(name)])

    def _angle(self, contact: Contact, row: int) -> float:
        x, y = (self.columns.get(f"{contact.joint}.{axis}") for axis in ("ex", "ey"))
        if x is None or y is None or contact.kind == "stop":
            return math.nan
        return math.atan2(self.at_events[row, y], self.at_events[row, x])


def restitutions(system: System, table: ContactTable) -> tuple[Restitution, ...]:
    """Asked, lawful and observed restitution of each contact that had impacts."""
    found = []
    for contact in system.event_contacts:
        asked = getattr(contact.law, "asked_restitution", None)
        ratios = [r.restitution for r in table.impacts if r.contact == contact.name and r.speed_on > 0.0]
        if asked is None or not ratios:
            continue
        law = getattr(contact.law, "effective_restitution", None)
        values = np.array(ratios)
        found.append(
            Restitution(contact.name, asked, law, float(values.mean()), float(values.min()), float(values.max()), len(values))
        )
    return tuple(found)


def warnings(system: System, table: ContactTable, t: np.ndarray, column: Any) -> tuple[str, ...]:
    """Laws that left their range, and lasting contacts whose first-touch speed no longer means anything."""
    said: list[str] = []
    for contact in system.contacts:
        force, depth = column(f"{contact.name}.normal"), column(f"{contact.name}.depth")
        rate = column(f"{contact.name}.rate")
        touching = depth > 0.0
        if not touching.any():
            continue
        records = ContactTable(r for r in table if r.contact == contact.name)
        peak = max([float(force.max()), *records.column("peak_force")])
        deepest = max([float(depth.max()), *records.column("max_depth")])
        fastest = float(np.abs(rate[touching]).max())
        if hasattr(contact.law, "warnings"):
            said += [f"{contact.name}: {text}" for text in contact.law.warnings(contact.pair, deepest, fastest, peak)]
        if getattr(contact.law, "hysteresis", None):
            said += _stale(contact, records, t, rate, touching)
        pull = touching & (force < 0.0)
        if pull.any():
            share = 100 * pull.sum() / touching.sum()
            said.append(f"{contact.name}: the law pulls (down to {force.min():.3g} N) in {share:.2g} % of the contact rows")
    return tuple(dict.fromkeys(said))


def _stale(contact: Contact, records: ContactTable, t: np.ndarray, rate: np.ndarray, touching: np.ndarray) -> list[str]:
    """The worst lasting contact in which rates outgrow the speed that the damping was scaled with."""
    worst, text, count = STALE, "", 0
    for number, record in enumerate(records, 1):
        if record.kind != "contact":
            continue
        stop = record.t_off if record.ended else math.inf
        inside = touching & (t > record.t_on) & (t < stop)
        if not inside.any():
            continue
        ratio = float(np.abs(rate[inside]).max()) / max(record.speed_on, 1e-300)
        count += ratio > STALE
        if ratio > worst:
            worst = ratio
            until = "lasts to the end" if not record.ended else f"lasts {record.duration * 1e3:.3g} ms"
            text = (
                f"{contact.name}: contact {number} {until} on a first-touch speed of {record.speed_on:.2g} m/s; rates "
                f"since then reach {ratio:.3g} times that, so its damping is not what the restitution means"
            )
    return [text + (f" ({count} such contacts)" if count > 1 else "")] if text else []


def evidence(system: System, tape: Any, table: ContactTable, t: np.ndarray, column: Any, method: Any,
             wall_time: float, trust: str = "") -> Evidence:  # fmt: skip
    names = ("kinetic", "potential", "drive", "applied", "contact", "liner", "friction", "damper")
    energy = {name: float(column(f"energy.{name}")[-1] - column(f"energy.{name}")[0]) for name in names}
    balance = column("energy.balance")
    laws = [c.law for c in system.contacts] + [c.friction_law for c in system.contacts if c.friction_law]
    references = dict.fromkeys(f"{type(law).__name__}: {law.reference}" for law in laws)
    references[f"{method.title}: {method.reference}"] = None
    return Evidence(
        energy, float(np.abs(balance - balance[0]).max()), tape.drift, tape.speed_drift,
        "projection" if system.projected else "feedback (Baumgarte)", tape.touch_error,
        restitutions(system, table), warnings(system, table, t, column), method.title, method.rtol, tape.steps,
        tape.rejected, tape.evaluations, len(tape.events), wall_time, system.start.dof, tuple(system.redundant),
        system.start.moved, tuple(references), trust,
    )  # fmt: skip
