"""Equations of beams of space: their matrix by differences, energy and momenta of any motion, joints on beams."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from full_sections import full_section
from moved_bodies import moved

import gudgeon as gd
from gudgeon.analysis.rest.flexible import tangent_matrix
from gudgeon.assemble import Needs, assemble, call_address
from gudgeon.model import SpatialSection
from gudgeon.space.spatial import Vector
from gudgeon.space.spatial.geometry.rotation import rotation_matrix

ORDERS = [1, *(pytest.param(order, marks=pytest.mark.slow) for order in (2, 3))]
STEEL = {"E": 207e9, "nu": 0.3, "rho": 7800.0}


class Numbers:
    """A free beam with a body on its end, in a random state."""

    def __init__(self, order, section, damping, gravity=(0.3, -9.0, 1.0), lump=True):
        m = gd.Mechanism("beam", planar=False, gravity=gravity)
        beam = m.beam("beam", a=(0.1, 0.0, 0.2), b=(1.0, 0.5, -0.3), section=section, elements=2, order=order,
                      damping=damping, up=(0.2, 0.1, 1.0))  # fmt: skip
        if lump:
            body = m.body("lump", mass=1.0, inertia=(0.2, 0.3, 0.4), at=(1.0, 0.5, -0.3), orientation=(0.1, 0.2, 0.3))
            m.spherical("tip", journal=beam, bearing=body, at=(0.9, 0.45, -0.25))
        self.system = assemble(m, Needs(form="residual"))
        self.layout, rng = self.system.residual.layout, np.random.default_rng(2)
        self.nq, self.nv, self.a = self.layout.positions, self.layout.velocities, self.layout.accelerations
        y = self.system.y0.copy()
        y[: self.nq] = moved(y[: self.nq], 0.15 * rng.normal(size=self.nv))
        y[self.nq : self.nq + self.nv] = rng.normal(size=self.nv)
        y[self.a : self.layout.factors] = rng.normal(size=self.layout.factors - self.a)
        self.y = y

    @classmethod
    @cache
    def damped(cls, order):
        return cls(order, full_section(), 0.13)

    def call(self, name, y, size):
        out = np.zeros(size + 1)
        call_address(self.system.addresses[name], 0.0, y, self.system.p, np.zeros(self.system.memory), out)
        return out[:size]

    def balance(self, y):
        return self.call("residual", y, self.layout.size)[: self.nv]

    def step(self, d, factors, y=None):
        """The state after a step in directions of velocity, by factors of accelerations, velocities and places."""
        y = (self.y if y is None else y).copy()
        y[: self.nq] = moved(y[: self.nq], factors[2] * d)
        y[self.nq : self.nq + self.nv] += factors[1] * d
        y[self.a : self.a + self.nv] += factors[0] * d
        return y


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("damped", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_the_matrix_is_the_change_of_the_residual(order, damped):
    case = Numbers.damped(order) if damped else Numbers(order, full_section(), 0.0)
    factors, eps = (0.7, 0.9, 1.1), 1e-6
    found = tangent_matrix(case.system, case.y, factors)[: case.nv, : case.nv]
    exact = np.zeros_like(found)
    for j, d in enumerate(eps * np.eye(case.nv)):
        ends = [case.balance(case.step(sign * d, factors)) for sign in (1.0, -1.0)]
        exact[:, j] = (ends[0] - ends[1]) / (2.0 * eps)
    assert np.abs(found - exact).max() < 1e-8 * np.abs(exact).max()


@pytest.mark.parametrize("order", ORDERS)
def test_forces_take_from_the_energy_what_they_do(order):
    case, h = Numbers.damped(order), 1e-6
    names = [channel.name for channel in case.system.channels]
    free = case.y.copy()
    free[case.layout.multipliers : case.layout.factors] = 0.0  # of its joint
    v, a = free[case.nq : case.nq + case.nv], free[case.a : case.a + case.nv]
    energies = []
    for sign in (1.0, -1.0):
        y = case.step(sign * h * v, (0.0, 0.0, 1.0), free)
        y[case.nq : case.nq + case.nv] += sign * h * a
        out = case.call("channels", y, len(names))
        energies.append(out[names.index("energy.kinetic")] + out[names.index("energy.potential")])
    rates = case.call("rhs", free, case.system.states)
    lost = rates[case.system.controlled + case.system.layout.integrals.index("damper")]
    power = case.balance(free) @ v
    assert lost > 0.0
    assert power == pytest.approx((energies[0] - energies[1]) / (2.0 * h) + lost, rel=1e-7)


@pytest.mark.parametrize("order", ORDERS)
def test_internal_forces_have_no_resultant(order):
    """At rest without weight the forces of strains do no work on a rigid motion."""
    case = Numbers(order, full_section(), 0.0, gravity=(0.0, 0.0, 0.0), lump=False)
    case.y[case.nq :] = 0.0
    force = case.balance(case.y).reshape(-1, 6)
    places = case.y[: case.nq].reshape(-1, 7)
    total, moment = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
    for f, q in zip(force, places, strict=True):
        push, turn = Vector(*f[:3]), rotation_matrix(tuple(q[3:])) @ Vector(*f[3:])
        total, moment = total + push, moment + turn + Vector(*q[:3]).cross(push)
    assert np.abs(force).max() > 1.0
    assert total.norm < 1e-12 * np.abs(force).max()
    assert moment.norm < 1e-12 * np.abs(force).max()


JOINTS = {
    "revolute": {"axis": (0, 0, 1)},
    "spherical": {},
    "universal": {"journal_axis": (0, 1, 0), "bearing_axis": (0, 0, 1)},
    "cylindrical": {"axis": (1, 0, 0)},
    "translational": {"axis": (1, 0, 0)},
    "rigid": {"axis": (0, 0, 1)},
    "screw": {"axis": (1, 0, 0), "pitch": 0.01},
    "planar": {"axis": (0, 0, 1)},
    "clearance": {"fit": gd.Clearance("0.1 mm", wall=gd.HuntCrossley(stiffness=1e8, restitution=0.5, exponent=1.5)),
                  "radius": "10 mm"},
    "bushing": {"axis": (0, 0, 1), "radius": "10 mm", "length": "20 mm",
                "fit": {"sleeve": gd.Bushing(gd.LinearLiner(stiffness=1e6, damping=1e2),
                                             conical=gd.LinearLiner(stiffness=1e3, damping=1.0))}},
}  # fmt: skip


QUICK = ("screw", "clearance", "bushing")


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in JOINTS])
def test_every_joint_holds_a_stiff_beam_as_a_body(name):
    """A swinging arm: as a beam by generalized-alpha, as a rigid body by another method."""
    options = dict(JOINTS[name])
    kind = {"clearance": "spherical", "bushing": "revolute"}.get(name, name)
    section = SpatialSection.rectangle(0.02, 0.03, **STEEL).scaled(20.0)
    m = gd.Mechanism("arm", planar=False, gravity=(0.0, -9.81, 1.0))
    arm = m.beam("arm", a=(0.0, 0.0, 0.0), b=(0.3, 0.0, 0.0), section=section, elements=1, damping=1e-5,
                 spin=(0.0, 0.0, 2.0), velocity=(0.0, 0.3, 0.0))  # fmt: skip
    m.joint(kind, "root", journal=arm, bearing=m.ground, at=(0.0, 0.0, 0.0), **options)
    m.spring("spring", arm, m.ground, stiffness=50.0, at_i=(0.25, 0.01, 0.0), at_j=(0.2, 0.3, 0.1))
    beam = gd.simulate(m, duration=0.03, output=0.005, rtol=1e-7)
    rigid = gd.simulate(m.stiffened(), duration=0.03, output=0.005, rtol=1e-10)
    for channel, size in (("arm.x", 0.3), ("arm.y", 0.3), ("arm.z", 0.3), ("arm.e3", 1.0)):
        assert np.abs(beam[channel] - rigid[channel]).max() < 1e-4 * size, channel
    if name != "rigid":  # nothing damps the vibration of an arm that is let go there
        assert beam["root.force"][-1] == pytest.approx(rigid["root.force"][-1], rel=0.05, abs=1.0)
