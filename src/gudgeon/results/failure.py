"""Why a run could not go on: the last state is examined, and the cause gets a name, a place, a time and a remedy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.assemble import Contact, Film, System
from gudgeon.assemble.contact.joint_friction import LOCKED_REMEDY
from gudgeon.assemble.contact.memory import latches
from gudgeon.assemble.load_check import load_check
from gudgeon.assemble.report.change_points import held_rows
from gudgeon.assemble.solve.start import Kinematics
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph.llvm import call_address
from gudgeon.methods.march.columns import CONTACT, KIND, RATE, TIME
from gudgeon.model.names import GROUND
from gudgeon.model.signals import reads_motion, signals_of
from gudgeon.quantity import in_words

MANY_ROWS = 300  # of a large mechanism: to compare them all takes minutes
SINGULAR = "singular constraints"
CONTACT_STEP = "step too small at a contact"
IMPACTS = "accumulation of impacts"
NOT_FINITE = "numbers not finite"
OUT_OF_RANGE = "law out of range"
STICTION = "stiction band"
FILM = "film at its limit"
LOCKED = "self-locking joint"
STEP = "step too small"  # none of the others was found
SLOW = "too slow to end"
TOO_LARGE = "results too large"

DEPENDENT = 1e-4  # smallest singular value of the rows relative to that at the start: below, they are dependent
ROUNDING = 1e-15  # of positions, relative to the size of the mechanism
QUICK = 1e-10  # [s] a contact that answers faster may stop a march
SHRUNK = 1e-2  # the last spacings of accumulating impacts, relative to the longest of the last FEW
FEW = 40
CROWD, CROWDED = 1000, 1e-6  # so many events of a contact within this share of the run are an accumulation
BUSY = 100  # fewer steps per event: a march that does little else


@dataclass(frozen=True)
class Failure:
    """kind: one of the words above; joint: the joint it happened in, None where it is no joint; part: the contact,
    load, drive or rows; time [s]; message: what was found, remedy: what to try."""

    kind: str
    joint: str | None
    time: float
    message: str
    remedy: str
    part: str = ""

    def __str__(self) -> str:
        first, *more = self.message.split("\n")
        lines = [f"stopped at {self.time * 1e3:.6g} ms: {first}", *more]
        return "\n   ".join([*lines, f"try: {self.remedy}", "what was computed is in the error's .run"])


@dataclass(frozen=True)
class Scene:
    """What the checks look at. `why` is how the march ended, in words; `pace` [s] the step it ended with or a step
    that would be too small; `ahead` [s] how far beyond the last state the next one was tried."""

    system: System
    tape: Any
    channels_at: Callable[[np.ndarray], np.ndarray]
    span: float
    why: str
    pace: float
    ahead: float

    @property
    def t(self) -> float:
        return float(self.tape.t)

    def channels(self, t: float, y: np.ndarray) -> dict[str, float]:
        row = np.concatenate([[t], y, self.tape.m])[None, :]
        with np.errstate(all="ignore"):
            values = self.channels_at(row)[0]
        return {channel.name: float(x) for channel, x in zip(self.system.channels, values, strict=True)}

    def slope(self, t: float, y: np.ndarray) -> np.ndarray:
        out = np.zeros(len(y))
        call_address(self.system.addresses["rhs"], t, y.copy(), self.system.p, self.tape.m.copy(), out)
        return out

    def further(self) -> Iterator[tuple[float, np.ndarray]]:
        """The last state, then states a little further along its slope."""
        y, k = self.tape.y, self.slope(self.t, self.tape.y)
        yield self.t, y
        k = np.where(np.isfinite(k), k, 0.0)
        step = 4e-16 * max(abs(self.t), 1e-3 * self.span)
        last = max(1e5 * step, 2.0 * self.ahead)
        while step <= last:
            yield self.t + step, y + step * k
            step *= 4.0


def diagnose(system: System, tape: Any, channels_at: Callable[[np.ndarray], np.ndarray], span: float, *,
             why: str = "", pace: float = 0.0, ahead: float = 0.0) -> Failure:  # fmt: skip
    """The cause of a march that ended at the tape's state before its time. `span` [s] was asked for; `why`, `pace`
    and `ahead` as in Scene, where the march did not end because the step became smaller than rounding."""
    usual = f"the step became smaller than rounding after {tape.rejected} rejections"
    scene = Scene(system, tape, channels_at, span, why or usual, 30.0 * pace or QUICK, ahead)
    for check in CHECKS:
        failure = check(scene)
        if failure is not None:
            return failure
    touching = [c.name for c in _touching(scene)]
    place = f"in contact: {in_words(touching)}" if touching else "nothing touches"
    kind, advice = (SLOW, "run fewer seconds, or") if pace else (STEP, "check sizes, masses and loads at that time, or")
    message = f"{scene.why}\n{place}; numbers are finite and the constraints independent"
    return Failure(kind, None, scene.t, message, f'{advice} another method ("radau", "dop853") or a looser rtol')


# -- films ----------------------------------------------------------------------------------------------------


def _film(scene: Scene) -> Failure | None:
    """A film without a wall that the journal runs through, or that answers too fast to be followed."""
    for film in scene.system.films:
        values = scene.channels(scene.t, scene.tape.y)
        thickness = max(values[f"{film.joint}.film_thickness"], 0.0)  # the last step may have gone through it
        ratio = 1.0 - thickness / film.clearance
        at_limit = _runs_through(scene, film) or _film_answer(scene, film, ratio) < scene.pace
        if film.minimum is not None or not at_limit:
            continue
        near = f"{ratio:.5f}" if ratio < 0.99999 else f"1 - {1.0 - ratio:.2g}" if thickness else "1"
        message = (
            f'joint "{film.joint}" (film, {type(film.law).__name__}): eccentricity {near}; {scene.why}\n'
            f"the film is {thickness * 1e9:.3g} nm thick here, and the fit has no wall"
        )
        remedy = (
            "Lubricated(..., wall=LankaraniNikravesh(...), minimum_film=...), or a larger viscosity "
            f"(it is {film.law.viscosity:g} Pa s)"
        )
        return Failure(FILM, film.joint, scene.t, message, remedy, film.joint)
    return None


def _runs_through(scene: Scene, film: Film) -> bool:
    """Whether the next states lie outside the bearing."""
    ahead = (scene.channels(t, y)[f"{film.joint}.film_thickness"] for t, y in scene.further())
    return any(thickness <= 0.0 for thickness in ahead)


def _film_answer(scene: Scene, film: Film, ratio: float) -> float:
    """Time in which the film stops the journal, by its force at 1 m/s: films are linear in the speed [s]."""
    force = film.law.radial(ratio, 1.0, 0.0, list(film.law.pack(film.pair).values()))
    return _mass(scene.system.mechanism, film) / abs(force) if force else math.inf


# -- numbers not finite ---------------------------------------------------------------------------------------


def _not_finite(scene: Scene) -> Failure | None:
    for t, y in scene.further():
        signals = list(signals_of(scene.system.mechanism))
        reported = scene.channels(t, y) if any(reads_motion(x.signal) for x in signals) else {}
        for x in signals:
            number = _signal(x.signal, t, reported)
            if number is not None and not math.isfinite(number):
                what, name = x.word.removesuffix(" of"), x.name
                message = f'{what} "{name}" gives {number} from here on; {scene.why}'
                remedy = f'make the function of "{name}" finite over the whole run, or end the run before'
                joint = name if what == "drive" else None
                return Failure(NOT_FINITE, joint, scene.t, message, remedy, name)
        if np.isfinite(scene.slope(t, y)).all():
            continue
        values = scene.channels(t, y)
        for contact in scene.system.contacts:
            # by the Python back end everything is nan then: only a single contact can be named
            known = math.isfinite(values[f"{contact.name}.depth"]) or scene.tape.touching == [contact.index]
            force = values[f"{contact.name}.normal"] + values.get(f"{contact.name}.friction", 0.0)
            if known and not math.isfinite(force):
                return _broken_law(scene, contact, values)
        names = [name for name, x in values.items() if not math.isfinite(x)]
        message = f"numbers are no longer finite: {in_words(names[:4])}; {scene.why}"
        remedy = "check loads, springs of zero length and drives at that time"
        if scene.tape.drift > 1e-3 * scene.system.size:
            message += f"\nthe joints had come apart by {scene.tape.drift:.2g} m before: the step is too long for them"
            remedy = 'method="dopri5", which finds the position where the joints lock, or a shorter step'
        # a pivot that is exactly zero divides to infinity
        return _singular(scene) or Failure(NOT_FINITE, None, scene.t, message, remedy, names[0] if names else "")
    return None


def _locked(scene: Scene) -> Failure | None:
    """Ideal joints without a reaction that agrees with its own friction."""
    check = load_check(scene.system)
    if check is None:
        return None
    for t, y in scene.further():
        locked = check(t, y, scene.tape.m)
        if locked is not None:
            return Failure(LOCKED, locked.joint, scene.t, f"{locked.why}\n{scene.why}", LOCKED_REMEDY, locked.part)
    return None


def _broken_law(scene: Scene, contact: Contact, values: dict[str, float]) -> Failure:
    """A law that gives no number; out of its range when it says so itself."""
    depth, rate = values[f"{contact.name}.depth"], values[f"{contact.name}.rate"]
    normal = values[f"{contact.name}.normal"]
    law = contact.law if not math.isfinite(normal) else contact.friction_law
    force = normal if not math.isfinite(normal) else values[f"{contact.name}.friction"]
    if not math.isfinite(depth):
        last = scene.channels(scene.t, scene.tape.y)
        depth, rate = last[f"{contact.name}.depth"], last[f"{contact.name}.rate"]
    at = f"depth {depth:.4g} m, rate {rate:.4g} m/s"
    if law is contact.friction_law:
        at += f", slip {values[f'{contact.name}.slip']:.4g} m/s"
    name, warned = type(law).__name__, _warnings(contact, depth, rate, 0.0)
    message = f'joint "{contact.joint}" ({contact.kind}, {name}): the law gives {force} at {at}; {scene.why}'
    if warned:
        remedy = "a law that is valid there, a larger stiffness, or less load on the joint"
        message = "\n".join([message, *warned])
        return Failure(OUT_OF_RANGE, contact.joint, scene.t, message, remedy, contact.name)
    remedy = f"let {name}.force return a finite number for every depth and rate (it is valid for: {law.validity})"
    return Failure(NOT_FINITE, contact.joint, scene.t, message, remedy, contact.name)


def _signal(signal: Callable[..., float], t: float, values: Mapping[str, float]) -> float | None:
    """The value of a signal, from channels where it reads them; None where it asks for more than they say."""
    try:
        value: Any = signal(t, _Reported(values)) if reads_motion(signal) else signal(t)
        return math.nan if isinstance(value, complex) else float(value)
    except (ArithmeticError, ValueError, TypeError):
        return math.nan
    except (AttributeError, KeyError):
        return None


class _Reported(dict[str, float]):
    """Channels of a state that are finite numbers; what a signal makes of others is not its fault."""

    def __getitem__(self, name: str) -> float:
        value = super().__getitem__(name)
        if not math.isfinite(value):
            raise KeyError(name)
        return value


def _singular(scene: Scene) -> Failure | None:
    system = scene.system
    kept = held_rows(system)
    rank = len(system.report.constraint_names) - len(system.start.redundant)
    if not kept or len(kept) > MANY_ROWS or system.mechanism.beams:
        return None
    trace = Trace(system.mechanism, own_rows=bool(system.start.redundant))
    kinematics = Kinematics(trace)
    values = scene.channels(scene.t, scene.tape.y)
    q = np.array([values[f"{name}.{x}"] for name in system.mechanism.bodies for x in trace.bodies[name].coordinates])
    first, _ = _independence(kinematics, system.start.q, kept, rank, system.size)
    now, share = _independence(kinematics, q, kept, rank, system.size)
    if not now < DEPENDENT * first:
        return None
    part = [trace.equations.constraints[r] for r, x in zip(kept, share, strict=True) if x > 0.1 * share.max()]
    joints = list(dict.fromkeys(row.owner for row in part))
    drives = list(dict.fromkeys(row.owner for row in part if row.drive))
    joint = (drives or joints)[0]
    led = f'the drive of "{joint}" leads the joints' if drives else f'joint "{joint}" and others have come'
    message = (
        f"{led} to a position they cannot pass, a dead centre or change point: the constraints "
        f"{in_words(row.name for row in part)} depend on each other\n"
        f"(links in one line; {now / first:.1g} of their independence at the start is left); {scene.why}"
    )
    slides = system.mechanism.joints[joint].kind.free != "rotation"
    other = f"drive {'the crank instead of the slider' if slides else 'another joint'}"
    remedy = f"check the lengths around {in_words(joints)}, stay short of the dead centre, or "
    remedy += other if drives else (
        "give one of these joints its real clearance or a Bushing, or a second crank out of phase to carry it across"
    )
    return Failure(SINGULAR, joint, scene.t, message, remedy, in_words(row.name for row in part))


def _independence(kinematics: Kinematics, q: np.ndarray, kept: list[int], rank: int,
                  size: float) -> tuple[float, np.ndarray]:  # fmt: skip
    """Smallest singular value of the normed rows that need not be 0, and the share of each row in the dependence."""
    jacobian = kinematics.scaled(kinematics.rows(q, np.zeros(kinematics.velocities))[2][kept], size)
    jacobian /= np.maximum(np.linalg.norm(jacobian, axis=1), 1e-300)[:, None]
    u, values, _ = np.linalg.svd(jacobian)
    share = np.abs(u[:, rank - 1])
    return (float(values[rank - 1]), share) if rank <= kinematics.velocities else (0.0, share)


# -- contacts -------------------------------------------------------------------------------------------------


def _impacts(scene: Scene) -> Failure | None:
    events = scene.tape.events
    for index, contact in enumerate(scene.system.event_contacts):
        onsets = events[(events[:, CONTACT] == index) & (events[:, KIND] > 0.0)]
        times = onsets[:, TIME]
        if len(times) < 12:
            continue
        gaps = np.diff(times[-FEW:])
        last = float(np.median(gaps[-5:]))
        crowded = len(times) > CROWD // 2 and (
            times[-1] - times[-CROWD // 2] < CROWDED * scene.span or scene.tape.steps < BUSY * len(events)
        )
        if _rests_at_zero(scene, contact):
            ended = last < SHRUNK * float(np.diff(times).max())
        else:
            shrinking = last < SHRUNK * gaps.max() and last <= 1.01 * float(np.median(gaps[-10:-5]))
            ended = (crowded or shrinking) and scene.t - times[-1] <= 100.0 * max(last, QUICK)
        if not ended:
            continue
        unit = "rad/s" if contact.angular else "m/s"
        ever = "ever shorter" if last < SHRUNK * float(np.diff(times).max()) else "one after the other"
        message = (
            f'joint "{contact.joint}" ({contact.kind}, {type(contact.law).__name__}): {len(times)} contacts, {ever}: '
            f"the last are {last:.2g} s apart and touch at {onsets[-1, RATE]:.2g} {unit}\n{scene.why}"
        )
        remedy = "a law whose force grows from zero with the depth, so that a loaded joint comes to rest (Hertz, ...)"
        if scene.system.needs.contact == "event":
            remedy = 'a longer capture of bounces, Impact(capture=1e-6) for instance, or method="moreau", which takes '
            remedy += "all impacts of a step at once"
        return Failure(IMPACTS, contact.joint, scene.t, message, remedy, contact.name)
    return None


def _rests_at_zero(scene: Scene, contact: Contact) -> bool:
    """Whether a contact is so near to zero that rounding of positions hides its motion: impacts that accumulated may
    end there."""
    depth = scene.channels(scene.t, scene.tape.y)[f"{contact.name}.depth"]
    return abs(depth) <= ROUNDING * scene.system.size


def _touching(scene: Scene) -> list[Contact]:
    contacts = scene.system.event_contacts
    return [contacts[c] for c in scene.tape.touching] + [c for c in scene.system.contacts if c.index is None]


def _contact(scene: Scene) -> Failure | None:
    """The touching contact whose laws answer fastest, if that is fast enough to stop a march: stiction or wall."""
    values = scene.channels(scene.t, scene.tape.y)
    answers: list[tuple[float, str, Contact]] = []
    for contact in _touching(scene):
        mass = _mass(scene.system.mechanism, contact)
        answers.append((_answer(scene, contact, values, mass), CONTACT_STEP, contact))
        if contact.friction_law is not None:
            answers.append((_friction_answer(scene, contact, values, mass), STICTION, contact))
    answers = [item for item in answers if item[0] < scene.pace]
    if not answers:
        return None
    time, kind, contact = min(answers, key=lambda item: item[0])
    return (_stiction if kind == STICTION else _stiff)(scene, contact, values, time)


def _stiction(scene: Scene, contact: Contact, values: dict[str, float], time: float) -> Failure:
    slip, law = values[f"{contact.name}.slip"], contact.friction_law
    fields = [f"{x}={getattr(law, x):.3g}" for x in ("v0", "v1") if isinstance(getattr(law, x, None), float)]
    band = f" ({', '.join(fields)} m/s)" if fields else ""
    message = (
        f'joint "{contact.joint}" (friction, {type(law).__name__}): it sticks, slip {slip:.2g} m/s under a normal '
        f"force of {values[f'{contact.name}.normal']:.3g} N, and the friction reacts within {time:.1g} s\n{scene.why}"
    )
    remedy = f"a wider stiction band{band}, for instance 1e-4 to 1e-2 m/s, or LuGre friction"
    return Failure(STICTION, contact.joint, scene.t, message, remedy, contact.name)


def _stiff(scene: Scene, contact: Contact, values: dict[str, float], time: float) -> Failure:
    depth, rate, force = (values[f"{contact.name}.{what}"] for what in ("depth", "rate", "normal"))
    first = _first_speed(scene, contact)
    m, n = ("rad", "Nm") if contact.angular else ("m", "N")
    touched = "" if first is None else f"first touched at {first:.2g} {m}/s, "
    name = type(contact.law).__name__
    message = (
        f'joint "{contact.joint}" ({contact.kind}, {name}): {scene.why}\n'
        f"{touched}depth {depth:.3g} {m}, rate {rate:.3g} {m}/s, force {force:.3g} {n}: the force reacts in "
        f"{time:.1g} s"
    )
    message = "\n".join([message, *_warnings(contact, depth, rate, force)])
    tries, smooth = [], getattr(contact.law, "continuous_at_zero", True)
    if first and first < max(0.1 * abs(rate), 1e-4) and getattr(contact.law, "hysteresis", None):
        # ratio_limit is no remedy: at rest the ratio lies within its limits, and is as steep
        tries.append("a law whose damping does not depend on the first-touch speed, which was very low here "
                     "(KelvinVoigt, Hertz), or a start at rest in contact")  # fmt: skip
    if not smooth:
        tries.append("a law whose force does not jump at first touch")
    tries.append("a softer law (check the unit of its stiffness and damping)")
    if scene.pace == QUICK and smooth:
        tries.append("a looser rtol")
    return Failure(CONTACT_STEP, contact.joint, scene.t, message, "; or ".join(tries), contact.name)


def _first_speed(scene: Scene, contact: Contact) -> float | None:
    return None if contact.index is None else float(latches(scene.tape.m, scene.system.events)[contact.index])


def _mass(mechanism: Any, contact: Contact | Film) -> float:
    """The smaller mass of both bodies, of a contact that turns the smallest of their moments of inertia."""
    joint = mechanism.joints[contact.joint]
    links = [mechanism.link(name) for name in (joint.journal, joint.bearing) if name != GROUND]
    bodies = [getattr(link, "stiff", link) for link in links]
    if not getattr(contact, "angular", False):
        return float(min(body.mass for body in bodies))
    return float(min(np.min(np.atleast_1d(body.inertia)[:3]) for body in bodies))


def _answer(scene: Scene, contact: Contact, values: dict[str, float], mass: float) -> float:
    """Time in which the law changes the motion of `mass`: of its spring or of its damper, whichever is shorter [s]."""
    depth, rate = max(values[f"{contact.name}.depth"], 1e-13), values[f"{contact.name}.rate"]
    first = _first_speed(scene, contact) or 0.0
    p = list(contact.law.pack(contact.pair).values())
    last = (p,) if contact.kind == "liner" else (first, p)

    def slope(dx: float, dv: float) -> float:
        high, low = (contact.law.force(depth + s * dx, rate + s * dv, *last) for s in (0.5, -0.5))
        return abs(high - low) / (dx + dv)

    try:
        stiffness = slope(1e-3 * depth, 0.0)
        damping = slope(0.0, 1e-3 * max(abs(rate), first, 1e-12))
    except (ArithmeticError, ValueError):
        return math.inf
    quickest = max(math.sqrt(stiffness / mass), damping / mass)
    return 1.0 / quickest if quickest > 0.0 else math.inf


def _friction_answer(scene: Scene, contact: Contact, values: dict[str, float], mass: float) -> float:
    """The same for friction, by its steepest slope near the present slip, or by the slip it would undo [s]."""
    law, slip = contact.friction_law, max(abs(values[f"{contact.name}.slip"]), 1e-16)
    first = contact.state or 0
    state = math.hypot(*scene.tape.y[first : first + contact.states])
    p = list(law.pack(contact.pair).values())
    slips = slip * np.logspace(-1.5, 1.5, 61)
    try:
        forces = [law.force(float(x), values[f"{contact.name}.normal"], state, p) for x in slips]
    except (ArithmeticError, ValueError):
        return math.inf
    steepest = max(float(np.abs(np.diff(forces) / np.diff(slips)).max()), abs(forces[30]) / slip)
    return mass / steepest if steepest > 0.0 else math.inf


def _warnings(contact: Contact, depth: float, rate: float, force: float) -> list[str]:
    """What the law itself says about its range at these values."""
    try:
        with np.errstate(all="ignore"):
            return contact.warnings(max(depth, 0.0), abs(rate), force)
    except (ArithmeticError, ValueError, AttributeError):
        return []


CHECKS: tuple[Callable[[Scene], Failure | None], ...] = (_film, _locked, _not_finite, _impacts, _singular, _contact)
