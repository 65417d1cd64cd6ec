"""Ideal mechanisms that run through their change points say so: when, which joints, and what to do."""

from __future__ import annotations

import math

import pytest

import gudgeon as gd
from gudgeon.results.failure import SINGULAR
from gudgeon.simulation.marching import RunStopped

SPEED = 10.0


def parallelogram(angle: float = 1.0, *, drive: bool = False, length: float = 0.2) -> gd.Mechanism:
    """Two cranks and a bar of the length of the ground, without gravity; the second crank has its own length."""
    span = 0.5
    c, s = 0.2 * math.cos(angle), 0.2 * math.sin(angle)
    c2, s2 = length * math.cos(angle), length * math.sin(angle)
    m = gd.Mechanism("parallelogram", gravity=(0.0, 0.0))
    moving = {} if drive else {"spin": SPEED}
    m.body("crank", mass=0.5, inertia=1e-3, at=(c / 2, s / 2), **moving)
    m.body("follower", mass=0.5, inertia=1e-3, at=(span + c2 / 2, s2 / 2), **moving)
    carried = {} if drive else {"velocity": (-SPEED * s, SPEED * c)}
    m.body("bar", mass=1.0, inertia=2e-2, at=(span / 2 + (c + c2) / 2, (s + s2) / 2), **carried)
    m.revolute("main", journal="crank", bearing=m.ground, at=(0, 0))
    m.revolute("foot", journal="follower", bearing=m.ground, at=(span, 0))
    m.revolute("left", journal="bar", bearing="crank", at=(c, s))
    m.revolute("right", journal="bar", bearing="follower", at=(span + c2, s2))
    if drive:
        m.drive("main", speed=SPEED)
    return m


def slider_crank(rod: float) -> gd.Mechanism:
    c, s = 0.2 * math.cos(1.0), 0.2 * math.sin(1.0)
    end = c + math.sqrt(rod**2 - s**2)
    m = gd.Mechanism("slider-crank", gravity=(0.0, 0.0))
    m.body("crank", mass=0.5, inertia=1e-3, at=(c / 2, s / 2))
    m.body("rod", mass=0.5, inertia=1e-3, at=((c + end) / 2, s / 2))
    m.body("slider", mass=1.0, inertia=1e-3, at=(end, 0))
    m.revolute("main", journal="crank", bearing=m.ground, at=(0, 0))
    m.revolute("big", journal="rod", bearing="crank", at=(c, s))
    m.revolute("pin", journal="rod", bearing="slider", at=(end, 0))
    m.translational("guide", journal="slider", bearing=m.ground, at=(end, 0), axis=(1, 0))
    m.drive("main", speed=SPEED)
    return m


def warned(run: gd.Run) -> list[str]:
    return [text for text in run.evidence.warnings if text.startswith("change point")]


def first_said(m: gd.Mechanism, **options) -> tuple[float, str, gd.Run]:
    """When [s] a change point is first spoken of, and the words: in the evidence or, where rounding lets the run not
    pass it, as the failure; and the run."""
    try:
        run = gd.simulate(m, **options)
    except RunStopped as stopped:
        run, failure = stopped.run, stopped.failure
        assert failure.kind == SINGULAR
        if not warned(run):
            return failure.time, str(failure), run
    (text,) = warned(run)
    return float(text.split()[3]) * 1e-3, text, run


@pytest.mark.parametrize("method", ["dopri5", "alpha"])
@pytest.mark.parametrize("drive", [False, True])
def test_a_parallelogram_laid_flat(method, drive):
    """It turns evenly, and is flat at the angle π of its cranks."""
    when, text, run = first_said(parallelogram(drive=drive), duration=0.3, method=method)
    assert when == pytest.approx((math.pi - 1.0) / run["crank.spin"][0], rel=0.02)
    assert "change point" in text and "clearance" in text and "second crank" in text and "later" not in text
    for name in ("main", "foot", "left", "right"):
        assert f'"{name}"' in text


@pytest.mark.parametrize("method", ["dopri5", "alpha"])
def test_a_slider_crank_with_a_rod_as_long_as_its_crank(method):
    """Upright, rod and crank lie on each other, and the slider may stay."""
    when, text, _ = first_said(slider_crank(0.2), duration=0.3, method=method)
    assert when == pytest.approx((0.5 * math.pi - 1.0) / SPEED, rel=0.02)
    assert '"guide"' in text and "change point" in text


@pytest.mark.parametrize("make", [lambda: slider_crank(0.25), lambda: slider_crank(0.21),
                                  lambda: parallelogram(length=0.25, drive=True)])  # fmt: skip
def test_no_change_point_no_word(make):
    assert not warned(gd.simulate(make(), duration=0.7))


def test_a_run_of_few_channels_says_it_too():
    _, text, _ = first_said(slider_crank(0.2), duration=0.3, channels=["slider.x"])
    assert "change point" in text
