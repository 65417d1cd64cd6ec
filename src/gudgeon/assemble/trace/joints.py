"""The phase of the joints: constraints of ideal mates, and contacts, liners, films and blocks of the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gudgeon.assemble.contact.blocks import ElasticBlock, make_block
from gudgeon.assemble.contact.contacts import Contact, ContactBuilder
from gudgeon.assemble.contact.films import Film, fill_film
from gudgeon.assemble.needs import ContactTreatment
from gudgeon.compile.graph import Scalar
from gudgeon.laws import Pair
from gudgeon.model import Bushing, Clearance, Elastic, Ideal, Joint, Lubricated, Touching
from gudgeon.space.mate import Mate, Touch

if TYPE_CHECKING:
    from gudgeon.assemble.trace.trace import Trace


@dataclass(frozen=True)
class JointParts:
    """What the joints of a mechanism are made of, beside constraints. `events` counts the contacts with onset and
    release."""

    contacts: tuple[Contact, ...]
    events: int
    films: tuple[Film, ...]
    blocks: tuple[ElasticBlock, ...]


def trace_joints(trace: Trace, contact: ContactTreatment, *, layers: bool) -> JointParts:
    """Constrain the ideal mates; with `layers` also trace the fits of the others and the stops."""
    tracer = JointTracer(trace, contact)
    for joint in trace.mechanism.joints.values():
        held = [name for name, fit in joint.fit.items() if trace.ideal or isinstance(fit, Ideal)]
        trace.place(joint)
        if trace.tree is None or joint.name not in trace.tree.joints:
            trace.equations.constrain(joint.name, trace.space.rows(joint, held))
        if layers and not trace.ideal:
            tracer.trace(joint)
    return JointParts(tuple(tracer.contacts), tracer.builder.events, tuple(tracer.films), tuple(tracer.blocks))


class JointTracer:
    """Traces the fits and stops of one joint after another."""

    def __init__(self, trace: Trace, contact: ContactTreatment) -> None:
        self.parent, self.graph, self.space, self.parameters = trace, trace.graph, trace.space, trace.parameters
        self.builder = ContactBuilder(trace.equations, trace.parameters, trace.states, contact)
        self.contacts: list[Contact] = []
        self.films: list[Film] = []
        self.blocks: list[ElasticBlock] = []

    def trace(self, joint: Joint) -> None:
        for name, fit in joint.fit.items():
            if not isinstance(fit, Ideal):
                TRACERS[type(fit)](self, joint, self.space.mates[name], fit)
        for direction in joint.stops:
            self._stop(joint, direction)

    def _clearance(self, joint: Joint, mate: type[Mate], fit: Clearance) -> None:
        gap_value = joint.gap(mate.name)
        gap = self.parameters.number(f"{joint.name}.{mate.clearance}", gap_value)
        touches = mate.touches(*self.parent.surfaces(joint), self.space.sizes(joint, gap))
        # surfaces without a gap never part
        self._layers(joint, mate, touches, fit, gap, gap_value, lasting=gap_value == 0.0)

    def _touching(self, joint: Joint, mate: type[Mate], fit: Touching) -> None:
        touches = mate.touches(*self.parent.places[joint.name], self.space.sizes(joint, self.graph.zero))
        self._layers(joint, mate, touches, fit, self.graph.zero, 0.0)

    def _layers(self, joint: Joint, mate: type[Mate], touches: list[Touch], fit: Any, gap: Scalar, gap_value: float,
                *, lasting: bool = False) -> None:  # fmt: skip
        """Gap, liner and wall of a one-sided fit; beyond the liner the forces of both add."""
        pair, wall_gap = joint.pair(mate.name), gap
        friction, liner = getattr(fit, "friction", None), getattr(fit, "liner", None)
        thickness = getattr(fit, "liner_thickness", None) or 0.0
        wall_block = self.parameters.block(f"{joint.name}.wall", fit.wall.pack(pair))
        rubs: dict[str, Any] = {"friction": friction, "share": self.space.share(joint, mate)}
        if friction is not None:
            rubs["friction_block"] = self.parameters.block(f"{joint.name}.friction", friction.pack(pair))
        if liner is not None:
            liner_block = self.parameters.block(f"{joint.name}.liner", liner.pack(pair))
            wall_gap = gap + self.parameters.number(f"{joint.name}.liner_thickness", thickness)
        for touch in touches:
            if liner is not None:
                self.contacts.append(self.builder.touch(joint.name, touch, "liner", liner, pair, gap, gap_value,
                                                        block=liner_block, lasting=lasting, **rubs))  # fmt: skip
            self.contacts.append(self.builder.touch(
                joint.name, touch, "wall", fit.wall, pair, wall_gap, gap_value + thickness, block=wall_block,
                angular=mate.angular, lasting=lasting and liner is None, **rubs))  # fmt: skip

    def _bushing(self, joint: Joint, mate: type[Mate], fit: Bushing) -> None:
        i, j = self.parent.surfaces(joint)
        pair = joint.pair(mate.name)
        sizes = self.space.sizes(joint, self.graph.zero)
        block = self.parameters.block(f"{joint.name}.liner", fit.liner.pack(pair))
        for label, offset in mate.offsets(i, j, sizes).items():
            if label in mate.angular_offsets:
                assert fit.conical is not None  # the joint has seen to it
                conical = self.parameters.block(f"{joint.name}.conical", fit.conical.pack(pair))
                self.contacts.append(self.builder.bush(joint.name, label, offset, fit.conical, pair, conical, True))
                continue
            self.contacts.append(self.builder.bush(joint.name, label, offset, fit.liner, pair, block, mate.angular))
        if fit.wall is not None:
            gap = self.parameters.number(f"{joint.name}.thickness", fit.thickness or 0.0)
            touches = mate.touches(i, j, sizes)
            wall_block = self.parameters.block(f"{joint.name}.wall", fit.wall.pack(pair))
            for touch in touches:
                self.contacts.append(self.builder.touch(
                    joint.name, touch, "wall", fit.wall, pair, gap, fit.thickness or 0.0, block=wall_block,
                    share=self.space.share(joint, mate)))  # fmt: skip

    def _elastic(self, joint: Joint, mate: type[Mate], fit: Elastic) -> None:
        offsets = mate.offsets(*self.parent.places[joint.name], self.space.sizes(joint, self.graph.zero))
        motions = (*offsets["shift"], *offsets["turn"])
        self.blocks.append(make_block(self.parent.equations, self.parameters, joint.name, motions, fit))

    def _lubricated(self, joint: Joint, mate: type[Mate], fit: Lubricated) -> None:
        i, j = self.parent.places[joint.name]
        number, pair = self.parameters.number, joint.pair(mate.name)
        gap, least, minimum = number(f"{joint.name}.radial_clearance", fit.radial_clearance), fit.least_film, None
        if least is not None:
            minimum = number(f"{joint.name}.minimum_film", least)
        reach = number(f"{joint.name}.film_reach", fit.film.reach(pair))
        sizes = self.space.sizes(joint, gap)
        gaps = (mate.ends if fit.film.whole else mate.film)(i, j, replace(sizes, reach=reach))
        self.films.append(fill_film(self.parent.equations, self.parameters, joint.name, gaps, fit, pair, gap, minimum))
        if least is not None:
            touches = mate.touches(i, j, sizes)
            self._layers(joint, mate, touches, fit, gap - minimum, fit.radial_clearance - least)

    def _stop(self, joint: Joint, direction: str) -> None:
        stop, x = joint.stops[direction], self.parent.coordinate(joint, direction)
        block = self.parameters.block(f"{joint.name}.stop", stop.wall.pack(Pair()))
        several = f"{direction}_" if len(joint.stops) > 1 else ""
        for label, limit, sign in (("upper", stop.upper, 1.0), ("lower", stop.lower, -1.0)):
            if limit is not None:
                edge = self.parameters.geometry(f"{joint.name}.stop.{several}{label}", limit)
                touch = Touch(several + label, sign * (x - edge), 0.0, None)
                self.contacts.append(self.builder.touch(
                    joint.name, touch, "stop", stop.wall, Pair(), self.graph.zero, 0.0, block=block,
                    angular=direction == "rotation"))  # fmt: skip


# how each fit is traced, other than Ideal, which is a constraint
TRACERS: dict[type[Any], Callable[..., None]] = {
    Clearance: JointTracer._clearance,
    Bushing: JointTracer._bushing,
    Lubricated: JointTracer._lubricated,
    Touching: JointTracer._touching,
    Elastic: JointTracer._elastic,
}
