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
from dataclasses import dataclass
from functools import reduce
from typing import Any

from gudgeon.assemble.solve.elimination import Row
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


@dataclass(frozen=True)
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
    strips: tuple[tuple[Scalar, Scalar], ...]
    push: Any  # vector
    forces: tuple[Row, ...]

    @property
    def force(self) -> Scalar:
        """Magnitude [N]."""
        force: Scalar = sqrt(self.push @ self.push + TINY_SQUARE)
        return force


def fill_film(equations: Equations, parameters: Parameters, joint: str, gaps: list[FilmGap], fit: Any, pair: Any,
              clearance: Scalar, minimum: Scalar | None) -> Film:  # fmt: skip
    """Put the film of a `Lubricated` fit into the equations; `minimum` where a wall stands behind it."""
    graph, law = equations.graph, fit.film
    block = parameters.block(f"{joint}.film", law.pack(pair))
    thicknesses = [clearance - gap.offset for gap in gaps]
    made = _FilmForces(equations, law, block, fit.shear, clearance, minimum)
    pressures = [made.whole(gaps)] if gaps[0].apart else [made.strip(gap, 1.0 / len(gaps)) for gap in gaps]
    thinnest = reduce(lambda a, b: graph.call(opaque(smaller, 2, block=False), (a, b)), thicknesses)
    highest = reduce(lambda a, b: graph.call(opaque(larger, 2, block=False), (a, b)), pressures)
    return Film(joint, law, pair, fit.radial_clearance, fit.least_film, thinnest, made.loss, highest,
                tuple(made.strips), made.push, tuple(made.forces))  # fmt: skip


class _FilmForces:
    """Forces of one film, gap after gap."""

    def __init__(self, equations: Equations, law: Any, block: int, shear: bool, clearance: Scalar,
                 minimum: Scalar | None) -> None:  # fmt: skip
        self.equations, self.graph, self.law, self.block = equations, equations.graph, law, block
        self.shear, self.clearance, self.minimum = shear, clearance, minimum
        self.loss = self.graph.zero
        self.strips: list[tuple[Scalar, Scalar]] = []
        self.push: Any = None
        self.forces: list[Row] = []

    def strip(self, gap: FilmGap, share: float) -> Scalar:
        """Put the forces of one strip on; gives its highest pressure [Pa]."""
        graph, law, clearance = self.graph, self.law, self.clearance
        ratio = gap.offset / clearance
        if self.minimum is not None:
            arguments: Any = (clearance - gap.offset, self.minimum)
            carried = graph.call(opaque(effective_thickness, 2, block=False), arguments)
            ratio = 1.0 - carried / clearance
        arguments = (ratio, graph.scalar(gap.squeeze), graph.scalar(gap.sweep))
        radial, tangential, couple, pressure = (
            graph.call(opaque(function, 3), arguments, block=self.block)
            for function in (law.radial, law.tangential, law.couple, law.pressure)
        )
        radial, tangential, couple = (share * x for x in (radial, tangential, couple))
        self._press(gap, radial, tangential)
        drags = [(couple, gap.spin)] if self.shear else []
        if self.shear and gap.slide is not None:
            drags.append((self._along(couple), gap.slide))
        if self.shear and gap.swivel:
            swivel = graph.call(opaque(law.swivel, 3), arguments, block=self.block)
            drags = [(couple - swivel, gap.spin), *((swivel, speed) for speed in gap.swivel)]
        self._resist(drags)
        return pressure

    def whole(self, gaps: list[FilmGap]) -> Scalar:
        """Put the forces at both ends of a sleeve on; gives the highest pressure [Pa]."""
        graph, law, clearance = self.graph, self.law, self.clearance
        places: list[Any] = []
        for gap in gaps:
            part: Any = 1.0 / clearance
            if self.minimum is not None:
                offset = (graph.scalar(gap.offset), clearance, self.minimum)
                part = graph.call(opaque(held_in, 3, block=False), offset) / clearance
            places += [graph.scalar(x * part) for x in gap.apart]
        arguments = (*places, *(graph.scalar(x) for gap in gaps for x in (gap.squeeze, gap.sweep)))
        pushes = [graph.call(opaque(law.at_end, 9), (graph.scalar(float(part)), *arguments), block=self.block)
                  for part in range(4)]  # fmt: skip
        couple = graph.call(opaque(law.drag, 4), tuple(places), block=self.block)
        for gap, x, y in zip(gaps, pushes[::2], pushes[1::2], strict=True):
            self._press(gap, x, y)
            if self.shear:
                half = 0.5 * couple
                self._resist([(half, gap.spin), (self._along(half), gap.slide)])
        return graph.call(opaque(law.crest, 8), arguments, block=self.block)

    def _press(self, gap: FilmGap, radial: Scalar, tangential: Scalar) -> None:
        """Put the pressure on both bodies."""
        eq = self.equations
        self.strips.append((radial, tangential))
        push = gap.normal * radial + gap.across * tangential
        self.push = push if self.push is None else self.push + push
        # where the direction across depends on the velocity, the force is put on by its components
        parts = tuple(push) if gap.swivel else (radial, tangential)
        for part, speed in zip(parts, gap.midway if self.shear else gap.at_journal, strict=True):
            self.loss = self.loss - part * speed
            self.forces.append(eq.apply(part, eq.velocity_gradient(speed)))

    def _along(self, couple: Scalar) -> Scalar:
        """Drag along the axis [N s/m] by the same shear."""
        radius = self.graph.input("p", self.block + RADIUS)
        return couple / (radius * radius)

    def _resist(self, drags: list[tuple[Scalar, Any]]) -> None:
        eq = self.equations
        for drag, speed in drags:
            self.forces.append(eq.apply(-(drag * speed), eq.velocity_gradient(speed)))
            self.loss = self.loss + drag * speed * speed
