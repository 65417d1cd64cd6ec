"""From the tape of a march to a run: channels, contacts and evidence."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from gudgeon.assemble import LEDGER, SUPPLIED, Contact, Film, System
from gudgeon.methods.march.columns import CONTACT, FORCE, FORCE_TIME, HEADER, IMPACT, KIND, MAX_DEPTH, RATE, TIME
from gudgeon.model.parts.joint import SpatialJoint
from gudgeon.quantity import in_words
from gudgeon.results.contacts import ContactRecord, ContactRecords, classify
from gudgeon.results.evidence import Evidence, FilmShare, Restitution
from gudgeon.results.extremes import HIGH, LOW, Extremes
from gudgeon.results.impacts import ImpactRecord
from gudgeon.results.recorder import Recorder

AT_REST = 1e-12  # [m/s] or [rad/s]: a contact that begins so slowly was there from the start
NUMBERS = re.compile(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?")
TILTED = 0.01  # [rad] of a shaft in its play: its key's moment then has so large a share across the shaft
ROUGH = 1e-7  # [m] a thinner film is none: surfaces are not that smooth
THICKENS = 1e8  # [Pa] Barus: exp(2e-8 p), some seven times as viscous
STALE = 3.0  # a rate this many times the first-touch speed in lasting contact makes the damping a fiction
GAINED = 1e-3  # of the largest kinetic energy: so much given by impacts is no rounding of steps


class ContactPairing:
    """Pairs onsets with releases."""

    def __init__(self, system: System, events: np.ndarray, channels_at: Callable[[np.ndarray], np.ndarray],
                 t: np.ndarray, column: Callable[[str], np.ndarray]) -> None:  # fmt: skip
        self.system, self.events, self.t = system, events, t
        self.columns = {channel.name: k for k, channel in enumerate(system.channels)}
        rows = np.column_stack([events[:, TIME], events[:, HEADER:]]) if len(events) else np.zeros((0, 1))
        self.at_events = channels_at(rows) if len(events) else np.zeros((0, len(system.channels)))
        self.order = [k for k, c in enumerate(system.contacts) if c.index is not None]
        self.rates = {c.name: np.abs(column(f"{c.name}.rate")) for c in system.event_contacts}

    def table(self, first: np.ndarray, final: np.ndarray, peaks: np.ndarray, carried: Iterable[ContactRecord] = (),
              impacts: Iterable[ImpactRecord] = ()) -> ContactRecords:  # fmt: skip
        """`first` and `final` are the states (y, m) of the run, `peaks` those of the contacts that did not end,
        `carried` the contacts that an earlier run left open at `first`, `impacts` those that take no time."""
        index_of = {c.name: k for k, c in enumerate(self.system.event_contacts)}
        opened = {index_of[r.contact]: (r, first) for r in carried}
        finished: list[ContactRecord] = []
        instants = iter(impacts)
        for row, event in enumerate(self.events):
            index = int(event[CONTACT])
            if event[KIND] == IMPACT:
                finished.append(self._instant(next(instants), row))
            elif event[KIND] > 0.0:
                opened[index] = (self._onset(index, row), event[HEADER:])
            elif index in opened:
                finished.append(self._close(index, *opened.pop(index), event))
        last = np.concatenate([[math.nan, 0.0, 0.0, 0.0, math.nan, 0.0, 0.0, 0.0], final])
        for index, (record, since) in opened.items():
            last[FORCE : MAX_DEPTH + 1] = peaks[index, :3]
            finished.append(self._close(index, record, since, last))
        return ContactRecords.numbered(finished)

    def _instant(self, impact: ImpactRecord, row: int) -> ContactRecord:
        contact = self.system.event_contacts[int(self.events[row][CONTACT])]
        return ContactRecord(
            impact.joint, impact.contact, impact.t, impact.speed, self._angle(contact, row), impact.t,
            -impact.rebound, impact.peak_force, impact.t, 0.0, impact.energy_lost, "impact",
        )  # fmt: skip

    def _onset(self, index: int, row: int) -> ContactRecord:
        contact, on = self.system.event_contacts[index], self.events[row]
        return ContactRecord(
            contact.joint, contact.name, float(on[TIME]), float(on[RATE]), self._angle(contact, row), math.nan,
            math.nan, 0.0, float(on[TIME]), 0.0, 0.0, "contact",
        )  # fmt: skip

    def _close(self, index: int, record: ContactRecord, since: np.ndarray, off: np.ndarray) -> ContactRecord:
        """The record with what happened from the state `since` to the event `off`."""
        force, time, depth = record.peak_force, record.peak_time, max(record.max_depth, float(off[MAX_DEPTH]))
        if off[FORCE] > force:
            force, time = float(off[FORCE]), float(off[FORCE_TIME])
        t_off, speed_off = float(off[TIME]), float(off[RATE])
        lost = record.energy_lost + self._work(index, off[HEADER:]) - self._work(index, since)
        part = self.rates[record.contact][within(self.t, record.t_on, t_off)]
        kind = classify(t_off - record.t_on, depth, record.speed_on, float(part.max(initial=abs(speed_off))))
        return ContactRecord(record.joint, record.contact, record.t_on, record.speed_on, record.angle, t_off, speed_off,
                             force, time, depth, lost, kind)  # fmt: skip

    def _work(self, index: int, state: np.ndarray) -> float:
        name = f"absorbed.{self.order[index]}"
        return float(state[self.system.layout.integral(name)])

    def _angle(self, contact: Contact, row: int) -> float:
        x, y, z = (self.columns.get(f"{contact.joint}.{axis}") for axis in ("ex", "ey", "ez"))
        # a ball can touch anywhere on a sphere, which no one angle tells
        if x is None or y is None or z is not None or contact.kind == "stop" or contact.angular:
            return math.nan
        return math.atan2(self.at_events[row, y], self.at_events[row, x])


def within(t: np.ndarray, t_on: float, t_off: float) -> slice:
    """The rows between onset and release, or to the end where t_off is no number."""
    stop = t.searchsorted(t_off, "left") if t_off == t_off else len(t)
    return slice(int(t.searchsorted(t_on, "right")), int(stop))


def restitutions(system: System, table: ContactRecords) -> tuple[Restitution, ...]:
    """Asked, lawful and observed restitution of each contact that had impacts."""
    restitutions = []
    filmed = {film.joint for film in system.films}  # there the film takes energy from an impact too
    for contact in system.event_contacts:
        if contact.joint in filmed:
            continue
        asked = getattr(contact.law, "requested_restitution", None)
        ratios = [r.restitution for r in table.impacts if r.contact == contact.name and r.speed_on > 0.0]
        if asked is None or not ratios:
            continue
        law = None if system.needs.hard_walls else getattr(contact.law, "effective_restitution", None)
        mean = sum(ratios) / len(ratios)
        restitutions.append(Restitution(contact.name, asked, law, mean, min(ratios), max(ratios), len(ratios)))
    return tuple(restitutions)


def add_films(proof: Evidence, system: System, table: ContactRecords, extremes: Extremes) -> Evidence:
    """The evidence with what films did. Their extremes are those of the motion, for which a run with thinned output is
    integrated once more: not before the evidence is read."""
    said = [text for film in system.films for text in _film_warnings(film, extremes)]
    known = tuple(dict.fromkeys([*proof.warnings, *said]))
    return replace(proof, warnings=known, films=film_shares(system, table, extremes))


def film_shares(system: System, table: ContactRecords, extremes: Extremes) -> tuple[FilmShare, ...]:
    """How long each film carried alone, and how thin it became."""
    shares = []
    t = extremes.t
    for film in system.films:
        joint, walls = film.joint, [c.name for c in system.event_contacts if c.joint == film.joint and c.kind == "wall"]
        mixed, until, span = 0.0, float(t[0]), float(t[-1] - t[0])
        for record in table:
            if record.contact in walls:
                # walls of one joint may touch together
                begin, end = max(record.t_on, until), min(record.t_off if record.ended else np.inf, float(t[-1]))
                mixed, until = mixed + max(0.0, end - begin), max(until, end)
        share = mixed / span if span > 0.0 else float(bool(mixed))
        thin = extremes.extreme(f"{joint}.film_thickness", LOW)
        x, y = (extremes.value(f"{joint}.{axis}", thin.time) for axis in ("ex", "ey"))
        pressure = extremes.extreme(f"{joint}.peak_pressure", HIGH).value
        shares.append(FilmShare(joint, type(film.law).__name__, 1.0 - share, share, thin.value, thin.time,
                               math.atan2(y, x), pressure))  # fmt: skip
    return tuple(shares)


def warnings(system: System, table: ContactRecords, recorder: Recorder) -> tuple[str, ...]:
    """Laws that left their range, and lasting contacts whose first-touch speed no longer means anything."""
    said: list[tuple[str, str, float]] = []  # of which contact, what, and its largest force
    t, column = recorder.time, recorder.column
    for contact in system.contacts:
        force, depth = column(f"{contact.name}.normal"), column(f"{contact.name}.depth")
        rate = column(f"{contact.name}.rate")
        touching = depth > 0.0
        records = ContactRecords(r for r in table if r.contact == contact.name)
        if not touching.any() and not records:
            continue
        weakest, strongest = recorder.range(f"{contact.name}.normal")
        peak = max([strongest, *records.column("peak_force")])
        deepest = max([recorder.range(f"{contact.name}.depth")[1], *records.column("max_depth")])
        fastest = max([float(np.abs(rate[touching]).max(initial=0.0)), *records.column("speed_on")])
        if hasattr(contact.law, "warnings"):
            said += [(contact.name, text, peak) for text in contact.warnings(deepest, fastest, peak)]
        if getattr(contact.law, "hysteresis", None) and not system.needs.hard_walls:
            damping = _stale(contact, records, t, np.abs(rate)) if contact.index is not None else [_undamped(contact)]
            said += [(contact.name, text, peak) for text in damping]
        pull = touching & (force < 0.0)
        # a bushing is bonded: it may pull
        if pull.any() and contact.index is not None:
            share = 100 * pull.sum() / touching.sum()
            unit = "N m" if contact.angular else "N"
            pulls = f"the contact force is tensile (down to {weakest:.3g} {unit})"
            said.append((contact.name, f"{pulls} in {share:.2g} % of the recorded times in contact", peak))
    return tuple(dict.fromkeys(_one_per_joint(said) + _gained(system, column) + _keys_anywhere(system)))


def _keys_anywhere(system: System) -> list[str]:
    """Keys of shafts with play of which nobody said where they lie, where that matters. A key keeps an arm of the
    journal square to one of the bearing; its moment is square to both, so that it leans with the shaft in the direction
    of the arm."""
    said = []
    for joint in system.mechanism.joints.values():
        if not isinstance(joint, SpatialJoint) or joint.arm is not None or not joint.sleeve_length:
            continue
        if not {"sleeve", "key"} <= set(joint.fit):
            continue
        tilt = 2.0 * joint.gap("sleeve") / joint.sleeve_length
        if tilt > TILTED:
            x, y, z = joint.triads[1][0]
            said.append(
                f"{joint.name}: the shaft can tilt by {tilt:.2g} rad in its play, and nothing says where its key "
                f"lies; ({x:.3g}, {y:.3g}, {z:.3g}) is taken, elsewhere up to {100 * tilt:.2g} % of its moment differ; "
                "give the joint arm=(x, y, z)"
            )
    return said


def _one_per_joint(said: list[tuple[str, str, float]]) -> list[str]:
    """Of warnings of one joint that differ in numbers only, that of the contact with the largest force; it names the
    other contacts."""
    alike: dict[tuple[str, str], list[tuple[str, str, float]]] = {}
    for name, text, peak in said:
        alike.setdefault((name.partition(".")[0], NUMBERS.sub("", text)), []).append((name, text, peak))
    lines = []
    for group in alike.values():
        first, *others = sorted(group, key=lambda one: -one[2])
        also = [name.partition(".")[2] or name for name, _, _ in others if name != first[0]]
        lines.append(f"{first[0]}: {first[1]}" + (f"; likewise {in_words(also)}" if also else ""))
    return lines


def _gained(system: System, column: Any) -> list[str]:
    """Energy that impacts as instants gave instead of taking it."""
    if not system.needs.delassus:
        return []
    taken = column("energy.contact") + column("energy.friction")
    given = float((np.maximum.accumulate(taken) - taken).max())
    if given < GAINED * float(column("energy.kinetic").max()):
        return []
    return [
        f"impacts added {given:.3g} J of energy, real ones only dissipate; take a shorter step, or with high friction "
        'method="impact", which reduces the restitution until none is added'
    ]


def _film_warnings(film: Film, extremes: Extremes) -> list[str]:
    """Films thinner than real ones, pressures that change the oil, bearings the law is not made for."""
    thinnest = extremes.extreme(f"{film.joint}.film_thickness", LOW).value
    force, pressure = (extremes.extreme(f"{film.joint}.{what}", HIGH).value for what in ("film_force", "peak_pressure"))
    said = [f"{film.joint}: {text}" for text in film.law.warnings(film.pair, film.clearance - thinnest, 0.0, force)]
    if film.minimum is None and thinnest < ROUGH:
        said.append(
            f"{film.joint}: the film was {thinnest * 1e9:.3g} nm thick, less than the roughness of surfaces; "
            "give the fit a wall, which carries below minimum_film"
        )
    if pressure > THICKENS:
        said.append(
            f"{film.joint}: the pressure reached {pressure / 1e6:.4g} MPa; above about {THICKENS / 1e6:g} MPa oil is "
            "several times as viscous and surfaces deform, which the law does not include"
        )
    return said


def _undamped(contact: Contact) -> str:
    """Surfaces without a gap have no speed of first touch, so that the ratio of rates is 1 for ever."""
    return (
        f"without a gap there is no first-touch speed; {type(contact.law).__name__} then has no "
        f"damping and is {1.0 + contact.law.hysteresis:.4g} times as stiff"
    )


def _stale(contact: Contact, records: ContactRecords, t: np.ndarray, rates: np.ndarray) -> list[str]:
    """The worst lasting contact in which rates outgrow the speed that the damping was scaled with."""
    worst, text, count = STALE, "", 0
    for record in records:
        if record.kind != "contact" or record.speed_on <= AT_REST:
            continue
        ratio = float(rates[within(t, record.t_on, record.t_off)].max(initial=0.0)) / max(record.speed_on, 1e-300)
        count += ratio > STALE
        if ratio > worst:
            worst = ratio
            until = "lasts to the end" if not record.ended else f"lasts {record.duration * 1e3:.3g} ms"
            first = f"{record.speed_on:.2g} {'rad/s' if contact.angular else 'm/s'}"
            text = (
                f"contact {record.number} {until}; it began at {first} and later reaches "
                f"{ratio:.3g} times that rate, so its damping no longer corresponds to the restitution"
            )
    return [text + (f" ({count} such contacts)" if count > 1 else "")] if text else []


def evidence(system: System, tape: Any, table: ContactRecords, recorder: Recorder, method: Any,
             wall_time: float, trust: str = "") -> Evidence:  # fmt: skip
    """What a run says of itself; films are added by `add_films`."""
    column = recorder.column
    names = ["kinetic", "potential", *LEDGER]
    if system.mechanism.motors:
        names += ["magnetic", *SUPPLIED]
    energy = {name: float(column(f"energy.{name}")[-1] - column(f"energy.{name}")[0]) for name in names}
    first = float(column("energy.balance")[0])
    least, most = recorder.range("energy.balance")
    laws = [c.law for c in system.contacts] + [c.friction_law for c in system.contacts if c.friction_law]
    laws += [film.law for film in system.films]
    references = dict.fromkeys(f"{type(law).__name__}: {law.reference}" for law in laws)
    references |= dict.fromkeys(f"beams: {beam.reference}" for beam in system.mechanism.beams.values())
    references[f"{method.title}: {method.reference}"] = None
    return Evidence(
        energy, max(most - first, first - least), tape.drift, tape.speed_drift,
        "projection" if system.stabilisation is None else "feedback (Baumgarte)", tape.touch_error,
        restitutions(system, table), warnings(system, table, recorder), method.title, method.rtol, tape.steps,
        tape.rejected, tape.evaluations, len(tape.events), wall_time, system.start.dof, tuple(system.report.redundant),
        system.start.moved, tuple(references), trust, jacobians=tape.jacobians, factorisations=tape.factorisations,
        notes=(*_notes(tape), *recorder.notes()),
        reactions=str(system.report.redundancy or ""), touch_unit=_touch_unit(system),
    )  # fmt: skip


def _touch_unit(system: System) -> str:
    """The unit of a depth at which contacts are located."""
    units = dict.fromkeys("rad" if contact.angular else "m" for contact in system.event_contacts)
    return " or ".join(units) or "m"


def _notes(tape: Any) -> tuple[str, ...]:
    """What is particular about a march with impacts as instants."""
    if not tape.impacts:
        return ()
    many = f", {tape.together} times several at once" if tape.together else ""
    return (
        f"{tape.impacts} impacts as events{many}; peak forces of impacts are estimates from the stiffness of the walls",
    )
