"""`System`: what is computed on, in named parts. A mechanism's compiled functions and the layout of their arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from gudgeon.assemble.contact.contacts import Contact
from gudgeon.assemble.contact.films import Film
from gudgeon.assemble.contact.joint_friction import JointFriction
from gudgeon.assemble.contact.memory import PER_CONTACT, hard_contact_memory
from gudgeon.assemble.contact.rows import rows_per_contact
from gudgeon.assemble.needs import Needs
from gudgeon.assemble.report.channels import Channel
from gudgeon.assemble.report.redundancy import Redundancy
from gudgeon.assemble.solve.reduce import Reduction
from gudgeon.assemble.solve.start import Start
from gudgeon.model import Mechanism

Backend = Literal["llvm", "python"]

LENGTH, SPEED, SPIN = range(1, 4)  # typical of a mechanism
KINDS = {"m": LENGTH, "m/s": SPEED, "rad/s": SPIN}
SLIGHT = 1e-4  # of the size of the mechanism: deflection of bristles whose law does not say how large theirs is


@dataclass(frozen=True)
class Baumgarte:
    """Baumgarte stabilisation (feedback) instead of projection: alpha [1/s], beta [1/s]."""

    alpha: float = 5.0
    beta: float = 5.0

    @property
    def factors(self) -> tuple[float, float]:
        return self.alpha, self.beta


@dataclass(frozen=True, kw_only=True)
class AssemblyOptions:
    """How a mechanism is assembled, beside what a method needs; see `assemble`. `size` [m] is typical of it."""

    size: float
    stabilisation: Baumgarte | None = None
    backend: Backend = "llvm"
    reduce: bool = False

    @property
    def feedback(self) -> tuple[float, float] | None:
        return None if self.stabilisation is None else self.stabilisation.factors


@dataclass(frozen=True, kw_only=True)
class StateLayout:
    """Places and counts in y = (coordinates, velocities, internal states, integrals) and in the memory m.

    The first `controlled` states are under error control. `rows` are the constraints that are kept. `events` are the
    contacts with onset and release; each has (mode, rate at first touch) in m, for hard walls see contact.events.
    """

    positions: int
    velocities: int
    controlled: int
    rows: int
    events: int
    units: list[str]  # of coordinates, then of velocities
    internal: list[str]  # names of the internal states
    integrals: list[str]  # names of the integrals
    reduction: Reduction | None = None  # the constant states that y does not have

    @property
    def states(self) -> int:
        return self.controlled + len(self.integrals)

    @property
    def every_state(self) -> int:
        """How many states there are with those that are constant and left out."""
        return self.states if self.reduction is None else self.reduction.size

    def integral(self, name: str) -> int:
        """Place in y of an integral, -1 where there is none of this name."""
        return self.controlled + self.integrals.index(name) if name in self.integrals else -1


@dataclass(frozen=True, kw_only=True)
class CompiledCode:
    """Functions f(t, y, p, m, out) by machine address, and the parameters p behind which their workspace lies."""

    addresses: dict[str, int]
    p: np.ndarray = field(repr=False)
    parameter_names: list[str]
    operations: dict[str, int]  # of one evaluation of each function
    module: Any = field(repr=False, default=None)  # the functions before they were compiled
    references: Any = field(repr=False, default=None)  # what must live as long as the addresses are used


@dataclass(frozen=True, kw_only=True)
class SystemReport:
    """What a run can report: channels, contacts and films, and the constraints by name."""

    channels: list[Channel]
    contacts: Sequence[Contact]
    films: Sequence[Film]
    constraint_names: list[str]
    redundant: list[str]  # constraints that follow from others and are left out
    redundancy: Redundancy | None = None  # what that means for the reactions
    frictions: Sequence[JointFriction] = ()  # of ideal joints

    @cached_property
    def event_contacts(self) -> list[Contact]:
        """The contacts with onset and release."""
        return [c for c in self.contacts if c.index is not None]


@dataclass(frozen=True, kw_only=True)
class Formulated:
    """What a formulation makes of a mechanism."""

    layout: StateLayout
    code: CompiledCode
    report: SystemReport
    start: Start
    y0: np.ndarray
    # where not every body has states: the largest speed [m/s] and angular velocity [rad/s] of a body at the start
    typical_speeds: tuple[float, float] = (0.0, 0.0)
    residual: Any = field(repr=False, default=None)  # residual.form.CompiledResidual, of that formulation
    structure: Any = field(repr=False, default=None)  # structure.Structure, which serves other numbers


@dataclass(frozen=True, kw_only=True)
class System(Formulated):
    """A mechanism assembled for the needs of a method, by one of the formulations "absolute", "tree", "looped" and
    "residual". `size` [m] is typical of the mechanism."""

    mechanism: Mechanism
    needs: Needs
    formulation: str
    size: float
    stabilisation: Baumgarte | None = None

    @property
    def projected(self) -> bool:
        """Whether the time integration projects onto the constraints."""
        return self.stabilisation is None and self.formulation != "residual"

    # what nearly every caller reads

    @property
    def addresses(self) -> dict[str, int]:
        return self.code.addresses

    @property
    def p(self) -> np.ndarray:
        return self.code.p

    @property
    def module(self) -> Any:
        return self.code.module

    @property
    def positions(self) -> int:
        return self.layout.positions

    @property
    def velocities(self) -> int:
        return self.layout.velocities

    @property
    def controlled(self) -> int:
        return self.layout.controlled

    @property
    def states(self) -> int:
        return self.layout.states

    @property
    def rows(self) -> int:
        return self.layout.rows

    @property
    def events(self) -> int:
        return self.layout.events

    @property
    def units(self) -> list[str]:
        return self.layout.units

    @property
    def channels(self) -> list[Channel]:
        return self.report.channels

    @property
    def contacts(self) -> Sequence[Contact]:
        return self.report.contacts

    @property
    def event_contacts(self) -> list[Contact]:
        return self.report.event_contacts

    @property
    def films(self) -> Sequence[Film]:
        return self.report.films

    # what the time integration works with

    @cached_property
    def memory(self) -> int:
        """Length of m."""
        hard = hard_contact_memory(self.events, self.rows_per_contact).size
        return max(1, hard if self.needs.delassus else PER_CONTACT * self.events)

    @cached_property
    def rows_per_contact(self) -> int:
        """Rows of every contact at hard walls: its opening and the components of its slip."""
        return rows_per_contact(self.contacts)

    @cached_property
    def measured_by(self) -> tuple[np.ndarray, np.ndarray]:
        """For each state: what typical of the mechanism it is measured by, and its own scale where that is none."""
        kind, own = np.zeros(self.states, dtype=np.int64), np.ones(self.states)
        kind[: len(self.units)] = [KINDS.get(unit, 0) for unit in self.units]
        rubbing = [(contact.friction_law, contact.state, contact.states) for contact in self.contacts]
        rubbing += [(friction.law, friction.state, friction.states) for friction in self.report.frictions]
        for law, state, states in rubbing:
            if state is not None:
                own[state : state + states] = law.breakaway or SLIGHT * self.size
        return kind, own

    @property
    def ledger_places(self) -> np.ndarray:
        """For each contact with onset: places in y of what it absorbs and of what its friction takes, or -1; last
        that of the work of drives."""
        order = [k for k, c in enumerate(self.contacts) if c.index is not None]
        names = [*([f"absorbed.{k}", f"rubbed.{k}"] for k in order), ["drive", ""]]
        places = [[self.layout.integral(name) for name in pair] for pair in names]
        return np.array(places, dtype=np.int64).reshape(-1, 2)

    @cached_property
    def bristles(self) -> np.ndarray:
        """For each contact with onset: place of its first friction state in y, and how many there are."""
        places = [x for c in self.event_contacts for x in (c.state or 0, c.states)]
        return np.array(places or [0, 0], dtype=np.int64)
