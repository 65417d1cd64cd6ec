"""Natural frequencies and modes of a mechanism in one position."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from gudgeon.analysis.rest.equilibrium import Equilibrium, equilibrium
from gudgeon.analysis.rest.flexible import standstill_of
from gudgeon.analysis.rest.standstill import LinearMotion, Standstill
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError, quantity
from gudgeon.results import Run

__all__ = ["Mode", "Modes", "modes"]

FLAT = 1e-10  # [1/s^2] a square of a frequency below this is none
RELATIVE = 1e-13  # the same, relative to the largest: what rounding leaves
UNDAMPED = 1e-12  # damping this small beside the frequencies is none


@dataclass(frozen=True)
class Mode:
    """One root λ [1/s] of the small motions, exp(λ t), and its shape: what each velocity has of it, the largest motion
    1 (angles by the size of the mechanism). `shares` are those of the bodies in its kinetic energy."""

    root: complex
    kind: str  # "oscillates", "decays", "unstable" or "free"
    shape: dict[str, complex] = field(repr=False)
    shares: dict[str, float] = field(repr=False)

    @property
    def frequency(self) -> float:
        """Natural frequency [Hz]; of an unstable one without damping the magnitude of the imaginary frequency."""
        return abs(self.root) / (2.0 * math.pi)

    @property
    def damping(self) -> float:
        """Damping ratio; negative where the motion grows, nan where nothing moves by itself."""
        return -self.root.real / abs(self.root) if self.root else math.nan

    @property
    def text(self) -> str:
        """The natural frequency for people; an imaginary one has an i."""
        if self.kind == "free":
            return "0"
        return f"{self.frequency:.6g}" + ("i" if self.kind == "unstable" and not self.root.imag else "")


@dataclass(frozen=True)
class Modes:
    """Modes of a mechanism in one position, the slowest first. `undamped` [rad^2/s^2] are the squares of its natural
    frequencies without damping, negative where the position is unstable. `unbalanced` is the acceleration
    [m/s^2] at the size of the mechanism that its forces leave there; 0 in equilibrium."""

    name: str
    where: str
    modes: tuple[Mode, ...]
    undamped: np.ndarray
    unbalanced: float
    notes: tuple[str, ...] = ()

    @property
    def frequencies(self) -> np.ndarray:
        """Natural frequencies [Hz] of those that oscillate."""
        return np.array([mode.frequency for mode in self.modes if mode.kind == "oscillates"])

    @property
    def stable(self) -> bool:
        """Whether no small motion grows."""
        return not any(mode.kind == "unstable" for mode in self.modes)

    def __str__(self) -> str:
        lines = [f"{self.name} · small motions {self.where}"]
        for k, mode in enumerate(self.modes, 1):
            damping = f", damping {mode.damping + 0.0:.4g}" if mode.kind == "oscillates" else ""
            lines.append(f"  {k:>3}  {mode.text:>12} Hz  {mode.kind}{damping}")
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])

    def __getitem__(self, k: int) -> Mode:
        return self.modes[k]

    def __len__(self) -> int:
        return len(self.modes)


def modes(mechanism: Mechanism, *, at: Equilibrium | Run | str | None = None, time: float | str = 0.0) -> Modes:
    """Natural frequencies, damping and shapes of small vibrations: driven joints held, loads at `time` [s].

    at   None: in the static equilibrium, found from the described position; "start": in the described position;
         an Equilibrium; or a Run, in the position of its end
    """
    if isinstance(at, Equilibrium):
        return _modes(at.standstill, at.state, "in equilibrium")
    if at is None:
        try:
            rest = equilibrium(mechanism, time=time)
        except GudgeonError as error:
            raise GudgeonError(f'{error}; or ask for modes in the described position, at="start"') from None
        return _modes(rest.standstill, rest.state, "in equilibrium")
    standstill = standstill_of(mechanism, quantity(time, "s", "time"))
    if isinstance(at, str) and at == "start":
        return _modes(standstill, standstill.start(), "in the described position")
    if not isinstance(at, Run):
        raise GudgeonError(f'at {at!r}: give "start", an Equilibrium, a Run, or nothing for the equilibrium')
    return _modes(standstill, standstill.of_run(at), f"at the end of a run, {at.end.t:g} s")


def _modes(standstill: Standstill, y: np.ndarray, where: str) -> Modes:
    linear = standstill.linear(y)
    squares, shapes = _undamped(linear)
    unbalanced = float(np.abs(linear.motions @ linear.force * standstill.reach).max(initial=0.0))
    if _is_damped(linear, squares):
        roots, shapes = _damped(linear)
    else:
        roots = np.array([1j * math.sqrt(s) if s > 0.0 else complex(math.sqrt(-s)) for s in squares], dtype=complex)
    order = np.argsort(np.abs(roots), kind="stable")
    by_frequency = [_mode(standstill, y, linear, complex(roots[k]), shapes[:, k]) for k in order]
    return Modes(standstill.mechanism.name, where, tuple(by_frequency), squares, unbalanced, _notes(standstill, y))


def _undamped(linear: LinearMotion) -> tuple[np.ndarray, np.ndarray]:
    """Squares of the natural frequencies, and shapes in motions of unit modal mass."""
    stiffness = linear.stiffness
    skew = float(np.abs(stiffness - stiffness.T).max(initial=0.0))
    if skew <= 1e-9 * float(np.abs(stiffness).max(initial=0.0)):
        squares, shapes = np.linalg.eigh(linear.symmetric)
    else:
        # forces that follow the motion: a square may be complex, which the roots of the whole system tell
        values, vectors = np.linalg.eig(stiffness)
        order = np.argsort(values.real)
        squares, shapes = values.real[order], vectors[:, order]
    least = FLAT + RELATIVE * float(np.abs(squares).max(initial=0.0))
    return np.where(np.abs(squares) <= least, 0.0, squares), shapes


def _is_damped(linear: LinearMotion, squares: np.ndarray) -> bool:
    """Whether damping, internal states or forces that follow the motion make roots other than those of squares."""
    pace = math.sqrt(float(np.abs(squares).max(initial=0.0))) + 1.0
    skew = float(np.abs(linear.stiffness - linear.stiffness.T).max(initial=0.0))
    return (
        float(np.abs(linear.damping).max(initial=0.0)) > UNDAMPED * pace
        or linear.push.size > 0
        or skew > 1e-9 * float(np.abs(linear.stiffness).max(initial=0.0))
    )


def _damped(linear: LinearMotion) -> tuple[np.ndarray, np.ndarray]:
    """Roots of the whole first-order system, one of each conjugate pair, and their shapes."""
    n, inner = len(linear.force), len(linear.rate)
    whole = np.block([
        [np.zeros((n, n)), np.eye(n), np.zeros((n, inner))],
        [-linear.stiffness, -linear.damping, linear.push],
        [linear.pull, linear.drag, linear.own],
    ])  # fmt: skip
    values, vectors = np.linalg.eig(whole)
    fast = float(np.abs(values).max(initial=0.0))
    # a double zero splits by the root of rounding
    values[np.argsort(np.abs(values))[: 2 * _unanswered(linear)]] = 0.0
    values = np.where(np.abs(values) <= 1e-7 * min(1.0, fast) + 1e-13 * fast, 0.0, values)
    values = np.where(np.abs(values.imag) <= 1e-13 * fast, values.real, values)
    kept = np.flatnonzero(values.imag >= 0.0)
    # a free motion is a place and a speed: two zeros for one mode
    zeros = [k for k in kept if values[k] == 0.0]
    spare = len(zeros) - len(zeros) // 2 if len(zeros) > 1 else len(zeros)
    dropped = set(zeros[spare:])
    kept = np.array([k for k in kept if k not in dropped], dtype=int)
    return values[kept], vectors[:n, kept]


def _unanswered(linear: LinearMotion) -> int:
    """Motions that neither a force nor an internal state answers, wherever they go and however fast."""
    answers = [x for x in (linear.stiffness, linear.damping, linear.pull, linear.drag) if x.size and x.any()]
    scaled = np.vstack([x / np.abs(x).max() for x in answers])
    return int(len(linear.force) - np.linalg.matrix_rank(scaled, tol=RELATIVE * len(scaled)))


def _mode(standstill: Standstill, y: np.ndarray, linear: LinearMotion, root: complex, along: np.ndarray) -> Mode:
    shape = standstill.shape(y, linear.motions @ along)
    moved = standstill.lengths(shape)
    largest = int(moved.argmax())
    if moved[largest] > 0.0:
        # a root of the winding alone moves nothing
        scale = shape[largest] * moved[largest] / abs(shape[largest])
        shape, along = shape / scale, along / scale
    kind = "oscillates" if root.imag else "decays"
    if root == 0.0:
        kind = "free"
    elif root.real > 1e-9 * abs(root):
        kind = "unstable"
    values = {channel.name: complex(x) for channel, x in zip(standstill.speeds, shape, strict=True)}
    moving, total = linear.motions @ along, float(np.vdot(along, along).real)
    return Mode(root, kind, values, _shares(standstill, linear.mass, moving, total))


def _shares(standstill: Standstill, masses: np.ndarray, velocity: np.ndarray, total: float) -> dict[str, float]:
    """Shares of the bodies in twice the kinetic energy; what is left is that of rotors."""
    shares, mechanism = {}, standstill.mechanism
    for name, own in standstill.blocks.items():
        # parts of a flexible link share theirs; of a rigid body the matrix may hold rotors, too
        mass = masses[own, own] if mechanism.bends(name) else np.diag(mechanism.bodies[name].masses)
        energy = np.vdot(velocity[own], mass @ velocity[own]).real
        shares[name] = float(energy) / (total or 1.0)
    rest = 1.0 - sum(shares.values())
    return {**shares, "rotors": rest} if total and rest > 1e-9 else shares


def _notes(standstill: Standstill, y: np.ndarray) -> tuple[str, ...]:
    """What is held or left out."""
    notes, mechanism = [], standstill.mechanism
    if mechanism.drives:
        notes.append(f"drives hold their joints: {', '.join(mechanism.drives)}")
    if mechanism.controllers:
        notes.append(f"controllers have the target speed 0: {', '.join(mechanism.controllers)}")
    touching = standstill.memory(y)[: 2 * standstill.system.events : 2] > 0.0
    closed = [c for c, on in zip(standstill.system.event_contacts, touching, strict=True) if on]
    if closed:
        names = ", ".join(c.name for c in closed)
        notes.append(f"contacts stay closed, without their impact damping: {names}")
    rubbing = ", ".join(c.name for c in closed if c.friction_law is not None)
    if rubbing:
        notes.append(f"friction does not stick, its law acts as a damper at rest: {rubbing}")
    if standstill.system.films:
        notes.append("oil films damp, but carry no load at rest")
    return tuple(notes)
