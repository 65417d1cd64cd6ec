"""`Inventory`: the parts of a mechanism, sketched, with the places of all their numbers in y, p and m."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gudgeon.assemble.contact.contacts import Contact
from gudgeon.assemble.contact.films import Film
from gudgeon.assemble.looped.excerpt import body_excerpts, part_excerpts
from gudgeon.assemble.looped.kind import SHARED
from gudgeon.assemble.looped.sketch import PartSketch
from gudgeon.assemble.solve.equations import Constraint
from gudgeon.assemble.trace.motors import CURRENT, HELD, SUPPLIED
from gudgeon.assemble.trace.trace import phase_order
from gudgeon.model import Mechanism

# the phase of a trace that adds an internal state, by the end of its name
PHASES = {"motion": "motions", "turns": "turns", CURRENT: "motors", HELD: "motors"}


@dataclass
class LoopedPart:
    """A part: its sketch, the numbers of its bodies, and places: of its parameters, states (in y), contacts with onset
    (in m), contacts (in the list of all) and rows (in the list of all constraints)."""

    sketch: PartSketch
    bodies: list[int]
    parameters: list[int]
    states: list[int] = field(default_factory=list)
    event: int = 0
    contact: int = 0
    rows: list[int] = field(default_factory=list)

    @property
    def excerpt(self) -> Any:
        return self.sketch.mechanism

    @property
    def owner(self) -> str:
        return str(self.excerpt.owner)


class Inventory:
    """Parts of a mechanism; `options` are those of `Trace`."""

    def __init__(self, mechanism: Mechanism, **options: bool) -> None:
        self.mechanism, self.options = mechanism, options
        self.names: list[str] = []
        self._values: list[float] = []
        self._known: dict[str, int] = {}
        self._numbers = {name: k for k, name in enumerate(mechanism.bodies)}
        self.bodies = [self._part(PartSketch(x, **options)) for x in body_excerpts(mechanism)]  # type: ignore[arg-type]
        self.parts = [self._part(PartSketch(x, **options)) for x in part_excerpts(mechanism)]  # type: ignore[arg-type]
        body = self.bodies[0].sketch.moving[0]
        self.nq, self.nv = len(body.q), len(body.v)
        self.positions, self.velocities = self.nq * len(self.bodies), self.nv * len(self.bodies)
        self._place_states()
        self.contacts: list[Contact] = []
        self.films: list[Film] = []
        self.events = 0
        for part in self.parts:
            self._place_contacts(part)
        self.constraints: list[Constraint] = []
        self._place_rows()
        self.integrals = self._integrals()

    @property
    def values(self) -> np.ndarray:
        return np.array(self._values, dtype=float)

    @property
    def controlled(self) -> int:
        return self.positions + self.velocities + len(self.state_names)

    @property
    def total(self) -> int:
        return self.controlled + len(self.integrals)

    def kinds(self, parts: Iterable[LoopedPart], left_out: Sequence[int] = ()) -> dict[Any, list[LoopedPart]]:
        """Parts with equal formulas; `left_out` are redundant rows among all."""
        gone = set(left_out)
        by_formulas: dict[Any, list[LoopedPart]] = {}
        for part in parts:
            missing = tuple(k for k, r in enumerate(part.rows) if r in gone)
            by_formulas.setdefault((part.sketch.signature, missing), []).append(part)
        return by_formulas

    def _part(self, sketch: PartSketch) -> LoopedPart:
        """Give a part its parameters; those of bodies, and gravity, are shared."""
        places = []
        borrowed = sketch.borrowed
        for k, (name, value) in enumerate(zip(sketch.parameters.names, sketch.parameters.values, strict=True)):
            shared = k < borrowed or name.startswith("gravity.")
            if shared and name in self._known:
                places.append(self._known[name])
                continue
            if shared:
                self._known[name] = len(self.names)
            places.append(len(self.names))
            self.names.append(name)
            self._values.append(float(value))
        bodies = [self._numbers[name] for name in sketch.mechanism.bodies]
        return LoopedPart(sketch, bodies, places)

    def _place_states(self) -> None:
        order = {phase: k for k, phase in enumerate((*phase_order(self.mechanism), "motors"))}
        turned = {name: k for k, name in enumerate((*self.mechanism.motors, *self.mechanism.controllers))}

        def rank(k: int, name: str) -> tuple[int, int]:
            """In the order of a trace: phase by phase, in it part by part."""
            phase = PHASES.get(name.rpartition(".")[2], "joints")
            return order[phase], turned[self.parts[k].owner] if phase == "motors" else k

        listed = [
            (rank(k, name), k, i, name, start)
            for k, part in enumerate(self.parts)
            for i, (name, start) in enumerate(zip(part.sketch.states.names, part.sketch.states.starts, strict=True))
        ]
        listed.sort(key=lambda x: (x[0], x[2]))
        self.state_names = [name for *_, name, _ in listed]
        self.starts = [start for *_, start in listed]
        for place, (_, k, _, _, _) in enumerate(listed):
            self.parts[k].states.append(self.positions + self.velocities + place)

    def _place_contacts(self, part: LoopedPart) -> None:
        part.event, part.contact = self.events, len(self.contacts)
        first = part.sketch.states.positions + part.sketch.states.velocities
        for contact in part.sketch.contacts:
            index = None if contact.index is None else contact.index + part.event
            state = None if contact.state is None else part.states[contact.state - first]
            self.contacts.append(replace(contact, index=index, state=state))
        self.events += part.sketch.events
        self.films += part.sketch.films

    def _place_rows(self) -> None:
        """Rows of joints first, then those of drives."""
        for part in self.parts:
            part.rows = [-1] * len(part.sketch.equations.constraints)
        for drive in (False, True):
            for part in self.parts:
                for k, constraint in enumerate(part.sketch.equations.constraints):
                    if constraint.drive == drive:
                        part.rows[k] = len(self.constraints)
                        self.constraints.append(constraint)

    def _integrals(self) -> list[str]:
        sketches = [part.sketch for part in self.parts]
        there = {
            "drive": any(s.motions or s.motors.controlled for s in sketches),
            **dict.fromkeys(SUPPLIED, any(s.motors.supplies for s in sketches)),
            "applied": any(s.loads.applied is not s.graph.zero for s in sketches),
            "damper": any(s.loads.damped is not s.graph.zero for s in sketches),
        }
        names = [name for name in SHARED if there.get(name)]
        for k, contact in enumerate(self.contacts):
            names.append(f"absorbed.{k}")
            if contact.friction_law is not None:
                names.append(f"rubbed.{k}")
        return [*names, "film"] if self.films else names
