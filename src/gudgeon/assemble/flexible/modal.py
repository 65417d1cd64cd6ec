"""Links with modes on symbols: a body of the plane with more coordinates, and what its shapes add to the equations.

The frame has the origin o in the middle of the undeformed link, the angle theta and the axes e1 along and e2 across.
The section at x from the middle is at o + x e1 + w e2 with w = sum psi_k(x) q_k, and turned by theta + w'. Nothing is
linearised but the geometry of bending itself: sections keep their x (no foreshortening), so that pulling does not
stiffen the link, and the axis does not stretch. With v = o', the spin omega = theta' and u_k = q_k'

    T = 1/2 M v.v + 1/2 (I + sum B_kl q_k q_l) omega^2 + 1/2 sum A_k u_k^2
        + sum s_k (u_k v.e2 - omega q_k v.e1) + omega sum h_k u_k
    V = 1/2 sum K_k q_k^2 - g.(M o + e2 sum s_k q_k)

    A_k = int m psi_k^2 + J psi_k'^2    B_kl = int m psi_k psi_l    s_k = int m psi_k    h_k = int m x psi_k + J psi_k'

The integrals are numbers (space.flexible.basis). Mass matrix, forces of the motion and weight are derivatives of T
and V. Each mode is damped by a force c_k u_k, c_k = 2 zeta_k sqrt(A_k K_k).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gudgeon.assemble.trace.parameters import Parameters
from gudgeon.compile.graph import Direction, Graph, Scalar
from gudgeon.model import ModalLink
from gudgeon.model.parts.modal import FINE
from gudgeon.space.flexible.basis import Basis, bending_basis
from gudgeon.space.planar import PlanarFrame, PlanarRigidBody, PlanarVector

FRAME = 3  # coordinates of the frame, in front of those of the modes
ON_END = 1e-9  # of the length: a point so close to an end is on it


class ModalBody(PlanarRigidBody):
    """Coordinates (x, y, angle) of the frame and (q1, q2, ...) of the modes."""

    def __init__(self, graph: Graph, parameters: Parameters, link: ModalLink, q: Sequence[Scalar],
                 v: Sequence[Scalar]) -> None:  # fmt: skip
        assert link.mass is not None and link.EI is not None
        number, name = parameters.number, link.name
        super().__init__(q, v, number(f"{name}.mass", link.mass), number(f"{name}.inertia", link.inertia))
        names = [f"q{k + 1}" for k in range(link.modes)]
        self.coordinates = (*PlanarRigidBody.coordinates, *names)  # type: ignore[assignment]
        self.velocities = (*PlanarRigidBody.velocities, *(f"{x}_rate" for x in names))  # type: ignore[assignment]
        self.accelerations = (*PlanarRigidBody.accelerations, *(f"{x}_acceleration" for x in names))  # type: ignore[assignment]
        self.units = (*PlanarRigidBody.units, *["m"] * link.modes)  # type: ignore[assignment]
        self.velocity_units = (*PlanarRigidBody.velocity_units, *["m/s"] * link.modes)  # type: ignore[assignment]
        self.acceleration_units = (*PlanarRigidBody.acceleration_units, *["m/s^2"] * link.modes)  # type: ignore[assignment]
        self.link, self.graph, self._geometry = link, graph, parameters.geometry
        self.modal, self.modal_rates = self.q[FRAME:], self.v[FRAME:]
        self.basis = basis_of(link)
        self._integrals(parameters)
        self._along = [Direction(graph, [(x, 1.0)]) for x in self.q]
        self._with_velocity = [Direction(graph, [(x, 1.0)]) for x in self.v]
        self.momenta = [along(self.kinetic_energy()) for along in self._with_velocity]

    def _integrals(self, parameters: Parameters) -> None:
        basis, modes, name = self.basis, range(self.link.modes), self.link.name
        pairs = [(k, l) for k in modes for l in modes if l <= k]
        self._own = [parameters.number(f"{name}.modal_mass.{k + 1}", basis.masses[k]) for k in modes]
        self._push = [parameters.geometry(f"{name}.push.{k + 1}", float(basis.push[k])) for k in modes]
        self._swing = [parameters.geometry(f"{name}.swing.{k + 1}", float(basis.swing[k])) for k in modes]
        self._overlap = {
            (k, l): parameters.geometry(f"{name}.overlap.{k + 1}.{l + 1}", float(basis.overlap[k, l])) for k, l in pairs
        }
        self.stiffness = [parameters.number(f"{name}.modal_stiffness.{k + 1}", basis.stiffness[k]) for k in modes]
        damping = modal_damping(self.link, basis)
        self.damping = [parameters.geometry(f"{name}.modal_damping.{k + 1}", damping[k]) for k in modes]

    # -- energies and their derivatives ---------------------------------------------------------------------------

    def kinetic_energy(self) -> Any:
        (vx, vy, spin), u, q = self.v[:FRAME], self.modal_rates, self.modal
        along, across = self._axes()
        velocity = PlanarVector(vx, vy)
        turning = self.inertia
        for (k, l), x in self._overlap.items():
            turning = turning + (1.0 if k == l else 2.0) * x * (q[k] * q[l])
        total = 0.5 * (self.mass * (velocity @ velocity) + turning * (spin * spin))
        for k, own in enumerate(self._own):
            swung = self._swing[k] * spin + self._push[k] * (across @ velocity)
            total = total + (0.5 * own * u[k] + swung) * u[k] - self._push[k] * (spin * q[k]) * (along @ velocity)
        return total

    def _axes(self) -> tuple[PlanarVector, PlanarVector]:
        return self.frame.axis(PlanarVector(1.0, 0.0)), self.frame.axis(PlanarVector(0.0, 1.0))

    def potential_energy(self, gravity: PlanarVector) -> Any:
        """Of the weight."""
        across = self._axes()[1]
        total = self.mass * (gravity @ self.frame.origin)
        for push, q in zip(self._push, self.modal, strict=True):
            total = total + push * (q * (gravity @ across))
        return -total

    @property
    def strain_energy(self) -> Any:
        return sum((0.5 * k * (q * q) for k, q in zip(self.stiffness, self.modal, strict=True)), self.graph.zero)

    @property
    def power_lost(self) -> Any:
        """In damping [W]."""
        return sum((c * (u * u) for c, u in zip(self.damping, self.modal_rates, strict=True)), self.graph.zero)

    @property
    def elastic_forces(self) -> list[Any]:
        """Along the modes: stiffness and damping."""
        parts = zip(self.stiffness, self.damping, self.modal, self.modal_rates, strict=True)
        return [-(k * q + c * u) for k, c, q, u in parts]

    @property
    def inverse_mass(self) -> tuple[Any, ...]:
        """None: the mass matrix of this body is a full one."""
        return ()

    def inertia_entry(self, i: int, j: int) -> Scalar:
        """Of the mass matrix."""
        return self._with_velocity[j](self.momenta[i])

    def gyroscopic(self) -> tuple[Any, ...]:
        """dT/dq less the rate of dT/dv with velocities held."""
        ddt, energy = Direction(self.graph, zip(self.q, self.v, strict=True)), self.kinetic_energy()
        return tuple(along(energy) - ddt(p) for along, p in zip(self._along, self.momenta, strict=True))

    def weight(self, gravity: PlanarVector) -> tuple[Any, ...]:
        energy = self.potential_energy(gravity)
        return tuple(-along(energy) for along in self._along)

    # -- as a link with sections ------------------------------------------------------------------------------------

    def seat(self, point: tuple[float, ...]) -> tuple[PlanarFrame, tuple[float, float]]:
        """The frame of the section that carries a point, and the point in it; beyond its ends a link is rigid."""
        along = point[0] / self.link.length + 0.5
        station = min(max(along, 0.0), 1.0)
        # what rounding left of an end is the end
        station = float(round(station)) if abs(station - round(station)) < ON_END else station
        rest = (along - station) * self.link.length
        return self.section(station), (rest if abs(rest) > ON_END * self.link.length else 0.0, point[1])

    def section(self, station: float) -> PlanarFrame:
        """The frame of a section, 0 at the start of the link and 1 at its end."""
        values, slopes, _ = self._shapes(station)
        q, u, spin = self.modal, self.modal_rates, self.v[2]
        place = (station - 0.5) * self.link.length
        x = self._geometry(
            f"{self.link.name}.{station:.12g}.x", place if abs(place) > ON_END * self.link.length else 0.0
        )
        along, across = self._axes()
        bent, rate = _sum(self.graph, values, q), _sum(self.graph, values, u)
        velocity = self.frame.velocity + across * (x * spin + rate) - along * (spin * bent)
        return PlanarFrame(
            self.frame.origin + along * x + across * bent, self.frame.angle + _sum(self.graph, slopes, q), velocity,
            spin + _sum(self.graph, slopes, u),
        )  # fmt: skip

    def _shapes(self, station: float) -> list[list[Any]]:
        named = zip(("value", "slope", "curvature"), self.basis.at(station), strict=True)
        start = f"{self.link.name}.{station:.12g}"
        return [[self._geometry(f"{start}.{w}.{k + 1}", float(x)) for k, x in enumerate(values)] for w, values in named]

    def channels(self, add: Any) -> None:
        """Place, deflection and bending moment at the stations."""
        section = self.graph.scalar(self._geometry(f"{self.link.name}.EI", self.link.EI or 0.0))
        for station in self.link.stations:
            percent = f"{100 * station:g}"
            name, where = f"{self.link.name}.{percent.replace('.', '_')}", f"at {percent} % of {self.link.name}"
            place = self.section(station)
            values, _, curvatures = self._shapes(station)
            # damping of a mode is that of its strain: q + (c / K) u
            strained = [q + (c / k) * u for q, u, c, k in
                        zip(self.modal, self.modal_rates, self.damping, self.stiffness, strict=True)]  # fmt: skip
            for key, unit, value in (
                ("x", "m", place.origin.x), ("y", "m", place.origin.y), ("angle", "rad", place.angle),
                ("deflection", "m", _sum(self.graph, values, self.modal)),
                ("curvature", "1/m", _sum(self.graph, curvatures, self.modal)),
                ("moment", "Nm", section * _sum(self.graph, curvatures, strained)),
            ):  # fmt: skip
                add(f"{name}.{key}", unit, f"{key} {where}", value)


def basis_of(link: ModalLink) -> Basis:
    """The modes of a link as numbers."""
    assert link.mass is not None and link.EI is not None
    elements = FINE if link.elements is None and link.axes != "chord" else link.elements
    return bending_basis(link.length, link.mass / link.length, link.rotary, link.EI, link.modes, link.axes, elements)


def modal_damping(link: ModalLink, basis: Basis) -> list[float]:
    """c_k [N s/m] of each mode, from the ratio of the first."""
    coefficients = []
    for mass, frequency in zip(basis.masses, basis.frequencies, strict=True):
        grown = frequency / basis.frequencies[0] if link.damping_law == "stiffness" else 1.0
        coefficients.append(float(2.0 * link.damping * grown * frequency * mass))
    return coefficients


def _sum(graph: Graph, weights: Sequence[Any], values: Sequence[Any]) -> Any:
    total: Any = graph.zero
    for weight, value in zip(weights, values, strict=True):
        total = total + weight * value
    return total
