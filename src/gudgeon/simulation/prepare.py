"""From a mechanism and its settings to a run that is ready to go.

`Numerics` are choices that change results by rounding only. They are no part of `simulate`: tests and benchmarks reach
them here, `prepare(mechanism, numerics=Numerics(loop="own"), revolutions=2).run()`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Unpack

import numpy as np

from gudgeon.assemble import Baumgarte, System, assemble
from gudgeon.assemble.support import Coordinates
from gudgeon.assemble.system import Backend
from gudgeon.methods.contract import Method
from gudgeon.methods.explicit.dopri5 import Dopri5
from gudgeon.methods.march.stiffness import Crawling
from gudgeon.model import Ideal, Mechanism
from gudgeon.model.run_settings import EVERY_STEP, RunFields, RunSettings, default_method, period_of
from gudgeon.quantity import GudgeonError, quantity
from gudgeon.results import ContactRecord
from gudgeon.results.recorder import selected
from gudgeon.results.run import Run, State
from gudgeon.simulation.marching import SMOOTH, integrate
from gudgeon.simulation.method import choose_method, own_loop
from gudgeon.simulation.settled import loose_joints, settle, touching_joints
from gudgeon.simulation.trust import horizon

__all__ = ["Loop", "Numerics", "Prepared", "prepare"]

Loop = Literal["auto", "shared", "own"]


@dataclass(frozen=True)
class Numerics:
    """How equations are set up and the time loop is compiled; results are the same, but for rounding; of `loop`, to the
    last bit.

    coordinates  "tree": those that joints leave free, "absolute": those of all bodies; "auto" chooses
    loop         "shared": the time loop of all mechanisms; "own": one compiled for this mechanism, in about a second
                 once, which then takes 3/4 of the time; "auto" begins with the former and goes on with the latter where
                 that pays (batch/tiers.py)
    reduce       leave out states that are proved to be constant; the conditions of the proof are checked when the run
                 starts
    backend      "llvm", or "python" for tests
    """

    coordinates: Coordinates = "auto"
    loop: Loop = "auto"
    reduce: bool = True
    backend: Backend = "llvm"


@dataclass(frozen=True)
class Prepared:
    """A run that is ready to go: equations, method, start and what is recorded."""

    system: System
    method: Method
    start: State
    span: float
    spacing: float
    every_step: bool  # is recorded, however many there are
    channels: list[str]
    period: float | None
    after: float | None
    trust: float | None
    open_contacts: Sequence[ContactRecord]  # that an earlier run left open
    loop: Callable[[Any], int] | None
    notes: tuple[str, ...]
    instead: Callable[[str], Prepared] | None = None  # the same by radau, for a reason; None where a method was named

    @property
    def longest(self) -> float | None:
        """The longest step [s]: rows at every step should also draw a smooth curve where the motion is easy."""
        return None if self.spacing else (self.period or self.span) / SMOOTH

    @property
    def thins(self) -> bool:
        """Whether rows of a long run are thinned. Rows of fixed steps with impacts in them mean nothing beside those of
        the impacts (`results.impacts.crests`), which takes all of them."""
        within_steps = self.system.needs.delassus and not self.method.adaptive
        return not (self.spacing or self.every_step or within_steps)

    def run(self, progress: bool | None = None) -> Run:
        try:
            run = integrate(self, progress)
        except Crawling as reason:
            assert self.instead is not None
            return self.instead(str(reason)).run(progress)
        if self.notes:
            run.add_notes(self.notes)
        if self.trust is not None:
            message, until = horizon(self, run, self.trust)
            run.evidence = replace(run.evidence, trust=message, horizon=until)
        return run if self.after is None else run.after(self.after)


def prepare(mechanism: Mechanism, settings: RunSettings | None = None, numerics: Numerics = Numerics(), *,
            resume: Run | None = None, **fields: Unpack[RunFields]) -> Prepared:  # fmt: skip
    """A run of a mechanism, ready to go; `settings`, `fields` and `resume` as of `simulate`."""
    period = period_of(mechanism)
    chosen = RunSettings.read(settings, fields)
    span = chosen.span(mechanism)
    feedback = Baumgarte(*chosen.stabilisation) if chosen.stabilisation is not None else None
    equations = partial(_equations, mechanism, stabilisation=feedback, backend=numerics.backend)

    def by(name: Any, *notes: str) -> Prepared:
        method = choose_method(name, chosen.rtol, chosen.step)
        system, start, reduced = _start(equations(method), numerics, resume)
        settled = ""
        if chosen.start == "settled" and resume is None:
            start, settled = _settled(mechanism, system, method, start, feedback)
        return Prepared(
            system, method, start, span, chosen.spacing, chosen.output == EVERY_STEP, selected(system, chosen.channels),
            period, _after(chosen, start.t, span), _share(chosen.trust),
            [r for r in resume.contacts if not r.ended] if resume is not None else [],
            own_loop(system, method, numerics.loop if numerics.backend == "llvm" else "shared"),
            tuple(words for words in (settled, reduced, *notes) if words),
        )  # fmt: skip

    prepared = by(chosen.method or default_method(mechanism))
    free = chosen.method is None and numerics.loop != "own" and numerics.backend == "llvm"
    return replace(prepared, instead=partial(by, "radau")) if free and isinstance(prepared.method, Dopri5) else prepared


def _settled(mechanism: Mechanism, system: System, method: Method, start: State,
             feedback: Baumgarte | None) -> tuple[State, str]:  # fmt: skip
    """The start with loose journals at rest, and a sentence about it."""
    if system.needs.contact != "force law" or not method.adaptive:
        raise GudgeonError(f'start="settled" needs walls with a law of force; {method.title} has none, take dopri5')
    loose = loose_joints(system)
    if not loose and not touching_joints(mechanism):
        return start, "no joint starts settled: none is loose with an offset, and no bodies touch"
    try:
        ideal = mechanism.refit(**dict.fromkeys(loose, Ideal())) if loose else mechanism
        twin = assemble(ideal, method.needs(), stabilisation=feedback)
    except GudgeonError as error:
        raise GudgeonError(f'start="settled" takes loads from ideal joints: {error}') from None
    return settle(system, twin, method, start)


def _equations(mechanism: Mechanism, method: Method, **options: Any) -> Callable[..., System]:
    """What assembles a mechanism as a method needs it."""
    return partial(assemble, mechanism, method.needs(), **options)


def _start(equations: Callable[..., System], numerics: Numerics,
           resume: Run | None) -> tuple[System, State, str]:  # fmt: skip
    """The system of a run, the state it starts from, and a note on the states that are left out."""
    coordinates, reduce = numerics.coordinates, numerics.reduce
    system = equations(coordinates=coordinates, reduce=reduce)
    if resume is None:
        return system, State(0.0, system.y0, np.zeros(system.memory)), str(system.layout.reduction or "")
    if coordinates == "auto" and len(resume.end.y) != system.layout.every_state:
        # the run may have been one in the coordinates of the bodies
        system = equations(coordinates="absolute", reduce=reduce)
    if len(resume.end.y) != system.layout.every_state:
        raise GudgeonError(f'resume: the run of "{resume.name}" has other states; resume the same mechanism')
    reduction = system.layout.reduction
    if reduction is None:
        return system, resume.end, ""
    unmet = reduction.unmet(resume.end.y, system.p)
    if not unmet:
        return system, replace(resume.end, y=reduction.contract(resume.end.y)), str(reduction)
    full = equations(coordinates="tree" if system.formulation == "tree" else "absolute", reduce=False)
    return full, resume.end, f"no state is left out as constant: {'; '.join(unmet)}"


def _after(settings: RunSettings, start: float, span: float) -> float | None:
    after = settings.after
    if after is not None and not start <= after < start + span:
        raise GudgeonError(
            f"after {after:g} s must lie within the run, from {start:g} s to before {start + span:g} s; give a time "
            "before its end"
        )
    return after


def _share(trust: bool | float) -> float | None:
    """Share of the clearance to which a run and its twin are to agree; None: no twin."""
    if not trust:
        return None
    return 0.01 if trust is True else quantity(trust, "", "trust")
