"""What the residual form cannot do."""

from __future__ import annotations

from gudgeon.assemble.contact.refusals import contact_refusals
from gudgeon.assemble.needs import Needs, Refusal
from gudgeon.model import Mechanism
from gudgeon.model.signals import reads_motion


def refuses(mechanism: Mechanism, needs: Needs) -> list[Refusal]:
    """What the formulation "residual" cannot do."""
    refusals = []
    if needs.form == "acceleration" or needs.jacobian:
        reason = "the equations are not solved for the accelerations"
        refusals.append(Refusal("the residual form", reason, 'take method="alpha", "energy" or "decay"'))
    if needs.delassus:
        reason = "rigid walls are constraints with multipliers here"
        refusals.append(Refusal("the residual form", reason, "choose hard=True of alpha, energy or decay"))
    fed_back = [name for name, motor in mechanism.motors.items() if reads_motion(motor.voltage)]
    if fed_back and needs.form == "step":
        reason = "a voltage that reads the motion has no mean over a step"
        refusals.append(Refusal(f'motor of "{fed_back[0]}"', reason, 'take method="alpha" or "radau"'))
    return refusals + contact_refusals(mechanism, needs)
