"""The line of a beam as one smooth path: what each node counts at a place that moves along the beam.

A section that slides along a beam leaves one element and enters the next. Inside an element the nodes give a
polynomial; where two elements meet it is continuous, but its slope jumps by as much as the mesh is wrong, and a mass
that passed such a kink would be hit. So the path of element e gets what is missing to the mean of both sides, in slope
and in curvature, by the quintics of Hermite, which vanish at both ends with all but one derivative: with x from 0 to 1
along the element and r_e for its own polynomial,

    r(x) = r_e(x) + 1/2 (r'_{e-1}(1) - r'_e(0)) H_1(x) + 1/2 (r''_{e-1}(1) - r''_e(0)) K_1(x)
                  + 1/2 (r'_{e+1}(0) - r'_e(1)) H_2(x) + 1/2 (r''_{e+1}(0) - r''_e(1)) K_2(x)

    H_1 = x - 6x^3 + 8x^4 - 3x^5      K_1 = (x^2 - 3x^3 + 3x^4 - x^5)/2
    H_2 =   - 4x^3 + 7x^4 - 3x^5      K_2 = (x^3 - 2x^4 + x^5)/2

The path goes through the ends of all elements, has continuous curvature and differs from r_e by the error that the mesh
has already (order + 1 in the length of the elements). It is linear in the nodes: at any place a node counts by a number
that depends on the place alone. A rigid motion of the nodes moves the path rigidly. Beyond its ends the beam goes on
straight.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from gudgeon.compile.graph import Scalar
from gudgeon.compile.native.scalar import opaque
from gudgeon.space.pieces import clip, part

DEGREE = 5
# coefficients of powers of x, lowest first: slope and curvature at the start, the same at the end
_START = np.array([[0.0, 1.0, 0.0, -6.0, 8.0, -3.0], [0.0, 0.0, 0.5, -1.5, 1.5, -0.5]])
_END = np.array([[0.0, 0.0, 0.0, -4.0, 7.0, -3.0], [0.0, 0.0, 0.0, 0.5, -1.0, 0.5]])


class Piece(NamedTuple):
    """The path from `low` to `high`, both in elements: polynomials in x = place - start, one row of coefficients for
    each node from the node `first` on."""

    low: float
    high: float
    start: int
    first: int
    polynomials: np.ndarray


@cache
def lagrange(order: int) -> np.ndarray:
    """Coefficients of Lagrange's polynomials on equally spaced nodes of 0..1, one row per node."""
    nodes = np.arange(order + 1) / order
    coefficients = np.zeros((order + 1, DEGREE + 1))
    coefficients[:, : order + 1] = np.linalg.inv(np.vander(nodes, increasing=True)).T
    return coefficients


def _derivatives(polynomials: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Slope and curvature of each polynomial at 0 and at 1, as rows."""
    k = np.arange(DEGREE + 1)
    start, end = (polynomials[:, 1], 2.0 * polynomials[:, 2]), (polynomials @ k, polynomials @ (k * (k - 1)))
    return np.array(start), np.array(end)


def pieces(elements: int, order: int) -> list[Piece]:
    """The path of a beam piece by piece: before it, along each element, behind it."""
    own = lagrange(order)
    start, end = _derivatives(own)
    linear = np.zeros((2, order + 1, DEGREE + 1))
    linear[0, 0, 0], linear[1, order, 0] = 1.0, 1.0
    linear[0, :, 1], linear[1, :, 1] = start[0], end[0]
    path = [Piece(-np.inf, 0.0, 0, 0, linear[0])]
    for e in range(elements):
        before, after = e > 0, e + 1 < elements
        here = order if before else 0  # place of its own first node among those of the piece
        rows = np.zeros((here + order + 1 + (order if after else 0), DEGREE + 1))
        rows[here : here + order + 1] += own
        if before:
            rows[here : here + order + 1] -= 0.5 * start.T @ _START
            rows[: order + 1] += 0.5 * end.T @ _START
        if after:
            rows[here : here + order + 1] -= 0.5 * end.T @ _END
            rows[here + order :] += 0.5 * start.T @ _END
        path.append(Piece(float(e), float(e + 1), e, e * order - here, rows))
    path.append(Piece(float(elements), np.inf, elements, (elements - 1) * order, linear[1]))
    return path


def inside(place: float, low: float, high: float) -> float:
    """1 from low up to high, else 0."""
    return 1.0 if low <= place < high else 0.0


def _count(counts: list[Scalar], piece: Piece, flag: Scalar, powers: list[Scalar]) -> None:
    """Add to what each node counts what a piece makes of it: its polynomials of these powers, where its flag is up."""
    for k, row in enumerate(piece.polynomials, piece.first):
        value = flag.graph.zero
        for c, power in zip(row, powers, strict=True):
            value = value + float(c) * power
        counts[k] = counts[k] + flag * value


def weights(place: Scalar, elements: int, order: int) -> list[Scalar]:
    """What each node of a beam counts at a place, in elements from its start."""
    graph = place.graph
    path = pieces(elements, order)
    # which piece it is jumps, and nothing that is made of it does
    call = opaque(inside, 3, block=False, held=True)
    here = [graph.call(call, (place, *map(graph.scalar, piece[:2]))) for piece in path]
    x = place
    for flag, piece in zip(here, path, strict=True):
        x = x - float(piece.start) * flag
    powers = [graph.scalar(1.0)]
    for _ in range(DEGREE):
        powers.append(powers[-1] * x)
    counts = [graph.zero] * (elements * order + 1)
    for flag, piece in zip(here, path, strict=True):
        _count(counts, piece, flag, powers)
    return counts


# The path is continuous, so that its change over a step is that of all pieces, each between the ends of the step that
# are brought into the piece. In a piece powers change by
#   x_b^(n+1) - x_a^(n+1) = (x_b - x_a) d_(n+1),   d_(n+1) = x_b d_n + x_a^n,   d_0 = 0
# which loses no digits however short the step is, and wherever it crosses into another piece.
def secants(before: Scalar, place: Scalar, elements: int, order: int) -> list[Scalar]:
    """What each node counts more at a place than it did before, divided by the step of the place."""
    graph = place.graph
    clipped, share = opaque(clip, 3, block=False), opaque(part, 4, block=False)
    counts = [graph.zero] * (elements * order + 1)
    for piece in pieces(elements, order):
        limits = tuple(map(graph.scalar, piece[:2]))
        a, b = (graph.call(clipped, (x, *limits)) - float(piece.start) for x in (before, place))
        power, slopes = graph.scalar(1.0), [graph.zero]
        for _ in range(DEGREE):
            slopes.append(b * slopes[-1] + power)
            power = power * a
        flag = graph.call(share, (before, place, *limits))
        _count(counts, piece, flag, slopes)
    return counts
