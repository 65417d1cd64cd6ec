"""Every fit, law, stop and drive works on a beam as on a body: a stiff beam moves as the rigid link does."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.model import Section

STEEL = {"E": 207e9, "nu": 0.3, "rho": 7800.0}
LUGRE = gd.LuGre(0.08, static_coefficient=0.1)


def slider_crank(rod_is_beam: bool, gravity=(0.0, -9.81)):
    m = gd.Mechanism("slider-crank", gravity=gravity)
    section = Section.rectangle(0.010, 0.020, **STEEL).scaled(20.0)
    crank = m.body("crank", mass=0.3, inertia=1e-4, at=(0.025, 0.0))
    slider = m.body("slider", mass=0.5, inertia=1e-3, at=(0.25, 0.0))
    rod = m.beam("rod", a=(0.05, 0.0), b=(0.25, 0.0), section=section, elements=1, damping=1e-6)
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal=crank, bearing=rod, at=(0.05, 0.0))
    m.revolute("pin", journal=rod, bearing=slider, at=(0.25, 0.0), radius="10 mm", length="20 mm")
    m.translational("guide", journal=slider, bearing=m.ground, at=(0.25, 0.0), length="60 mm", width="40 mm")
    m.drive("main", speed=60.0)
    return m if rod_is_beam else m.stiffened()


FITS = {
    "clearance": {"pin": gd.Clearance("0.1 mm", wall=gd.LankaraniNikravesh(gd.STEEL, restitution=0.5),
                                      friction=gd.ModifiedCoulomb(0.05))},
    "lugre": {"pin": gd.Clearance("0.1 mm", wall=gd.LankaraniNikravesh(gd.STEEL, restitution=0.5),
                                  friction=LUGRE)},
    "bushing": {"pin": gd.Bushing(gd.LinearLiner(stiffness=1e7, damping=1e3))},
    "film": {"pin": gd.Lubricated("0.1 mm", film=gd.Ocvirk("400 cP"))},
    "guide": {"guide": gd.Clearance("0.1 mm", wall=gd.HuntCrossley(stiffness=1e9, restitution=0.5, exponent=1.5))},
}  # fmt: skip


@pytest.mark.parametrize("name", FITS)
def test_every_fit_is_the_same_without_solving_for_accelerations(name):
    m = slider_crank(False).refit(**FITS[name])
    found, exact = (gd.simulate(m, duration=0.006, output=1e-4, method=method, rtol=rtol)
                    for method, rtol in (("alpha", 1e-9), ("dopri5", 1e-11)))  # fmt: skip
    for channel in ("slider.x", "slider.vx", "pin.fx", "pin.ex"):
        # an instant of an impact more or less early is a large difference of forces
        assert np.abs(found[channel] - exact[channel]).mean() < 2e-3 * max(np.ptp(exact[channel]), 1e-9), channel


@pytest.mark.parametrize("name", FITS)
def test_a_stiff_beam_has_every_fit(name):
    runs = [gd.simulate(slider_crank(flexible).refit(**FITS[name]), duration=0.006, output=1e-4, rtol=1e-8)
            for flexible in (True, False)]  # fmt: skip
    beam, rigid = runs
    assert np.abs(beam["slider.x"] - rigid["slider.x"]).max() < 0.02 * np.ptp(rigid["slider.x"])
    assert bool(beam.contacts) == bool(rigid.contacts)
    if beam.contacts:
        assert beam.contacts[0].t_on == pytest.approx(rigid.contacts[0].t_on, rel=0.02, abs=2e-5)


def test_a_stop_and_a_spring_hold_a_beam():
    """A beam falls against a stop and is drawn back by a torsion spring, as a rigid body does."""
    runs = []
    for flexible in (True, False):
        m = gd.Mechanism("flap", gravity=(0.0, -9.81))
        section = Section.rectangle(0.010, 0.020, **STEEL).scaled(50.0)
        flap = m.beam("flap", a=(0.0, 0.0), b=(0.3, 0.0), section=section, elements=1, damping=1e-5)
        m.revolute("hinge", journal=flap, bearing=m.ground, at=(0.0, 0.0))
        m.stop("hinge", lower="-20 deg", wall=gd.HuntCrossley(stiffness=2e4, restitution=0.3, exponent=1.5))
        m.torsion_spring("spring", "hinge", stiffness=0.5, damping=0.01)
        m.force(flap, (0.0, -1.0), at=(0.2345, 0.0))
        runs.append(gd.simulate(m if flexible else m.stiffened(), duration=0.4, output=1e-3, rtol=1e-9))
    beam, rigid = runs
    assert len(beam.contacts) == len(rigid.contacts) >= 1
    assert beam.contacts[0].peak_force == pytest.approx(rigid.contacts[0].peak_force, rel=0.02)
    assert np.abs(beam["hinge.travel"] - rigid["hinge.travel"]).max() < 0.01 * np.ptp(rigid["hinge.travel"])
