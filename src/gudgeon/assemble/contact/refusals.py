"""What hard walls and bristles in space cannot go with."""

from __future__ import annotations

from typing import Any

from gudgeon.assemble.needs import Needs, Refusal
from gudgeon.laws import FrictionLaw
from gudgeon.model import Mechanism

WITH_LAWS = "choose a method with contact laws, such as dopri5"


def contact_refusals(mechanism: Mechanism, needs: Needs) -> list[Refusal]:
    """Fits and stops of a mechanism that cannot be treated as `needs.contact` says, whatever the formulation."""
    refusals: list[Refusal] = []
    for joint in mechanism.joints.values():
        what = f'joint "{joint.name}"'
        for mate, fit in joint.fit.items():
            if needs.hard_walls:
                refusals += _hard_wall(what, fit, joint.gap(mate))
            if not mechanism.planar and needs.contact in ("force law", "multiplier"):
                refusals += _bristles_in_space(what, getattr(fit, "friction", None))
        if needs.hard_walls and joint.reaction_friction:
            reason = "it has friction from its reaction; an impact would have some from its impulse, too"
            refusals.append(Refusal(what, reason, WITH_LAWS))
        if needs.hard_walls:
            drive = mechanism.drives.get(joint.name)
            driven = None if drive is None else getattr(drive, "direction", None) or joint.kind.free
            for side, stop in joint.stops.items():
                refusals += _restitution(what, stop.wall)
                if side == driven:
                    reason = "its drive prescribes the motion that its stop limits, which no impact can change"
                    refusals.append(Refusal(what, reason, f"leave one of them out, or {WITH_LAWS}"))
    return refusals


def _hard_wall(what: str, fit: Any, gap: float) -> list[Refusal]:
    refusals = []
    if fit.loose and gap == 0.0:
        reason = "impacts as events need a clearance above 0"
        refusals.append(Refusal(what, reason, f"give the contact pair Ideal(), or {WITH_LAWS}"))
    if fit.loose and fit.layer > 0.0:
        reason = "it has a liner, which is compliant; impacts as events need rigid walls alone"
        refusals.append(Refusal(what, reason, f"leave the liner out, or {WITH_LAWS}"))
    return refusals + _restitution(what, getattr(fit, "wall", None))


def _restitution(what: str, law: Any) -> list[Refusal]:
    if law is None or law.newton_restitution is not None:
        return []
    reason = f"{type(law).__name__} has no restitution, which impacts as events need"
    return [Refusal(what, reason, "choose a wall with restitution=..., such as ExactRestitution")]


def _bristles_in_space(what: str, law: Any) -> list[Refusal]:
    if law is None or not law.states or type(law).component is not FrictionLaw.component:
        return []
    reason = f"{type(law).__name__} has a state along one line, but surfaces of space slide in two directions"
    return [Refusal(what, reason, "give it `component` and `component_rate` as LuGre has them")]
