"""Limits of mathematics: what a stiff, a tight and a thick-oiled joint tends to; elastic walls; time reversed."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from random_checks import (
    CHECKS,
    KNOWN,
    LEDGER,
    ROUNDING,
    Case,
    Check,
    apart,
    at_times,
    ledger,
    method_of,
    positions,
    run,
    walls_of,
)
from random_laws import make
from random_mechanism import Description, build, mates_of

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.results.run import State
from gudgeon.simulation import Numerics

STEP = 100.0  # how much further towards its limit the second run is
CLOSER = 10.0  # times smaller the distance from the limit must be; first order promises STEP
SETTLED = 0.2  # of the time in which the mechanism falls its own size: periods of the softest joints
NEAR = 1e-2  # of the size: distances from the limit below this are compared


def _plain_joints(whole: Description, mate: str) -> Iterator[str]:
    """Ideal joints of one contact pair, without friction, stops, drives and springs."""
    busy = {*whole["drives"], *whole["motors"], *whole["controllers"]}
    busy |= {spring["joint"] for spring in whole["torsion_springs"].values()}
    for name, joint in whole["joints"].items():
        pairs = list(mates_of(whole["planar"], joint["kind"]))
        if pairs == [mate] and not joint["fits"] and not joint["stops"] and name not in busy:
            yield name


def _towards(mates: tuple[str, ...], fit: Callable[[Case, str, str, float], Any]) -> Check:
    """A joint with a fit that tends to an ideal one: STEP further its motion is CLOSER times nearer to the ideal."""

    def check(case: Case) -> list[str] | None:
        whole = case.whole
        able = [(name, mate) for mate in mates for name in _plain_joints(whole, mate)]
        if not able or method_of(whole).order < 4 or walls_of(whole) or whole["boost"] != [0.0] * 3:
            return None
        name, mate = case.rng.choice(able)
        away = []
        for far in (1.0, STEP):
            other = copy.deepcopy(whole)
            other["joints"][name]["fits"] = {mate: fit(case, name, mate, far)}
            other["method"] = None
            away.append(apart(case.x, case.motion(run(build(other), other))))
        near = (away[0] < NEAR * case.size) & (case.d < KNOWN[case.order] * case.size)
        allowed = away[0] / CLOSER + 100.0 * case.d + 100.0 * ROUNDING * case.size
        # at the last time that is comparable, when the softer joint has had time to answer
        k = int(near.sum()) - 1
        if k < 0 or case.grid[k] < SETTLED * np.sqrt(whole["length"] / 9.81):
            return None
        if away[1][k] <= allowed[k]:
            return []
        return [f"{name} at {case.grid[k]:.3g} s is {away[0][k]:.1e} m from the limit, then {away[1][k]:.1e} m"]

    return check


def _weight(case: Case) -> float:
    return sum(body["mass"] for body in case.whole["bodies"].values()) * 9.81


def _stiff(case: Case, name: str, mate: str, far: float) -> Any:
    """A bushing whose stiffness grows: vibrations about the ideal joint have the amplitude load / stiffness. They are
    damped, since the forces of undamped ones do not become smaller, and friction elsewhere grows with their amounts."""
    weight = _weight(case)
    stiffness = 1e4 * far * weight / case.whole["length"]
    damping = 0.4 * np.sqrt(stiffness * weight / 9.81)
    return ["Bushing", {"liner": ["LinearLiner", {"stiffness": stiffness, "damping": damping}]}]


def _tight(case: Case, name: str, mate: str, far: float) -> Any:
    """Play that vanishes, with walls as stiff as to be indented by a tenth of it."""
    gap = 1e-3 * case.whole["length"] / far
    wall = ["ExactRestitution", {"stiffness": _weight(case) / (0.1 * gap) ** 1.5, "restitution": 0.3}]
    return ["Clearance", {"radial_clearance": gap, "wall": wall}]


def _thick(case: Case, name: str, mate: str, far: float) -> Any:
    """Oil that grows so thick that the journal does not leave the middle; its friction torque is left out."""
    joint, time = case.whole["joints"][name], case.whole["duration"]
    gap = 0.05 * joint["sizes"]["radius"]
    viscosity = 1e3 * far * _weight(case) * gap**2 * time / (joint["sizes"]["radius"] ** 3 * joint["sizes"]["length"])
    return ["Lubricated", {"radial_clearance": gap, "film": ["Moes", {"viscosity": viscosity}], "shear": False}]


# -- what nothing dissipates -----------------------------------------------------------------------------------


def lossless(whole: Description, times: bool) -> Description:
    """The same without anything that dissipates or drives; with `times` loads may follow the time."""
    other = copy.deepcopy(whole)
    other["method"] = None
    other |= {"motors": {}, "controllers": {}, "drives": {}}
    for group in ("springs", "torsion_springs"):
        for spring in other[group].values():
            spring["damping"] = 0.0
    for body in other["bodies"].values():
        if "damping" in body:
            body["damping"] = 0.0
    kept = ("constant", "joint", "field", *(("wave",) if times else ()))
    for group in ("forces", "torques"):
        other[group] = {name: part for name, part in other[group].items() if part["signal"]["kind"] in kept}
    for joint in other["joints"].values():
        joint["fits"] = {mate: _elastic(fit) for mate, fit in joint["fits"].items() if fit[0] != "Lubricated"}
        for stop in joint["stops"].values():
            stop["wall"] = _elastic(stop["wall"])
    return other


def _elastic(item: Any) -> Any:
    """A law or fit without losses: restitution 1, no damping, no friction."""
    name, values = item
    other: dict[str, Any] = {}
    for field, value in values.items():
        if field in ("restitution", "energy_ratio"):
            other[field] = 1.0
        elif field == "damping" and not isinstance(value, list):
            other[field] = 0.0
        elif field == "damping":
            other[field] = [[0.0] * 6] * 6
        elif field == "friction":
            other[field] = None
        else:
            is_law = isinstance(value, list) and len(value) == 2 and isinstance(value[1], dict)
            other[field] = _elastic(value) if is_law and value[0] != "Material" else value
    return [name, other]


def _requested(whole: Description) -> bool:
    """Whether restitution 1 is exactly elastic for each law: its own formula says so, or it has none to ask."""
    return all(make(wall).effective_restitution in (None, 1.0) for wall in walls_of(whole))


def _elastic_walls(case: Case) -> list[str] | None:
    """Restitution 1 without friction: walls give back what they take."""
    if not walls_of(case.whole) or method_of(case.whole).order < 4:
        return None
    other = lossless(case.whole, True)
    if not walls_of(other) or not _requested(other):
        return None
    m = build(other)
    results = [run(m, other, closer) for closer in (False, True)]
    failures = ledger(other, *results)
    result = results[1]
    open_now = any(not record.ended for record in result.contacts)
    lost = float(result["energy.contact"][-1])
    turned = sum(float(np.ptp(result[f"energy.{name}"])) for name in ("kinetic", "potential"))
    promised = LEDGER * result.evidence.rtol * max(result.evidence.steps, 100) * turned
    if not open_now and result.contacts and abs(lost) > promised:
        failures.append(f"elastic walls took {lost:.1e} J of {turned:.1e} J")
    return failures


def _backwards(case: Case) -> list[str] | None:
    """Where nothing dissipates, the motion with all speeds reversed goes back to where it began."""
    other = lossless(case.whole, False)
    if method_of(other).order < 4 or any(body["type"] == "beam" for body in other["bodies"].values()):
        return None
    if walls_of(other) and not _requested(other):
        return None
    m = build(other)
    absolute = {"numerics": Numerics(coordinates="absolute", reduce=False)}
    there, closer = (run(m, other, fine, **absolute) for fine in (False, True))
    names, planar = case.names, case.planar
    x, z = (at_times(*positions(result, names, planar), case.grid) for result in (there, closer))
    d = apart(x, z)
    if d[-1] > 1e-7 * case.size or any(not record.ended for record in there.contacts):
        return None
    system = assemble(m, reduce=False)
    y = there.end.y.copy()
    y[system.positions : system.positions + system.velocities] *= -1.0
    turned = replace_end(there, State(there.end.t, y, there.end.m))
    back = run(m, other, resume=turned, **absolute)
    t, w = positions(back, names, planar)
    w = at_times(t - t[0], w, case.grid)[:, ::-1]
    e = float(np.linalg.norm(w - x, axis=2).max())
    # errors of the way there grow on the way back as they did going
    allowed = 1e4 * (d[-1] + ROUNDING * case.size)
    return [f"{e:.1e} m from where it began, known to {d[-1]:.1e} m"] if e > allowed else []


def replace_end(result: gd.Run, end: State) -> gd.Run:
    other = copy.copy(result)
    other.end = end
    return other


CHECKS |= {
    "stiff bushing": _towards(("pin", "ball", "slot"), _stiff),
    "small clearance": _towards(("pin", "ball"), _tight),
    "thick oil": _towards(("pin",), _thick),
    "elastic walls": _elastic_walls,
    "backwards": _backwards,
}
