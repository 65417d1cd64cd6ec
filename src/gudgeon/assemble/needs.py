"""What a method needs of the equations of motion, and why a formulation cannot give it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gudgeon.quantity import GudgeonError

ContactTreatment = Literal["force law", "event", "multiplier", "impulse"]
EquationForm = Literal["acceleration", "residual", "step"]


@dataclass(frozen=True)
class Needs:
    """What a method needs of the equations.

    form      "acceleration": solved for the accelerations; "residual": residuals and their tangent, with accelerations
              and multipliers among the states, which flexible links need; "step": also the forces over a step between
              two states
    jacobian  the derivative of the accelerations by the state
    formula   that derivative as a formula, however long it is; methods take differences where it is long
    contact   how walls and stops are treated: by their "force law"; as hard walls struck at an "event" and held by a
              constraint afterwards; as hard walls held by a "multiplier" of the residual form; as hard walls whose
              "impulse" over a fixed step is found
    sticking  Coulomb friction of hard walls in space that stick is in the equations, too
    """

    form: EquationForm = "acceleration"
    jacobian: bool = False
    formula: bool = False
    contact: ContactTreatment = "force law"
    sticking: bool = False

    @property
    def hard_walls(self) -> bool:
        """Whether walls and stops have Newton's restitution instead of a force law."""
        return self.contact != "force law"

    @property
    def delassus(self) -> bool:
        """Whether the equations have the Delassus matrix of the contacts and the velocity jump by their impulses."""
        return self.contact in ("event", "impulse")

    def lacks(self, wanted: Needs, *, contacts: bool) -> list[str]:
        """What a method with the needs `wanted` misses in equations that were assembled for these, of a mechanism with
        or without contacts."""
        order = ("acceleration", "residual", "step")
        missing = []
        if (self.form == "acceleration") != (wanted.form == "acceleration") or order.index(self.form) < order.index(
            wanted.form
        ):
            missing.append(f'the equations in the form "{wanted.form}"')
        if wanted.jacobian and not self.jacobian:
            missing.append("the Jacobian of the equations")
        if contacts and wanted.contact != self.contact:
            missing.append(f'contact by "{wanted.contact}"')
        if self.hard_walls and wanted.sticking and not self.sticking:
            missing.append("friction that sticks in the equations")
        return missing


ACCELERATIONS = Needs()  # of explicit methods with force laws


@dataclass(frozen=True)
class Refusal:
    """Something that a formulation cannot do: `what` is required, the `reason` it cannot be, and a `remedy`."""

    what: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.what}: {self.reason}; {self.remedy}"


def refuse(refusals: Sequence[Refusal]) -> None:
    """Raise the first refusal, if there is one."""
    if refusals:
        raise GudgeonError(str(refusals[0]))
