"""`Module`: parameters are worked on once, quotients fused, dead code left out, equal code compiled once."""

import gc

import numpy as np
import pytest
from back_ends import Point, python_opaque, run_llvm, run_python, symbols
from hypothesis import given, settings
from random_formulas import ALL, OnSymbols, formulas, points, run

from gudgeon.compile.graph import Graph, Module, Opaque, cos, exp, llvm, sin, sqrt
from gudgeon.compile.graph.module import PREPARE, Instruction


def identity(x, p):
    return x


def parts(*names):
    """A graph with state x, y, z and parameters a, b, c, as asked for."""
    graph = Graph()
    known = dict(zip("xyzabc", [*graph.inputs("y", 3), *graph.inputs("p", 3)], strict=True))
    return graph, *(known[name] for name in names)


# -- parameters ---------------------------------------------------------------------------------------------


def test_what_depends_on_parameters_alone_is_prepared():
    graph, x, a, b = parts("x", "a", "b")
    module = Module(graph, {"f": [x * sin(a * b) + 1 / a]}, 3)
    assert module.functions["f"].operations == {"multiply": 1, "add": 1}
    assert module.functions[PREPARE].operations == {"multiply": 1, "sin": 1, "reciprocal": 1}
    assert module.prepared == 2


def test_a_parameter_itself_its_sign_and_a_constant_are_not_prepared():
    graph, x, a = parts("x", "a")
    module = Module(graph, {"f": [x * a, a, -a, graph.constant(3), x * 2]}, 3)
    assert module.prepared == 0
    assert module.functions[PREPARE].code == ()


def test_an_output_of_parameters_alone_is_prepared():
    graph, a, b = parts("a", "b")
    module = Module(graph, {"f": [sqrt(a * a + b)]}, 3)
    assert module.functions["f"].size == 0
    point = Point(p=(3.0, 7.0, 0.0))
    assert run_python(module, point).tolist() == run_llvm(module, point).tolist() == [4.0]


def test_functions_share_what_is_prepared():
    graph, x, y, a = parts("x", "y", "a")
    module = Module(graph, {"f": [x / a], "g": [y / a, exp(a) * x]}, 3)
    assert module.functions[PREPARE].operations == {"reciprocal": 1, "exp": 1}
    assert module.prepared == 2
    assert "reciprocal" not in module.functions["g"].operations
    point = Point(y=(3.0, 5.0, 0.0), p=(2.0, 0.0, 0.0))
    assert run_llvm(module, point, "f").tolist() == [1.5]
    assert run_llvm(module, point, "g").tolist() == run_python(module, point, "g").tolist()


def test_nothing_is_prepared_that_nothing_reads():
    graph, x, a, b = parts("x", "a", "b")
    inner = graph.call(python_opaque(identity, 1, block=True), [a * b], block=0)
    module = Module(graph, {"f": [x * sin(inner)]}, 3)
    read = {i.data[1] for i in module.functions["f"].code if i.op == "input" and i.data[0] == "p"}
    assert {k for k in read if k >= 3} == set(range(3, 3 + module.prepared))


def test_slots_lie_behind_the_parameters():
    graph, x, a = parts("x", "a")
    module = Module(graph, {"f": [x * sin(a)]}, 17)
    assert Instruction((sin(a)).id, "input", (), ("p", 17)) in module.functions["f"].code


@settings(max_examples=60, deadline=None, derandomize=True)
@given(formulas(ALL, longest=15), points())
def test_preparing_changes_no_value_and_computes_nothing_twice(formula, point):
    graph = Graph()
    outputs = run(formula, symbols(graph, point), OnSymbols(point.p))[-5:]
    module = Module(graph, {"f": outputs}, len(point.p))
    whole = Module(graph, {"f": outputs}, len(point.p))
    whole._slots = {}
    whole.functions = {"f": whole._lower("f", outputs, {}), PREPARE: whole._lower(PREPARE, [], {})}
    assert module.functions["f"].size <= whole.functions["f"].size
    with np.errstate(all="ignore"):
        try:
            apart, together = run_python(module, point), run_python(whole, point)
        except (OverflowError, ValueError):
            return
    assert np.allclose(apart, together, rtol=1e-9, atol=1e-9, equal_nan=True)
    parameter = graph.arrays.get("p")
    for instruction in module.functions["f"].code:
        node = graph.nodes[instruction.result]
        assert instruction.op in ("input", "call", "negate") or node.depends != parameter


# -- quotients ----------------------------------------------------------------------------------------------


def test_a_reciprocal_used_once_becomes_a_division():
    graph, x, y = parts("x", "y")
    assert Module(graph, {"f": [x / y]}, 0).functions["f"].operations == {"divide": 1}
    assert Module(graph, {"f": [2 / y]}, 0).functions["f"].operations == {"divide": 1}
    assert Module(graph, {"f": [1 / y]}, 0).functions["f"].operations == {"reciprocal": 1}


def test_a_reciprocal_used_twice_is_divided_once():
    graph, x, y, z = parts("x", "y", "z")
    module = Module(graph, {"f": [x / z, y / z], "g": [x / z, 1 / z]}, 0)
    assert module.functions["f"].operations == {"reciprocal": 1, "multiply": 2}
    assert module.functions["g"].operations == {"reciprocal": 1, "multiply": 1}


def test_a_product_of_two_reciprocals_fuses_one_of_them():
    graph, x, y = parts("x", "y")
    module = Module(graph, {"f": [(1 / x) * (1 / y)]}, 0)
    assert module.functions["f"].operations == {"reciprocal": 1, "divide": 1}
    point = Point(y=(4.0, 8.0, 0.0))
    assert run_python(module, point).tolist() == run_llvm(module, point).tolist() == [1 / 32]


def test_a_squared_reciprocal_is_not_fused():
    graph, x, y = parts("x", "y")
    module = Module(graph, {"f": [(1 / y) * (1 / y) * x]}, 0)
    assert module.functions["f"].operations == {"reciprocal": 1, "multiply": 2}
    assert run_python(module, Point(y=(3.0, 4.0, 0.0))).tolist() == [3 / 16]


def test_a_prepared_reciprocal_is_multiplied_with():
    graph, x, a = parts("x", "a")
    assert Module(graph, {"f": [x / a]}, 3).functions["f"].operations == {"multiply": 1}


def test_a_quotient_of_parameters_is_fused_where_it_is_prepared():
    graph, x, a, b = parts("x", "a", "b")
    module = Module(graph, {"f": [sin(a / b) * x]}, 3)
    assert module.functions[PREPARE].operations == {"divide": 1, "sin": 1}


# -- dead code, counts --------------------------------------------------------------------------------------


def test_what_no_output_needs_is_not_emitted():
    graph, x, y, a = parts("x", "y", "a")
    calls = []
    unused = graph.call(python_opaque(lambda x: calls.append(x) or 0.0, 1), [x])
    _ = exp(y) + cos(x) * unused, sin(a) * y
    module = Module(graph, {"f": [x * y], "g": [exp(y)]}, 3)
    assert module.functions["f"].operations == {"multiply": 1}
    assert module.functions["g"].operations == {"exp": 1}
    assert module.functions[PREPARE].code == ()
    run_python(module, Point())
    assert calls == []


def test_leaves_are_free_and_shared_operations_count_once():
    graph, x, y = parts("x", "y")
    s = sin(x)
    function = Module(graph, {"f": [s * s + y, s - 3, s]}, 0).functions["f"]
    assert function.operations == {"sin": 1, "multiply": 1, "add": 1, "subtract": 1}
    assert function.size == 4


def test_instructions_come_after_what_they_use():
    graph, x, y, z, a = parts("x", "y", "z", "a")
    for function in Module(graph, {"f": [x / y + z / (a + 1), sin(x / y) / z]}, 3).functions.values():
        done = set()
        for instruction in function.code:
            assert set(instruction.args) <= done
            done.add(instruction.result)
        assert set(function.outputs) <= done


# -- equal code ---------------------------------------------------------------------------------------------


def oscillator(power=2, constant=0.5):
    graph = Graph()
    x, v = graph.inputs("y", 2)
    m, k = graph.inputs("p", 2)
    return Module(graph, {"f": [v, -(k / m) * x**power - constant * v]}, 2)


def test_modules_of_equal_structure_have_equal_keys():
    assert oscillator().key == oscillator().key
    assert hash(oscillator().key) == hash(oscillator().key)


def test_modules_of_other_structure_have_other_keys():
    keys = [oscillator().key, oscillator(power=3).key, oscillator(constant=0.25).key]
    graph = Graph()
    x, a = graph.input("y"), graph.input("p")
    law, other = (python_opaque(identity, 1, block=True) for _ in range(2))
    for outputs, parameters in (
        ([x * a], 1), ([x * a], 2), ([x + a], 1), ([x * graph.input("p", 1)], 2),
        ([x, x * a], 1), ([x * a, x], 1), ([x * graph.input("m")], 1),
        ([graph.call(law, [x], block=0)], 1), ([graph.call(other, [x], block=0)], 1),
        ([graph.call(law, [x], block=1)], 1), ([graph.call(law, [x, x], block=0)], 1),
        ([graph.call(law, [x], block=0, guards=[x])], 1),
    ):  # fmt: skip
        keys.append(Module(graph, {"f": outputs}, parameters).key)
    keys.append(Module(graph, {"g": [x * a]}, 1).key)
    keys.append(Module(graph, {"f": [x * a], "g": [x]}, 1).key)
    assert len(set(keys)) == len(keys)


def test_equal_modules_are_compiled_once_and_serve_all_parameter_values():
    point = Point(y=(1.0, 0.0), p=(2.0, 3.0))
    assert run_llvm(oscillator(), point).tolist() == [0.0, -1.5]
    count = llvm.compilations
    assert run_llvm(oscillator(), Point(y=(1.0, 0.0), p=(4.0, 1.0))).tolist() == [0.0, -0.25]
    first, second = (llvm.compile_module(oscillator(), exact=True) for _ in range(2))
    assert first == second
    assert llvm.compilations == count
    llvm.compile_module(oscillator(power=5), exact=True)
    assert llvm.compilations == count + 1


def test_code_of_a_function_that_is_gone_is_not_used_for_another():
    def called(law):
        graph = Graph()
        return Module(graph, {"f": [graph.call(law, [graph.input("y")])]}, 0)

    def law(factor):
        return python_opaque(lambda x: factor * x, 1, name="law")

    double = law(2.0)
    place = id(double)
    assert run_llvm(called(double), Point(y=(1.0,))).tolist() == [2.0]
    del double
    gc.collect()
    others = [law(3.0) for _ in range(200)]  # one of them may lie where the first law lay
    for other in [o for o in others if id(o) == place] or others[:1]:
        assert run_llvm(called(other), Point(y=(1.0,))).tolist() == [3.0]


def test_the_address_of_an_opaque_function_is_asked_for_only_when_it_is_compiled():
    def address():
        raise AssertionError("asked for")

    graph = Graph()
    law = Opaque("law", lambda x: 2.0 * x, address)
    module = Module(graph, {"f": [graph.call(law, [graph.input("y")])]}, 0)
    assert run_python(module, Point(y=(4.0,))).tolist() == [8.0]
    with pytest.raises(AssertionError, match="asked for"):
        run_llvm(module, Point(y=(4.0,)))
