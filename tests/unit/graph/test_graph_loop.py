"""Elements in a loop: gathered, computed and scattered as plain sums over the elements say."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from gudgeon.assemble import call_address
from gudgeon.compile.graph import Graph, Opaque, cos, llvm, sin
from gudgeon.compile.graph.loop import Element, Linked, Loop, Output, clear, link, sequence
from gudgeon.compile.graph.module import PREPARE


def springs() -> Element:
    """A pendulum-like spring between two of the state's angles, with parameters k and c, memory and time."""
    graph = Graph()
    t, (a, b), (k, c), offset = graph.input("t"), graph.inputs("y", 2), graph.inputs("p", 2), graph.input("m")
    pull = (k / c) * sin(b - a) + t * cos(a) + offset
    return Element(graph, {"force": [Output(pull, "w", add=True), Output(-pull, "w", add=True), Output(a * b)]}, 2)


def ring(n: int) -> tuple[Loop, Linked, np.ndarray]:
    """n springs in a ring of n angles: forces in w[0:n], products in out; p = (k, c) of each, derived, w."""
    ends = np.column_stack([np.arange(n), (np.arange(n) + 1) % n])
    own = np.arange(2 * n).reshape(n, 2)
    places = {"y": ends, "p": own, "m": np.arange(n)[::-1].reshape(n, 1)}
    loop = Loop(springs(), places, {"force": np.column_stack([ends, np.arange(n)])}, prepared=2 * n)
    programs = {PREPARE: [loop.step(PREPARE)], "f": [clear(0, n), loop.step("force")]}
    linked = link(programs, workspace=2 * n + loop.derived)
    return loop, linked, np.zeros(2 * n + loop.derived + n)


@pytest.mark.parametrize("n", [1, 2, 7, 300])
def test_a_loop_gathers_computes_and_scatters(n):
    rng = np.random.default_rng(n)
    loop, linked, p = ring(n)
    k, c = rng.uniform(1.0, 2.0, (2, n))
    p[: 2 * n] = np.column_stack([k, c]).ravel()
    p[2 * n + loop.derived :] = np.nan  # what was in the workspace must not matter
    y, m, out = rng.normal(size=n), rng.normal(size=n), np.zeros(n)
    call_address(linked.addresses[PREPARE], 0.0, y, p, m, out)
    for _ in range(2):
        call_address(linked.addresses["f"], 0.75, y, p, m, out)
    following = np.roll(np.arange(n), -1)
    pull = k / c * np.sin(y[following] - y) + 0.75 * np.cos(y) + m[::-1]
    expected = np.zeros(n)
    np.add.at(expected, np.arange(n), pull)
    np.add.at(expected, following, -pull)
    assert np.allclose(p[2 * n + loop.derived :], expected, rtol=1e-14, atol=1e-14)
    assert np.array_equal(out, y * y[following])


def test_what_depends_on_parameters_alone_is_computed_once():
    loop, _, _ = ring(5)
    assert loop.derived == 5  # k / c
    assert loop.element.module.functions["force"].operations.get("divide", 0) == 0
    assert loop.element.size == loop.element.module.functions["force"].size


def test_more_elements_compile_nothing_new():
    ring(5)
    before = llvm.compilations
    ring(500)
    assert llvm.compilations == before


def test_near_places_share_a_column():
    graph = Graph()
    x = graph.inputs("y", 3)
    element = Element(graph, {"sum": [Output(x[0] + x[1] * x[2])]}, 0)
    bodies = 3 * np.arange(4)[:, None] + np.arange(3)
    near = Loop(element, {"y": bodies}, {"sum": np.arange(4)[:, None]})
    assert near.step("sum").table.shape == (4, 2)
    far = bodies.copy()
    far[2, 1] = 11
    assert Loop(element, {"y": far}, {"sum": np.arange(4)[:, None]}).step("sum").table.shape == (4, 3)


def test_opaque_functions_see_the_block_of_their_own_element():
    def law(x, p):
        return x * p[0] + p[1]

    native = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.POINTER(ctypes.c_double))(law)
    graph = Graph()
    x, guard = graph.input("y"), graph.input("m")
    graph.inputs("p", 3)
    opaque = Opaque("law", law, lambda: ctypes.cast(native, ctypes.c_void_p).value or 0)
    element = Element(graph, {"f": [Output(graph.call(opaque, [x], block=1, guards=[guard]))]}, 3)
    order = np.array([[2], [0], [1]])
    loop = Loop(element, {"y": order, "m": order, "p": 3 * order + np.arange(3)}, {"f": order})
    linked = link({"f": [loop.step("f")]}, workspace=9)
    p, y, out = np.arange(10.0), np.array([1.0, 10.0, 100.0]), np.zeros(3)
    call_address(linked.addresses["f"], 0.0, y, p, np.array([1.0, 1.0, -1.0]), out)
    assert out.tolist() == [1.0 + 2.0, 40.0 + 5.0, 0.0]


def test_no_elements_and_no_arguments_are_allowed():
    graph = Graph()
    element = Element(graph, {"one": [Output(graph.one, "w", add=True)]}, 0)
    none = Loop(element, {}, {"one": np.zeros((0, 1))})
    three = Loop(element, {}, {"one": np.zeros((3, 1))})
    linked = link({"f": [clear(0, 1), none.step("one"), three.step("one")]}, workspace=0)
    p = np.full(1, np.nan)
    call_address(linked.addresses["f"], 0.0, np.zeros(1), p, np.zeros(1), np.zeros(1))
    assert p[0] == 3.0


def test_a_sequence_runs_its_steps_in_order():
    graph = Graph()
    x = graph.input("w")
    double = Element(graph, {"f": [Output(2.0 * x, "w")]}, 0)
    more = Element(graph, {"f": [Output(x + 1.0, "w")]}, 0)
    place = {"w": np.zeros((1, 1))}
    one, two = (Loop(kind, place, {"f": np.zeros((1, 1))}).step("f") for kind in (more, double))
    for steps, expected in (([one, two, two], 4.0), ([two, one, one], 2.0), ([], 0.0)):
        linked = link({"f": [clear(0, 1), sequence(steps)]}, workspace=0)
        p = np.full(1, np.nan)
        call_address(linked.addresses["f"], 0.0, np.zeros(1), p, np.zeros(1), np.zeros(1))
        assert p[0] == expected
