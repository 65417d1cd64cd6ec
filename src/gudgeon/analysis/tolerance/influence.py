"""Kinematic influence of play: how far each clearance vector moves what is asked for, over a cycle.

A joint without play keeps the rows of its contact pairs at zero. With play its surfaces deviate by a vector e, |e| <= c
(`Mate.offsets`: what a bushing would pull back). All that remains of the constraints is F(q, t) = 0, and with the
deviations E(q) of all loose pairs the position is that of

    F(q, t) = 0,    E(q) = e.

Differentiated, with the velocities of a small motion δ and the rows F' and E' of the Jacobian,

    [F'; E'] δ = [0; e]      so that what is asked for changes by      O' δ = S e,    S = O' [F'; E']^-1 [0; 1].

S is the influence (output, component of a deviation). Of a pin it is a pair of numbers: the error in the output per
offset of the journal along x and y of the bearing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from gudgeon.assemble import call_address
from gudgeon.assemble.solve.equations import Constraint
from gudgeon.assemble.solve.start import Kinematics, dependent, find_start, typical_size
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Module
from gudgeon.compile.graph.llvm import compile_module
from gudgeon.model import Mechanism
from gudgeon.model.fits.iso286 import iso_fit
from gudgeon.model.run_settings import period_of
from gudgeon.quantity import GudgeonError, closest

__all__ = ["Influences", "Play", "influences"]

CLOSED = 1e-13  # what is left of the constraints, relative to the size of the mechanism
TRIES = 12  # of Newton's method, before a step along the cycle is halved
HALVINGS = 10
ROUNDING = 1e-13
FREE = 1e-9  # of the largest derivative: what changes less along a motion does not depend on it
RANK = 1e-11
AWAY = 0.1
CLOSE = 1e-4  # of the time between two instants: how close the largest worst case is located
CLIMBS = 40  # steps towards the worst direction of a point

Point = tuple[str, tuple[float, ...]]


@dataclass(frozen=True)
class Play:
    """The play of a pair of surfaces at one place: a deviation of one to three components within the clearance [m], of
    a key [rad]. `components` are its columns in an influence."""

    joint: str
    mate: str
    label: str
    clearance: float  # the largest that the fit allows
    components: slice
    angular: bool = False
    fit: str = ""  # the ISO 286 fit that it comes from

    @property
    def dimension(self) -> int:
        return self.components.stop - self.components.start

    @property
    def name(self) -> str:
        return f"{self.joint}.{self.label}" if self.label else self.joint


@dataclass(frozen=True)
class Influences:
    """Positions of a cycle with ideal joints, and the influence of each deviation there.

    times [s]; values (instant, output) in SI units; matrices (instant, output, component); `closeness` (instant): least
    singular value of the constraints relative to the largest, small near change points.
    """

    mechanism: Mechanism
    outputs: dict[str, slice]  # one number, or the coordinates of a point
    units: tuple[str, ...]
    plays: tuple[Play, ...]
    times: np.ndarray
    values: np.ndarray
    matrices: np.ndarray
    closeness: np.ndarray
    _equations: _Positions = field(repr=False)
    _states: np.ndarray = field(repr=False)

    def output(self, name: str) -> slice:
        if name not in self.outputs:
            likely = closest(name, self.outputs)
            hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(self.outputs)}"
            raise GudgeonError(f'tolerance: "{name}" is not among these positions; {hint}')
        return self.outputs[name]

    def with_clearances(self, clearances: Mapping[str, float]) -> Influences:
        """The same with other clearances [m], by joint or joint.mate; angular ones stay."""
        plays = []
        for play in self.plays:
            size = clearances.get(play.joint, clearances.get(f"{play.joint}.{play.mate}"))
            plays.append(play if size is None or play.angular else replace(play, clearance=float(size)))
        return replace(self, plays=tuple(plays))

    @property
    def clearances(self) -> np.ndarray:
        return np.array([play.clearance for play in self.plays])

    def sizes(self, output: str, directions: np.ndarray | None = None) -> np.ndarray:
        """|S| of each play at every instant: the largest error that a deviation of length one makes (instant, play); of
        a point in the direction of its worst case, or in those given (instant, coordinate)."""
        rows = self.matrices[:, self.output(output), :]
        along = self.directions(output) if directions is None else directions
        rows = np.einsum("to,toc->tc", along, rows)
        return np.stack([np.linalg.norm(rows[:, play.components], axis=1) for play in self.plays], axis=1)

    def directions(self, output: str) -> np.ndarray:
        """The direction of the worst case at every instant (instant, coordinate), a unit vector; of one number it is 1.

        The worst error along u is h(u) = sum of c_k |S_k^T u|, a convex function, which is largest where u is along its
        slope, sum of c_k S_k S_k^T u / |S_k^T u|: going there again and again, h grows. From every axis, and from every
        diagonal between two.
        """
        rows = self.matrices[:, self.output(output), :]
        count = rows.shape[1]
        best, direction = np.full(len(rows), -1.0), np.zeros((len(rows), count))
        if count == 1:
            return np.ones((len(rows), 1))
        axes = np.eye(count)
        starts = [*axes, *(a + s * b for k, a in enumerate(axes) for b in axes[:k] for s in (1.0, -1.0))]
        for start in starts:
            u = np.tile(start / np.linalg.norm(start), (len(rows), 1))
            for _ in range(CLIMBS):
                slope, error = np.zeros_like(u), np.zeros(len(rows))
                for play in self.plays:
                    part = rows[:, :, play.components]
                    along = np.einsum("to,toc->tc", u, part)
                    length = np.linalg.norm(along, axis=1)
                    error += play.clearance * length
                    slope += play.clearance * np.einsum("toc,tc->to", part, along / np.maximum(length, 1e-300)[:, None])
                better = error > best * (1.0 + ROUNDING)
                best[better], direction[better] = error[better], u[better]
                if not better.any():
                    break
                u = slope / np.maximum(np.linalg.norm(slope, axis=1), 1e-300)[:, None]
        return direction

    def worst(self, output: str) -> np.ndarray:
        """Worst case at every instant [m or rad]: every deviation at the wall, in the direction that does most."""
        return self.sizes(output) @ self.clearances

    def at(self, time: float) -> Influences:
        """The same at one other time [s] of the cycle."""
        near = int(np.abs(self.times - time).argmin())
        q = self._equations.solve(self._states[near], time)
        if q is None:
            raise GudgeonError(f'tolerance: "{self.mechanism.name}" cannot be assembled at {time:.6g} s of its cycle')
        values, matrix, closeness = self._equations.influence(q, time)
        return replace(self, times=np.array([time]), values=values[None], matrices=matrix[None],
                       closeness=np.array([closeness]), _states=q[None])  # fmt: skip

    def worst_instant(self, output: str) -> Influences:
        """At the time of the cycle at which the worst case is largest."""
        envelope = self.worst(output)
        k, step = int(envelope.argmax()), self.times[1] - self.times[0]
        ends = (self.times[k] - step, self.times[k] + step)
        best = minimize_scalar(lambda t: -float(self.at(t).worst(output)[0]), bounds=ends, method="bounded",
                               options={"xatol": CLOSE * step})  # fmt: skip
        return self.at(float(best.x) if -best.fun > envelope[k] else float(self.times[k]))

    def assembled(self, instant: int, deviations: np.ndarray) -> np.ndarray:
        """The outputs with these deviations, exact: the mechanism is assembled with them."""
        q = self._equations.solve(self._states[instant], float(self.times[instant]), deviations)
        if q is None:
            raise GudgeonError(
                f'tolerance: "{self.mechanism.name}" cannot be assembled with its play at {self.times[instant]:.6g} s; '
                "the clearances are too large for this position"
            )
        return self._equations.outputs(q, float(self.times[instant]))

    def worst_deviations(self, instant: int, output: str) -> np.ndarray:
        """The deviations of the worst case at an instant."""
        row = self.directions(output)[instant] @ self.matrices[instant, self.output(output)]
        deviations = np.zeros(len(row))
        for play in self.plays:
            part = row[play.components]
            length = float(np.linalg.norm(part))
            if length > 0.0:
                deviations[play.components] = play.clearance * part / length
        return deviations


class _Positions:
    """Constraints, deviations and outputs of a mechanism with their derivatives, compiled."""

    def __init__(self, mechanism: Mechanism, asked: Sequence[str], points: Mapping[str, Point]) -> None:
        trace = Trace(mechanism, ideal=True, complete=False)
        self.size, self.bodies = typical_size(mechanism), trace.moving
        fixed, plays, deviations = _split(trace)
        self.plays = tuple(plays)
        self.groups, self.units, formulas = _outputs(trace, asked, points)
        outputs = [Constraint("output", str(k), trace.graph.scalar(x)) for k, x in enumerate(formulas)]
        rows = [*fixed, *deviations, *outputs]
        self.fixed, self.loose, self.asked = len(fixed), len(deviations), len(outputs)
        self.velocities = len(trace.equations.v)
        entries = [trace.equations.gradient(row.value) for row in rows]
        zero = trace.graph.zero
        formulas = [row.value for row in rows] + [e.get(k, zero) for e in entries for k in range(self.velocities)]
        module = Module(trace.graph, {"rows": formulas}, len(trace.parameters))
        self._addresses, self._width = compile_module(module), len(formulas)
        self._p = np.zeros(len(trace.parameters) + module.prepared + 1)
        self._p[: len(trace.parameters)] = trace.parameters.values
        call_address(self._addresses["prepare"], 0.0, np.zeros(1), self._p, np.zeros(1),
                     self._p[len(trace.parameters) :])  # fmt: skip
        self._extra, self._none = np.concatenate([np.zeros(self.velocities), trace.states.starts]), np.zeros(1)
        self.kinematics = Kinematics(trace)
        self.kept = np.arange(self.fixed + self.loose)

    def rows(self, q: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Constraints, deviations and outputs, and their derivatives by small motions."""
        out = np.zeros(self._width)
        call_address(self._addresses["rows"], t, np.concatenate([q, self._extra]), self._p, self._none, out)
        count = self.fixed + self.loose + self.asked
        return out[:count], out[count:].reshape(count, self.velocities)

    def outputs(self, q: np.ndarray, t: float) -> np.ndarray:
        return self.rows(q, t)[0][self.fixed + self.loose :]

    def moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        return q + step if len(q) == len(step) else self.kinematics.moved(q, step)

    def leave_out_redundant(self, q: np.ndarray, mechanism: Mechanism) -> None:
        """Keep constraints that are independent; with the deviations they must hold every body."""
        held = self.fixed + self.loose
        jacobian = self.kinematics.scaled(self.rows(q, 0.0)[1][:held], self.size)
        # deviations first, so that none of them is taken for redundant as long as a constraint can be left out instead
        order = np.r_[self.fixed : held, 0 : self.fixed]
        left_out = order[dependent(jacobian[order])]
        self.kept = np.array([k for k in range(held) if k not in set(left_out.tolist())])
        self._check_freedoms(mechanism, q)
        lost = [play.joint for play in self.plays if any(self.fixed + k in left_out for k in _range(play))]
        if lost:
            raise GudgeonError(
                f'tolerance: joint "{lost[0]}" is held by other joints too, so that its play cannot be taken up '
                "freely; give these joints play as well, or leave out what holds it twice (gudgeon check names it)"
            )

    def _check_freedoms(self, mechanism: Mechanism, q: np.ndarray) -> None:
        """What is asked for must not change with motions that nothing drives; a rod between two balls may spin. Looked
        at also a little away, since at a dead centre a slider stands still while its crank turns."""
        self.free = self.velocities - len(self.kept)
        for place in (q, self._elsewhere(q)) if self.free else ():
            outputs = self.kinematics.scaled(self.rows(place, 0.0)[1][self.fixed + self.loose :], self.size)
            changed = np.abs(outputs @ self._free_motions(place)).max(axis=1)
            moves = changed > FREE * np.maximum(np.abs(outputs).max(axis=1), 1e-300)
            if moves.any():
                name = next(name for name, own in self.groups.items() if moves[own].any())
                raise GudgeonError(
                    f'tolerance: {name} of "{mechanism.name}" changes with a motion that nothing drives, so that it is '
                    "not known over a cycle; drive a joint, for instance main: {speed: 60 rpm}"
                )

    def _free_motions(self, q: np.ndarray) -> np.ndarray:
        """Small motions per length that the constraints leave free, as columns."""
        matrix = self.kinematics.scaled(self.rows(q, 0.0)[1][self.kept], self.size)
        return np.linalg.svd(matrix)[2][len(self.kept) :].T

    def _elsewhere(self, q: np.ndarray) -> np.ndarray:
        """A position a little along the free motions."""
        step = AWAY * self.size * self._free_motions(q).sum(axis=1)
        step[self.kinematics.angular] /= self.size
        away = self.solve(self.moved(q, step), 0.0)
        return q if away is None else away

    def _solved(self, matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
        """The motion; where some motion is free the smallest one."""
        if self.free == 0:
            return np.asarray(np.linalg.solve(matrix, right))
        return np.asarray(np.linalg.lstsq(matrix, right, rcond=RANK)[0])

    def solve(self, q: np.ndarray, t: float, deviations: np.ndarray | None = None) -> np.ndarray | None:
        """The position by Newton's method from one nearby; None where there is none."""
        wanted = np.zeros(self.fixed + self.loose)
        if deviations is not None:
            wanted[self.fixed :] = deviations
        for _ in range(TRIES):
            values, jacobian = self.rows(q, t)
            residual = wanted[self.kept] - values[self.kept]
            if np.abs(residual).max(initial=0.0) <= CLOSED * self.size:
                return q
            try:
                step = self._solved(jacobian[self.kept], residual)
            except np.linalg.LinAlgError:
                return None
            if not np.abs(step).max() < 1.0 + self.size:
                return None
            q = self.moved(q, step)
        # what rounding leaves is no reason to give up
        return q if np.abs(residual).max() <= 1e3 * CLOSED * self.size else None

    def influence(self, q: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray, float]:
        """Outputs, S and how far the constraints are from losing rank."""
        held = self.fixed + self.loose
        values, jacobian = self.rows(q, t)
        matrix = jacobian[self.kept]
        columns = np.zeros((len(self.kept), self.loose))
        for row, k in enumerate(self.kept):
            if k >= self.fixed:
                columns[row, k - self.fixed] = 1.0
        singular = np.linalg.svd(self.kinematics.scaled(matrix, self.size), compute_uv=False)
        closeness = float(singular[-1] / singular[0])
        return values[held:], jacobian[held:] @ self._solved(matrix, columns), closeness


def influences(mechanism: Mechanism, asked: Sequence[str] = (), *, points: Mapping[str, Point] | None = None,
               instants: int = 72, period: float | None = None) -> Influences:  # fmt: skip
    """The influence of every play on what is asked for, at `instants` positions of a cycle of `period` [s].

    asked   channels of position: `slider.x`, `rod.angle`, or `tool.x` of one of the points
    points  by name: a body and where the point is in the described position [m]

    Beams and modal links are rigid here.
    """
    known = {name: (body, tuple(map(float, at))) for name, (body, at) in (points or {}).items()}
    mechanism.check()
    mechanism = mechanism.stiffened()
    span = period or period_of(mechanism)
    if span is None:
        raise GudgeonError(
            f'tolerance: "{mechanism.name}" has no joint that is driven at constant speed, so that its cycle is not '
            "known; drive a joint at a constant speed, or give period= of its motion"
        )
    equations = _Positions(mechanism, asked, known)
    q = find_start(mechanism, equations.kinematics, equations.kinematics, equations.size).q
    equations.leave_out_redundant(q, mechanism)
    times = np.arange(instants) * (span / instants)
    states = _cycle(mechanism, equations, q, times)
    parts = [equations.influence(state, float(t)) for state, t in zip(states, times, strict=True)]
    values, matrices, closeness = (np.array([part[k] for part in parts]) for k in range(3))
    return Influences(mechanism, equations.groups, equations.units, equations.plays, times, values, matrices, closeness,
                      equations, states)  # fmt: skip


def _cycle(mechanism: Mechanism, equations: _Positions, q: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The positions with ideal joints at these times, each from the one before it."""
    states = [q]
    for k in range(1, len(times)):
        state, parts = None, 1
        while state is None and parts <= 2**HALVINGS:
            state = states[-1]
            if parts == 1 and k > 1:
                step = equations.moved(states[-1], np.zeros(equations.velocities))
                if len(q) == equations.velocities:
                    step = 2.0 * states[-1] - states[-2]  # as it went on
                state = step
            for t in np.linspace(times[k - 1], times[k], parts + 1)[1:]:
                state = None if state is None else equations.solve(state, float(t))
            parts *= 2
        if state is None:
            raise GudgeonError(
                f'tolerance: "{mechanism.name}" cannot be assembled beyond {times[k - 1]:.6g} s of its cycle with '
                "ideal joints; it does not turn fully, or stands at a change point"
            )
        states.append(state)
    return np.array(states)


def _split(trace: Trace) -> tuple[list[Constraint], list[Play], list[Constraint]]:
    """Constraints that stay, the plays, and the deviations of loose pairs."""
    fixed: list[Constraint] = [c for c in trace.equations.constraints if c.drive]
    plays: list[Play] = []
    deviations: list[Constraint] = []
    for joint in trace.mechanism.joints.values():
        loose = [name for name, fit in joint.fit.items() if fit.loose]
        held = [name for name in joint.fit if name not in loose]
        rows = trace.space.rows(joint, held)
        fixed += [Constraint(joint.name, label, trace.graph.scalar(x)) for label, x in rows.items()]
        for name in loose:
            mate = trace.space.mates[name]
            gap, iso = joint.gap(name), getattr(joint.fit[name], "iso", None)
            sizes = trace.space.sizes(joint, trace.graph.scalar(gap))
            for label, vector in _deviations(mate, *trace.surfaces(joint), sizes).items():
                first = len(deviations)
                deviations += [Constraint(joint.name, f"{label}{k}", trace.graph.scalar(x))
                               for k, x in enumerate(vector)]  # fmt: skip
                words = [*([name] if len(loose) > 1 else []), *([label] if label else [])]
                largest, own = iso_fit(iso).maximum if iso else gap, slice(first, len(deviations))
                plays.append(Play(joint.name, name, ".".join(words), largest, own, mate.angular, iso or ""))
    if not plays:
        raise GudgeonError(
            f'tolerance: no joint of "{trace.mechanism.name}" has play; give one a clearance, for instance '
            "fit: {clearance: {iso: 20 H7/f7, ...}}"
        )
    return fixed, plays, deviations


def _deviations(mate: Any, i: Any, j: Any, sizes: Any) -> dict[str, tuple[Any, ...]]:
    """What stays within the clearance: of a sleeve the places of both ends of the journal."""
    offsets: dict[str, tuple[Any, ...]] = mate.offsets(i, j, sizes)
    if set(offsets) == {"radial", "conical"}:
        half = 0.5 * sizes.length
        return {end: tuple(a + sign * half * b for a, b in zip(offsets["radial"], offsets["conical"], strict=True))
                for end, sign in (("front", 1.0), ("rear", -1.0))}  # fmt: skip
    return offsets


def _range(play: Play) -> range:
    return range(play.components.start, play.components.stop)


def _outputs(trace: Trace, asked: Sequence[str],
             points: Mapping[str, Point]) -> tuple[dict[str, slice], tuple[str, ...], list[Any]]:  # fmt: skip
    """What is asked for: the places of its numbers by name, the unit of each name, and the formulas of the numbers."""
    mechanism, axes = trace.mechanism, trace.space.axes
    known: dict[str, tuple[str, list[Any]]] = {}
    places = {name: trace.bodies[name].frame.origin for name in mechanism.bodies}
    for name, (body, at) in points.items():
        if body not in mechanism.bodies:
            likely = closest(body, mechanism.bodies)
            raise GudgeonError(f'tolerance: point "{name}": body "{body}" is not known'
                               + (f'; did you mean "{likely}"?' if likely else ""))  # fmt: skip
        if name in mechanism.bodies:
            raise GudgeonError(f'tolerance: point "{name}" has the name of a body; give it another one')
        if len(at) != len(axes):
            raise GudgeonError(f'tolerance: point "{name}" has {len(at)} coordinates; give {len(axes)} of them [m]')
        places[name] = trace.point(body, f"{body}.{name}", tuple(mechanism.link(body).local(at)))
    for name, place in places.items():
        known |= {f"{name}.{axis}": ("m", [getattr(place, axis)]) for axis in axes}
        known[name] = ("m", [getattr(place, axis) for axis in axes])
    angles = {name: getattr(trace.bodies[name].frame, "angle", None) for name in mechanism.bodies}
    known |= {f"{name}.angle": ("rad", [angle]) for name, angle in angles.items() if angle is not None}
    names = list(dict.fromkeys(asked or points))
    if not names:
        raise GudgeonError('tolerance: say which position, for instance "slider.x" or a point of a body')
    groups, formulas = dict[str, slice](), list[Any]()
    for name in names:
        if name not in known:
            likely = closest(name, known)
            raise GudgeonError(f'tolerance: "{name}" is no position; ' + (f'did you mean "{likely}"?' if likely else
                               f"choose from {', '.join(list(known)[:8])}"))  # fmt: skip
        groups[name] = slice(len(formulas), len(formulas) + len(known[name][1]))
        formulas += known[name][1]
    return groups, tuple(known[name][0] for name in names), formulas
