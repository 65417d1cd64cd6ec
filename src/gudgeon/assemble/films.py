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
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from gudgeon.assemble.equations import Equations
from gudgeon.assemble.parameters import Parameters
from gudgeon.graph import Scalar, sqrt
from gudgeon.native.scalar import opaque
from gudgeon.space.mate import TINY_SQUARE, FilmGap


def effective_thickness(thickness: float, minimum: float) -> float:
    """Thickness that the film is evaluated with: itself above `minimum`, never below half of it [m]."""
    if thickness >= minimum:
        return thickness
    return minimum * (1.0 - 0.5 * math.tanh(2.0 * (minimum - thickness) / minimum))


@dataclass
class Film:
    """One film. Forces [N] on the journal along the offset and across it, couple [N m s/rad], loss [W]."""

    joint: str
    law: Any
    pair: Any
    clearance: float  # [m]
    minimum: float | None  # [m], None without a wall
    thickness: Scalar  # [m] between the surfaces, negative where they overlap
    radial: Scalar
    tangential: Scalar
    loss: Scalar
    pressure: Scalar
    forces: list[dict[int, Scalar]] = field(default_factory=list)

    @property
    def force(self) -> Scalar:
        """Magnitude [N]."""
        force: Scalar = sqrt(self.radial * self.radial + self.tangential * self.tangential + TINY_SQUARE)
        return force


class Films:
    """Builds the films of a mechanism into its equations."""

    def __init__(self, equations: Equations, parameters: Parameters) -> None:
        self.equations, self.parameters = equations, parameters
        self.list: list[Film] = []

    def fill(self, joint: str, gap: FilmGap, fit: Any, pair: Any, clearance: Scalar, minimum: Scalar | None) -> Film:
        """The film of a `Lubricated` fit; `minimum` where a wall stands behind it."""
        eq, graph = self.equations, self.equations.graph
        law, thickness = fit.film, clearance - gap.offset
        ratio = gap.offset / clearance
        if minimum is not None:
            carried = graph.call(opaque(effective_thickness, 2, block=False), (thickness, minimum))
            ratio = 1.0 - carried / clearance
        block = self.parameters.block(f"{joint}.film", law.pack(pair))
        arguments = (ratio, graph.scalar(gap.squeeze), graph.scalar(gap.sweep))
        radial, tangential, couple, pressure = (
            graph.call(opaque(function, 3), arguments, block=block)
            for function in (law.radial, law.tangential, law.couple, law.pressure)
        )
        along, across = gap.midway if fit.shear else gap.at_journal
        film = Film(joint, law, pair, fit.radial_clearance, fit.least_film, thickness, radial, tangential,
                    -(radial * along + tangential * across), pressure)  # fmt: skip
        film.forces.append(eq.apply(radial, eq.velocity_gradient(along)))
        film.forces.append(eq.apply(tangential, eq.velocity_gradient(across)))
        if fit.shear:
            film.forces.append(eq.apply(-(couple * gap.spin), eq.velocity_gradient(gap.spin)))
            film.loss = film.loss + couple * gap.spin * gap.spin
        self.list.append(film)
        return film
