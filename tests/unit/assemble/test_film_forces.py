"""A film between two bodies in random motion: what it does to one it does to the other, and it only takes energy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gudgeon.assemble.contact.films import effective_thickness, fill_film
from gudgeon.assemble.solve.equations import Equations
from gudgeon.assemble.trace.parameters import Parameters
from gudgeon.compile.graph import Graph, Module
from gudgeon.compile.graph.python import compile_module
from gudgeon.laws import FilmLaw, Hertz, Moes, Pair
from gudgeon.model import Lubricated
from gudgeon.space.mate import Sizes
from gudgeon.space.planar import PlanarPlace, PlanarRigidBody, PlanarVector
from gudgeon.space.planar.pin import Pin

CLEARANCE = 4e-4
PAIR = Pair(0.012, 0.012 - CLEARANCE, 0.02, "j")
WALL = Hertz(stiffness=1e9)

every_law = pytest.mark.parametrize("law", [law for law in FilmLaw.registry.values() if "gudgeon" in law.__module__])
every_seed = pytest.mark.parametrize("seed", range(5))
shears = pytest.mark.parametrize("shear", [True, False])


class Pairing:
    """A pin between two bodies, at offset e in random motion; formulas are evaluated by the Python back end."""

    def __init__(self, fit: Lubricated, seed: int, ratio: float | None = None) -> None:
        random = np.random.default_rng(seed)
        self.q = random.uniform(-1.0, 1.0, 6) * np.tile([0.1, 0.1, 2.0], 2)
        self.v = random.uniform(-3.0, 3.0, 6) * np.tile([0.1, 0.1, 20.0], 2)
        size = random.uniform(0.05, 0.97) if ratio is None else ratio
        angle = random.uniform(0.0, math.tau)
        self.e = size * CLEARANCE * np.array([math.cos(angle), math.sin(angle)])
        i, j = self.places([float(x) for x in self.q], [0.0] * 6)
        # bring the journal's centre to e from that of the bearing
        self.q[0] += j.point.x + self.e[0] - i.point.x
        self.q[1] += j.point.y + self.e[1] - i.point.y
        self.graph = graph = Graph()
        time = graph.input("t")
        self.parameters = Parameters(graph)
        graph.input("p", 0)
        q, v = graph.inputs("y", 6), graph.inputs("y", 6, 6)
        self.bodies = [PlanarRigidBody(q[k : k + 3], v[k : k + 3], 1.3, 0.02) for k in (0, 3)]
        self.i, self.j = self.places(q, v)
        (self.gap,) = gaps = Pin.film(self.i, self.j, Sizes())
        equations = Equations(graph, time, self.bodies)
        number = self.parameters.number
        minimum = None if fit.least_film is None else number("j.minimum_film", fit.least_film)
        clearance = number("j.radial_clearance", fit.radial_clearance)
        self.film = fill_film(equations, self.parameters, "j", gaps, fit, PAIR, clearance, minimum)
        ((self.radial, self.tangential),) = self.film.strips

    @staticmethod
    def places(q, v) -> tuple[PlanarPlace, PlanarPlace]:
        bodies = [PlanarRigidBody(q[k : k + 3], v[k : k + 3], 1.3, 0.02) for k in (0, 3)]
        return (
            PlanarPlace(bodies[0].frame, PlanarVector(0.03, -0.02), PlanarVector(1.0, 0.0)),
            PlanarPlace(bodies[1].frame, PlanarVector(-0.05, 0.01), PlanarVector(1.0, 0.0)),
        )

    def numbers(self, formulas) -> np.ndarray:
        outputs = [self.graph.scalar(x) for x in formulas]
        module = Module(self.graph, {"values": outputs}, len(self.parameters))
        p = np.zeros(len(self.parameters) + module.prepared + 1)
        p[: len(self.parameters)] = self.parameters.values
        functions = compile_module(module)
        functions["prepare"](0.0, np.zeros(1), p, np.zeros(1), p[len(self.parameters) :])
        out = np.zeros(len(outputs))
        functions["values"](0.0, np.concatenate([self.q, self.v]), p, np.zeros(1), out)
        return out

    def generalised(self) -> np.ndarray:
        """On (x, y, angle) of journal and bearing."""
        total = [self.graph.zero] * 6
        for force in self.film.forces:
            for k, x in force.items():
                total[k] = total[k] + x
        return self.numbers(total)


@every_law
@every_seed
@shears
def test_forces_and_moments_cancel_and_their_power_is_the_recorded_loss(law, seed, shear):
    pairing = Pairing(Lubricated(CLEARANCE, film=law(0.05), shear=shear), seed)
    force, (loss,) = pairing.generalised(), pairing.numbers([pairing.film.loss])
    size = np.abs(force[:2]).max()
    assert size > 1e-3
    assert force[:2] == pytest.approx(-force[3:5], abs=1e-13 * size)
    about_origin = force[2] + force[5]
    for k in (0, 3):
        about_origin += pairing.q[k] * force[k + 1] - pairing.q[k + 1] * force[k]
    assert about_origin == pytest.approx(0.0, abs=1e-13 * size)
    assert force @ pairing.v == pytest.approx(-loss, rel=1e-11)


@every_law
@pytest.mark.parametrize("fit", [{}, {"wall": WALL}, {"wall": WALL, "minimum_film": 1e-4}], ids=["", "1 %", "25 %"])
def test_with_shear_a_film_never_adds_energy(law, fit):
    for seed in range(60):
        ratio = None if not fit else 0.2 + 0.02 * seed  # with a wall also beyond the clearance
        pairing = Pairing(Lubricated(CLEARANCE, film=law(0.05), **fit), 100 + seed, ratio)
        pressed, loss = pairing.numbers([-pairing.radial * pairing.gap.squeeze
                                         - pairing.tangential * pairing.gap.sweep, pairing.film.loss])  # fmt: skip
        assert loss > pressed > 0.0


def test_without_shear_it_can():
    """The couple that is missing, half the difference of the spins times e x F, has no sign."""
    signs = set()
    for seed in range(40):
        pairing = Pairing(Lubricated(CLEARANCE, film=Moes(0.05), shear=False), 300 + seed)
        i, j = pairing.places([float(x) for x in pairing.q], [float(x) for x in pairing.v])
        rate = i.frame.velocity_at(i.point) - j.frame.velocity_at(j.point)
        pairing.v[:2] -= rate.x, rate.y  # the offset stays as it is, both bodies turn
        loss, along, across, spin = pairing.numbers(
            [pairing.film.loss, pairing.radial * pairing.gap.squeeze,
             pairing.tangential * pairing.gap.sweep, pairing.gap.spin])  # fmt: skip
        (tangential,) = pairing.numbers([pairing.tangential])
        left = 0.5 * spin * math.hypot(*pairing.e) * tangential
        assert loss == pytest.approx(-(along + across + left), rel=1e-10)
        signs.add(bool(loss > 0.0))
    assert signs == {True, False}


@every_seed
def test_squeeze_and_sweep_by_hand(seed):
    """v = e' - (w_i + w_j)/2 x e, along e and across it."""
    pairing = Pairing(Lubricated(CLEARANCE, film=Moes(0.05)), seed)
    v, (ex, ey) = pairing.v, pairing.e
    i, j = pairing.places([float(x) for x in pairing.q], [float(x) for x in v])
    rate = i.frame.velocity_at(i.point) - j.frame.velocity_at(j.point)
    mean, size = 0.5 * (v[2] + v[5]), math.hypot(ex, ey)
    vx, vy = rate.x + mean * ey, rate.y - mean * ex
    expected = [size, (vx * ex + vy * ey) / size, (vy * ex - vx * ey) / size, v[2] - v[5]]
    got = pairing.numbers([pairing.gap.offset, pairing.gap.squeeze, pairing.gap.sweep, pairing.gap.spin])
    assert got == pytest.approx(expected, rel=1e-9)


@every_law
def test_bodies_that_turn_together_feel_nothing(law):
    """Objective: a rigid motion of both bodies and of e moves no oil."""
    pairing = Pairing(Lubricated(CLEARANCE, film=law(0.05)), 7)
    still = np.abs(pairing.generalised()).max()
    for k in (0, 3):
        pairing.v[k : k + 3] = [0.7 - 4.0 * pairing.q[k + 1], -1.2 + 4.0 * pairing.q[k], 4.0]
    assert np.abs(pairing.generalised()).max() < 1e-11 * still


@every_law
def test_a_centred_journal_is_resisted_whichever_way_it_goes(law):
    """At e = 0 the force opposes the velocity, the same in every direction, and just beside it too."""
    pairing = Pairing(Lubricated(CLEARANCE, film=law(0.05), shear=False), 3, ratio=0.0)
    pairing.v[:] = 0.0
    pushes = []
    for offset in (0.0, 1e-9 * CLEARANCE):
        pairing.q[0] += offset
        for angle in np.linspace(0.0, math.tau, 7):
            pairing.v[0:2] = 0.3 * math.cos(angle), 0.3 * math.sin(angle)
            force = pairing.generalised()[:2]
            assert force @ pairing.v[:2] == pytest.approx(-np.linalg.norm(force) * 0.3, rel=1e-6)
            pushes.append(np.linalg.norm(force))
    assert min(pushes) > 1e-3
    assert pushes == pytest.approx([pushes[0]] * len(pushes), rel=1e-6)


def test_the_film_hands_over_smoothly():
    """Above the minimum the thickness is itself; below it falls, ever more slowly, to no less than half of it. Value,
    slope and curvature meet at the minimum."""
    m = 3e-6
    h = m * np.linspace(-4.0, 3.0, 1401)
    got = np.array([effective_thickness(float(x), m) for x in h])
    assert (got[h >= m] == h[h >= m]).all()
    assert (np.diff(got) >= 0.0).all() and (np.diff(got[h > 0.0]) > 0.0).all()
    assert got.min() >= 0.5 * m and got.max() == h.max()
    step = 1e-3 * m
    below, at, above = (effective_thickness(m + k * step, m) for k in (-1, 0, 1))
    assert at == m
    assert (above - below) / (2 * step) == pytest.approx(1.0, abs=1e-5)
    assert (above - 2 * at + below) / step**2 * m == pytest.approx(0.0, abs=1e-2)


@every_law
def test_film_forces_are_continuous_across_the_minimum(law):
    """The same motion on a fine row of offsets through minimum_film: force and its slope do not jump."""
    minimum = 0.05 * CLEARANCE
    fit = Lubricated(CLEARANCE, film=law(0.05), wall=WALL, minimum_film=minimum)
    bare = Pairing(Lubricated(CLEARANCE, film=law(0.05)), 11, ratio=0.95)
    pairing = Pairing(fit, 11, ratio=0.95)
    direction = pairing.e / math.hypot(*pairing.e)
    start, found = pairing.q[:2].copy(), []
    for h in minimum * (1.0 + np.array([-2e-4, -1e-4, 1e-4, 2e-4])):
        pairing.q[:2] = bare.q[:2] = start + direction * (0.05 * CLEARANCE - h)
        found.append(pairing.generalised())
        if h > minimum:
            assert found[-1] == pytest.approx(bare.generalised(), rel=1e-12)
    below, above, across = found[1] - found[0], found[3] - found[2], (found[2] - found[1]) / 2.0
    size = np.abs(above).max()
    assert size > 0.0
    assert below == pytest.approx(above, abs=0.01 * size)
    assert across == pytest.approx(above, abs=0.01 * size)
