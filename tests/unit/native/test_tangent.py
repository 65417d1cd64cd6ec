"""Derivatives by rewriting the source: every construct a law may use, kinks, and what is refused."""

from __future__ import annotations

import ctypes
import importlib.util
import math
import re

import mpmath
import numpy as np
import pytest

from gudgeon.compile.native import cache
from gudgeon.compile.native.scalar import opaque
from gudgeon.compile.native.tangent import tangent
from gudgeon.compile.native.tangent.slopes import RULES
from gudgeon.quantity import GudgeonError

HALF, WEIGHTS, POINTS = 0.5, (0.25, -1.5, 3.0), np.array([0.1, 0.7])


def written(path, text, name="f"):
    """The function `name` of a file with this text."""
    path.write_text(f"import math\n{text}\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


# -- elementary functions: mpmath is the oracle --------------------------------------------------------------

EXACT = {
    "log2": lambda x: mpmath.log(x, 2), "log10": lambda x: mpmath.log(x, 10), "hypot": mpmath.hypot,
    "atan2": mpmath.atan2, "degrees": mpmath.degrees, "radians": mpmath.radians,
}  # fmt: skip


@pytest.mark.parametrize("name", [*RULES, "hypot", "atan2"])
def test_elementary_functions(name, tmp_path):
    count = len(RULES.get(name, "xy"))
    exact = EXACT.get(name) or getattr(mpmath, name)
    f = written(tmp_path / "elementary.py", f"def f(x, y): return math.{name}({', '.join('xy'[:count])})")
    for k in range(count):
        slope = tangent(f, k)
        for x, y in ((0.3, 0.7), (0.81, -0.2)) if name != "acosh" else ((1.2, 0.0), (3.0, 0.0)):
            with mpmath.workdps(30):
                expected = mpmath.diff(exact, (x, y)[:count], tuple(int(i == k) for i in range(count)))
            assert slope(x, y) == pytest.approx(float(expected), rel=1e-14)
    assert opaque(f, 2, block=False).partials[0].address


# -- arithmetic and statements: a formula in mpmath beside the law's code ------------------------------------


def helper(x, factor=2.0, *, shift=0.0):
    return factor * x * x + shift


def both(x, y):
    return x * y, x / y


def branches(x, y):
    if x > 1.0 and y < 3.0:
        z = x * y
    elif x > 0.5:
        z = y / x
    else:
        z = -x
    return z


def loops(x, y):
    total, k = 0.0, 0
    for i in range(3):
        total += WEIGHTS[i] * x ** (i + 1)
    while k < 4:
        k += 1
        if k == 2:
            continue
        total = total * y + POINTS[1]
    for weight in (x, 2.0, x * y):
        total += weight * y
    return total


def powers(x, y):
    return x**2 + x**3 - x**0 + x**HALF + x**y + 2.0**x + pow(x, 1.5) + math.pow(y, x)


def calls(x, y):
    a, b = both(x, helper(y, shift=x))
    a, b = b, a
    c = d = a * HALF
    return helper(a, 3.0) + b + c - d + float(int(y)) * x


def choices(x, y):
    z = 1.0 if y == 0.0 else x / y
    w: float = max(x, y, 0.3) * min(z, 5.0) + abs(-x) + (x % 0.4) + 3.3 % y
    return -w + math.copysign(x, -y) + np.sqrt(x) + math.floor(x) * x


PLAIN = {
    branches: lambda x, y: x * y if x > 1 and y < 3 else y / x if x > 0.5 else -x,
    powers: lambda x, y: x**2 + x**3 - 1 + mpmath.sqrt(x) + x**y + 2**x + x ** mpmath.mpf(1.5) + y**x,
}


@pytest.mark.parametrize("function", [branches, loops, powers, calls, choices], ids=lambda f: f.__name__)
@pytest.mark.parametrize("point", [(0.31, 0.77), (0.83, 0.45), (1.7, 2.2), (1.3, 3.7)])
def test_constructs(function, point):
    """Against a difference of sixth order, and of mpmath where a formula is at hand; in Python and as machine code."""
    native = opaque(function, 2, block=False)
    for k in range(2):
        slope = tangent(function, k)

        def along(h, k=k):
            return function(*(x + h * (i == k) for i, x in enumerate(point)))

        h = 1e-3
        expected = sum(c * (along(n * h) - along(-n * h)) for n, c in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))) / h
        assert slope(*point) == pytest.approx(expected, rel=1e-10, abs=1e-10)
        if function in PLAIN:
            with mpmath.workdps(30):
                expected = mpmath.diff(PLAIN[function], point, (1 - k, k))
            assert slope(*point) == pytest.approx(float(expected), rel=1e-13)
        signature = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)
        assert signature(native.partials[k].address)(*point) == pytest.approx(slope(*point), rel=1e-13)


def test_second_derivatives_take_the_same_road():
    slope = tangent(tangent(powers, 0), 1)
    with mpmath.workdps(30):
        expected = mpmath.diff(PLAIN[powers], (1.3, 0.7), (1, 1))
    assert slope(1.3, 0.7) == pytest.approx(float(expected), rel=1e-12)


def test_names_of_a_law_may_look_like_companions(tmp_path):
    f = written(tmp_path / "names.py", "def f(x, d_x):\n    v_1 = x * d_x\n    dd_x = v_1 * x\n    return dd_x")
    assert tangent(f, 0)(3.0, 5.0) == 30.0
    assert tangent(f, 1)(3.0, 5.0) == 9.0


def test_a_function_made_by_a_function():
    def make(stiffness):
        def law(x):
            return stiffness * x * x

        return law

    assert tangent(make(2.0), 0)(3.0) == 12.0
    assert tangent(make(-5.0), 0)(3.0) == -30.0


# -- kinks: the side that the law takes ----------------------------------------------------------------------


def test_at_a_kink_the_side_taken_counts():
    assert tangent(lambda_free_abs, 0)(0.0) == 1.0
    assert tangent(ramp, 0)(1.0) == 0.0
    assert tangent(ramp, 0)(math.nextafter(1.0, 0.0)) == 2.0
    assert tangent(larger, 0)(1.0, 1.0) == 1.0
    assert tangent(larger, 1)(1.0, 1.0) == 0.0
    assert tangent(radius, 0)(0.0, 0.0) == 1.0
    assert tangent(radius, 0)(3.0, 4.0) == 0.6


def lambda_free_abs(x):
    return abs(x)


def ramp(x):
    return 2.0 * x if x < 1.0 else 2.0


def radius(x, y):
    r = math.hypot(x, y)
    return r if r > 0.0 else r + math.atan2(x, y)


def larger(x, y):
    return max(x, y)


# -- nothing that is not needed ------------------------------------------------------------------------------


def test_what_does_not_depend_on_an_argument_says_so():
    assert tangent(ramp_of_second, 0) is None
    assert opaque(ramp_of_second, 2, block=False).partials[0] == 0.0


def ramp_of_second(x, y):
    steps = int(x) + math.floor(x)
    return y * steps if x > 0.0 else y


def test_derivatives_are_made_when_asked_for_and_once():
    law = opaque(unreadable(), 1, block=False)
    assert len(law.partials) == 1
    with pytest.raises(GudgeonError):
        law.partials[0]
    again = opaque(larger, 2, block=False).partials
    assert again[0] is again[0]
    with pytest.raises(IndexError):
        again[2]


def test_a_number_from_outside_is_part_of_the_text(tmp_path):
    """Two laws that differ in a global number only must not share what is compiled."""
    first = written(tmp_path / "first.py", "K = 2.0\ndef f(x): return K * x")
    second = written(tmp_path / "second.py", "K = 3.0\ndef f(x): return K * x")
    files = [tangent(f, 0).__code__.co_filename for f in (first, second)]
    assert files[0] != files[1]
    assert all(str(cache.directory()) in file for file in files)
    assert tangent(first, 0).__code__.co_filename == files[0]
    number = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
    assert [number(opaque(f, 1, block=False).partials[0].address)(1.0) for f in (first, second)] == [2.0, 3.0]


# -- refusals ------------------------------------------------------------------------------------------------


def unreadable():
    scope = {}
    exec("def law(x): return x * x", scope)
    return scope["law"]


REFUSED = {
    "its source": None,
    "math.gamma": "def f(x):\n    y = x\n    return math.gamma(y)",
    "for _ in range.* has no known derivative": "def f(x):\n    y = x\n    return sum([y for _ in range(3)])",
    r"total\[0\] is set": "def f(x):\n    total = (0.0, 1.0)\n    total[0] = x\n    return x",
    "calls itself": "def f(x):\n    y = x\n    return f(y)",
    "any number of arguments": "def f(*x):\n\n    return x[0]",
    "several numbers": "def f(x):\n    y = x\n    return x, y",
    "one number here": "def g(x):\n    if x > 0.0:\n        return x, x\n    return x\ndef f(x): a, b = g(x); return a",
    "is not defined": "def f(x):\n    y = x\n    return y * missing",
    "is no number but str": "K = 'a'\ndef f(x):\n    return x * K",
    "with x:. has no derivative": "def f(x):\n    with x:\n        pass\n    return x",
}


@pytest.mark.parametrize("what", REFUSED)
def test_refusals_name_the_construct_and_the_line(what, tmp_path):
    text = REFUSED[what]
    f = unreadable() if text is None else written(tmp_path / "refused.py", text)
    with pytest.raises(GudgeonError, match="cannot be differentiated") as error:
        tangent(f, 0)
    assert re.search(what, str(error.value)), str(error.value)
    assert "an implicit method needs the derivatives" in str(error.value)
    assert re.search(r":\d+\)", str(error.value))


def test_the_line_is_that_of_the_file(tmp_path):
    f = written(
        tmp_path / "law.py", "\n\nclass Law:\n    @staticmethod\n    def f(x):\n        return math.gamma(x)", "Law"
    ).f
    with pytest.raises(GudgeonError, match=r"Law\.f .*law\.py:7\) .*math\.gamma\(x\) has no known derivative"):
        tangent(f, 0)
