"""`RunSettings`: how a mechanism is run. The one table of these settings, for `simulate`, studies, model and study
files and the command line; texts with units are read and values are checked here.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, TypedDict

from gudgeon.model.builder.mechanism import Mechanism
from gudgeon.quantity import SI, GudgeonError, Unit, _checked_fields, closest, vector

__all__ = ["RunFields", "RunSettings", "default_method", "period_of"]

EVERY_STEP = "steps"
Seconds = Annotated[SI, Unit("s")]
Number = Annotated[SI, Unit("")]
POSITIVE = ("duration", "revolutions", "step")


class RunFields(TypedDict, total=False):
    """The fields of `RunSettings` as keyword arguments, for editors and type checkers."""

    duration: float | str | None
    revolutions: float | None
    method: Any
    rtol: float | None
    step: float | str | None
    output: float | str | None
    after: float | str | None
    start: str | None
    channels: Any
    stabilisation: Any
    trust: bool | float


@dataclass(frozen=True)
class RunSettings:
    """How a mechanism is run; None: the default.

    duration       simulated time [s]
    revolutions    or number of revolutions of the joint that is driven at constant speed
    method         "dopri5", "dop853", "rk4" (explicit), "radau" (implicit, for stiff mechanisms), "alpha" (flexible
                   links), "energy" (conserves energy), "decay" (never adds energy), "impact" (rigid walls, impacts as
                   events), "moreau" (rigid walls, time stepping), or a method with options such as
                   Dopri5(rtol=1e-10); default: dopri5, with beams alpha, with stiff films radau
    rtol           relative tolerance; default: that of the method, mostly 1e-9
    step           largest step [s]; for rk4 and moreau the step itself
    output         spacing of the results [s], or "steps": every step and both sides of every event; default: the
                   same, but in long runs only as many steps as straight lines need, with all events and peaks
    after          leave the results before this time [s] out; the evidence is that of the whole run
    start          "settled": loose journals begin where the load presses them against their wall or where their
                   film carries it, and bodies that touch are pressed together; default: as
                   the mechanism is described, mostly in the middle of their play
    channels       names to record; default: all
    stabilisation  Baumgarte's alpha and beta [1/s]; default: projection onto the constraints
    trust          make a second run with a tenth of the tolerance and report until when both agree to 1 % of the
                   clearance, or to the given share (trust horizon)
    """

    duration: Seconds | None = None
    revolutions: Number | None = None
    method: Any = None
    rtol: Number | None = None
    step: Seconds | None = None
    output: Annotated[SI, Unit("s", word=EVERY_STEP)] | None = None
    after: Seconds | None = None
    start: str | None = None
    channels: Any = None
    stabilisation: Any = None
    trust: bool | float = False

    def __post_init__(self) -> None:
        for name, unit, _ in _checked_fields(RunSettings):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, unit.read(value, name))
            if name in POSITIVE and value is not None and not getattr(self, name) > 0.0:
                unit_text = f" {unit.unit}" if unit.unit else ""
                raise GudgeonError(f"{name} {getattr(self, name):g}{unit_text} must be positive")
        if self.start not in (None, "settled"):
            raise GudgeonError(f'start "{self.start}" is not known; give start="settled", or leave it out')
        if self.channels is not None:
            object.__setattr__(self, "channels", tuple(self.channels))
        if self.stabilisation is not None:
            given = self.stabilisation
            pair = (given.alpha, given.beta) if hasattr(given, "alpha") else given
            object.__setattr__(self, "stabilisation", vector(pair, "1/s", "stabilisation"))
        if self.trust is None:
            object.__setattr__(self, "trust", False)
        if self.duration is not None and self.revolutions is not None:
            raise GudgeonError("give exactly one of duration= [s] and revolutions=")

    @classmethod
    def read(cls, settings: RunSettings | None, given: RunFields) -> RunSettings:
        """These settings with the fields that were given by name; refuses names that are not known."""
        known = [item.name for item in fields(cls)]
        for name in given:
            if name not in known:
                likely = closest(name, known)
                hint = f'did you mean "{likely}="?' if likely else f"there are {', '.join(known)}"
                raise GudgeonError(f'setting "{name}=" is not known; {hint}')
        if settings is not None and not isinstance(settings, cls):
            raise GudgeonError(f"settings {settings!r} are no RunSettings; give RunSettings(...), or rtol= and so on")
        return cls(**given) if settings is None else settings.merged(**given)

    def merged(self, **given: Any) -> RunSettings:
        """These settings with what was given; a new end replaces the old one, whichever it is."""
        known = {name: value for name, value in given.items() if value is not None}
        if "duration" in known or "revolutions" in known:
            known = {"duration": None, "revolutions": None, **known}
        return replace(self, **known)

    def arguments(self) -> dict[str, Any]:
        """What was said, by name, for simulate(mechanism, **arguments)."""
        given = {item.name: getattr(self, item.name) for item in fields(self)}
        return {name: value for name, value in given.items() if value is not None and value is not False}

    @property
    def spacing(self) -> float:
        """Spacing of the results [s], 0 where they are those of the steps."""
        return 0.0 if self.output in (None, EVERY_STEP) else float(self.output)

    def span(self, mechanism: Mechanism) -> float:
        """The simulated time [s]."""
        if (self.duration is None) == (self.revolutions is None):
            raise GudgeonError("simulate: give exactly one of duration= [s] and revolutions=")
        span: Any = self.duration
        if self.revolutions is not None:
            period = period_of(mechanism)
            if period is None:
                raise GudgeonError(
                    f'revolutions={self.revolutions:g}: no rotation of "{mechanism.name}" is driven at a constant '
                    "speed; give duration= instead"
                )
            span = self.revolutions * period
        if not 0.0 <= self.spacing <= span:
            raise GudgeonError(
                f"output {self.spacing:g} s must lie between 0 and the duration {span:g} s; give the time between two "
                "rows of the results"
            )
        return float(span)

    @classmethod
    def words(cls) -> dict[str, str]:
        """What the table above says of each field, in one line."""
        rows = re.findall(r"^    (\w+)  +(.*(?:\n {10,}.*)*)", cls.__doc__ or "", re.MULTILINE)
        return {name: " ".join(text.split()) for name, text in rows}


def default_method(mechanism: Mechanism) -> str:
    """The method that integrates a mechanism where none is given: residuals where beams need them."""
    return "alpha" if mechanism.beams else "dopri5"


def period_of(mechanism: Mechanism) -> float | None:
    """Time of a turn of the joint that is driven at constant speed [s]; None where there is none."""
    if not isinstance(mechanism, Mechanism):
        raise GudgeonError(f"{mechanism!r} is no mechanism; give a Mechanism, of a file by Mechanism.from_file(...)")
    sides = {n: getattr(d, "direction", None) or mechanism.joints[n].kind.free for n, d in mechanism.drives.items()}
    speeds = [d.speed for n, d in mechanism.drives.items()
              if isinstance(d.speed, float) and d.speed and sides[n] == "rotation"]  # fmt: skip
    return 2.0 * math.pi / abs(speeds[0]) if speeds else None
