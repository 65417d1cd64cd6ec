"""Plain Python functions as code: the same values as in Python, and clear words where they cannot be read."""

import ctypes
import math

import numpy as np
import pytest

from gudgeon.compile.python import mathematics, target
from gudgeon.compile.python.unit import CompilationUnit
from gudgeon.laws import ContactLaw, FrictionLaw
from gudgeon.quantity import GudgeonError

LIMITS = {"acos": (-0.99, 0.99), "asin": (-0.99, 0.99), "atanh": (-0.9, 0.9), "acosh": (1.1, 9.0), "log": (1e-9, 1e9),
          "log10": (1e-9, 1e9), "log1p": (-0.9, 1e3), "exp": (-30.0, 30.0), "expm1": (-5.0, 5.0), "tan": (-1.4, 1.4),
          "sinh": (-9.0, 9.0), "cosh": (-9.0, 9.0), "sin": (-1e3, 1e3), "cos": (-1e3, 1e3)}  # fmt: skip


def compiled(function, arguments, block=False):
    unit = CompilationUnit()
    made = unit.scalar(function, arguments, block=block)
    made.linkage = "external"
    made.attributes.discard("alwaysinline")
    address, keep = target.host(str(unit.module), made.name)
    kinds = [ctypes.c_double] * arguments + [ctypes.c_void_p] * block
    call = ctypes.CFUNCTYPE(ctypes.c_double, *kinds)(address)
    call.keep = keep
    return call


@pytest.mark.parametrize("name", sorted(LIMITS))
def test_elementary_functions_are_those_of_math(name):
    function = compiled(getattr(mathematics, name), 1)
    for x in np.random.default_rng(1).uniform(*LIMITS[name], 50):
        assert function(x) == pytest.approx(getattr(math, name)(x), rel=4e-15, abs=1e-15)


def laws():
    found = [*ContactLaw.registry.values(), *FrictionLaw.registry.values()]
    return [law for law in found if law.__module__.startswith("gudgeon.")]


@pytest.mark.parametrize("law", laws(), ids=lambda law: law.__name__)
def test_every_law_can_be_read(law):
    # what it gives is held by the trajectories; here that every source is within what can be read
    arguments = law.force.__code__.co_argcount - 1
    assert compiled(law.force, arguments, block=True)


def collatz(x, n):
    """Loops, branches, returns from within, names that become real."""
    count, k = 0, int(n)
    while k != 1:
        if k % 2 == 0:
            k //= 2
        else:
            k = 3 * k + 1
        count += 1
        if count > 100:
            return -1.0
    total = 0
    for j in range(3):
        total += x / (j + 1) if j != 1 else 0.0
    return count + max(total, -abs(x)) ** 2


def test_control_flow_is_followed():
    function = compiled(collatz, 2)
    for x, n in ((0.5, 7), (-2.0, 27), (1.0, 1), (3.0, 6)):
        assert function(x, n) == pytest.approx(collatz(x, n))


def prints(x):
    print(x)
    return x


def lists(x):
    return sum([x, x])


@pytest.mark.parametrize(("function", "said"), [(prints, "print"), (lists, "list is not arithmetic")])
def test_what_cannot_be_read_is_refused_with_its_line(function, said):
    with pytest.raises(GudgeonError, match="cannot be compiled") as error:
        compiled(function, 1)
    assert said in str(error.value)
    assert "test_device_reader.py:" in str(error.value)
