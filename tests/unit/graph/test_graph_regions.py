"""What only a closed guard needs is jumped over, and nothing else changes."""

import itertools
import random

import numpy as np
import pytest
from back_ends import Point, python_opaque, run_llvm, run_python

from gudgeon.compile.graph import Graph, Module, sin, sqrt
from gudgeon.compile.graph.regions import Region, regions


class Spy:
    """An opaque function that notes its calls."""

    def __init__(self):
        self.calls = []
        self.opaque = python_opaque(self.note, 1)

    def note(self, x):
        self.calls.append(x)
        return 2.0 + x


def parts(module):
    return [part for part in regions(module.functions["f"]) if isinstance(part, Region)]


def test_what_a_contact_needs_is_computed_where_it_touches():
    arm, law, graph = Spy(), Spy(), Graph()
    mode, x, v = graph.inputs("y", 3)
    depth = graph.call(arm.opaque, [x])  # no guard of its own
    force = graph.call(law.opaque, [depth], guards=[mode])
    module = Module(graph, {"f": [v - force * sqrt(depth), v * v, force]}, 0)
    assert run_llvm(module, Point(y=(0.0, 7.0, 3.0))).tolist() == [3.0, 9.0, 0.0]
    assert (arm.calls, law.calls) == ([], [])
    assert run_llvm(module, Point(y=(1.0, 7.0, 3.0))).tolist() == [3.0 - 11.0 * 3.0, 9.0, 11.0]
    assert (arm.calls, law.calls) == ([7.0], [9.0])


def test_what_others_need_too_stays_outside():
    arm, law, graph = Spy(), Spy(), Graph()
    mode, x = graph.inputs("y", 2)
    depth = graph.call(arm.opaque, [x])
    module = Module(graph, {"f": [graph.call(law.opaque, [depth], guards=[mode]), depth]}, 0)
    assert run_llvm(module, Point(y=(0.0, 1.0))).tolist() == [0.0, 3.0]
    assert (arm.calls, law.calls) == ([1.0], [])


def test_contacts_are_apart_from_each_other():
    laws, graph = (Spy(), Spy()), Graph()
    modes, x = graph.inputs("y", 2), graph.input("y", 2)
    both = [graph.call(laws[k].opaque, [x * (k + 1.0)], guards=[modes[k]]) * sin(x + k) for k in (0, 1)]
    module = Module(graph, {"f": [both[0] + both[1]]}, 0)
    assert [len(part.code) for part in parts(module)] == [3, 5]  # x * 1 and x + 0 are x
    run_llvm(module, Point(y=(0.0, 1.0, 5.0)))
    assert [law.calls for law in laws] == [[], [10.0]]


def test_contacts_that_are_alike_share_a_region_by_fours():
    law, graph = Spy(), Graph()
    modes, x = graph.inputs("y", 6), graph.input("y", 6)
    total = graph.zero
    for k, mode in enumerate(modes):
        total = total + graph.call(law.opaque, [x + k], guards=[mode]) * sin(x + k)
    module = Module(graph, {"f": [total]}, 0)
    assert [len(part.guards) for part in parts(module)] == [4, 2]
    for on in ((0.0,) * 6, (0.0, 1.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0, 1.0, 1.0)):
        law.calls.clear()
        found = run_llvm(module, Point(y=(*on, 5.0)))
        assert law.calls == [5.0 + k for k in range(6) if on[k]]
        assert found.tolist() == pytest.approx(run_python(module, Point(y=(*on, 5.0))).tolist(), rel=1e-14)


def test_a_region_that_needs_what_it_gave_is_cut_in_two():
    law, graph = Spy(), Graph()
    mode, x = graph.inputs("y", 2)
    first = graph.call(law.opaque, [x], guards=[mode])
    outside = sin(first + x)  # not zero without the guard
    second = graph.call(law.opaque, [outside], guards=[mode])
    module = Module(graph, {"f": [second, outside]}, 0)
    assert [part.exports for part in parts(module)] == [(first.id,), (second.id,)]
    for on in (0.0, 1.0):
        point = Point(y=(on, 0.4))
        assert run_llvm(module, point).tolist() == pytest.approx(run_python(module, point).tolist(), rel=1e-15)


def test_regions_that_need_each_other_are_left_as_they_were():
    first, second, graph = Spy().opaque, Spy().opaque, Graph()
    one, two, x = graph.inputs("y", 3)
    a1, b2 = graph.call(first, [x + 1.0], guards=[one]), graph.call(second, [x + 2.0], guards=[two])
    b1 = graph.call(second, [sin(a1 + x)], guards=[two])
    a2 = graph.call(first, [sin(b2 + x)], guards=[one])
    module = Module(graph, {"f": [b1, a2]}, 0)
    assert not parts(module)
    for y in itertools.product((0.0, 1.0), (0.0, 1.0), (0.3,)):
        assert run_llvm(module, Point(y=y)).tolist() == pytest.approx(run_python(module, Point(y=y)).tolist())


@pytest.mark.parametrize("seed", range(30))
def test_random_formulas_do_not_change(seed):
    chance, graph = random.Random(seed), Graph()
    modes, nodes = graph.inputs("y", 3), graph.inputs("y", 4, 3)
    law = python_opaque(lambda a, b: a * b - 0.3 * a + 1.0, 2)
    for _ in range(60):
        a, b = chance.choice(nodes), chance.choice(nodes)
        kind = chance.randrange(6)
        if kind == 0:
            node = graph.call(law, [a, b], guards=[chance.choice(modes), *([a] if chance.random() < 0.5 else [])])
        elif kind == 1:
            node = sin(a)
        else:
            node = (a + b, a - b, a * b, -a * b)[kind - 2]
        nodes.append(node)
    module = Module(graph, {"f": [chance.choice(nodes[4:]) for _ in range(6)] + nodes[-3:]}, 0)
    for on in itertools.product((0.0, 1.0), repeat=3):
        y = (*on, 0.3, -0.7, 1.1, 0.2)
        found, expected = run_llvm(module, Point(y=y)), run_python(module, Point(y=y))
        assert np.allclose(found, expected, rtol=1e-11, atol=1e-13, equal_nan=True)
