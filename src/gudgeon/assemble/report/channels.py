"""What a run can report: named formulas of the state, with units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gudgeon.assemble.contact.blocks import ElasticBlock
from gudgeon.assemble.contact.contacts import Contact
from gudgeon.assemble.contact.films import Film
from gudgeon.assemble.contact.joint_friction import JointFriction
from gudgeon.assemble.report.reactions import Carrying, Wrench, least_norm
from gudgeon.assemble.solve.reactions import reaction
from gudgeon.assemble.trace.motors import SUPPLIED, Actuator
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Scalar, sqrt
from gudgeon.model import Joint
from gudgeon.model.fits.elastic import MOTIONS
from gudgeon.model.joint_kinds import UNITS
from gudgeon.model.names import GROUND
from gudgeon.space.mate import TINY_SQUARE

NO_WRENCHES: Mapping[str, Wrench] = {}


class Solved(Carrying, Protocol):
    """What channels ask of the equations: every acceleration, the multiplier of every constraint, the forces of drives
    that are no constraints, what joints carry that have no rows, and the self-stresses of redundant constraints."""

    @property
    def accelerations(self) -> list[Scalar]: ...

    @property
    def drives(self) -> dict[str, Scalar]: ...

    @property
    def stresses(self) -> Sequence[Carrying]: ...


@dataclass(frozen=True)
class Channel:
    """A named result. `unit` is SI, `label` a few words for axes and headers."""

    name: str
    unit: str
    label: str


def channels(trace: Trace, solution: Solved, size: float) -> dict[Channel, Scalar]:
    """Every channel of a mechanism, in the order they are listed to the user. `size` [m] is typical of it."""
    formulas: dict[Channel, Any] = {}

    def add(name: str, unit: str, label: str, value: Any) -> None:
        formulas[Channel(name, unit, label)] = trace.graph.scalar(value)

    start = 0
    for name, body in trace.bodies.items():
        if name != GROUND:
            body_channels(add, name, body, solution.accelerations[start : start + len(body.v)])
            start += len(body.v)
    for link in trace.modal.values():
        link.channels(add)
    for beam in trace.beams.values():
        beam.channels(add)
    internal = least_norm(trace, solution, solution.stresses, size)
    for joint in trace.mechanism.joints.values():
        joint_channels(add, trace, solution, joint, internal)
    contact_channels(add, trace)
    energies(add, trace, trace.moving, list(trace.states.integrals))
    return formulas


def contact_channels(add: Any, trace: Trace) -> None:
    for contact in trace.contacts:
        length, force, word = ("rad", "Nm", "moment") if contact.angular else ("m", "N", "normal force")
        add(f"{contact.name}.depth", length, "penetration", contact.depth)
        add(f"{contact.name}.rate", f"{length}/s", "penetration rate", contact.rate)
        add(f"{contact.name}.normal", force, word, contact.normal)
        if contact.friction_law is not None:
            add(f"{contact.name}.friction", "N", "friction force", contact.friction)
            add(f"{contact.name}.slip", "m/s", "slip", contact.slip)


WORDS = {"m": "position", "rad": "angle", "1": "Euler parameter"}


def body_channels(add: Any, name: str, body: Any, accelerations: list[Scalar]) -> None:
    for k, coordinate in enumerate(body.coordinates):
        add(f"{name}.{coordinate}", body.units[k], WORDS[body.units[k]], body.q[k])
    for k, velocity in enumerate(body.velocities):
        add(f"{name}.{velocity}", body.velocity_units[k], "velocity", body.v[k])
    for k, acceleration in enumerate(body.accelerations):
        add(f"{name}.{acceleration}", body.acceleration_units[k], "acceleration", accelerations[k])


def offset_channels(add: Any, trace: Trace, joint: Joint) -> None:
    """The journal's place in the bearing, as the mates of a joint report it."""
    i, j = trace.places[joint.name]
    for name, mate in joint.own_mates.items():
        measures = mate.measures(i, j)
        for word, measure in measures.items():
            add(f"{joint.name}.{word}", measure.unit, measure.words, measure.value)
        if "offset" in measures and joint.gap(name) > 0.0:
            clearance = trace.graph.input("p", trace.parameters.names.index(f"{joint.name}.{mate.clearance}"))
            ratio = measures["offset"].value / clearance
            add(f"{joint.name}.eccentricity", "1", "journal offset / clearance", ratio)


def joint_channels(add: Any, trace: Trace, solution: Solved, joint: Joint,
                   internal: Mapping[str, Wrench] = NO_WRENCHES) -> None:  # fmt: skip
    """Offset of the journal and the force on the journal's body at the joint, whatever enforces it; `internal` is what
    self-stresses add to it (`reactions.least_norm`)."""
    name = joint.name
    offset_channels(add, trace, joint)
    for film in trace.films:
        if film.joint == name:
            add(f"{name}.film_thickness", "m", "film thickness", film.thickness)
            add(f"{name}.film_force", "N", "film force", film.force)
            add(f"{name}.peak_pressure", "Pa", "peak film pressure", film.pressure)
            add(f"{name}.power_loss", "W", "power dissipated by the film", film.loss)
    for block in trace.blocks:
        if block.joint == name:
            for k, (motion, load) in enumerate(zip(block.motions, block.loads, strict=True)):
                way, shift = MOTIONS[k], k < 3
                length, force, word = ("m", "N", "force") if shift else ("rad", "Nm", "moment")
                add(f"{name}.{'e' if shift else ''}{way}", length, f"motion {way} in the bearing's axes", motion)
                add(f"{name}.load_{way}", force, f"{word} of the block along {way}", load)
    layers: list[Contact | Film | ElasticBlock | JointFriction] = [
        *trace.contacts, *trace.films, *trace.blocks, *trace.frictions]  # fmt: skip
    forces_here = [force for layer in layers if layer.joint == name for force in layer.forces]
    (wrench, _), axes = reaction(trace, solution, joint, forces_here), trace.space.axes
    if name in internal:
        wrench = [x + y for x, y in zip(wrench, internal[name], strict=True)]
    forces, moments = wrench[: len(axes)], wrench[len(axes) :]
    square = trace.graph.zero
    for axis, x in zip(axes, forces, strict=True):
        add(f"{name}.f{axis}", "N", f"force on journal {axis}", x)
        square = square + x * x
    add(f"{name}.force", "N", "joint force", sqrt(square + TINY_SQUARE))
    # surfaces with play, films, stops and friction turn the journal also where an ideal joint leaves it free
    trace.space.moments(add, joint, moments, loaded=bool(forces_here))
    friction_channels(add, trace, joint)
    for word, direction in joint.kind.coordinates.items():
        add(f"{name}.{word}", UNITS[direction], direction, trace.coordinate(joint, direction))
    if name in trace.motions:
        rotation = (getattr(trace.mechanism.drives[name], "direction", None) or joint.kind.free) == "rotation"
        drive = drive_force(trace, solution, name)
        add(f"{name}.{'torque' if rotation else 'drive_force'}", "Nm" if rotation else "N", "drive", drive)
    for actuator in trace.motors.actuators:
        if actuator.joint == name:
            _actuator(add, actuator)


def friction_channels(add: Any, trace: Trace, joint: Joint) -> None:
    """Friction of an ideal joint: of each surface load, slip and force, and their couple and force on the journal."""
    own = [friction for friction in trace.frictions if friction.joint == joint.name]
    for friction in own:
        add(f"{friction.name}.normal", "N", "load of the surface", friction.load)
        add(f"{friction.name}.slip", "m/s", "slip", friction.made.slip)
        add(f"{friction.name}.friction", "N", "friction force", friction.made.force)
    for way, word, unit in (("rotation", "torque", "Nm"), ("translation", "force", "N")):
        sums = [total for friction in own if (total := friction.along(way)) is not None]
        if sums:
            add(f"{joint.name}.friction_{word}", unit, f"{word} of friction on the journal",
                sum(sums[1:], sums[0]))  # fmt: skip


def _actuator(add: Any, actuator: Actuator) -> None:
    """Speed of the joint and what a motor or controller does on it."""
    name, supply = actuator.joint, actuator.supply
    add(f"{name}.speed", "rad/s", "speed of the joint", actuator.speed)
    add(f"{name}.torque", "Nm", "torque on the journal", actuator.torque)
    add(f"{name}.mechanical_power", "W", "power on the journal", actuator.torque * actuator.speed)
    if supply is not None:
        add(f"{name}.current", "A", "current", supply.current)
        add(f"{name}.voltage", "V", "voltage", supply.voltage)
        add(f"{name}.electrical_power", "W", "power of the supply", supply.powers[0])
    if actuator.target is not None:
        add(f"{name}.target", "rad/s", "target speed", actuator.target)


def drive_power(trace: Trace, multipliers: list[Scalar]) -> Scalar:
    """Power of all drives that are rows, or their work where the multipliers are impulses."""
    total = trace.graph.zero
    for constraint, x in zip(trace.equations.constraints, multipliers, strict=True):
        if constraint.drive:
            total = total + x * trace.equations.ddt(trace.motions[constraint.owner])
    return total


def drive_force(trace: Trace, solution: Solved, joint: str) -> Scalar:
    """Force or torque of a joint's drive."""
    if joint in solution.drives:
        return solution.drives[joint]
    rows = zip(trace.equations.constraints, solution.multipliers, strict=True)
    return next(x for constraint, x in rows if constraint.owner == joint and constraint.drive)


LEDGER = ("drive", "applied", "contact", "liner", "film", "friction", "damper")


def ledger(trace: Trace, solution: Solved) -> dict[str, Scalar]:
    """Powers to integrate: what drives and loads put in, what each contact takes, what dampers take."""
    graph = trace.graph
    powers: dict[str, Scalar] = {}
    if trace.motions or trace.motors.controlled:
        powers["drive"] = drive_power(trace, solution.multipliers)
        for actuator in trace.motors.controlled:
            powers["drive"] = powers["drive"] + actuator.torque * actuator.speed
        for name, force in solution.drives.items():
            powers["drive"] = powers["drive"] + force * trace.equations.ddt(trace.motions[name])
    for supply in trace.motors.supplies:
        for name, power in zip(SUPPLIED, supply.powers, strict=True):
            powers[name] = powers.get(name, graph.zero) + power
    if trace.loads.applied is not graph.zero:
        powers["applied"] = trace.loads.applied
    if trace.loads.damped is not graph.zero:
        powers["damper"] = trace.loads.damped
    if trace.frictions:
        powers["friction"] = sum((friction.made.lost for friction in trace.frictions), graph.zero)
    for k, contact in enumerate(trace.contacts):
        powers[f"absorbed.{k}"] = contact.absorbed
        if contact.friction_law is not None:
            powers[f"rubbed.{k}"] = contact.rubbed
    if trace.films:
        powers["film"] = sum((film.loss for film in trace.films), graph.zero)
    return powers


def energies(add: Any, trace: Trace, bodies: Sequence[Any], integrals: Sequence[str]) -> None:
    """The energy ledger: what went in is stored or taken, and the rest is the balance."""
    graph, states = trace.graph, trace.states
    kinetic = trace.motors.kinetic + trace.loads.kinetic
    for body in bodies:
        kinetic = kinetic + body.kinetic_energy()
    sums = dict.fromkeys((*LEDGER, *SUPPLIED), graph.zero)
    for name in integrals:
        value = states.integral(name)
        if name in sums:
            sums[name] = sums[name] + value
            continue
        what, k = name.split(".")
        contact = trace.contacts[int(k)]
        key = "friction" if what == "rubbed" else "liner" if contact.kind == "liner" else "contact"
        sums[key] = sums[key] + value
    add("energy.kinetic", "J", "kinetic energy", kinetic)
    add("energy.potential", "J", "potential energy", trace.loads.potential)
    for name, label in (("drive", "work of drives"), ("applied", "work of applied loads"),
                        ("contact", "dissipated by contact"), ("liner", "dissipated by liners"),
                        ("film", "dissipated by films"), ("friction", "dissipated by friction"),
                        ("damper", "dissipated by dampers")):  # fmt: skip
        add(f"energy.{name}", "J", label, sums[name])
    taken = sums["contact"] + sums["liner"] + sums["film"] + sums["friction"] + sums["damper"]
    balance = kinetic + trace.loads.potential + taken - sums["drive"] - sums["applied"]
    if trace.motors.supplies:
        magnetic = sum((supply.magnetic for supply in trace.motors.supplies), graph.zero)
        add("energy.magnetic", "J", "energy of the windings", magnetic)
        for name, label in zip(SUPPLIED, ("work of supplies", "heat of windings", "lost to the shaft"), strict=True):
            add(f"energy.{name}", "J", label, sums[name])
        balance = balance + magnetic + sums["copper"] + sums["conversion"] - sums["electrical"]
    add("energy.balance", "J", "energy balance", balance)
