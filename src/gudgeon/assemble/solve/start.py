"""The start: positions and velocities that satisfy the constraints, and what the constraints leave free."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from gudgeon.assemble.contact.films import Film
from gudgeon.assemble.report.channels import Channel
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Module
from gudgeon.compile.graph.python import compile_module
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError, in_words

CLOSED = 1e-12  # residual of an assembled mechanism, relative to its size
INDEPENDENT = 1e-9  # what is left of a row after the rows before it, relative to the row
MANY_CONSTRAINTS = 60  # of a mechanism whose way is not looked at
MANY_POINTS = 300  # beyond, the diagonal of their box is quicker than every distance

Found = TypeVar("Found")


@dataclass(frozen=True)
class Start:
    """An assembled position. `moved` says how far each body's coordinates went from what was described."""

    q: np.ndarray
    v: np.ndarray
    moved: dict[str, float]
    dof: int
    redundant: tuple[int, ...]  # places among the constraints
    elsewhere: np.ndarray | None = None  # another position, where rows are redundant
    loses_hold: bool = False  # on its way: then which rows are redundant changes with the position


class Kinematics:
    """The constraint rows of a trace as numbers: residuals, rates and Jacobian, by the Python back end. `ideal`: those
    of the mechanism with ideal joints."""

    def __init__(self, trace: Trace, *, ideal: bool = False) -> None:
        eq = trace.equations
        self.bodies, self.constraints = trace.moving, trace.ideal_constraints() if ideal else eq.constraints
        self.count = len(self.constraints)
        self.velocities = len(eq.v)
        self.angular = np.array([unit == "rad/s" for body in eq.bodies for unit in body.velocity_units], dtype=bool)
        outputs = eq.measured(self.constraints)
        module = Module(trace.graph, {"rows": outputs}, len(trace.parameters))
        self._functions = compile_module(module)
        self._room = module.prepared + 1
        self._width = len(outputs)
        self._put_numbers(trace)

    def _put_numbers(self, trace: Trace) -> None:
        count = len(trace.parameters)
        self._p = np.zeros(count + self._room)
        self._p[:count] = trace.parameters.values
        self._functions["prepare"](0.0, np.zeros(1), self._p, np.zeros(1), self._p[count:])
        self._extra = np.array(trace.states.starts)

    def with_numbers(self, trace: Trace) -> Kinematics:
        """The same rows with the numbers of another trace of this structure."""
        other = copy(self)
        other._put_numbers(trace)
        return other

    def rows(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Residuals, their rates and the Jacobian at t = 0."""
        out = np.zeros(self._width)
        y = np.concatenate([q, v, self._extra])
        self._functions["rows"](0.0, y, self._p, np.zeros(1), out)
        n = self.count
        return out[:n], out[n : 2 * n], out[2 * n :].reshape(n, len(v))

    def moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Coordinates after a small motion, given in directions of velocity."""
        coordinates: list[float] = []
        a = b = 0
        for body in self.bodies:
            here = q[a : a + len(body.q)]
            rates = body.rates(here, step[b : b + len(body.v)])
            coordinates += body.unit([float(x + rate) for x, rate in zip(here, rates, strict=True)])
            a, b = a + len(body.q), b + len(body.v)
        return np.array(coordinates)

    def scaled(self, jacobian: np.ndarray, size: float) -> np.ndarray:
        """Rows per length: angles count by what they move at the size of the mechanism."""
        per_length = jacobian.copy()
        per_length[:, self.angular] /= size
        return per_length

    def least(self, jacobian: Any, right: np.ndarray, weight: Any, rcond: float = 1e-11) -> np.ndarray:
        """The motion of least weighted norm with jacobian @ motion = right, as far as the rows do not contradict."""
        motion: np.ndarray = np.linalg.lstsq(jacobian / weight, right, rcond=rcond)[0] / weight
        return motion

    def redundant(self, jacobian: Any, size: float) -> list[int]:
        """Rows that follow from the rows before them."""
        return dependent(self.scaled(jacobian, size))

    def by_chance(self, redundant: list[int], elsewhere: Any, size: float) -> list[int]:
        """Redundant rows that are not in another position, given by its Jacobian."""
        return sorted(set(redundant) - set(self.redundant(elsewhere, size)))


def find_start(mechanism: Mechanism, own: Kinematics, ideal: Kinematics, size: float) -> Start:
    """Project the described position and velocity onto the rows of `ideal`; count freedoms and name redundant rows.

    `ideal` is the ideal twin of `own` when the mechanism starts from its ideal motion, else `own` itself.
    """
    bodies = mechanism.bodies.values()
    described = np.array([x for b in bodies for x in b.coordinates])
    v = np.array([x for b in bodies for x in b.velocities])
    weight = np.sqrt(np.array([x for b in bodies for x in b.masses]))
    q = _close(ideal, described.copy(), v, weight, size)
    _, rates, jacobian = ideal.rows(q, v)
    if len(rates):
        v = v - ideal.least(jacobian, rates, weight)
        left = np.abs(ideal.rows(q, v)[1])
        if left.max() > 1e-8 * max(1.0, np.abs(v).max()):
            # of constraints that are missed alike, the first one: rounding shall not choose
            worst = ideal.constraints[int(np.argmax(left > 0.999 * left.max()))].owner
            redundant = ideal.redundant(jacobian, size)
            _check_dead_centre(mechanism, ideal, redundant, q, weight, size)
            raise GudgeonError(_contradiction(ideal, worst, redundant))
    redundant = own.redundant(own.rows(q, v)[2], size)
    _check_dead_centre(mechanism, own, redundant, q, weight, size)
    elsewhere = _check_redundant(own, redundant, q, weight, size)
    ends = np.cumsum([len(b.coordinates) for b in bodies])
    shifts = np.split(np.abs(q - described), ends[:-1])
    linear = len(mechanism.gravity)
    moved = {
        b.name: float(np.linalg.norm(s[:linear])) for b, s in zip(bodies, shifts, strict=True) if s.max() > 1e-9 * size
    }
    dof = len(v) - (own.count - len(redundant))
    return Start(q, v, moved, dof, tuple(redundant), elsewhere, loses_hold(own, redundant, q, weight, size))


def _check_dead_centre(mechanism: Mechanism, own: Kinematics, redundant: list[int], q: np.ndarray, weight: np.ndarray,
                       size: float) -> None:  # fmt: skip
    """Refuse drives that have nothing to move here, but have in other positions: the joint that is driven is at the
    end of its travel."""
    driven = [r for r in redundant if own.constraints[r].drive]
    if not driven:
        return
    there = own.rows(_elsewhere(own, q, weight, size), np.zeros(own.velocities))[2]
    if len(own.by_chance(driven, there, size)) < len(driven):
        return
    names = list(dict.fromkeys(own.constraints[r].owner for r in driven))
    others = [name for name, joint in mechanism.joints.items()
              if joint.kind.free == "rotation" and name not in mechanism.drives]  # fmt: skip
    instead = f', or drive another joint, for instance "{others[0]}"' if others else ""
    raise GudgeonError(
        f"drive of {in_words(names)}: the mechanism starts at a dead centre, where this joint is at the end of its "
        "travel and can have no speed (crank and rod in one line, for instance); describe it a little away from there"
        f"{instead}"
    )


def _contradiction(own: Kinematics, joint: str, redundant: list[int]) -> str:
    """Which drives cannot all be followed, and how many freedoms there are for them; their rows come behind those of
    the joints."""
    held = [r for r, c in enumerate(own.constraints) if not c.drive]
    drives = list(dict.fromkeys(c.owner for c in own.constraints if c.drive))
    free = own.velocities - len(held) + len(set(held) & set(redundant))
    drives_named = f"the drive{'s' if len(drives) > 1 else ''} of {in_words(drives)}"
    count = f"{free} degree{'' if free == 1 else 's'} of freedom without {'them' if len(drives) > 1 else 'it'}"
    fight = f"{drives_named} and the joints contradict each other ({count})"
    remedy = "remove one of these drives" if len(drives) > max(free, 1) else "remove a drive or a joint"
    return f'joint "{joint}" cannot follow: {fight}; {remedy}'


def _close(kinematics: Kinematics, q: np.ndarray, v: np.ndarray, weight: np.ndarray, size: float) -> np.ndarray:
    """Newton's method on the rows, least-norm steps, limited to a quarter turn."""
    for _ in range(60):
        residual, _, jacobian = kinematics.rows(q, v)
        if not len(residual) or np.abs(residual).max() <= CLOSED * size:
            return q
        step = kinematics.least(jacobian, -residual, weight)
        q = kinematics.moved(q, step / max(1.0, np.abs(step[kinematics.angular]).max() / 0.8))
        if np.abs(step).max() < 1e-15 * size:
            break
    residual = np.abs(kinematics.rows(q, v)[0])
    if residual.max() <= 1e3 * CLOSED * size:
        return q
    worst = kinematics.constraints[int(residual.argmax())]
    raise GudgeonError(
        f'the mechanism cannot be assembled: joint "{worst.owner}" stays open by {residual.max():.3g} m '
        f'(constraint "{worst.label}"); check its points and the lengths of the bodies around it'
    )


def redundant_rows(kinematics: Kinematics, q: np.ndarray, v: np.ndarray, size: float) -> list[int]:
    """Rows of a position that follow from the rows before them."""
    return dependent(kinematics.scaled(kinematics.rows(q, v)[2], size))


def dependent(scaled: np.ndarray) -> list[int]:
    """Rows that follow from the rows before them, by elimination in the order they were added."""
    basis: list[np.ndarray] = []
    redundant = []
    for r, row in enumerate(scaled):
        rest = row.copy()
        for _ in range(2):
            for direction in basis:
                rest -= (rest @ direction) * direction
        norm = float(np.linalg.norm(rest))
        if norm <= INDEPENDENT * max(float(np.linalg.norm(row)), 1e-300):
            redundant.append(r)
        else:
            basis.append(rest / norm)
    return redundant


def _check_redundant(own: Kinematics, redundant: list[int], q: np.ndarray, weight: np.ndarray, size: float
                     ) -> np.ndarray | None:  # fmt: skip
    """Refuse a drive that has nothing left to move, and a start in which rows are redundant only by chance. Gives the
    other position they were looked at in."""
    if not redundant:
        return None
    constraints = own.constraints
    fighting = [constraints[r].owner for r in redundant if constraints[r].drive]
    if fighting:
        free = own.velocities - (own.count - len(redundant))
        raise GudgeonError(
            f"drive of {in_words(fighting)}: the other joints and drives already fix this motion "
            f"({free} degrees of freedom are left); remove the drive or loosen a joint"
        )
    elsewhere = _elsewhere(own, q, weight, size)
    by_chance = own.by_chance(redundant, own.rows(elsewhere, np.zeros(own.velocities))[2], size)
    if by_chance:
        names = in_words(constraints[r].name for r in by_chance)
        raise GudgeonError(
            f"the mechanism starts in a singular position, where constraint {names} depends on others "
            "(links in one line, for instance); describe it a little away from there"
        )
    return elsewhere


STRIDE = 0.1  # of a position on the way to the next: angles in rad, places in sizes of the mechanism
STRIDES = 32  # in each direction
HELD = 0.1  # of what all rows hold: so much and more of it is left where some are left out


def loses_hold(own: Kinematics, redundant: list[int], q: np.ndarray, weight: np.ndarray, size: float) -> bool:
    """Whether the rows that are not redundant here lose their independence on the way, where all rows together keep
    theirs. The way is that of the joints, drives aside, straight on in both directions."""
    if not redundant or own.count > MANY_CONSTRAINTS:
        return False
    kept = [r for r in range(own.count) if r not in set(redundant)]
    joints = np.array([not c.drive for c in own.constraints])
    still, first = np.zeros(own.velocities), q
    shares = []
    for sign in (1.0, -1.0):
        q, direction = first, sign * np.random.default_rng(1).normal(size=own.velocities)
        for _ in range(STRIDES):
            jacobian = own.rows(q, still)[2]
            if not isinstance(jacobian, np.ndarray) or not np.isfinite(jacobian).all():
                break
            scaled = own.scaled(jacobian, size)
            scaled /= np.maximum(np.linalg.norm(scaled, axis=1), 1e-300)[:, None]
            values = np.linalg.svd(scaled, compute_uv=False)
            left = np.linalg.svd(scaled[kept], compute_uv=False)
            shares.append(left[len(kept) - 1] / max(values[len(kept) - 1], 1e-300))
            direction -= own.least(jacobian[joints], jacobian[joints] @ direction, np.ones(own.velocities), 1e-7)
            lengths = direction * np.where(own.angular, 1.0, 1.0 / size)
            if not np.abs(lengths).max() > 1e-9:
                break
            direction /= np.abs(lengths).max()
            q = own.moved(q, STRIDE * direction)
            for _ in range(5):
                residual, _, jacobian = own.rows(q, still)
                q = own.moved(q, -own.least(jacobian[joints], residual[joints], weight, 1e-9))
    return bool(shares) and min(shares) < HELD * shares[0]


def _elsewhere(own: Kinematics, q: np.ndarray, weight: np.ndarray, size: float) -> np.ndarray:
    """Another position that the joints allow, drives aside."""
    kept = np.array([not c.drive for c in own.constraints])
    still = np.zeros(own.velocities)
    direction = np.random.default_rng(1).normal(size=own.velocities) * np.where(own.angular, 1.0, size)
    jacobian = own.rows(q, still)[2][kept]
    direction -= own.least(jacobian, jacobian @ direction, np.ones(own.velocities), 1e-9)
    q = own.moved(q, 0.02 * direction)
    for _ in range(30):
        residual, _, jacobian = own.rows(q, still)
        q = own.moved(q, -own.least(jacobian[kept], residual[kept], weight, 1e-9))
    return q


# -- from a mechanism to its start ------------------------------------------------------------------------------


def with_short_rows(mechanism: Mechanism, find: Callable[[bool], tuple[Start, Found]]) -> tuple[Start, Found]:
    """Where the motion of a mechanism starts, and what it was found with, as `find(own_rows)` gives both: with short
    rows where none of them is redundant, else with those of the mates."""
    try:
        start, found = find(False)
        if mechanism.planar or not start.redundant:
            return start, found
    except GudgeonError:
        if mechanism.planar:
            raise
    return find(True)


def starts_ideal(mechanism: Mechanism) -> bool:
    """Whether the start is that of another mechanism, the one with ideal joints."""
    loose = not all(joint.ideal for joint in mechanism.joints.values())
    return loose and mechanism.start == "ideal"


def start_rows(trace: Trace) -> tuple[Kinematics, Kinematics]:
    """The rows of a trace, and those that its start satisfies."""
    own = Kinematics(trace)
    return own, Kinematics(trace, ideal=True) if starts_ideal(trace.mechanism) else own


def start_of(trace: Trace, size: float) -> Start:
    """Where the motion of a mechanism of rigid and modal links starts, from its constraints alone."""
    return find_start(trace.mechanism, *start_rows(trace), size)


def initial_state(trace: Trace, motion: np.ndarray, total: int, reported: Sequence[Channel],
                  report: Callable[[np.ndarray, np.ndarray], None]) -> np.ndarray:  # fmt: skip
    """All states at the start, `total` of them, from the coordinates and velocities `motion`; journals of films must
    lie inside their bearings, as the channels that `report` writes say."""
    y0 = np.zeros(total)
    y0[: trace.states.controlled] = np.concatenate([motion, trace.states.starts])
    if trace.films:
        out = np.zeros(len(reported))
        report(y0, out)
        check_films(trace.films, {channel.name: float(x) for channel, x in zip(reported, out, strict=True)})
    return y0


def no_contact(trace: Trace) -> np.ndarray:
    """The memory of contacts that are all open."""
    return np.zeros(max(1, 2 * trace.events))


def check_films(films: Sequence[Film], values: dict[str, float]) -> None:
    """Refuse a journal that starts outside its bearing."""
    for film in films:
        offset = film.clearance - values[f"{film.joint}.film_thickness"]
        if offset >= film.clearance:
            raise GudgeonError(
                f'joint "{film.joint}": the journal starts outside the bearing, {offset:.4g} m off centre in a '
                f'clearance of {film.clearance:.4g} m; move the bodies together, or give the mechanism start="ideal"'
            )


def state_units(trace: Trace) -> list[str]:
    """Units of all coordinates, then of all velocities."""
    blocks = trace.equations.bodies
    return [x for b in blocks for x in b.units] + [x for b in blocks for x in b.velocity_units]


def typical_size(mechanism: Mechanism) -> float:
    """A length that is typical of the mechanism: the spread of its bodies and joints [m]."""
    points = [b.at for b in mechanism.bodies.values()]
    points += [end for beam in mechanism.beams.values() for end in (beam.a, beam.b)]
    points += [end for link in mechanism.modal_links.values() for end in (link.a, link.b)]
    for joint in mechanism.joints.values():
        points += [joint.journal_point, joint.bearing_point]
    reach = max((math.hypot(*p) for p in points), default=0.0)
    if len(points) > MANY_POINTS:
        spread = math.hypot(*(max(x) - min(x) for x in zip(*points, strict=True)))
    else:
        spread = max((math.dist(a, b) for a in points for b in points), default=0.0)
    return max(reach, spread) or 1.0
