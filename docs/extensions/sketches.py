"""Sketches of the mates: journal blue, bearing grey, offset and normal in orange."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gudgeon.draw.style import CONTACT, INK, PALETTE, SOFT

JOURNAL, BEARING = PALETTE[0], "#9aa0a6"


def disk(ax: Any, x: float, y: float, r: float, **style: Any) -> None:
    from matplotlib.patches import Circle

    ax.add_patch(Circle((x, y), r, **style))


def box(ax: Any, x: float, y: float, w: float, h: float, angle: float = 0.0, **style: Any) -> None:
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle((x - w / 2, y - h / 2), w, h, angle=angle, rotation_point="center", **style))


def arrow(ax: Any, a: tuple[float, float], b: tuple[float, float], word: str = "", colour: str = CONTACT,
          shift: tuple[float, float] = (0.04, 0.04), style: str = "->") -> None:  # fmt: skip
    ax.annotate("", b, a, arrowprops={"arrowstyle": style, "color": colour, "lw": 1.2, "shrinkA": 0, "shrinkB": 0})
    ax.text(b[0] + shift[0], b[1] + shift[1], word, color=colour)


def frame(ax: Any, x: tuple[float, float], y: tuple[float, float]) -> None:
    ax.set(xlim=x, ylim=y)


def bore(ax: Any, e: tuple[float, float], word: str = "e") -> None:
    disk(ax, 0, 0, 1.28, facecolor="#e8eaed", edgecolor=BEARING, linewidth=1)
    disk(ax, 0, 0, 1.0, facecolor="white", edgecolor=BEARING, linewidth=1.4)
    disk(ax, *e, 0.72, facecolor="#d6e8f4", edgecolor=JOURNAL, linewidth=1.4)
    arrow(ax, (0, 0), e, word)
    ax.plot([0], [0], "o", color=INK, markersize=3)
    size = math.hypot(*e)
    n = (e[0] / size, e[1] / size)
    touch = (e[0] + 0.72 * n[0], e[1] + 0.72 * n[1])
    ax.plot(*touch, "o", color=CONTACT, markersize=4)
    arrow(ax, touch, (touch[0] + 0.5 * n[0], touch[1] + 0.5 * n[1]), "n")
    frame(ax, (-1.7, 1.8), (-1.45, 1.6))


def pin(ax: Any) -> None:
    bore(ax, (0.17, 0.22))


def ball(ax: Any) -> None:
    turn = np.linspace(-math.pi - 0.35, 0.35, 100)
    for r in (1.0, 1.25):
        ax.plot(r * np.cos(turn), r * np.sin(turn), color=BEARING, linewidth=1.3)
    disk(ax, 0.12, -0.16, 0.78, facecolor="#d6e8f4", edgecolor=JOURNAL, linewidth=1.4)
    box(ax, 0.16, 0.95, 0.3, 0.75, facecolor="#d6e8f4", edgecolor=JOURNAL, linewidth=1.2)
    arrow(ax, (0, 0), (0.12, -0.16), "e")
    ax.plot([0], [0], "o", color=INK, markersize=3)
    frame(ax, (-1.6, 1.6), (-1.5, 1.5))


def slot(ax: Any) -> None:
    for side in (1, -1):
        box(ax, 0, side * 0.75, 3.2, 0.3, facecolor="#e8eaed", edgecolor=BEARING, linewidth=1.2)
    box(ax, 0.1, 0.0, 1.7, 0.92, angle=5.5, facecolor="#d6e8f4", edgecolor=JOURNAL, linewidth=1.4)
    c, s = math.cos(math.radians(5.5)), math.sin(math.radians(5.5))
    for x, y in ((0.85, 0.46), (0.85, -0.46), (-0.85, 0.46), (-0.85, -0.46)):
        ax.plot(0.1 + c * x - s * y, s * x + c * y, "o", color=CONTACT, markersize=4)
    arrow(ax, (-1.7, 0), (1.75, 0), "axis", SOFT)
    arrow(ax, (0.1 + c * 0.85 - s * 0.46, s * 0.85 + c * 0.46), (0.9, 1.15), "n", shift=(0.06, -0.05))
    frame(ax, (-1.8, 2.1), (-1.2, 1.35))


def groove(ax: Any) -> None:
    for side in (1, -1):
        box(ax, 0, side * 0.75, 3.2, 0.3, facecolor="#e8eaed", edgecolor=BEARING, linewidth=1.2)
    disk(ax, 0.15, 0.12, 0.48, facecolor="#d6e8f4", edgecolor=JOURNAL, linewidth=1.4)
    arrow(ax, (-1.7, 0), (1.75, 0), "axis", SOFT)
    arrow(ax, (0.15, 0.0), (0.15, 0.12))
    ax.plot([0.15], [0.6], "o", color=CONTACT, markersize=4)
    arrow(ax, (0.15, 0.6), (0.15, 1.15), "n", shift=(0.06, -0.05))
    frame(ax, (-1.8, 2.1), (-1.2, 1.35))


def key(ax: Any) -> None:
    disk(ax, 0, 0, 1.25, facecolor="#e8eaed", edgecolor=BEARING, linewidth=1.2)
    box(ax, 0.8, 0, 0.75, 0.62, facecolor="white", edgecolor=BEARING, linewidth=1)
    disk(ax, 0, 0, 0.78, facecolor="#d6e8f4", edgecolor=JOURNAL, linewidth=1.4)
    box(ax, 0.82, 0.05, 0.55, 0.38, angle=4, facecolor="#d6e8f4", edgecolor=JOURNAL, linewidth=1.2)
    ax.text(1.3, 0.22, "play to each side", color=CONTACT)
    ax.plot([0, 2.1], [0, 0], color=SOFT, linewidth=0.6, linestyle="--")
    ax.plot([0, 2.1], [0, 2.1 * math.tan(math.radians(4))], color=CONTACT, linewidth=0.9)
    frame(ax, (-1.4, 2.7), (-1.4, 1.4))


def outside(ax: Any) -> None:
    disk(ax, -0.75, 0, 0.9, facecolor="#e8eaed", edgecolor=BEARING, linewidth=1.4)
    disk(ax, 0.78, 0.25, 0.6, facecolor="#d6e8f4", edgecolor=JOURNAL, linewidth=1.4)
    ax.plot([-0.75, 0.78], [0, 0.25], color=SOFT, linewidth=0.6, linestyle="--")
    arrow(ax, (0.14, 0.145), (-0.35, 0.065), "n", shift=(-0.12, 0.08))
    ax.plot([-0.75, 0.78], [0, 0.25], "o", color=INK, markersize=3)
    frame(ax, (-1.8, 1.6), (-1.1, 1.1))


def sleeve(ax: Any) -> None:
    for side in (1, -1):
        box(ax, 0, side * 0.72, 2.2, 0.28, facecolor="#e8eaed", edgecolor=BEARING, linewidth=1.2)
    box(ax, 0, 0.0, 3.3, 0.92, angle=4, facecolor="#d6e8f4", edgecolor=JOURNAL, linewidth=1.4)
    for x in np.linspace(-0.88, 0.88, 5):
        ax.plot([x, x], [-0.58, 0.58], color=CONTACT, linewidth=0.8, linestyle=":")
    ax.plot([-1.7, 1.75], [0, 0], color=SOFT, linewidth=0.7, linestyle="-.")
    ax.text(0.95, -1.08, "strips", color=CONTACT, ha="right")
    frame(ax, (-1.9, 1.9), (-1.2, 1.1))


def shoulder(ax: Any) -> None:
    for side in (1, -1):
        box(ax, 0, side * 0.62, 1.3, 0.4, facecolor="#e8eaed", edgecolor=BEARING, linewidth=1.2)
    box(ax, 0.07, 0, 2.6, 0.7, facecolor="#d6e8f4", edgecolor=JOURNAL, linewidth=1.2)
    for x in (-0.85, 1.0):
        box(ax, x, 0, 0.26, 1.45, facecolor="#d6e8f4", edgecolor=JOURNAL, linewidth=1.2)
    arrow(ax, (-1.6, 0), (1.75, 0), "b", SOFT)
    arrow(ax, (0.65, 1.0), (0.87, 1.0), "travel", shift=(0.05, 0.05))
    frame(ax, (-1.7, 2.0), (-1.1, 1.3))


def flat(ax: Any) -> None:
    for side in (1, -1):
        box(ax, 0, side * 0.62, 3.3, 0.25, facecolor="#e8eaed", edgecolor=BEARING, linewidth=1.2)
    box(ax, 0, 0, 1.9, 0.72, angle=4, facecolor="#d6e8f4", edgecolor=JOURNAL, linewidth=1.3)
    for x in (-0.95, 0.95):
        for y in (-0.36, 0.36):
            a = math.radians(4)
            ax.plot(
                x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a), "o", color=CONTACT, markersize=4
            )
    arrow(ax, (0, -0.2), (0, 1.15), "b", SOFT)
    frame(ax, (-1.8, 1.8), (-1.0, 1.4))


def thread(ax: Any) -> None:
    for side in (1, -1):
        box(ax, 0, side * 0.75, 1.5, 0.5, facecolor="#e8eaed", edgecolor=BEARING, linewidth=1.2)
    x = np.linspace(-1.6, 1.6, 33)
    up = np.where(np.arange(33) % 2 == 0, 0.42, 0.58)
    ax.fill(
        np.concatenate([x, x[::-1]]),
        np.concatenate([up, -up[::-1]]),
        facecolor="#d6e8f4",
        edgecolor=JOURNAL,
        linewidth=1,
    )
    arrow(ax, (-0.1, 1.15), (0.3, 1.15), "travel = lead × angle", shift=(0.06, -0.04))
    frame(ax, (-1.8, 2.2), (-1.15, 1.4))


def block(ax: Any) -> None:
    box(ax, 0, -0.85, 2.4, 0.25, facecolor="#e8eaed", edgecolor=BEARING, linewidth=1.2)
    box(ax, 0.18, 0.62, 1.9, 0.25, angle=8, facecolor="#d6e8f4", edgecolor=JOURNAL, linewidth=1.3)
    ax.fill([-0.9, 0.9, 1.05, -0.72], [-0.72, -0.72, 0.6, 0.38], facecolor="#f3e3d3", edgecolor="#b08968", linewidth=1)
    arrow(ax, (0, -0.1), (0.18, 0.1), "shift", shift=(0.05, 0.0))
    ax.text(-0.35, -0.5, "6 × 6", color=INK)
    frame(ax, (-1.5, 1.6), (-1.15, 1.1))


PLANE, SPACE = "of the plane", "of space"
SKETCHES: dict[tuple[str, str], tuple[Any, str]] = {
    (PLANE, "pin"): (pin, "The offset $e$ of the journal's centre, the point of contact and the normal."),
    (PLANE, "slot"): (
        slot,
        "The slider tilts within its play; each of the four corners can meet the wall on its side.",
    ),
    (PLANE, "groove"): (groove, "A pin between the walls of its groove, along which it slides and turns."),
    (PLANE, "key"): (key, "A loose key has backlash: it meets one flank or the other."),
    (PLANE, "outside"): (
        outside,
        "Two disks that meet from outside; the normal points from the journal to the bearing.",
    ),
    (SPACE, "ball"): (ball, "The ball's centre relative to the socket's."),
    (SPACE, "sleeve"): (
        sleeve,
        "Circles of the bearing around the journal; each is searched for the point that comes closest.",
    ),
    (SPACE, "shoulder"): (shoulder, "Faces on the journal: travel along its axis to both sides."),
    (SPACE, "key"): (key, "The angle of the journal about the bearing's axis, with play to each side."),
    (SPACE, "flat"): (flat, "Points around the rim of the pad can meet either plate."),
    (SPACE, "thread"): (thread, "How far the screw is ahead of its thread."),
    (SPACE, "block"): (block, "Shift and rotation vector of the journal, held by one matrix of 6 × 6."),
    (SPACE, "outside"): (outside, "Two spheres that meet from outside."),
}
