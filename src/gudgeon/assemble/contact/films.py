"""Films between journal and bearing: from the scalars of a gap to forces on both bodies.

The pressure of a film pushes on the journal through the journal's centre and on the bearing through the bearing's;
these forces, F and -F, are a distance e apart and leave the couple e x F. Its shear closes the balance. Over a film of
thickness h between surfaces of relative speed U the shear stress at the surfaces is

    mu U / h  +- (h/2) dp/dx

The first part, integrated over the journal, is Petroff's couple C (w_i - w_j). The second, with the moment of the
pressure integrated by parts, is half of e x F on each body. So the shear brings both forces to the point midway
between the centres, where they cancel, and only Petroff's couple is left. There the relative velocity of the bodies is
the squeeze and sweep that made the pressure, v_s (see `Pin.film`), and the power on the mechanism is

    F . v_s  -  C (w_i - w_j)^2

Neither term is ever positive: the film only takes energy. That is shear=True.

Most articles leave the shear out and let F act on both bodies at the journal's centre, shear=False: forces and
moments still cancel, but the power becomes F . v_s + (w_i - w_j)/2 (e x F), and the second term may have either sign.
The ledger records what is really exchanged, in both cases.

Behind a minimum film m the wall touches at thickness h = m, and from there on the film hands over to it:

    h_eff = h                                 h >= m
    h_eff = m (1 - tanh(2 (m - h)/m) / 2)     h <  m

equal in value, slope and curvature at h = m, falling with h and never below m/2: the film stays finite however deep the
wall is pressed in, and is untouched above m.

In space the film of a sleeve is that of its strips: each has an even share of the law of the whole length, at its own
offset, so that a journal without tilt has the film of the plane. A tilt is resisted by the arms of the strips, with the
velocities at the ends of these arms; `FilmLaw.reach` says how long they are. Sliding along the axis is resisted by the
same shear as turning, mu U / h over the same surface: C / r^2 times the velocity.

A law of the whole sleeve is given the eccentricities and velocities at both ends and pushes the journal at both: force
and moment have the power of the mean of these velocities and of half their difference.

The film of a ball is one gap with vectors instead of components: the squeeze of any direction, and a couple that is one
number C about e and another, S, across it: S (w_i - w_j) + (C - S) of its part about e. The shear by the pressure, with
n x grad p integrated by parts over the sphere, again leaves half of e x F on each body.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from gudgeon.assemble.solve.equations import Equations
from gudgeon.assemble.trace.parameters import Parameters
from gudgeon.compile.graph import Scalar, sqrt
from gudgeon.compile.native.scalar import opaque
from gudgeon.laws.film.base import RADIUS
from gudgeon.space.mate import TINY_SQUARE, FilmGap


def effective_thickness(thickness: float, minimum: float) -> float:
    """Thickness that the film is evaluated with: itself above `minimum`, never below half of it [m]."""
    if thickness >= minimum:
        return thickness
    return minimum * (1.0 - 0.5 * math.tanh(2.0 * (minimum - thickness) / minimum))


def held_in(offset: float, clearance: float, minimum: float) -> float:
    """Part of an offset [-] that leaves the effective thickness."""
    if clearance - offset >= minimum:
        return 1.0
    return (clearance - effective_thickness(clearance - offset, minimum)) / offset


def smaller(a: float, b: float) -> float:
    return a if a < b else b


def larger(a: float, b: float) -> float:
    return a if a > b else b


@dataclass
class Film:
    """The film of one joint: forces [N] on the journal along the offset and across it, strip by strip; force [N], the
    size of their sum; loss [W]; highest pressure [Pa]."""

    joint: str
    law: Any
    pair: Any
    clearance: float  # [m]
    minimum: float | None  # [m], None without a wall
    thickness: Scalar  # [m] between the surfaces where they are closest, negative where they overlap
    loss: Scalar
    pressure: Scalar
    strips: list[tuple[Scalar, Scalar]] = field(default_factory=list)
    push: Any = None  # vector
    forces: list[dict[int, Scalar]] = field(default_factory=list)

    @property
    def force(self) -> Scalar:
        """Magnitude [N]."""
        force: Scalar = sqrt(self.push @ self.push + TINY_SQUARE)
        return force


class Films:
    """Builds the films of a mechanism into its equations."""

    def __init__(self, equations: Equations, parameters: Parameters) -> None:
        self.equations, self.parameters = equations, parameters
        self.list: list[Film] = []

    def fill(self, joint: str, gaps: list[FilmGap], fit: Any, pair: Any, clearance: Scalar,
             minimum: Scalar | None) -> Film:  # fmt: skip
        """The film of a `Lubricated` fit; `minimum` where a wall stands behind it."""
        graph, law = self.equations.graph, fit.film
        block = self.parameters.block(f"{joint}.film", law.pack(pair))
        film = Film(joint, law, pair, fit.radial_clearance, fit.least_film, graph.zero, graph.zero, graph.zero)
        thicknesses = [clearance - gap.offset for gap in gaps]
        if gaps[0].apart:
            pressures = [self._whole(film, gaps, fit.shear, block, clearance, minimum)]
        else:
            share = 1.0 / len(gaps)
            pressures = [self._strip(film, gap, fit.shear, block, clearance, minimum, share) for gap in gaps]
        film.thickness = reduce(lambda a, b: graph.call(opaque(smaller, 2, block=False), (a, b)), thicknesses)
        film.pressure = reduce(lambda a, b: graph.call(opaque(larger, 2, block=False), (a, b)), pressures)
        self.list.append(film)
        return film

    def _strip(self, film: Film, gap: FilmGap, shear: bool, block: int, clearance: Scalar, minimum: Scalar | None,
               share: float) -> Scalar:  # fmt: skip
        """The forces of one strip; gives its highest pressure [Pa]."""
        graph, law = self.equations.graph, film.law
        ratio = gap.offset / clearance
        if minimum is not None:
            carried = graph.call(opaque(effective_thickness, 2, block=False), (clearance - gap.offset, minimum))
            ratio = 1.0 - carried / clearance
        arguments = (ratio, graph.scalar(gap.squeeze), graph.scalar(gap.sweep))
        radial, tangential, couple, pressure = (
            graph.call(opaque(function, 3), arguments, block=block)
            for function in (law.radial, law.tangential, law.couple, law.pressure)
        )
        radial, tangential, couple = (share * x for x in (radial, tangential, couple))
        self._press(film, gap, radial, tangential, shear)
        drags = [(couple, gap.spin)] if shear else []
        if shear and gap.slide is not None:
            drags.append((self._along(couple, block), gap.slide))
        if shear and gap.swivel:
            swivel = graph.call(opaque(law.swivel, 3), arguments, block=block)
            drags = [(couple - swivel, gap.spin), *((swivel, speed) for speed in gap.swivel)]
        self._resist(film, drags)
        return pressure

    def _whole(self, film: Film, gaps: list[FilmGap], shear: bool, block: int, clearance: Scalar,
               minimum: Scalar | None) -> Scalar:  # fmt: skip
        """The forces at both ends of a sleeve; gives the highest pressure [Pa]."""
        graph, law = self.equations.graph, film.law
        places: list[Any] = []
        for gap in gaps:
            part: Any = 1.0 / clearance
            if minimum is not None:
                held = graph.call(opaque(held_in, 3, block=False), (graph.scalar(gap.offset), clearance, minimum))
                part = held / clearance
            places += [graph.scalar(x * part) for x in gap.apart]
        arguments = (*places, *(graph.scalar(x) for gap in gaps for x in (gap.squeeze, gap.sweep)))
        pushes = [graph.call(opaque(law.at_end, 9), (graph.scalar(float(part)), *arguments), block=block)
                  for part in range(4)]  # fmt: skip
        couple = graph.call(opaque(law.drag, 4), tuple(places), block=block)
        for gap, x, y in zip(gaps, pushes[::2], pushes[1::2], strict=True):
            self._press(film, gap, x, y, shear)
            if shear:
                half = 0.5 * couple
                self._resist(film, [(half, gap.spin), (self._along(half, block), gap.slide)])
        return graph.call(opaque(law.crest, 8), arguments, block=block)

    def _press(self, film: Film, gap: FilmGap, radial: Scalar, tangential: Scalar, shear: bool) -> None:
        """Put the pressure on both bodies."""
        eq = self.equations
        film.strips.append((radial, tangential))
        push = gap.normal * radial + gap.across * tangential
        film.push = push if film.push is None else film.push + push
        # where the direction across depends on the velocity, the force is put on by its components
        parts = tuple(push) if gap.swivel else (radial, tangential)
        for part, speed in zip(parts, gap.midway if shear else gap.at_journal, strict=True):
            film.loss = film.loss - part * speed
            film.forces.append(eq.apply(part, eq.velocity_gradient(speed)))

    def _along(self, couple: Scalar, block: int) -> Scalar:
        """Drag along the axis [N s/m] by the same shear."""
        radius = self.equations.graph.input("p", block + RADIUS)
        return couple / (radius * radius)

    def _resist(self, film: Film, drags: list[tuple[Scalar, Any]]) -> None:
        eq = self.equations
        for drag, speed in drags:
            film.forces.append(eq.apply(-(drag * speed), eq.velocity_gradient(speed)))
            film.loss = film.loss + drag * speed * speed
