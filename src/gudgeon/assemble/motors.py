"""Motors and speed controllers: torques on the rotation of a joint that have states of their own.

A motor with the turn φ of its joint, gear n and current I (Bauchau and Rodriguez 2002):

    L I' + R I + n K_ω φ' = V,      torque on φ: n K_T I

With L = 0 the current is (V - n K_ω φ') / R at once. What the supply gives is V I: R I² heats the winding, L I²/2 is
stored, n K_T I φ' goes to the shaft. In SI units K_T = K_ω; where a data sheet says otherwise, (K_ω - K_T) n φ' I is
lost on the way and has its own line in the ledger.

The rotor turns with s = n φ' + (spin of the bearing about the axis), its kinetic energy is J s²/2. Its inertia is no
part of any body, so it enters as a force f = -J s' along the row r = ds/dv, one more equation beside the constraints:

    r a + r' v + f / J = 0

that is, a constraint row with the softness 1/J on the diagonal of its matrix. Where the bearing turns in space, the
momentum J s along the axis b also answers by the moment -J s (ω x b) on it. Mass and transverse inertia of the rotor
belong to the body that carries the motor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gudgeon.assemble.equations import Rotor
from gudgeon.assemble.signals import signal_value
from gudgeon.graph import Scalar
from gudgeon.model import Controller, Motor
from gudgeon.model.names import GROUND
from gudgeon.native.scalar import opaque

if TYPE_CHECKING:
    from gudgeon.assemble.trace import Trace

CURRENT, HELD = "current", "held"  # names of the internal states, behind the joint's


def clipped(asked: float, limit: float) -> float:
    """The torque that is asked for, within the limit."""
    if asked > limit:
        return limit
    return -limit if asked < -limit else asked


@dataclass(frozen=True)
class Supply:
    """A motor's electrical side: current [A], voltage [V], and powers [W] taken, heated and lost; stored energy [J]."""

    current: Scalar
    voltage: Scalar
    power: Scalar
    copper: Scalar
    conversion: Scalar
    magnetic: Scalar


@dataclass(frozen=True)
class Actuator:
    """A motor or controller on a joint: speed of the joint [rad/s] and torque on its journal [N m]."""

    joint: str
    speed: Scalar
    torque: Scalar
    supply: Supply | None = None  # None: a controller
    target: Scalar | None = None  # of a controller [rad/s]


class Motors:
    """Builds motors and controllers into the equations of a trace."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.graph = trace, trace.graph
        self.list: list[Actuator] = []
        self.kinetic = self.graph.zero  # energy of the rotors
        for motor in trace.mechanism.motors.values():
            self._motor(motor)
        for controller in trace.mechanism.controllers.values():
            self._controller(controller)

    @property
    def supplies(self) -> list[Supply]:
        return [one.supply for one in self.list if one.supply is not None]

    @property
    def controlled(self) -> list[Actuator]:
        """Those whose work is that of drives."""
        return [one for one in self.list if one.supply is None]

    def _add(self, joint: str, torque: Scalar, supply: Supply | None = None, target: Scalar | None = None) -> None:
        """Let a torque act between journal and bearing."""
        turn = self._turn(joint)
        self.trace.equations.apply(torque, self.trace.equations.gradient(turn))
        self.list.append(Actuator(joint, self.trace.equations.ddt(turn), torque, supply, target))

    def _turn(self, joint: str) -> Scalar:
        return self.trace.coordinate(self.trace.mechanism.joints[joint], "rotation")

    def _motor(self, motor: Motor) -> None:
        name, number, trace = motor.joint, self.trace.parameters.number, self.trace
        gear = trace.parameters.geometry(f"{name}.gear", motor.gear)
        voltage = signal_value(motor.voltage, trace.time, f"{name}.voltage", trace.parameters)
        resistance = trace.parameters.geometry(f"{name}.resistance", motor.resistance)
        emf, coupling = number(f"{name}.back_emf", motor.back_emf), number(f"{name}.torque_constant", motor.coupling)
        spin = gear * trace.equations.ddt(self._turn(name))
        magnetic = self.graph.zero
        if motor.inductance == 0.0:
            current = (voltage - emf * spin) / resistance
        else:
            inductance = number(f"{name}.inductance", motor.inductance)
            current, index = trace.states.add(f"{name}.{CURRENT}", motor.current)
            trace.states.set_rate(index, (voltage - resistance * current - emf * spin) / inductance)
            magnetic = 0.5 * inductance * (current * current)
        conversion = self.graph.zero if motor.coupling == motor.back_emf else (emf - coupling) * spin * current
        copper = resistance * (current * current)
        supply = Supply(current, voltage, voltage * current, copper, conversion, magnetic)
        self._add(name, gear * coupling * current, supply)
        if motor.rotor_inertia:
            self._rotor(name, spin, number(f"{name}.rotor_inertia", motor.rotor_inertia))

    def _rotor(self, joint: str, spin: Scalar, inertia: Scalar) -> None:
        trace, eq = self.trace, self.trace.equations
        if trace.mechanism.joints[joint].bearing != GROUND:
            place = trace.places[joint][1]
            spin = spin + trace.space.axial_spin(place)
            for component, rate in trace.space.gyration(place, inertia * spin):
                eq.apply(component, eq.velocity_gradient(rate))
        eq.rotors.append(Rotor(eq.velocity_gradient(spin), -eq.ddt(spin), inertia))
        self.kinetic = self.kinetic + 0.5 * inertia * (spin * spin)

    def _controller(self, controller: Controller) -> None:
        name, number, trace = controller.joint, self.trace.parameters.number, self.trace
        gain = number(f"{name}.gain", controller.gain)
        target = signal_value(controller.speed, trace.time, f"{name}.speed", trace.parameters)
        error = target - trace.equations.ddt(self._turn(name))
        asked, index = gain * error, None
        if controller.integral or controller.preset:
            held, index = trace.states.add(f"{name}.{HELD}", controller.preset)
            asked = asked + held
        torque = asked
        if controller.limit is not None:
            limit = number(f"{name}.limit", controller.limit)
            torque = self.graph.call(opaque(clipped, 2, block=False), (asked, limit))
        if index is not None:
            integral = trace.parameters.geometry(f"{name}.integral", controller.integral)
            trace.states.set_rate(index, integral * (error + (torque - asked) / gain))
        self._add(name, torque, target=target)
