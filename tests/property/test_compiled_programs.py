"""Random programs of the subset of Python that is compiled, against CPython: equal to the last bit.

All numbers are multiples of 1/8 of moderate size, so that every operation is exact whatever the processor fuses.
"""

from __future__ import annotations

import ctypes
import importlib.util
import random

import numpy as np
import pytest
from llvmlite import ir

from gudgeon.compile.python import target
from gudgeon.compile.python.unit import CompilationUnit
from gudgeon.compile.python.values import DOUBLE

FLOATS, WHOLE = ("x", "y", "z", "u"), ("i", "j", "n")
HEAD = """TABLE = (0.5, -2.0, 3.25, 8.0)
ROW = (3, -1, 4)


def halved(a, b=2.0):
    if a > b:
        return a / 2.0
    return b


def both(a, k):
    return (a + k) % 32.0, k * 2 % 11


"""


class Writer:
    """A random function f(x, y, p) of floats and an array."""

    def __init__(self, seed: int) -> None:
        self.draw, self.lines, self.depth = random.Random(seed), [], 1

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def real(self, deep: int = 0) -> str:
        pick = self.draw.random()
        if deep > 2 or pick < 0.3:
            return self.draw.choice([*FLOATS, "p[1]", "TABLE[n % 4]", "1.5", "-0.25", "p[n % 3]"])
        if pick < 0.7:
            return f"({self.real(deep + 1)} {self.draw.choice('+-*')} {self.real(deep + 1)}) % 64.0"
        if pick < 0.8:
            return f"({self.real(deep + 1)} if {self.truth(deep + 1)} else {self.real(deep + 1)})"
        inner = self.real(deep + 1)
        return self.draw.choice([f"abs({inner})", f"max({inner}, {self.real(deep + 1)})", f"min({inner}, 2)",
                                 f"halved({inner})", f"halved(b=1.0, a={inner})", f"float({self.whole(deep + 1)})",
                                 f"math.floor({inner}) * 0.5", f"-({inner})", f"math.fabs({inner})",
                                 f"({inner}) // 4.0", f"both({inner}, n)[0]"])  # fmt: skip

    def whole(self, deep: int = 0) -> str:
        pick = self.draw.random()
        if deep > 2 or pick < 0.4:
            return self.draw.choice([*WHOLE, "3", "-2", "ROW[n % 3]"])
        operator, divisor = self.draw.choice("+-*"), self.draw.choice(["7", "-5", "3"])
        inner = f"({self.whole(deep + 1)} {operator} {self.whole(deep + 1)})"
        return self.draw.choice([f"{inner} % 97", f"{inner} // {divisor}", f"{inner} % {divisor}",
                                 f"int({self.real(deep + 1)})", f"round({self.real(deep + 1)})"])  # fmt: skip

    def truth(self, deep: int = 0) -> str:
        compare = f"{self.real(deep + 1)} {self.draw.choice(['<', '<=', '>', '>=', '==', '!='])} {self.real(deep + 1)}"
        if deep > 1 or self.draw.random() < 0.5:
            return compare
        return self.draw.choice([f"({compare} and {self.truth(deep + 1)})", f"({compare} or {self.truth(deep + 1)})",
                                 f"not {compare}", f"-3 < {self.whole(deep + 1)} <= 5"])  # fmt: skip

    def statements(self, count: int, loops: int) -> None:
        for _ in range(count):
            pick = self.draw.random()
            if pick < 0.35:
                self.line(f"{self.draw.choice(FLOATS)} = {self.real()}")
            elif pick < 0.5:
                self.line(f"{self.draw.choice(WHOLE)} = {self.whole()}")
            elif pick < 0.6:
                self.line(f"{self.draw.choice(FLOATS)} += ({self.real()}) % 8.0")
            elif pick < 0.65:
                self.line(f"z, i = both({self.real()}, {self.whole()})")
            elif pick < 0.7:
                self.line(f"p[{self.draw.randrange(3)}] = {self.real()}")
            elif pick < 0.85:
                self.branch(loops)
            elif loops:
                self.loop(loops)
        for name in FLOATS:
            self.line(f"{name} = {name} % 128.0")
        for name in WHOLE:
            self.line(f"{name} = {name} % 1009")

    def branch(self, loops: int) -> None:
        self.line(f"if {self.truth()}:")
        self.inside(2, loops)
        if self.draw.random() < 0.5:
            self.line("else:")
            self.inside(2, loops)

    def loop(self, loops: int) -> None:
        kind, name = self.draw.random(), f"k{self.depth}"
        if kind < 0.4:
            bounds = self.draw.choice(["3", "n % 5", "1, 6, 2", "4, -1, -1", "-2, n % 4"])
            self.line(f"for {name} in range({bounds}):")
        elif kind < 0.6:
            self.line(f"for {name} in (1.5, x, 2.0):")
        else:
            self.line(f"{name} = 0")
            self.line(f"while {name} < 6 and {self.truth()}:")
        self.depth += 1
        if kind >= 0.6:
            self.line(f"{name} += 1")
        if self.draw.random() < 0.5:
            self.line(f"if {self.truth(1)}:")
            self.line(f"    {self.draw.choice(['break', 'continue', 'return x + y'])}")
        self.line(f"u = (u + {name}) % 64.0")
        self.depth -= 1
        self.inside(2, loops - 1)

    def inside(self, count: int, loops: int) -> None:
        self.depth += 1
        self.statements(count, loops)
        self.depth -= 1

    def text(self) -> str:
        self.line("z, u, i, j, n = 0.5, -1.0, 2, -3, 7")
        self.statements(6, 2)
        self.line("return x + 2.0 * y + 4.0 * z + 8.0 * u + i + j + n")
        return "import math\n\n" + HEAD + "def f(x, y, p):\n" + "\n".join(self.lines) + "\n"


def function_of(path, text):
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


@pytest.mark.parametrize("group", range(6))
def test_random_programs_are_those_of_cpython(group, tmp_path):
    values = (-7.5, -1.0, -0.125, 0.0, 0.5, 3.0, 12.25)
    for seed in range(25 * group, 25 * group + 25):
        text = Writer(seed).text()
        f = function_of(tmp_path / f"program_{seed}.py", text)
        unit = CompilationUnit()
        unit.c_function(f, ir.FunctionType(DOUBLE, [DOUBLE, DOUBLE, DOUBLE.as_pointer()]), "f")
        address, kept = target.host(str(unit.module), "f")
        compiled = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double, ctypes.c_void_p)(address)
        for x in values:
            for y in values[::2]:
                p, q = np.array([1.5, -2.0, 0.25]), np.array([1.5, -2.0, 0.25])
                assert compiled(x, y, p.ctypes.data) == f(x, y, q), f"seed {seed}, x = {x}, y = {y}\n{text}"
                assert p.tolist() == q.tolist(), f"seed {seed}, x = {x}, y = {y}\n{text}"
        del kept


SUMS = ("a * b + c", "a * b - c", "c + a * b", "c - a * b", "a * b + b * c", "a * b - b * c", "c * (a * b + b)")
FORMULAS = "".join(f"""

def f{k}(a, b, c):
    return {formula}


def part{k}(a, b, c):
    return f{k}(0.1, 0.3, c)


def whole{k}(a, b, c):
    return f{k}(0.1, 0.3, -0.03)
""" for k, formula in enumerate(SUMS))


def test_a_sum_of_products_is_the_same_to_the_last_bit_whatever_of_it_is_known(tmp_path):
    formulas = function_of(tmp_path / "formulas.py", FORMULAS.replace("f0", "f")).__globals__
    functions = [formulas[f"{kind}{k}".replace("f0", "f")] for k in range(len(SUMS)) for kind in ("f", "part", "whole")]
    unit = CompilationUnit()
    names = [f"g{k}" for k in range(len(functions))]
    for name, function in zip(names, functions, strict=True):
        unit.c_function(function, ir.FunctionType(DOUBLE, [DOUBLE] * 3), name)
    text = str(unit.module)
    addresses, _kept = target.load(target.compiled(text, lambda: text), names)
    found = [ctypes.CFUNCTYPE(*[ctypes.c_double] * 4)(addresses[name])(0.1, 0.3, -0.03) for name in names]
    assert found[::3] == found[1::3] == found[2::3]
