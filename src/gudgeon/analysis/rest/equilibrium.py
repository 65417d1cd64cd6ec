"""Static equilibrium: where a mechanism stays when it is let go gently."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from gudgeon.analysis.rest.flexible import FlexibleStandstill, standstill_of
from gudgeon.analysis.rest.newton import balanced_state
from gudgeon.analysis.rest.standstill import LinearMotion, Standstill
from gudgeon.model import Ideal, Mechanism
from gudgeon.quantity import GudgeonError, closest, in_words, quantity

__all__ = ["Equilibrium", "equilibrium"]

MOST = 400  # steps
BALANCED = 1e-10  # of the forces at the start, or of the weights
STILL = 1e-13  # a step this small, of the size of the mechanism, is none
LONGEST = 0.2  # of the size, in one step [m] at the end of an arm
FARTHEST = 1e4  # sizes: what has gone so far will not come to rest
GROWTH = 4.0  # a step after which another is needed that is so many times longer was too long
TIP = 0.01  # of the size
FLAT = 1e-9  # stiffness below this, relative, is none


@dataclass(frozen=True)
class Equilibrium:
    """A mechanism at rest: every channel by name [SI], how far it moved from the described position [m], whether it
    returns when it is pushed. `stiffness` [1/s^2] are those of its motions of unit modal mass, the softest first."""

    name: str
    time: float
    channels: dict[str, float]
    moved: dict[str, float]
    stiffness: np.ndarray
    steps: int
    unbalanced: float  # what is left of the forces, relative to those at the start
    state: np.ndarray = field(repr=False)
    standstill: Standstill = field(repr=False)

    @property
    def stable(self) -> bool:
        """Whether every small push is answered by a force back, or by none."""
        return not (self.stiffness < -self._least).any()

    @property
    def free(self) -> int:
        """Motions that no force answers."""
        return int((np.abs(self.stiffness) <= self._least).sum())

    @property
    def _least(self) -> float:
        return FLAT + 1e-13 * float(np.abs(self.stiffness).max(initial=0.0))

    @property
    def verdict(self) -> str:
        """Stable, unstable or free, in words."""
        if not self.stable:
            count = int((self.stiffness < -self._least).sum())
            return f"unstable: {count} of {len(self.stiffness)} motions move away from it"
        if self.free:
            verb, them = ("is", "it") if self.free == 1 else ("are", "them")
            return f"stable, but {self.free} of {len(self.stiffness)} motions {verb} free: no force restores {them}"
        return "stable" if len(self.stiffness) else "fixed: its drives and joints leave no motion"

    @property
    def units(self) -> dict[str, str]:
        """Unit of each channel."""
        return {channel.name: channel.unit for channel in self.standstill.system.channels}

    def __str__(self) -> str:
        lines = [f"{self.name} · at rest, {self.verdict}"]
        lines += [f"  {name} {self[name]:.6g} {self.units[name]}" for name in self.standstill.coordinates]
        return "\n".join(lines)

    def __getitem__(self, channel: str) -> float:
        if channel not in self.channels:
            likely = closest(channel, self.channels)
            raise GudgeonError(f'channel "{channel}" is not known' + (f'; did you mean "{likely}"?' if likely else ""))
        return self.channels[channel]


# The way to the rest is that of a motion so damped that its speed is its force, ξ' = g in motions of unit modal mass,
# by implicit steps (1/h + K) s = g whose h grows as the forces fade: at first the mechanism falls, at last its steps
# are Newton's. Where K pushes away, the magnitudes of its eigenvalues are taken, so that every step goes down.
def equilibrium(mechanism: Mechanism, *, time: float | str = 0.0) -> Equilibrium:
    """The static equilibrium next to the described position: driven joints held, loads at `time` [s], velocities 0.
    Walls, stops, springs and bushings carry load; friction and oil films carry none at rest.
    """
    instant = quantity(time, "s", "time")
    standstill = standstill_of(mechanism, instant)
    if isinstance(standstill, FlexibleStandstill):
        return _flexible(standstill)
    return _relaxed(standstill, _beginning(standstill, instant))


def _beginning(standstill: Standstill, time: float) -> np.ndarray:
    """Where the mechanism rests with ideal joints, or as it is described. What hangs in walls and bushings can move far
    by short steps only; without them it is there in a few, and its play is small. A place where the ideal mechanism
    would only balance is no place to begin: its play tips it over."""
    mechanism = standstill.mechanism
    loose = [j.name for j in mechanism.joints.values() if not j.ideal]
    if not loose or mechanism.start != "ideal":
        return standstill.start()
    try:
        tight = standstill_of(mechanism.refit(**dict.fromkeys(loose, Ideal())), time)
        relaxed = _relaxed(tight, tight.start())
        for _ in range(3):
            if relaxed.stable:
                break
            relaxed = _relaxed(tight, _tipped(tight, relaxed.state))
        return standstill.at(relaxed.state)
    except GudgeonError:
        # not every mechanism holds together, or rests, without its play
        return standstill.start()


def _flexible(standstill: FlexibleStandstill) -> Equilibrium:
    """Newton's method takes beams where steps of the motion do not: they bend far by steps that are long for what
    strains them. A place that would not stay is the answer only where nothing else is reached."""
    state = balanced_state(standstill)
    if state is None:
        return _relaxed(standstill, standstill.start())
    state = standstill.at(state)
    stiffness = np.linalg.eigvalsh(standstill.linear(state).symmetric)
    if stiffness.min(initial=0.0) > -FLAT - 1e-13 * np.abs(stiffness).max(initial=0.0):
        return _relaxed(standstill, state)
    try:
        return _relaxed(standstill, standstill.start())
    except GudgeonError:
        return _relaxed(standstill, state)


def _tipped(standstill: Standstill, y: np.ndarray) -> np.ndarray:
    """A little way along the motion that runs away fastest."""
    linear = standstill.linear(y)
    step = linear.motions @ np.linalg.eigh(linear.symmetric)[1][:, 0]
    return standstill.moved(y, TIP * standstill.size * step / np.abs(step * standstill.reach).max())


def _relaxed(standstill: Standstill, y: np.ndarray) -> Equilibrium:
    linear = standstill.linear(y)
    first, size = standstill.start(), standstill.size
    weights = math.sqrt(sum(body.mass for body in standstill.mechanism.stiffened().bodies.values()))
    scale = max(_norm(linear), weights * math.hypot(*standstill.mechanism.gravity))
    fastest = float(np.abs(linear.motions @ linear.force * standstill.reach).max(initial=0.0))
    h = h_first = 0.05 * size / max(fastest, 1.0)
    for steps in range(MOST):
        balanced = _norm(linear) <= BALANCED * scale
        step = linear.motions @ _step(linear, h)
        length = float(np.abs(step * standstill.reach).max(initial=0.0))
        # a step that is short for its h alone says nothing
        if (balanced and _refined(linear, h)) or (length <= STILL * size and (balanced or h >= h_first)):
            return _rest(standstill, y, first, linear, steps, scale)
        shorter = min(1.0, LONGEST * size / length)
        trial, after = _tried(standstill, y, shorter * step)
        growth = math.inf if after is None else _growth(linear, after, h)
        if after is None or not growth <= GROWTH:
            h *= 0.2
            continue
        h *= float(np.clip(1.0 / max(growth, 1e-300), 0.5, 1e4)) * (4.0 if shorter == 1.0 else 1.0)
        y, linear = trial, after
        if np.abs(y[: standstill.system.positions]).max() > FARTHEST * size:
            break
    raise _restless(standstill, y, linear, scale)


def _tried(standstill: Standstill, y: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, LinearMotion | None]:
    """The state after a step and its forces; None where there are none, such as behind the edge of a law."""
    try:
        trial = standstill.moved(y, step)
        return trial, standstill.linear(trial) if np.isfinite(trial).all() else None
    except GudgeonError:
        return y, None


def _norm(linear: LinearMotion) -> float:
    return float(np.linalg.norm(linear.force))


def _refined(linear: LinearMotion, h: float) -> bool:
    """Whether the steps are Newton's by now, so that what is left of the forces is next to nothing."""
    return bool(h * max(1.0, float(np.abs(linear.stiffness).max(initial=0.0))) > 1e3) or not linear.force.any()


def _step(linear: LinearMotion, h: float, force: np.ndarray | None = None) -> np.ndarray:
    """The implicit step by a force, by default its own."""
    given, count = linear.force if force is None else force, len(linear.force)
    values, vectors = np.linalg.eigh(linear.symmetric)
    if count and values[0] > 0.0:
        return np.asarray(np.linalg.solve(np.eye(count) / h + linear.stiffness, given))
    return np.asarray(vectors @ ((vectors.T @ given) / (1.0 / h + np.abs(values))))


def _growth(before: LinearMotion, after: LinearMotion, h: float) -> float:
    """How much longer a step the forces after a step ask for, by the stiffness before it: what is stiff is easily put
    right, and its forces say little."""
    if not np.isfinite(after.force).all() or not np.isfinite(after.stiffness).all():
        return math.inf
    force = before.motions.T @ before.mass @ (after.motions @ after.force)
    now, then = (float(np.linalg.norm(step)) for step in (_step(before, h, force), _step(before, h)))
    return now / max(then, 1e-300)


def _rest(standstill: Standstill, y: np.ndarray, first: np.ndarray, linear: LinearMotion, steps: int,
          scale: float) -> Equilibrium:  # fmt: skip
    mechanism = standstill.mechanism
    before, now = standstill.channels(first), standstill.channels(y)
    moved = {
        body: math.dist(*([values.get(f"{body}.{axis}", 0.0) for axis in "xyz"] for values in (before, now)))
        for body in (*mechanism.bodies, *mechanism.beams)
    }
    return Equilibrium(mechanism.name, standstill.time, now, moved,
                       np.linalg.eigvalsh(linear.symmetric), steps, _norm(linear) / (scale or 1.0), y,
                       standstill)  # fmt: skip


def _restless(standstill: Standstill, y: np.ndarray, linear: LinearMotion, scale: float) -> GudgeonError:
    """What moves most where no rest was found."""
    pushed = standstill.lengths(standstill.shape(y, linear.motions @ linear.force))
    body = standstill.speeds[int(pushed.argmax())].name.rpartition(".")[0]
    left = 100.0 * _norm(linear) / (scale or 1.0)
    films = [joint.name for joint in standstill.mechanism.joints.values()
             for fit in joint.fit.values() if fit.filmed and getattr(fit, "wall", None) is None]  # fmt: skip
    remedy = "hold it by a joint, a spring, a stop or a drive"
    if films:
        remedy = f"the film of {in_words(films)} carries nothing at rest: give it a wall and a minimum_film, or run it"
    return GudgeonError(
        f'equilibrium: "{standstill.mechanism.name}" finds no rest, {left:.3g} % of its forces are not balanced and '
        f'body "{body}" is pushed most; {remedy}'
    )
