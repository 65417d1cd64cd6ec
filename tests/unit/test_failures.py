"""A run that cannot go on says which joint, when, why and what to try: one model for each cause."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.laws import ContactLaw
from gudgeon.papers import schwab2002
from gudgeon.results import failure, recorder
from gudgeon.results.failure import Failure
from gudgeon.simulation import Numerics, marching, prepare, watch


def run(mechanism: gd.Mechanism, backend: str = "llvm", **options: Any) -> gd.Run:
    return prepare(mechanism, numerics=Numerics(backend=backend), **options).run()


def limit(monkeypatch: pytest.MonkeyPatch, **limits: float) -> None:
    """Other limits of what a run may take."""
    for name, value in limits.items():
        for module in (watch, marching, failure):
            monkeypatch.setattr(module, name, value, raising=False)


def stopped(mechanism: gd.Mechanism, **options: Any) -> tuple[Failure, gd.RunStopped]:
    """The failure of a run that must fail, after the checks that hold for every failure."""
    with pytest.raises(gd.RunStopped) as caught:
        run(mechanism, **options)
    error = caught.value
    found = error.failure
    assert found is not None
    assert str(error) == str(found)
    assert str(found).startswith(f"stopped at {found.time * 1e3:.6g} ms: ")
    assert found.remedy in str(found)
    assert found.joint is None or f'"{found.joint}"' in found.message
    assert error.run.end.t == found.time
    assert found.time - options.get("output", 0.0) <= error.run.t[-1] <= found.time
    assert not error.run.complete
    assert np.isfinite(error.run.end.y).all()
    return found, error


# -- singular constraints -----------------------------------------------------------------------------------------

CRANK, ROD = 0.05, 0.12


def slider_crank(angle: float = 1.0) -> gd.Mechanism:
    m = gd.Mechanism("slider-crank")
    x, y = CRANK * math.cos(angle), CRANK * math.sin(angle)
    end = x + math.sqrt(ROD**2 - y**2)
    m.body("crank", mass=0.3, inertia=1e-4, at=(x / 2, y / 2), angle=angle)
    m.body("rod", mass=0.2, inertia=1e-4, at=((x + end) / 2, y / 2), angle=-math.asin(y / ROD))
    m.body("slider", mass=0.2, inertia=1e-4, at=(end, 0.0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal="crank", bearing="rod", at=(x, y))
    m.revolute("pin", journal="rod", bearing="slider", at=(end, 0.0))
    m.translational("guide", journal="slider", bearing=m.ground, at=(end, 0.0))
    return m


def test_a_slider_that_drives_the_crank_into_its_dead_centre():
    m = slider_crank()
    m.drive("guide", speed=0.1)
    found, _ = stopped(m, duration=1.0)
    start = CRANK * math.cos(1.0) + math.sqrt(ROD**2 - (CRANK * math.sin(1.0)) ** 2)
    assert found.kind == failure.SINGULAR
    assert found.joint == "guide"
    assert found.time == pytest.approx((CRANK + ROD - start) / 0.1, rel=1e-9)
    assert 'the constraints "main.x", "big.x", "pin.x" and "guide.drive" depend on each other' in found.message
    assert "drive the crank instead of the slider" in found.remedy


def test_without_error_control_the_joints_come_apart_first():
    m = slider_crank()
    m.drive("guide", speed=0.1)
    found, _ = stopped(m, duration=0.5, method=gd.RK4(step=5e-4))
    assert found.kind == failure.NOT_FINITE
    assert "the joints had come apart" in found.message
    assert "dopri5" in found.remedy


def parallelogram() -> gd.Mechanism:
    m = gd.Mechanism("parallelogram")
    x, y = 0.1 * math.cos(1.0), 0.1 * math.sin(1.0)
    m.body("left", mass=0.2, inertia=1e-4, at=(x / 2, y / 2), angle=1.0)
    m.body("right", mass=0.2, inertia=1e-4, at=(0.3 + x / 2, y / 2), angle=1.0)
    m.body("coupler", mass=0.2, inertia=1e-3, at=(0.15 + x, y))
    m.revolute("a", journal="left", bearing=m.ground, at=(0.0, 0.0))
    m.revolute("b", journal="right", bearing=m.ground, at=(0.3, 0.0))
    m.revolute("c", journal="coupler", bearing="left", at=(x, y))
    m.revolute("d", journal="coupler", bearing="right", at=(0.3 + x, y))
    return m


def test_a_parallelogram_that_a_torque_brings_flat():
    m = parallelogram()
    m.torque("left", 1.0)
    found, error = stopped(m, duration=1.0, rtol=1e-10)  # with looser steps rounding decides whether it goes over
    assert found.kind == failure.SINGULAR
    assert found.joint in "abcd"
    assert all(f'"{row}.x"' in found.message for row in "abcd")
    assert "Bushing" in found.remedy and "drive" not in found.remedy
    loose = m.refit(d=gd.Bushing(gd.LinearLiner(stiffness=1e7, damping=1e3)))
    assert gd.simulate(loose, duration=0.5).complete
    assert math.sin(error.run["left.angle"][-1]) == pytest.approx(0.0, abs=1e-5)


def test_a_driven_parallelogram_steps_over_its_flat_position():
    # the projection carries it through: no failure to explain
    m = parallelogram()
    m.drive("a", speed=10.0)
    assert gd.simulate(m, duration=1.0).complete


# -- contacts -----------------------------------------------------------------------------------------------------


def ball(wall: ContactLaw, *, speed: float = 0.0, x: float = 0.0, g: tuple[float, float] = (0.0, 0.0),
         friction: Any = None) -> gd.Mechanism:  # fmt: skip
    """A ball in a bore with 1 mm of play."""
    m = gd.Mechanism("ball", start="given", gravity=g)
    m.body("ball", mass=0.1, inertia=1e-5, at=(x, 0.0), velocity=(speed, 0.0))
    fit = gd.Clearance("1 mm", wall=wall, friction=friction)
    m.revolute("pin", journal="ball", bearing=m.ground, journal_point=(0.0, 0.0), bearing_point=(0.0, 0.0),
               radius="10 mm", length="20 mm", fit=fit)  # fmt: skip
    return m


def test_a_table_that_becomes_a_rock():
    rock = gd.ContactTable((0.0, 1e-6, 1.1e-6), (0.0, 10.0, 1e22))
    found, _ = stopped(ball(rock, speed=3.0), duration=0.01)
    assert found.kind == failure.CONTACT_STEP
    assert (found.joint, found.part) == ("pin", "pin")
    assert 0.33e-3 < found.time < 0.01
    assert "(wall, ContactTable)" in found.message
    assert "first touched at 3 m/s, depth 1e-06 m" in found.message
    assert "softer law" in found.remedy and "first touch" not in found.remedy
    assert "a looser rtol" in found.remedy
    assert gd.simulate(ball(rock, speed=3.0), duration=0.01, rtol=1e-6).complete


def test_a_law_that_jumps_at_first_touch():
    found, _ = stopped(ball(Jump(), speed=1.0), duration=0.01)
    assert (found.kind, found.joint) == (failure.CONTACT_STEP, "pin")
    assert found.time == pytest.approx(1e-3, rel=1e-6)
    assert "does not jump" in found.remedy and "rtol" not in found.remedy


def test_a_load_pressed_into_a_contact_that_began_at_two_nanometres_a_second():
    # the march would not stick but crawl: the damping is scaled with the speed of first touch
    wall = gd.LankaraniNikravesh(stiffness=1e10, restitution=0.5)
    found, error = stopped(ball(wall, speed=2e-9, x=1e-3, g=(9.81, 0.0)), duration=100.0)
    assert (found.kind, found.joint) == (failure.CONTACT_STEP, "pin")
    assert error.run.evidence.steps < 2 * watch.WINDOW
    assert "first touched at 2e-09 m/s" in found.message
    assert "s are left" in found.message
    assert "does not depend on the first-touch speed" in found.remedy
    # and both remedies help
    damper = gd.KelvinVoigt(1e8, 1e3)
    assert gd.simulate(ball(damper, speed=2e-9, x=1e-3, g=(9.81, 0.0)), duration=1.0).complete
    assert gd.simulate(ball(wall, x=1e-3, g=(9.81, 0.0)), duration=1.0).complete


@pytest.mark.parametrize("v1", [1e-14, 1e-10])
def test_a_stiction_band_too_narrow_to_stand_in(v1):
    friction = gd.ModifiedCoulomb(0.3, v0=0.1 * v1, v1=v1)
    wall = gd.LankaraniNikravesh(stiffness=1e8, restitution=0.5)
    found, _ = stopped(ball(wall, x=0.999e-3, g=(9.81, 2.0), friction=friction), duration=20.0)
    assert (found.kind, found.joint) == (failure.STICTION, "pin")
    assert 0.4e-3 < found.time < 5e-3
    assert "it sticks, slip " in found.message
    assert f"v1={v1:.3g} m/s" in found.remedy
    assert "wider stiction band" in found.remedy
    # and what it says helps
    for other in (gd.ModifiedCoulomb(0.3, v0=1e-4, v1=1e-2), gd.LuGre(0.3, static_coefficient=0.3, damping=10.0)):
        assert gd.simulate(ball(wall, x=0.999e-3, g=(9.81, 2.0), friction=other), duration=1.0).complete


# -- accumulation of impacts --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plateau(ContactLaw):
    """A force that does not grow from zero: bounces under a load become ever shorter and never end."""

    loss: float = 0.5

    @staticmethod
    def force(depth, rate, rate0, p):
        ratio = 1.0 if rate0 == 0.0 else rate / rate0
        return 100.0 * (1.0 + p[0] * ratio)


@dataclass(frozen=True)
class Jump(ContactLaw):
    """A damper so strong that the force jumps at first touch."""

    continuous_at_zero: ClassVar[bool] = False

    damping: float = 1e13

    @staticmethod
    def force(depth, rate, rate0, p):
        return p[0] * rate


@dataclass(frozen=True)
class Brittle(ContactLaw):
    """No number beyond its limit."""

    limit: float = 1e-5

    @staticmethod
    def force(depth, rate, rate0, p):
        return 1e6 * math.sqrt(depth * (p[0] - depth))


@dataclass(frozen=True)
class Warned(Brittle):
    """The same, and it says so."""

    def warnings(self, pair, depth, rate, force):
        return [f"Warned: depth {depth:.3g} m lies beyond {self.limit:g} m"] if depth > 0.999 * self.limit else []


@pytest.fixture(autouse=True, scope="module")
def own_laws():
    """Laws of this file leave the registry with it."""
    yield
    for law in (Plateau, Jump, Brittle, Warned):
        ContactLaw.registry.pop(law.__name__, None)


def test_bounces_that_never_end(monkeypatch):
    limit(monkeypatch, CROWD=60)  # many more of them are not told apart by rounding
    found, error = stopped(ball(Plateau(), g=(9.81, 0.0)), duration=2000.0)
    assert (found.kind, found.joint) == (failure.IMPACTS, "pin")
    # the first fall takes 14 ms, each bounce half of the one before
    assert 0.04 < found.time < 0.2
    assert f"{len(error.run.contacts)} contacts, ever shorter: the last are " in found.message
    assert "last 60 onsets and releases lie within" in found.message
    assert "grows from zero" in found.remedy
    assert gd.simulate(ball(gd.Hertz(stiffness=1e10), g=(9.81, 0.0)), duration=1.0).complete


def test_too_many_events_for_so_little_time(monkeypatch):
    limit(monkeypatch, MANY_EVENTS=100)
    monkeypatch.setattr(failure, "CROWD", 60)
    monkeypatch.setattr(watch, "CROWD", 10**6)
    found, _ = stopped(ball(Plateau(), g=(9.81, 0.0)), duration=1.0, output=1e-3)
    assert (found.kind, found.joint) == (failure.IMPACTS, "pin")
    assert "onsets and releases brought only" in found.message


def test_bounces_that_rounding_ends(monkeypatch):
    """Where bounces are too low for the digits of a position, the ball stays at depth zero, and steps become tiny."""
    limit(monkeypatch, WINDOW=100_000)
    found, _ = stopped(ball(Plateau(), g=(9.81, 0.0)), duration=1.0)
    assert (found.kind, found.joint) == (failure.IMPACTS, "pin")


def test_many_events_in_a_run_that_gets_on_are_no_failure(monkeypatch):
    limit(monkeypatch, MANY_EVENTS=10, MANY_STEPS=100, WINDOW=500)
    assert gd.simulate(schwab2002.hertz(), revolutions=3, channels=["slider.ax"]).complete


# -- films --------------------------------------------------------------------------------------------------------


def oiled(viscosity: Any, **fit: Any) -> gd.Mechanism:
    """A ball at 5 m/s in a bore with 1 mm of oil around it."""
    return ball(gd.Hertz(), speed=5.0).refit(pin=gd.Lubricated("1 mm", film=gd.Moes(viscosity), **fit))


@pytest.mark.parametrize("options", [{}, {"backend": "python"}])
def test_a_film_as_thin_as_air_gives_way(options):
    found, error = stopped(oiled(1e-9), duration=0.01, **options)
    assert (found.kind, found.joint, found.part) == (failure.FILM, "pin", "pin")
    assert found.time == pytest.approx(2e-4, rel=1e-6)
    assert 'joint "pin" (film, Moes): eccentricity 1 - ' in found.message
    assert "nm thick here, and the fit has no wall" in found.message
    assert "Lubricated(..., wall=LankaraniNikravesh(...), minimum_film=...)" in found.remedy
    assert "a larger viscosity (it is 1e-09 Pa s)" in found.remedy
    assert error.run.evidence.films[0].thinnest < 1e-12
    # both remedies help
    wall = gd.LankaraniNikravesh(stiffness=1e10, restitution=0.9)
    assert run(oiled(1e-9, wall=wall, minimum_film="1 um"), duration=0.01, **options).complete
    assert run(oiled(1e-4), duration=0.01, **options).complete


def test_a_step_too_long_for_a_film():
    found, _ = stopped(oiled("0.01 cP"), duration=0.01, method=gd.RK4(step=1e-6))
    assert (found.kind, found.joint) == (failure.FILM, "pin")
    assert "the state is not finite" in found.message
    assert re.search(r"the film is [\d.]+ nm thick", found.message)


def test_a_film_that_is_squeezed_out_for_ever(monkeypatch):
    """A weight on a journal that does not turn: the film grows thinner without end, and stiffer."""
    limit(monkeypatch, WINDOW=20_000, MOST_STEPS=1e8)
    m = ball(gd.Hertz(), g=(0.0, -9.81)).refit(pin=gd.Lubricated("1 mm", film=gd.Moes("1 cP")))
    found, _ = stopped(m, duration=1000.0, output=1e-3, method="dopri5")
    assert (found.kind, found.joint) == (failure.FILM, "pin")
    assert "steps moved the time by" in found.message


# -- numbers not finite, laws out of range ------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"method": gd.RK4(step=1e-6)}, {"backend": "python"}])
def test_a_law_that_gives_no_number(options):
    found, _ = stopped(ball(Brittle(), speed=1.0), duration=0.01, **options)
    assert (found.kind, found.joint) == (failure.NOT_FINITE, "pin")
    assert found.time == pytest.approx(1.01e-3, abs=2e-6)
    assert "(wall, Brittle): the law gives nan at depth 1" in found.message
    assert "finite number" in found.remedy


def test_a_law_that_knows_it_is_out_of_its_range():
    found, _ = stopped(ball(Warned(), speed=1.0), duration=0.01)
    assert (found.kind, found.joint) == (failure.OUT_OF_RANGE, "pin")
    assert found.time == pytest.approx(1.01e-3, rel=1e-5)
    assert "Warned: depth 1e-05 m lies beyond 1e-05 m" in found.message
    assert "a law that is valid there" in found.remedy


def test_a_force_that_gives_no_number():
    m = slider_crank()
    m.drive("main", speed=10.0)
    m.force("slider", (lambda t: gd.sqrt(0.1 - t), 0.0), name="push")
    found, _ = stopped(m, duration=1.0)
    assert (found.kind, found.joint, found.part) == (failure.NOT_FINITE, None, "push")
    assert found.time == pytest.approx(0.1, rel=1e-9)
    assert 'force "push" gives nan' in found.message
    assert "finite over the whole run" in found.remedy


def test_a_drive_that_runs_out_of_numbers():
    m = slider_crank()
    m.drive("main", motion=lambda t: gd.log(1.0 - t))
    found, _ = stopped(m, duration=2.0)
    assert (found.kind, found.joint) == (failure.NOT_FINITE, "main")
    assert found.time == pytest.approx(1.0, rel=1e-6)
    assert 'drive "main" gives nan' in found.message


# -- neither ------------------------------------------------------------------------------------------------------


def test_results_that_do_not_fit_in_memory(monkeypatch):
    monkeypatch.setattr(recorder, "MOST_NUMBERS", 1e6)
    found, _ = stopped(schwab2002.hertz(), revolutions=10)
    assert (found.kind, found.joint) == (failure.TOO_LARGE, None)
    assert "the results fill" in found.message
    assert "resume=" in found.remedy


def test_a_march_that_crawls_for_no_known_reason():
    """A signal that oscillates ever faster towards a time it never reaches."""
    m = slider_crank()
    m.drive("main", motion=lambda t: 1e-3 * gd.sin(1.0 / (1.0 - t)) - 1e-3 * math.sin(1.0))
    found, _ = stopped(m, duration=2.0)
    assert (found.kind, found.joint) == (failure.SLOW, None)
    assert 0.99 < found.time < 1.0
    assert "nothing touches" in found.message
    assert "fewer seconds" in found.remedy
