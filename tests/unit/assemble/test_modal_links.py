"""Links that bend by modes: against rigid bodies, against geometrically exact beams, against closed formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis import equilibrium, modes
from gudgeon.analysis.rest.equilibrium import _relaxed
from gudgeon.analysis.rest.flexible import FlexibleStandstill
from gudgeon.analysis.rest.modes import _modes
from gudgeon.analysis.rest.standstill import Standstill
from gudgeon.assemble.flexible.modal import basis_of
from gudgeon.compile.graph import llvm
from gudgeon.model import ModalLink, Section
from gudgeon.papers import schwab2002
from gudgeon.simulation import Numerics, prepare

SLENDER = Section(EA=1e8, GA=1e8, EI=1e3, mass=1.0, inertia=1e-3)
PERIOD = 2 * math.pi / schwab2002.SPEED
ALL = {"elements": 2, "modes": 4}  # every deflection that two elements have


def bending(k: float) -> float:
    """Hz of a slender beam of length 1 m, EI = 1 N m^2 and 1 kg/m with the root k of its frequency equation."""
    return k * k / (2 * math.pi)


def pinned(**options) -> gd.Mechanism:
    """A link of 1 m on two pins, one of which slides."""
    m = gd.Mechanism("beam on two supports")
    link = m.modal_link("link", a=(0, 0), b=(1, 0), EI=1.0, mass=1.0, **options)
    shoe = m.body("shoe", mass=1e-3, inertia=1e-3, at=(1, 0))
    m.revolute("left", journal=link, bearing=m.ground, at=(0, 0))
    m.revolute("right", journal=link, bearing=shoe, at=(1, 0))
    m.translational("guide", journal=shoe, bearing=m.ground, at=(1, 0), axis=(1, 0))
    return m


def cantilever(gravity=(0.0, 0.0), **options) -> gd.Mechanism:
    m = gd.Mechanism("cantilever", gravity=gravity)
    link = m.modal_link("link", a=(0, 0), b=(1, 0), EI=1.0, mass=1.0, **options)
    m.rigid("root", journal=link, bearing=m.ground, at=(0, 0))
    return m


@pytest.mark.parametrize("options", [{}, ALL, {"axes": "tangent", "modes": 8},
                                     pytest.param({"axes": "mean", "modes": 8}, marks=pytest.mark.slow)])  # fmt: skip
def test_a_link_on_two_supports_has_the_frequencies_of_a_beam(options):
    """Whatever axes the deflections are counted from; modes of other ends converge to it from above."""
    found = modes(pinned(**options), at="start").frequencies[:2]
    within = {None: 1e-9, 2: 0.12}.get(options.get("elements"), 3e-4) if options.get("axes") is None else 2e-2
    assert (found > np.array([bending(math.pi), bending(2 * math.pi)]) * (1 - 1e-9)).all()
    assert found == pytest.approx([bending(math.pi), bending(2 * math.pi)], rel=within)


@pytest.mark.parametrize("options", [{"axes": "tangent", "modes": 2}, {"elements": 8, "modes": 16}])
def test_a_clamped_link_has_the_frequencies_of_a_cantilever(options):
    """Clamped by a joint that holds the section at its end: by the axes themselves, or against those of the chord."""
    found = modes(cantilever(**options), at="start").frequencies[:2]
    assert found == pytest.approx([bending(1.8751040687), bending(4.6940911329)], rel=1e-4)


def test_damping_is_a_ratio_of_the_first_mode():
    grown, equal = (modes(pinned(damping=0.02, damping_law=law), at="start") for law in ("stiffness", "equal"))
    assert [mode.damping for mode in grown.modes] == pytest.approx([0.02, 0.08], rel=1e-9)
    assert [mode.damping for mode in equal.modes] == pytest.approx([0.02, 0.02], rel=1e-9)


def test_a_load_along_the_span_bends_as_by_the_formula():
    """F L^3 / (48 EI) in the middle, where nodes of cubic elements are exact; the moment there is F L / 4, of which
    elements without load between their nodes are exact, too."""
    m = pinned(**ALL)
    m.force("link", (0.0, -0.1), at=(0.5, 0.0))
    found = equilibrium(m)
    assert found["link.50.deflection"] == pytest.approx(-0.1 / 48, rel=1e-9)
    assert found["link.50.moment"] == pytest.approx(0.1 / 4, rel=1e-6)
    assert found["left.fy"] == pytest.approx(0.05, rel=1e-9)


@pytest.mark.parametrize("axes", ["chord", *(pytest.param(x, marks=pytest.mark.slow) for x in ("tangent", "mean"))])
def test_weight_bends_a_cantilever_as_by_the_formula(axes):
    """m g L^4 / (8 EI) at the tip and m g L^2 / 2 in the clamp, for a weight that bends it by a thousandth."""
    m = cantilever(gravity=(0.0, -0.008), axes=axes, elements=8, modes=16)
    found = equilibrium(m)
    drop = found["link.100.y"] - found["link.0.y"]
    assert drop == pytest.approx(-1e-3, rel=1e-4)
    assert abs(found["root.moment"]) == pytest.approx(0.004, rel=1e-5)


def test_a_torque_holds_the_section_it_is_given_at():
    """A moment at the tip bends a cantilever by M L^2 / (2 EI) and turns the tip by M L / EI."""
    m = cantilever(axes="tangent", elements=4, modes=8)
    m.torque("link", 1e-3, at=(1.0, 0.0))
    found = equilibrium(m)
    assert found["link.100.deflection"] == pytest.approx(5e-4, rel=1e-9)
    assert found["link.100.angle"] == pytest.approx(1e-3, rel=1e-9)


def test_small_vibrations_are_those_of_the_exact_beam():
    """A pendulum that bends, with a bob clamped to a third of its span. Its weight pulls the beam straight by 1e-4 of
    what buckles it, which a link without foreshortening does not see; the beam shears, EI k^2/GA by 1e-3 in the third
    bending mode."""

    def hung(flexible):
        m = gd.Mechanism("pendulum", gravity=(0.0, -1.0))
        span = {"a": (0.0, 0.0), "b": (0.0, -1.0), "section": SLENDER}
        link = m.beam("link", elements=6, **span) if flexible else m.modal_link("link", elements=6, modes=12, **span)
        bob = m.body("bob", mass=0.2, inertia=1e-3, at=(0.0, -1 / 3))
        m.revolute("hinge", journal=link, bearing=m.ground, at=(0.0, 0.0))
        m.rigid("clamp", journal=bob, bearing=link, at=(0.0, -1 / 3))
        return m

    exact = 2 * math.pi * modes(hung(True)).frequencies[:4]
    ours = 2 * math.pi * modes(hung(False)).frequencies[:4]
    stiff = math.sqrt((1 / 2 + 0.2 / 3) / (1 / 3 + 0.2 / 9 + 2e-3))  # as a rigid pendulum
    assert ours[0] == pytest.approx(stiff, rel=1e-4)
    for here, there, within in zip(ours, exact, (1e-4, 3e-4, 1e-3, 5e-3), strict=True):
        assert here == pytest.approx(there, rel=within)


def test_unsolved_equations_are_the_same():
    """Statics and small vibrations by the residuals that implicit methods use."""
    m = pinned(damping=0.01, **ALL)
    m.force("link", (0.0, -0.1), at=(0.5, 0.0))
    one, other = Standstill(m), FlexibleStandstill(m)
    here, there = (_relaxed(s, s.start()) for s in (one, other))
    assert there["link.50.deflection"] == pytest.approx(here["link.50.deflection"], rel=1e-9)
    here, there = (_modes(s, s.start(), "at the start").frequencies for s in (one, other))
    assert there == pytest.approx(here, rel=1e-6)


# -- in motion ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"axes": "tangent"}, {"axes": "mean", "modes": 3}])
def test_the_centre_of_mass_of_a_free_link_falls_as_a_stone(options):
    """A couple at a third of its span bends and spins it; nothing pushes it sideways."""
    m = gd.Mechanism("free link", gravity=(0.3, -9.81))
    link = m.modal_link("link", a=(0, 0), b=(1, 0), EI=2.0, mass=1.5, rotary=1e-3, damping=0.01, spin=2.0, **options)
    m.torque(link, 0.4, at=(1 / 3, 0.0))
    run = gd.simulate(m, duration=0.5, rtol=1e-11)
    share = basis_of(link).push / link.mass
    bent = sum(share[k] * run[f"link.q{k + 1}"] for k in range(link.modes))
    assert np.abs(run["link.50.deflection"]).max() > 1e-3
    x = run["link.x"] - np.sin(run["link.angle"]) * bent
    y = run["link.y"] + np.cos(run["link.angle"]) * bent
    assert np.abs(x - 0.5 - 0.15 * run.t**2).max() < 1e-10
    assert np.abs(y + 4.905 * run.t**2).max() < 1e-10
    assert np.abs(run["energy.balance"] - run["energy.balance"][0]).max() < 1e-9


def test_a_stiff_link_is_a_rigid_body():
    """The torque's difference falls as EI grows, when the vibration of the start is damped away."""
    rigid = gd.simulate(schwab2002.ideal(), revolutions=1, output=PERIOD / 200).after(0.5 * PERIOD)

    def difference(factor):
        m = schwab2002.ideal(2).vary("rod.damping", 0.3).vary("rod.EI", factor * schwab2002.BENDING)
        run = gd.simulate(m, revolutions=1, output=PERIOD / 200).after(0.5 * PERIOD)
        return np.abs(run["main.torque"] - rigid["main.torque"]).max() / rigid.maximum("main.torque")

    soft, stiff = difference(1.0), difference(30.0)
    assert 1e-5 < soft < 1e-2
    assert stiff < soft / 25


def slider_crank(**options) -> gd.Mechanism:
    """At 100 rad/s with a rod of steel, 10 by 20 mm, that bends by a hundredth of a millimetre."""
    m = gd.Mechanism("slider-crank")
    crank = m.body("crank", mass=0.3, inertia=1e-4, at=(0.025, 0))
    span = {"a": (0.05, 0), "b": (0.3, 0), "section": Section.rectangle("10 mm", "20 mm", gd.STEEL)}
    rod = m.modal_link("rod", **span, **options) if options else m.beam("rod", damping="20 us", elements=2, **span)
    slider = m.body("slider", mass=0.5, inertia=1e-3, at=(0.3, 0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0, 0))
    m.revolute("big", journal=crank, bearing=rod, at=(0.05, 0))
    m.revolute("pin", journal=rod, bearing=slider, at=(0.3, 0), radius="10 mm")
    m.translational("guide", journal=slider, bearing=m.ground, at=(0.3, 0), axis=(1, 0))
    m.drive("main", speed=100.0)
    return m


def test_axes_are_a_matter_of_taste():
    """All deflections of two elements, counted from the chord, the tangent or the mean axes, where ends move in the
    frame: one motion, up to what force along the rod is of the one that buckles it, 1e-3 at 100 rad/s. Strain is damped
    alike, so that ratios go with the first frequency of each."""

    def motion(axes, speed):
        m = slider_crank(axes=axes, **ALL).vary("main.speed", speed)
        ratio = 1e-5 * basis_of(m.modal_links["rod"]).frequencies[0]
        return gd.simulate(m.vary("rod.damping", ratio), revolutions=0.1, rtol=1e-11, output=1e-2 / speed)

    differences = []
    for speed in (25.0, 100.0):
        found = np.array([motion(axes, speed)["rod.50.moment"] for axes in ("chord", "tangent", "mean")])
        differences.append(np.abs(found - found[0]).max() / np.abs(found).max())
    assert 1e-5 < differences[1] < 3e-3
    assert differences[0] < differences[1] / 12


def test_the_moment_is_that_of_the_exact_beam():
    """Of a rod that turns at 100 rad/s: a geometrically exact beam with shear against three modes."""
    turn = 2 * math.pi / 100.0
    beam, link = (
        gd.simulate(m, revolutions=1, output=turn / 200).after(0.5 * turn)
        for m in (slider_crank(), slider_crank(modes=3, damping=0.09))
    )
    peaks = [np.abs(run["rod.50.moment"]).max() for run in (beam, link)]
    assert peaks[1] == pytest.approx(peaks[0], rel=0.02)


FITS = {
    "clearance and friction": gd.Clearance("0.05 mm", wall=gd.LankaraniNikravesh(gd.STEEL, restitution=0.9),
                                           friction=gd.ModifiedCoulomb(0.05, v0="1 mm/s", v1="10 mm/s")),
    "bushing": gd.Bushing(liner=gd.LinearLiner("1e7 N/m", "1e3 N s/m")),
}  # fmt: skip


@pytest.mark.parametrize("axes", ["chord", "tangent"])
@pytest.mark.parametrize("fit", FITS, ids=str)
def test_fits_hold_the_end_of_a_link(axes, fit):
    """Power of the joint and of the modes go through one ledger, friction on a section that turns with the link."""
    m = slider_crank(axes=axes, modes=2, damping=0.01).refit(pin=FITS[fit])
    m.torsion_spring("spring", "big", stiffness=20.0, damping=0.01)
    m.stop("main", upper=6.0, wall=gd.KelvinVoigt(1e5, 10.0))
    run = gd.simulate(m, revolutions=0.3, rtol=1e-10)
    assert np.abs(run["energy.balance"] - run["energy.balance"][0]).max() < 1e-7
    assert run["energy.damper"][-1] > 0.0


def test_a_new_stiffness_compiles_nothing():
    gd.simulate(slider_crank(modes=2, damping=0.01), revolutions=0.01)
    before = llvm.compilations
    gd.simulate(slider_crank(modes=2, damping=0.02).vary("rod.EI", 2e3), revolutions=0.01)
    assert llvm.compilations == before


# -- descriptions ---------------------------------------------------------------------------------------------


def test_a_section_gives_stiffness_and_masses():
    section = Section.rectangle("10 mm", "20 mm", gd.STEEL)
    link = ModalLink("link", (0, 0), (0.25, 0), section=section)
    assert (link.EI, link.mass, link.rotary) == (section.EI, pytest.approx(section.mass * 0.25), section.inertia)
    assert link.section is None
    assert link.stiff.inertia == pytest.approx(link.mass * 0.25**2 / 12 + section.inertia * 0.25)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"b": (0, 0)}, "coincide"),
        ({"EI": None}, "EI and mass are missing"),
        ({"EI": 0.0}, "EI 0.0 must be greater than 0"),
        ({"section": SLENDER}, "leave EI, mass and rotary out"),
        ({"section": 3, "EI": None, "mass": None}, "section 3 is none"),
        ({"modes": 0}, "modes 0 must be a whole number from 1 to 20"),
        ({"modes": 5, "elements": 2}, "modes 5 are more than 2 elements have, which is 4"),
        ({"elements": 0}, "elements 0 must be"),
        ({"axes": "cord"}, 'did you mean "chord"'),
        ({"damping": 1.5}, "damping 1.5 must be at most 1"),
        ({"damping_law": "each"}, "choose from"),
        ({"stations": (0.5, 1.2)}, "between 0"),
    ],
)
def test_errors_say_what_is_wrong(changes, message):
    with pytest.raises(gd.GudgeonError, match=r'^modal link "link": ') as error:
        ModalLink("link", **{"a": (0, 0), "b": (1, 0), "EI": 1.0, "mass": 1.0, **changes})
    assert message in str(error.value)


def test_what_cannot_be_done_is_refused():
    m = pinned()
    with pytest.raises(gd.GudgeonError, match="at= is the point"):
        m.torque("link", 1.0)
    with pytest.raises(gd.GudgeonError, match="links with modes have their own"):
        prepare(m, duration=1e-3, numerics=Numerics(coordinates="tree")).run()
    with pytest.raises(gd.GudgeonError, match="in planar mechanisms only"):
        gd.Mechanism("space", planar=False).modal_link("link", a=(0, 0, 0), b=(1, 0, 0), EI=1.0, mass=1.0)


def test_a_file_holds_a_link_with_modes(tmp_path):
    m = slider_crank(modes=3, damping=0.02, axes="tangent", elements=4, damping_law="equal", stations=(0.0, 0.3))
    again = gd.Mechanism.from_file(m.to_file(tmp_path / "rod.yaml"))
    assert again.modal_links == m.modal_links
    assert list(again.bodies) == ["crank", "slider", "rod"]
    assert again.joints == m.joints


def test_a_file_tells_what_is_wrong_with_a_link(tmp_path):
    text = """name: rod
bodies: {}
modal_links:
  rod: {a: [0, 0], b: [1 m, 0], EI: 10 N m^2, mass: 1 kg, mods: 3}
joints:
  pin: {kind: revolute, journal: rod, bearing: ground, at: [0, 0]}
"""
    (tmp_path / "rod.yaml").write_text(text)
    with pytest.raises(gd.GudgeonError, match='unknown key "mods" in modal link "rod"') as error:
        gd.Mechanism.from_file(tmp_path / "rod.yaml")
    assert 'did you mean "modes"?' in str(error.value)
    (tmp_path / "rod.yaml").write_text(text.replace("mods: 3", "section: {EA: 1, GA: 1, EI: 1, mass: 1, inertia: 0}"))
    with pytest.raises(gd.GudgeonError, match="leave EI, mass and rotary out"):
        gd.Mechanism.from_file(tmp_path / "rod.yaml")
