"""Values that no machine has: allowed, but hardly meant, mostly a number without a unit or with a wrong one.

`doubts` gives a sentence for each, with the part, the value and what is usual. What is usual stands in one table by the
name of the number (as in `Mechanism.parameters`), wide enough for a watch and for a ship's engine; what can only be
judged by two numbers together (a moment of inertia by the mass and the size of its body, a clearance by its radius)
stands below it, one function each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gudgeon.model.builder.mechanism import Mechanism
from gudgeon.model.fits.iso286 import iso_fit
from gudgeon.model.units import unit_of
from gudgeon.model.values import size_text

__all__ = ["USUAL", "Usual", "doubts", "separation", "typical_size"]


class Usual(NamedTuple):
    """Limits [SI] between which machines lie, and what is usual, in words."""

    low: float
    high: float
    words: str


USUAL: dict[str, Usual] = {
    "mass": Usual(1e-7, 1e6, "a steel cube of 10 mm has 7.8 g, one of 1 m 7.8 t"),
    "radius": Usual(1e-5, 5.0, 'pins have some millimetres: write "10 mm"'),
    "length": Usual(1e-5, 20.0, 'bearings have some millimetres to centimetres: write "20 mm"'),
    "width": Usual(1e-5, 20.0, 'guides have some millimetres to centimetres: write "20 mm"'),
    "journal_radius": Usual(1e-5, 20.0, 'write millimetres with their unit: "10 mm"'),
    "journal_length": Usual(1e-5, 20.0, 'write millimetres with their unit: "20 mm"'),
    "pitch": Usual(-1.0, 1.0, 'screws move by millimetres in a turn: write "2 mm"'),
    "viscosity": Usual(1e-5, 20.0, 'oils have 0.002 Pa s to 2 Pa s: write "46 mPa s", or "ISO VG 46 at 40 °C"'),
    "minimum_film": Usual(1e-9, 1e-3, 'films carry down to about 1 µm: write "1 µm"'),
    "liner_thickness": Usual(1e-6, 0.1, 'liners have some millimetres: write "2 mm"'),
    "friction": Usual(0.0, 2.0, "dry metals have 0.1 to 0.3"),
    "free_length": Usual(1e-5, 50.0, 'write millimetres with their unit: "50 mm"'),
    "preload": Usual(-1e9, 1e9, 'write "100 N"'),
    "voltage": Usual(-1e5, 1e5, 'write "24 V"'),
    "resistance": Usual(1e-6, 1e7, 'small motors have 0.1 ohm to 100 ohm: write "0.5 ohm"'),
    "inductance": Usual(0.0, 100.0, 'motors have some millihenry: write "1 mH"'),
    "gear": Usual(1e-4, 1e5, "gears have 0.01 to 1000"),
}
# by the unit, for numbers whose name does not say enough: springs, bushings, dampers
USUAL_BY_UNIT: dict[str, Usual] = {
    "N/m": Usual(1e-3, 1e12, 'springs have 100 N/m to 1e8 N/m: write "10 N/mm"'),
    "Nm/rad": Usual(1e-9, 1e11, 'write "10 Nm/rad"'),
    "N s/m": Usual(0.0, 1e9, 'dampers have 1 N s/m to 1e6 N s/m: write "100 N s/m"'),
    "Nm s/rad": Usual(0.0, 1e9, 'write "0.1 Nm s/rad"'),
}

CLEARANCE = (1e-4, 1e-1)  # of the radius: ISO fits have 2e-4 to 2e-2, worn joints and articles up to 5e-2
GAP = (1e-7, 1e-2)  # clearance [m] where no radius is known
LEAST_GYRATION = 0.03  # radius of gyration, in distances of the farthest joint from the centre of mass
MOST_GYRATION = 10.0  # the same in sizes of the mechanism
FASTEST = 150.0  # [m/s] of a joint by its drive: fast engines have pistons at 25 m/s
GRAVITY = (1.0, 30.0)  # [m/s^2], from the moon to Jupiter
LARGE = 50.0  # [m], a mechanism; millimetres without a unit look like this
FAR = 30.0  # a place from all others, in sizes of the rest
OVERLAP = 1e-2  # of the smaller radius, by which bodies that touch from outside lie in each other
MOST_TURNS = 25.0  # [rad] of a stop, four turns
SOFTEST = 1e3  # [N/m^n] of a wall
ONE_TURN = 2.0 * math.pi + 1e-9


def doubts(mechanism: Mechanism) -> Iterator[str]:
    """A sentence for each value that is allowed, but hardly meant."""
    far = list(_places(mechanism))
    yield from far
    # what depends on places says nothing new where one of them is wrong
    rules = (_numbers, _gravity, _angles, _stops, _walls, _unheld, _clearances, _transitions, _overlaps)
    for rule in (*rules, *(() if far else (_inertias, _speeds))):
        yield from rule(mechanism)


def _numbers(mechanism: Mechanism) -> Iterator[str]:
    """Every number by itself."""
    for path, value in mechanism.parameters.items():
        field = path.rpartition(".")[2]
        unit = unit_of(mechanism, path)
        usual = USUAL.get(field) or USUAL_BY_UNIT.get(unit)
        # a stiffness of 0 leaves a spring out, a preload of 0 is none
        if usual is not None and value != 0.0 and not usual.low <= value <= usual.high:
            yield f"{path} is {value:g} {unit}".rstrip() + f": {usual.words}"


def _gravity(mechanism: Mechanism) -> Iterator[str]:
    size = math.hypot(*mechanism.gravity)
    if size and not GRAVITY[0] <= size <= GRAVITY[1]:
        yield f'gravity is {size:g} m/s^2: the Earth has 9.81; write for instance "-9.81 m/s^2", or 0 for none'


def _own_points(mechanism: Mechanism) -> dict[str, list[tuple[str, Any]]]:
    """The joints of each body with their places on it [m], body-fixed from its centre of mass."""
    points: dict[str, list[tuple[str, Any]]] = {name: [] for name in mechanism.bodies}
    for joint in mechanism.joints.values():
        for body, point in ((joint.journal, joint.journal_point), (joint.bearing, joint.bearing_point)):
            if body in points:
                points[body].append((joint.name, point))
    return points


def typical_size(mechanism: Mechanism) -> float:
    """Largest extent [m] of the places of bodies and joints."""
    places = [body.at for body in mechanism.bodies.values() if hasattr(body, "at")]
    places += [mechanism.world(joint.journal, joint.journal_point) for joint in mechanism.joints.values()]
    return float(np.max(np.ptp(np.array(places, dtype=float), axis=0))) if places else 0.0


def _inertias(mechanism: Mechanism) -> Iterator[str]:
    """The radius of gyration of a body against the places of its joints and the size of the mechanism."""
    size = typical_size(mechanism)
    for name, points in _own_points(mechanism).items():
        body = mechanism.bodies[name]
        inertia = getattr(body, "inertia", None)
        if inertia is None or not points:
            continue
        largest = max(body.principal.moments) if hasattr(body, "principal") else inertia
        gyration = math.sqrt(largest / body.mass)
        joint, reach = max(((word, math.hypot(*point)) for word, point in points), key=lambda pair: pair[1])
        too_large = gyration > MOST_GYRATION * size > 0.0 and len(mechanism.bodies) > 1
        if too_large:
            yield (
                f'body "{name}" with {body.mass:g} kg and {largest:g} kg m^2 has a radius of gyration of '
                f"{size_text(gyration)}, but the mechanism is {size_text(size)} large; check mass and inertia: "
                'write "100 kg mm^2" with its unit'
            )
        elif gyration < LEAST_GYRATION * reach:
            usual = body.mass * reach**2 / 3.0
            yield (
                f'body "{name}" with {body.mass:g} kg and {largest:g} kg m^2 has a radius of gyration of '
                f'{size_text(gyration)}, but its joint "{joint}" is {size_text(reach)} from its centre of mass: a rod '
                f"of that mass has about {usual:.1g} kg m^2; check mass, inertia and places"
            )


def _unheld(mechanism: Mechanism) -> Iterator[str]:
    """Bodies that nothing holds or drives, beside others."""
    held: set[str] = set()
    for joint in mechanism.joints.values():
        held |= {joint.journal, joint.bearing}
    for spring in mechanism.springs.values():
        held |= {spring.body_i, spring.body_j}
    held |= {force.body for force in mechanism.forces.values()}
    for torque in mechanism.torques.values():
        held |= {torque.body, torque.reaction or torque.body}
    for name in mechanism.bodies:
        if name not in held and len(mechanism.bodies) > 1:
            yield f'body "{name}" has no joint, no spring and no load: it only falls; join it to another, or remove it'


def _walls(mechanism: Mechanism) -> Iterator[str]:
    """Walls as soft as springs, liners as thick as their joint."""
    for joint in mechanism.joints.values():
        for name, mate in joint.own_mates.items():
            fit, what = joint.fit[name], f'joint "{joint.name}"'
            stiffness = getattr(getattr(fit, "wall", None), "stiffness", None)
            if stiffness is not None and not mate.angular and stiffness < SOFTEST:
                yield (
                    f"{what}: its wall has a stiffness of {stiffness:g}: walls of metal have 1e6 to 1e12, of rubber "
                    '1e4 to 1e6; write "1e8 N/m" with its unit'
                )
            thickness = getattr(fit, "thickness", None) or getattr(fit, "liner_thickness", None)
            if thickness is not None and joint.radius is not None and thickness > joint.radius:
                yield (
                    f"{what}: a liner of {size_text(thickness)} is thicker than the radius {size_text(joint.radius)}; "
                    'liners have some millimetres: write "2 mm"'
                )


def _stops(mechanism: Mechanism) -> Iterator[str]:
    """Limits of more than some turns, or of some metres: numbers without their unit."""
    for joint in mechanism.joints.values():
        for direction, stop in joint.stops.items():
            for side in ("lower", "upper"):
                limit = getattr(stop, side)
                if direction == "rotation" and limit is not None and abs(limit) > MOST_TURNS:
                    yield (
                        f'the {side} stop of joint "{joint.name}" is at {limit:g} rad, {abs(limit) / ONE_TURN:.3g} '
                        f'turns: write "{limit:g} deg" for degrees'
                    )


def _angles(mechanism: Mechanism) -> Iterator[str]:
    for name, body in mechanism.bodies.items():
        angle = getattr(body, "angle", 0.0)
        if isinstance(angle, float) and abs(angle) > ONE_TURN:
            yield f'the angle of body "{name}" is {angle:g} rad, more than a turn: write "{angle:g} deg" for degrees'


def _places(mechanism: Mechanism) -> Iterator[str]:
    """The size of the whole, and places far from all others."""
    places: dict[str, Any] = {f'body "{name}"': body.at for name, body in mechanism.bodies.items()
                              if hasattr(body, "at")}  # fmt: skip
    for beam in mechanism.beams.values():
        places |= {f'end a of beam "{beam.name}"': beam.a, f'end b of beam "{beam.name}"': beam.b}
    whole = np.array(list(places.values()), dtype=float)
    size = float(np.max(np.ptp(whole, axis=0))) if len(places) else 0.0
    if size > LARGE:
        yield f'the mechanism is {size:.3g} m large; a number without a unit is in m, so write "{size:.3g} mm" for mm'
    for joint in mechanism.joints.values():
        places[f'joint "{joint.name}"'] = mechanism.world(joint.journal, joint.journal_point)
    names, points = list(places), np.array(list(places.values()), dtype=float)
    if size > LARGE or len(points) < 4 or len(points) > 400:
        return
    for k, name in enumerate(names):
        rest = np.delete(points, k, axis=0)
        spread = float(np.max(np.ptp(rest, axis=0)))
        away = float(np.min(np.linalg.norm(rest - points[k], axis=1)))
        if away > FAR * spread > 0.0:
            yield (
                f"{name} is {away:.3g} m from all other places, which lie within {size_text(spread)}; check the unit "
                "of its coordinates, which are m without one"
            )


def separation(mechanism: Mechanism, joint: Any) -> float:
    """The gap [m] between round bodies that touch from outside, as described; negative where they overlap."""
    apart = math.dist(mechanism.world(joint.journal, joint.journal_point),
                      mechanism.world(joint.bearing, joint.bearing_point))  # fmt: skip
    return apart - (joint.journal_radius or 0.0) - (joint.radius or 0.0)


def _overlaps(mechanism: Mechanism) -> Iterator[str]:
    """Round bodies that touch from outside and lie in each other as described."""
    for joint in mechanism.joints.values():
        if joint.kind.name != "contact":
            continue
        radii = (joint.journal_radius or 0.0, joint.radius or 0.0)
        depth = -separation(mechanism, joint)
        apart = sum(radii) - depth
        if depth > OVERLAP * min(radii):
            yield (
                f'joint "{joint.name}": the two bodies overlap by {size_text(depth)} as described: their middles are '
                f"{size_text(apart)} apart, their radii together {size_text(sum(radii))}; they will be thrown apart; "
                f"move one of them or give smaller radii"
            )


def _clearances(mechanism: Mechanism) -> Iterator[str]:
    for joint in mechanism.joints.values():
        for name, mate in joint.own_mates.items():
            fit = joint.fit[name]
            gap = getattr(fit, "radial_clearance", None)
            if not gap or mate.angular or getattr(fit, "iso", None) is not None:
                continue
            room = joint.radius if mate.round else joint.width and joint.width / 2 if "width" in mate.sizes else None
            what = "radius" if mate.round else "half the width"
            at = f'joint "{joint.name}": radial_clearance {size_text(gap)}'
            if room is None:
                if not GAP[0] <= gap <= GAP[1]:
                    yield f'{at}: joints have some micrometres to a millimetre of play; write "0.1 mm" or "20 µm"'
            elif not CLEARANCE[0] <= gap / room <= CLEARANCE[1]:
                usual = f"{size_text(1e-3 * room)} to {size_text(1e-2 * room)}"
                yield (
                    f"{at} is {gap / room:.2g} of the {what} {size_text(room)}: usual are 0.001 to 0.01, here {usual}; "
                    "it is half of what bore and journal differ in diameter"
                )


def _transitions(mechanism: Mechanism) -> Iterator[str]:
    """ISO fits whose parts may have no play at all."""
    for joint in mechanism.joints.values():
        for text in dict.fromkeys(getattr(fit, "iso", None) for fit in joint.fit.values()):
            fit = iso_fit(text) if text else None
            if fit is not None and fit.kind == "transition":
                yield (
                    f'joint "{joint.name}": ISO {fit.text} is a transition fit, radial clearance {fit.clearances}: '
                    "some of the parts that it allows are pressed together and have no play"
                )


def _speeds(mechanism: Mechanism) -> Iterator[str]:
    """Speeds of joints by their drives, and of bodies at the start."""
    points = _own_points(mechanism)
    for drive in mechanism.drives.values():
        speed, joint = drive.speed, mechanism.joints[drive.joint]
        if not isinstance(speed, float) or speed == 0.0:
            continue
        if (getattr(drive, "direction", None) or joint.kind.free) == "translation":
            if abs(speed) > FASTEST:
                yield f'drive of "{drive.joint}": {speed:g} m/s; machines slide at up to some 10 m/s: write "1 m/s"'
            continue
        pairs = ((joint.journal, joint.journal_point), (joint.bearing, joint.bearing_point))
        arms = [math.dist(own, other) for body, own in pairs for _, other in points.get(body, ())]
        fastest = abs(speed) * max(arms, default=0.0)
        if fastest > FASTEST:
            turns = speed * 60.0 / (2.0 * math.pi)
            # a speed of few digits in rad/s was hardly written in rpm
            remedy = "check the speed and the places of the joints"
            if speed == float(f"{speed:.3g}"):
                remedy = f'a number without a unit is in rad/s, so write "{speed:g} rpm" for turns per minute'
            yield (
                f'drive of "{drive.joint}": {speed:g} rad/s is {turns:.4g} rpm and moves the joints around it at '
                f"{fastest:.3g} m/s; {remedy}"
            )
    for name, body in mechanism.bodies.items():
        speed = math.hypot(*getattr(body, "velocity", (0.0,)))
        if speed > 10.0 * FASTEST:
            yield f'body "{name}" starts at {speed:g} m/s; write "1 m/s" or "100 mm/s" with its unit'
