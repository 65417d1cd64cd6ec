"""Impacts as instants: what a march over rigid contacts leaves of each, and an estimate of the force behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gudgeon.assemble import System
from gudgeon.assemble.contact.memory import PER_CONTACT, hard_contact_memory
from gudgeon.compile.native.kernel import evaluate_rows
from gudgeon.methods.march.columns import CONTACT, HEADER, IMPACT, IMPULSE, KIND, MASS, RATE, REBOUND, RUB, TIME


@dataclass(frozen=True)
class ImpactRecord:
    """One contact at one instant. t [s]; speed and rebound [m/s], closing and opening; mass [kg], the effective mass;
    impulse and friction [N s]; peak_force [N], what the wall's law would reach; energy_lost [J]; together: how many
    contacts had an impulse at this instant; reactions [N s or N m s]: impulses of the ideal joints and drives by row.
    Where a rotation is stopped the units are those of moments and angles."""

    joint: str
    contact: str
    t: float
    speed: float
    rebound: float
    mass: float
    impulse: float
    friction: float
    peak_force: float
    energy_lost: float
    together: int
    reactions: dict[str, float]


def impacts(system: System, events: np.ndarray) -> list[ImpactRecord]:
    """The impacts among the events of a march."""
    hits = events[events[:, KIND] == IMPACT] if len(events) else events
    if not system.needs.delassus or not len(hits):
        return []
    names = system.report.constraint_names
    size = system.velocities + len(names) + 1
    jumps = np.zeros((len(hits), size))
    rows = np.ascontiguousarray(np.column_stack([hits[:, TIME], hits[:, HEADER:]]))
    evaluate_rows(system.addresses["velocity_jump"], rows, np.zeros(system.states), np.zeros(system.memory), system.p,
                  np.zeros(size), jumps)  # fmt: skip
    records = []
    for hit, jump in zip(hits, jumps, strict=True):
        contact = system.event_contacts[int(hit[CONTACT])]
        speed, rebound, mass, impulse = (float(hit[k]) for k in (RATE, REBOUND, MASS, IMPULSE))
        force = contact.law.peak_force(contact.pair, mass, speed) if speed > 0.0 else 0.0
        reactions = {name: float(x) for name, x in zip(names, jump[system.velocities : -1], strict=True)}
        together = int(np.count_nonzero(hits[:, TIME] == hit[TIME]))
        lost = 0.5 * impulse * (speed - rebound)
        records.append(ImpactRecord(contact.joint, contact.name, float(hit[TIME]), speed, rebound, mass, impulse,
                            float(hit[RUB]), force, lost, together, reactions))  # fmt: skip
    return records


def crests(system: System, events: np.ndarray, records: list[ImpactRecord],
           evaluate: Callable[[np.ndarray], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Times and channels at the impacts, as they would be under the estimated forces."""
    hits = events[events[:, KIND] == IMPACT] if records else events[:0]
    rows = np.column_stack([hits[:, TIME], hits[:, HEADER:]])
    memory, per_contact = 1 + system.states, system.rows_per_contact
    applied = memory + hard_contact_memory(system.events, per_contact).applied.start
    for row, hit, impact in zip(rows, hits, records, strict=True):
        place = applied + per_contact * int(hit[CONTACT])
        own = slice(place, place + per_contact)
        impulses = row[own].copy()
        row[memory + PER_CONTACT * system.events :] = 0.0  # what follows the modes
        row[own] = impulses * (impact.peak_force / impact.impulse)
    return rows[:, 0], evaluate(rows) if len(rows) else np.zeros((0, len(system.channels)))
