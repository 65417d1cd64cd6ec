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

Over a step of `decay`, whose stages have the currents I_0 at its start and I_1 in its middle, the equation of the
winding times the currents of the stages, with the charges h I = q_0 + q_1, q_0 = h (I_0 - I_1)/3, is

    L Σ I_s δI_s = [h V_1 I_1 + h/3 (V_0 - V_1)(I_0 - I_1)] - R [h I_1² + h/3 (I_0 - I_1)²] - n K_ω Σ I_s ψ_s

The brackets are the integrals of V I and I² where both are linear in time. So the supply gives the first, the second
heats the winding, and the shaft gets n K_T Σ I_s ψ_s, which is what the torques of the stages do. Methods of one stage
have the means alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gudgeon.assemble.solve.equations import Rotor
from gudgeon.assemble.trace.signals import signal_value
from gudgeon.compile.graph import Scalar
from gudgeon.compile.native.scalar import opaque
from gudgeon.model import Controller, Motor
from gudgeon.model.names import GROUND

if TYPE_CHECKING:
    from gudgeon.assemble.trace.trace import Trace

SUPPLIED = ("electrical", "copper", "conversion")  # integrals of motors
CURRENT, HELD = "current", "held"  # names of the internal states, behind the joint's


def clipped(wanted: float, limit: float) -> float:
    """The torque that the controller wants, within the limit."""
    if wanted > limit:
        return limit
    return -limit if wanted < -limit else wanted


@dataclass(frozen=True)
class Passing:
    """What a stage of a step passes: its length [s], 0 but in the last; the share of it that products of jumps have;
    formulas at the start of the step; of what is linear in velocities its way; of internal states their steps."""

    length: Scalar
    share: Scalar
    before: Callable[[Scalar], Scalar]
    along: Callable[[Scalar], Scalar]
    passed: Callable[[Scalar], Scalar]


@dataclass(frozen=True)
class Supply:
    """A motor's electrical side: current [A], voltage [V], resistance [ohm], the voltages [V] that turning induces and
    that the torque is worth, stored energy [J]."""

    current: Scalar
    voltage: Scalar
    resistance: Scalar
    induced: Scalar
    worth: Scalar
    magnetic: Scalar
    winding: bool  # with inductance, so that the current is a state

    @property
    def powers(self) -> list[Scalar]:
        """Given by the supply, heated and lost on the way to the shaft [W]."""
        i = self.current
        return [self.voltage * i, self.resistance * (i * i), (self.induced - self.worth) * i]

    def works(self, step: Passing) -> list[Scalar]:
        """The same over one stage of a step [J]."""
        i, turned, jump = self.current, step.along(self.induced), step.before(self.voltage) - self.voltage
        given = step.length * self.voltage * i
        if self.winding:
            drop = i - step.before(i) - step.passed(i)  # I_0 - I_1, since I_1 lies midway between I_0 and the end
            given = given + step.share * jump * drop
            heat = self.resistance * (step.length * (i * i) + step.share * (drop * drop))
        else:
            beside = step.share * jump - (step.length * self.induced - turned)
            given = given + jump * beside / self.resistance
            heat = given - i * turned
        return [given, heat, i * (turned - step.along(self.worth))]


@dataclass(frozen=True)
class Actuator:
    """A motor or controller on a joint: speed of the joint [rad/s] and torque on its journal [N m]."""

    joint: str
    speed: Scalar
    torque: Scalar
    supply: Supply | None = None  # None: a controller
    target: Scalar | None = None  # of a controller [rad/s]


@dataclass(frozen=True)
class Motors:
    """The motors and controllers of a mechanism, and the kinetic energy of the rotors."""

    actuators: tuple[Actuator, ...]
    kinetic: Scalar

    @property
    def supplies(self) -> list[Supply]:
        return [one.supply for one in self.actuators if one.supply is not None]

    @property
    def controlled(self) -> list[Actuator]:
        """Those whose work is that of drives."""
        return [one for one in self.actuators if one.supply is None]


def trace_motors(trace: Trace, *, complete: bool) -> Motors:
    """The motors and controllers of a mechanism; none where the trace is not `complete`."""
    tracer = _MotorTracer(trace)
    for motor in trace.mechanism.motors.values() if complete else ():
        tracer.motor(motor)
    for controller in trace.mechanism.controllers.values() if complete else ():
        tracer.controller(controller)
    return Motors(tuple(tracer.actuators), tracer.kinetic)


class _MotorTracer:
    """Builds one motor or controller after another into the equations of a trace."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.graph = trace, trace.graph
        self.actuators: list[Actuator] = []
        self.kinetic = self.graph.zero

    def _add(self, joint: str, torque: Scalar, supply: Supply | None = None, target: Scalar | None = None) -> None:
        """Let a torque act between journal and bearing."""
        turn = self._turn(joint)
        self.trace.equations.apply(torque, self.trace.equations.gradient(turn))
        self.actuators.append(Actuator(joint, self.trace.equations.ddt(turn), torque, supply, target))

    def _turn(self, joint: str) -> Scalar:
        return self.trace.coordinate(self.trace.mechanism.joints[joint], "rotation")

    def motor(self, motor: Motor) -> None:
        name, number, trace = motor.joint, self.trace.parameters.number, self.trace
        gear = trace.parameters.geometry(f"{name}.gear", motor.gear)
        voltage = signal_value(motor.voltage, trace, f"{name}.voltage")
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
        induced = emf * spin
        worth = induced if motor.coupling == motor.back_emf else coupling * spin
        supply = Supply(current, voltage, resistance, induced, worth, magnetic, motor.inductance != 0.0)
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

    def controller(self, controller: Controller) -> None:
        name, number, trace = controller.joint, self.trace.parameters.number, self.trace
        gain = number(f"{name}.gain", controller.gain)
        target = signal_value(controller.speed, trace, f"{name}.speed")
        error = target - trace.equations.ddt(self._turn(name))
        wanted, index = gain * error, None
        if controller.integral or controller.preset:
            held, index = trace.states.add(f"{name}.{HELD}", controller.preset)
            wanted = wanted + held
        torque = wanted
        if controller.limit is not None:
            limit = number(f"{name}.limit", controller.limit)
            torque = self.graph.call(opaque(clipped, 2, block=False), (wanted, limit))
        if index is not None:
            integral = trace.parameters.geometry(f"{name}.integral", controller.integral)
            trace.states.set_rate(index, integral * (error + (torque - wanted) / gain))
        self._add(name, torque, target=target)
