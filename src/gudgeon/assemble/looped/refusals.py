"""What loops over parts of equal formulas cannot do, and from which size on they are ready sooner."""

from __future__ import annotations

from gudgeon.assemble.needs import Needs, Refusal
from gudgeon.assemble.written_out import acceleration_refusals
from gudgeon.model import Formula, Mechanism
from gudgeon.model.signals import SignalOf, reads_motion, signals_of

# Bodies, joints and loads beyond which code loops over equal parts, in the plane and in space. Chains, written out
# against in loops, CPU seconds until ready and ns per body and evaluation of rhs:
#   plane   4 bodies 0.2 s, 19 ns / 0.2 s, 31 ns;  12: 0.6 s, 22 ns / 0.2 s, 30 ns;  32: 2.3 s, 29 ns / 0.2 s, 29 ns
#   space   3 bodies 0.7 s, 86 ns / 0.8 s, 111 ns;  6: 2.3 s, 159 ns / 0.3 s, 134 ns;  8: 4.0 s, 209 ns / 0.2 s, 132 ns
# Code written out is not slower up to some 3000 operations in the plane and 6000 in space; at half of that it is ready
# many times later, to be a fifth faster.
LARGE = {True: 24, False: 10}


def refuses(mechanism: Mechanism, needs: Needs) -> list[Refusal]:
    """What the formulation "looped" cannot do."""
    joints = mechanism.joints.values()
    rubbing = [getattr(fit, "friction", None) for joint in joints for fit in joint.fit.values()]
    unknown = {
        "impacts as events": needs.hard_walls,
        "motors with the inertia of a rotor": any(motor.rotor_inertia for motor in mechanism.motors.values()),
        "links with modes": bool(mechanism.modal_links),
        "friction in ideal joints": any(joint.reaction_friction for joint in joints),
        "loads that read a joint": any(_reads_others(mechanism, x) for x in signals_of(mechanism)),
        "bristles in space": not mechanism.planar and any(getattr(law, "states", 0) for law in rubbing),
    }
    refusals = [not_known(what) for what, applies in unknown.items() if applies]
    return refusals + acceleration_refusals(mechanism, needs)


def _reads_others(mechanism: Mechanism, x: SignalOf) -> bool:
    """Whether a signal reads a joint that it does not act on; of a function that is not known."""
    if not reads_motion(x.signal):
        return False
    if not isinstance(x.signal, Formula):
        return True
    own = [x.name] if x.name in mechanism.motors or x.name in mechanism.controllers else []
    return not {name.partition(".")[0] for name in x.signal.reads} <= {*own, *mechanism.bodies}


def not_known(what: str) -> Refusal:
    return Refusal("unrolled=False", f"code in loops does not support {what}", "leave unrolled out")


def is_large(mechanism: Mechanism, times: int = 1) -> bool:
    """Whether loops are to be preferred; or whether it has so many times the parts from which on they are."""
    loads = (mechanism.springs, mechanism.forces, mechanism.torques)
    parts = sum(len(group) for group in (mechanism.bodies, mechanism.joints, *loads))
    return parts > times * LARGE[mechanism.planar]
