"""A motor: what turns a joint as an electrical machine does, by its voltage and not by decree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from gudgeon.model.names import about
from gudgeon.model.signals import Signal, read_signal
from gudgeon.quantity import SI, GudgeonError, Part, Unit

__all__ = ["Motor"]

Resistance = Annotated[SI, Unit("ohm", minimum=0.0)]
Inductance = Annotated[SI, Unit("H", minimum=0.0)]
BackEmf = Annotated[SI, Unit("V s/rad", minimum=0.0)]
TorqueConstant = Annotated[SI, Unit("N m/A", above=0.0)]
RotorInertia = Annotated[SI, Unit("kg m^2", minimum=0.0)]
Gear = Annotated[SI, Unit("")]
Current = Annotated[SI, Unit("A")]


@dataclass(frozen=True)
class Motor(Part):
    """A direct-current motor on the rotation of `joint`: its stator is fixed to the bearing, its shaft to the journal.

    L dI/dt + R I + back_emf gear turn' = voltage,   torque on the journal = gear torque_constant I

    voltage [V]: a number, a string, a formula or a function, as the components of a Force
    resistance [ohm]: of the winding
    back_emf [V s/rad]: voltage per speed of the rotor
    torque_constant [N m/A]: torque of the rotor per current; default: the same number as back_emf
    inductance [H]: of the winding; 0: the current follows the voltage at once
    rotor_inertia [kg m^2]: of the rotor about its own axis
    gear [-]: turns of the rotor for a turn of the joint
    current [A]: at the start
    """

    joint: str
    voltage: Signal
    resistance: Resistance
    back_emf: BackEmf
    torque_constant: TorqueConstant | None = None
    inductance: Inductance = 0.0
    rotor_inertia: RotorInertia = 0.0
    gear: Gear = 1.0
    current: Current = 0.0

    def __post_init__(self) -> None:
        with about(self.title, drop="Motor: "):
            super().__post_init__()

    def validate(self) -> None:
        object.__setattr__(self, "voltage", read_signal(self.voltage, "V", "voltage"))
        if self.resistance == self.inductance == 0.0:
            raise GudgeonError("resistance 0 and inductance 0 leave the current without bounds; give one of them")
        if self.inductance == 0.0 and self.current != 0.0:
            raise GudgeonError(
                f"current {self.current:g} at the start has no meaning without inductance, where it follows from the "
                "voltage; leave it out"
            )
        if self.gear == 0.0:
            raise GudgeonError("gear 0 connects nothing; give the turns of the rotor for a turn of the joint")
        if self.coupling == 0.0:
            raise GudgeonError("back_emf 0 needs torque_constant, which else has the same number; give torque_constant")

    @property
    def coupling(self) -> float:
        """Torque of the rotor per current [N m/A]."""
        return self.back_emf if self.torque_constant is None else self.torque_constant

    @property
    def title(self) -> str:
        """The motor in a message."""
        return f'motor of "{self.joint}"'
