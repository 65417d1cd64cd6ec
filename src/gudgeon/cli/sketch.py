"""A mechanism in the described position as a few lines of text: links as lines of dots, joints as marks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gudgeon.model import Mechanism
from gudgeon.model.names import GROUND

__all__ = ["LEGEND", "sketch"]

Point = tuple[float, float]

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # of a braille character, by row and column
GROUNDED, SLIDING, JOINT = "▲", "■", "o"
LEGEND = f"{GROUNDED} held by the ground, {SLIDING} slides, {JOINT} other joints"
# in space seen from a corner, z up: the directions to the right and up of the page
RIGHT, UP = (0.8, -0.6, 0.0), (0.27, 0.36, 0.89)


def sketch(mechanism: Mechanism, width: int = 30, height: int = 8) -> list[str]:
    """Lines of at most `width` characters, `height` of them or fewer."""
    m = mechanism.stiffened()
    lines, marks = [*_links(m), *_springs(m), *_circles(m)], list(_marks(m))
    every = [point for line in lines for point in line] + [point for point, _ in marks]
    left, low = (min(p[k] for p in every) for k in (0, 1))
    right, high = (max(p[k] for p in every) for k in (0, 1))
    # a dot stays away from the edge, so that a mark there is inside
    columns, rows = 2 * width - 2, 4 * height - 4
    scale = min(columns / max(right - left, 1e-9), rows / max(high - low, 1e-9))
    cells: dict[tuple[int, int], int] = {}

    def place(point: Point) -> tuple[int, int]:
        return 1 + round((point[0] - left) * scale), 2 + round((high - point[1]) * scale)

    for line in lines:
        for a, b in pairwise(map(place, line)):
            for x, y in _between(a, b):
                cells[y // 4, x // 2] = cells.get((y // 4, x // 2), 0) | DOTS[y % 4][x % 2]
    page = {cell: chr(0x2800 + dots) for cell, dots in cells.items()}
    for point, mark in sorted(marks, key=lambda item: item[1] == GROUNDED):
        x, y = place(point)
        page[y // 4, x // 2] = mark
    used = range(1 + max((row for row, _ in page), default=0))
    return ["".join(page.get((row, column), " ") for column in range(width)).rstrip() for row in used]


def _flat(point: Sequence[float]) -> Point:
    if len(point) == 2:
        return float(point[0]), float(point[1])
    x, y = (sum(a * b for a, b in zip(point, way, strict=True)) for way in (RIGHT, UP))
    return x, y


def _links(m: Mechanism) -> Iterator[list[Point]]:
    """Of each body a line through the points where it is held; through its centre of mass where there is only one."""
    for name, body in m.bodies.items():
        held = [j.journal_point if j.journal == name else j.bearing_point for j in m.joints.values()
                if name in (j.journal, j.bearing)]  # fmt: skip
        points = list(dict.fromkeys(_flat(m.world(name, tuple(point))) for point in held))
        if len(points) == 1:
            points.append(_flat(body.at))
        yield [*points, points[0]] if len(points) > 2 else points


def _springs(m: Mechanism) -> Iterator[list[Point]]:
    """A zigzag between both ends."""
    for spring in m.springs.values():
        (ax, ay), (bx, by) = (_flat(m.world(body, tuple(point))) for body, point in
                              ((spring.body_i, spring.point_i), (spring.body_j, spring.point_j)))  # fmt: skip
        across = (0.07 * (ay - by), 0.07 * (bx - ax))
        sides = [0, *(1 if k % 2 else -1 for k in range(8)), 0]
        yield [(ax + (bx - ax) * k / 9 + side * across[0], ay + (by - ay) * k / 9 + side * across[1])
               for k, side in enumerate(sides)]  # fmt: skip


def _circles(m: Mechanism) -> Iterator[list[Point]]:
    """Discs that touch from outside, and the bore of a joint that is all there is."""
    for joint in m.joints.values():
        sides = {"journal": joint.journal_radius, "bearing": joint.radius} if joint.kind.name == "contact" else {}
        if len(m.joints) == 1 and joint.radius:
            sides = {"bearing": joint.radius}
        for side, radius in sides.items():
            x, y = _flat(m.world(getattr(joint, side), tuple(getattr(joint, f"{side}_point"))))
            turn = (2.0 * math.pi * k / 48 for k in range(49))
            yield [(x + (radius or 0.0) * math.cos(a), y + (radius or 0.0) * math.sin(a)) for a in turn]


def _marks(m: Mechanism) -> Iterator[tuple[Point, str]]:
    for joint in m.joints.values():
        if joint.kind.name == "contact":
            continue
        on_ground = GROUND in (joint.journal, joint.bearing)
        mark = SLIDING if joint.kind.free == "translation" else GROUNDED if on_ground else JOINT
        yield _flat(m.world(joint.bearing, tuple(joint.bearing_point))), mark


def _between(a: tuple[int, int], b: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Dots of a straight line."""
    steps = max(abs(b[0] - a[0]), abs(b[1] - a[1]), 1)
    for k in range(steps + 1):
        yield round(a[0] + (b[0] - a[0]) * k / steps), round(a[1] + (b[1] - a[1]) * k / steps)
