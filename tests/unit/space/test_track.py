"""The path along a beam through the nodes of its elements: smooth where they meet, exact where the elements are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.polynomial import polynomial

from gudgeon.compile.graph import Direction, Graph, Module
from gudgeon.compile.graph.python import compile_module
from gudgeon.space.flexible.track import pieces, weights

every_order = pytest.mark.parametrize("order", [1, 2, 3])
every_mesh = pytest.mark.parametrize("elements", [1, 2, 3, 6])


def value(piece, nodes, x: float, derivative: int = 0) -> float:
    rows = piece.polynomials
    chosen = nodes[piece.first : piece.first + len(rows)]
    return sum(
        q * polynomial.polyval(x, polynomial.polyder(row, derivative)) for q, row in zip(chosen, rows, strict=True)
    )


@every_order
@every_mesh
def test_the_path_has_no_kink_and_continuous_curvature(order, elements):
    nodes = np.random.default_rng(order).normal(size=elements * order + 1)
    path = pieces(elements, order)
    for e in range(1, elements):
        here, there = path[e], path[e + 1]
        assert value(here, nodes, 1.0) == pytest.approx(nodes[e * order], abs=1e-12)
        for derivative in range(3):
            left, right = value(here, nodes, 1.0, derivative), value(there, nodes, 0.0, derivative)
            assert left == pytest.approx(right, abs=1e-10)
    # at the ends of the beam the path goes on along its tangent
    for inner, outer, x in ((path[1], path[0], 0.0), (path[-2], path[-1], 1.0)):
        for derivative in range(2):
            assert value(inner, nodes, x, derivative) == pytest.approx(value(outer, nodes, 0.0, derivative), abs=1e-10)
        assert value(outer, nodes, 0.7, 2) == 0.0


@every_order
@every_mesh
def test_a_field_that_the_elements_hold_exactly_is_the_path(order, elements):
    def field(u: float) -> float:
        return 0.3 - 1.2 * u + (0.7 * u**2 if order > 1 else 0.0) - (0.4 * u**3 if order > 2 else 0.0)

    nodes = np.array([field(k / order) for k in range(elements * order + 1)])
    for e, piece in enumerate(pieces(elements, order)[1:-1]):
        for x in (0.0, 0.2, 0.63, 1.0):
            assert value(piece, nodes, x) == pytest.approx(field(e + x), abs=1e-11 * elements**3)


@every_order
def test_the_path_is_as_good_as_the_elements(order):
    """Its error falls with the power order + 1 of the length of the elements, as theirs does."""
    errors = []
    for elements in (8, 16):
        nodes = np.sin(3.0 * np.linspace(0.0, 1.0, elements * order + 1))
        places = np.linspace(0.0, elements, 301)[:-1]
        path = pieces(elements, order)
        found = [value(path[int(u) + 1], nodes, u - int(u)) for u in places]
        errors.append(np.abs(found - np.sin(3.0 * places / elements)).max())
    assert math.log2(errors[0] / errors[1]) > order + 0.7


def test_weights_on_symbols_are_those_of_the_pieces():
    graph = Graph()
    place = graph.input("y", 0)
    found = weights(place, 4, 3)
    ahead = Direction(graph, [(place, 1.0)])
    slopes = [ahead(w) for w in found]
    outputs = [*found, *slopes, *(ahead(w) for w in slopes)]
    function = compile_module(Module(graph, {"weights": outputs}, 0))["weights"]
    path = pieces(4, 3)
    for u in (-0.4, 0.0, 0.35, 1.0, 2.999999, 3.2, 4.0, 5.1):
        out = np.zeros(len(outputs))
        function(0.0, np.array([u]), np.zeros(1), np.zeros(1), out)
        piece = next(p for p in path if p.low <= u < p.high)
        for derivative, part in enumerate(out.reshape(3, -1)):
            expected = [value(piece, unit, u - piece.start, derivative) for unit in np.eye(13)]
            assert part == pytest.approx(expected, abs=1e-9)
        assert out[:13].sum() == pytest.approx(1.0, abs=1e-12)
