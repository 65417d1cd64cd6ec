"""A lubricated gap: a film, and behind it a wall that touches where the film is thinner than its least."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gudgeon.assemble.contact.films import fill_film
from gudgeon.assemble.contact.fits.base import trace_layers, traces
from gudgeon.model import Joint, Lubricated
from gudgeon.space.mate import Mate

if TYPE_CHECKING:
    from gudgeon.assemble.trace.joints import JointTracer


@traces(Lubricated)
def trace(tracer: JointTracer, joint: Joint, mate: type[Mate], fit: Lubricated) -> None:
    i, j = tracer.parent.places[joint.name]
    number, pair = tracer.parameters.number, joint.pair(mate.name)
    gap, least, minimum = number(f"{joint.name}.radial_clearance", fit.radial_clearance), fit.least_film, None
    if least is not None:
        minimum = number(f"{joint.name}.minimum_film", least)
    reach = number(f"{joint.name}.film_reach", fit.film.reach(pair))
    sizes = tracer.space.sizes(joint, gap)
    gaps = (mate.ends if fit.film.whole else mate.film)(i, j, replace(sizes, reach=reach))
    equations = tracer.parent.equations
    tracer.films.append(fill_film(equations, tracer.parameters, joint.name, gaps, fit, pair, gap, minimum))
    if least is not None:
        touches = mate.touches(i, j, sizes)
        trace_layers(tracer, joint, mate, touches, fit, gap - minimum, fit.radial_clearance - least)
