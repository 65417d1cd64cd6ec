"""Hard walls that hold the same thing twice: blocks on three pads, a plate on four, at rest, sliding and tilting."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd

MASS, G, MU, HALF, HEIGHT = 2.0, 9.81, 0.9, 0.3, 0.2
PLAY, WIDTH = 1e-3, 0.02
WEIGHT = MASS * G
METHODS = {
    "impact": gd.Impact(),
    "moreau": gd.Moreau(step=1e-4),
    "alpha": gd.Alpha(hard=True, rtol=1e-6),
    "energy": gd.Energy(hard=True, rtol=1e-5),
    "decay": gd.Decay(hard=True, rtol=1e-5),
}
EVEN = ("impact", "alpha", "energy", "decay")  # these share what is left open evenly
WALL = gd.LankaraniNikravesh(stiffness=1e8, restitution=0.0)


def block(mu: float | None = MU, push: float = 0.0) -> gd.Mechanism:
    """A block of the plane on three pins in grooves with play, pushed at its centre of mass."""
    m = gd.Mechanism("block", gravity=(0.0, -G), start="given")
    m.body("block", mass=MASS, inertia=0.02, at=(0.0, HEIGHT - PLAY))
    friction = {} if mu is None else {"friction": gd.ModifiedCoulomb(mu)}
    for k, x in enumerate((-HALF, 0.0, HALF)):
        m.joint("sliding", f"pad_{k}", journal="block", bearing=m.ground, journal_point=(x, -HEIGHT),
                bearing_point=(x, 0.0), axis=(1, 0), width=WIDTH,
                fit=gd.Clearance(PLAY, wall=WALL, **friction))  # fmt: skip
    if push:
        m.force("block", (push, 0.0))
    return m


def plate() -> gd.Mechanism:
    m = gd.Mechanism("plate", planar=False, gravity=(0.0, 0.0, -G), start="given")
    m.body("plate", mass=MASS, inertia=(0.02, 0.02, 0.03), at=(0, 0, 0))
    m.flat("table", journal="plate", bearing=m.ground, at=(0, 0, 0), axis=(0, 0, 1), radius=HALF, strips=4,
           fit=gd.Clearance(1e-9, wall=WALL, friction=gd.ModifiedCoulomb(MU)))  # fmt: skip
    return m


def forces(run: gd.Run) -> np.ndarray:
    """Normal forces of all contacts in the last row."""
    return np.array([run[name][-1] for name in run.channels if name.endswith(".normal")])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("mu", [None, MU], ids=["smooth", "rough"])
def test_a_block_rests_on_three_pads(mu, method):
    run = gd.simulate(block(mu), duration=0.02, method=METHODS[method])
    assert run.complete
    pressing = forces(run)
    assert pressing.sum() == pytest.approx(WEIGHT, rel=2e-6)
    if method in EVEN:
        assert pressing[pressing > 0.0] == pytest.approx([WEIGHT / 3.0] * 3, rel=1e-5)
    for name in ("block.x", "block.y", "block.angle"):
        assert np.ptp(run[name]) < 1e-11, name


@pytest.mark.parametrize("method", ["impact", "alpha", "energy"])
def test_a_plate_rests_on_four_pads(method):
    """By rounding its pads touch one after the other, so that two may carry it while the others are just open."""
    run = gd.simulate(plate(), duration=0.02, method=METHODS[method])
    assert run.complete
    pressing = forces(run)
    assert pressing.sum() == pytest.approx(WEIGHT, rel=1e-5)
    if method == "impact":
        assert pressing[pressing > 0.0] == pytest.approx([WEIGHT / 4.0] * 4, rel=1e-5)
    assert np.ptp(run["plate.z"]) < 2e-9 and np.ptp(run["plate.x"]) < 1e-11


# The block slides from F = mu m g on, where the friction's moment F h leaves all pads pressed: mu h < HALF.
@pytest.mark.parametrize("method", ["impact", "moreau"])
@pytest.mark.parametrize(("share", "slides"), [(0.99, False), (1.01, True)])
def test_a_pushed_block_slides_from_its_limit_on(method, share, slides):
    run = gd.simulate(block(0.4, share * 0.4 * WEIGHT), duration=0.02, method=METHODS[method])
    acceleration = 0.01 * 0.4 * G if slides else 0.0
    assert run["block.vx"][-1] == pytest.approx(0.02 * acceleration, rel=1e-3, abs=1e-9)
    assert np.abs(run["block.angle"]).max() < 1e-11


@pytest.mark.parametrize("method", ["alpha", "energy", "decay"])
def test_a_block_slides_on_three_pads(method):
    """Friction that grows with the slip until it is Coulomb's."""
    run = gd.simulate(block(0.4, 0.8 * WEIGHT), duration=0.05, method=METHODS[method])
    late = run.t > 0.02
    assert np.diff(run["block.vx"][late]) / np.diff(run.t[late]) == pytest.approx(0.4 * G, rel=1e-4)
    assert forces(run).sum() == pytest.approx(WEIGHT, rel=2e-6)
    assert np.abs(run["block.angle"]).max() < 1e-10


# Rough enough not to slide it tilts about its last pad from F h = m g HALF on, h the height above the foot of the pin.
# Before, beyond a third of that, forces of least norm would pull at the first pad: it is let go, two others carry.
@pytest.mark.parametrize("method", ["impact", "energy"])
@pytest.mark.parametrize(("share", "tilts"), [(0.8, False), (1.1, True)])
def test_a_pushed_block_tilts_from_its_limit_on(method, share, tilts):
    height, duration = HEIGHT + 0.5 * WIDTH - PLAY, 0.02
    run = gd.simulate(block(2.0, share * WEIGHT * HALF / height), duration=duration, method=METHODS[method])
    assert run.complete
    # about the pad: (I + m r²) a = m g HALF (share - 1)
    rate = WEIGHT * HALF * (share - 1.0) / (0.02 + MASS * (HALF**2 + height**2))
    turned, expected = -run["block.angle"][-1], 0.5 * rate * duration**2
    if method == "impact":
        assert turned == pytest.approx(expected if tilts else 0.0, rel=0.01, abs=1e-10)
    else:  # with friction that needs some slip
        assert turned > 0.5 * expected if tilts else abs(turned) < 1e-8
    assert (forces(run) >= 0.0).all()
