"""Every registered law can be differentiated with respect to each of its arguments, exactly."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_laws import SAMPLES, arguments_of, block, machine

from gudgeon.compile.native.scalar import opaque
from gudgeon.compile.native.tangent import tangent
from gudgeon.laws import ContactLaw, FilmLaw, LinerLaw, Ocvirk

CENTRAL = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))  # sixth order


def functions(law):
    names = ("force", "state_rate", "radial", "tangential", "couple", "swivel", "pressure")
    return [getattr(law, name) for name in names if hasattr(law, name) and (name != "state_rate" or law.states)]


EVERY = [(law, function) for law in SAMPLES for function in functions(law)]
NAMES = [f"{type(law).__name__}.{function.__name__}" for law, function in EVERY]


# films take seconds to compile, and nothing in the package has use for the derivative of a pressure
QUICK = [not isinstance(law, FilmLaw) or (isinstance(law, Ocvirk) and "pressure" not in function.__name__)
         for law, function in EVERY]  # fmt: skip
COMPILED = [pytest.param(*each, id=name, marks=() if quick else pytest.mark.slow)
            for each, name, quick in zip(EVERY, NAMES, QUICK, strict=True)]  # fmt: skip


def spread(low, high, *, signed=False):
    """Evenly spread logarithms, of either sign."""
    sizes = st.floats(np.log(low), np.log(high)).map(np.exp).map(float)
    return st.builds(lambda x, sign: x * sign, sizes, st.sampled_from((-1.0, 1.0) if signed else (1.0,)))


def points(law):
    if isinstance(law, ContactLaw):
        return st.tuples(spread(1e-9, 3e-4), spread(1e-3, 1.0, signed=True), spread(5e-2, 1.0))
    if isinstance(law, LinerLaw):
        return st.tuples(spread(1e-9, 3e-4), spread(1e-3, 1.0, signed=True))
    if hasattr(law, "radial"):  # a film: place between centre and wall, squeeze, sweep
        return st.tuples(spread(0.05, 0.95), spread(1e-3, 1.0, signed=True), spread(1e-3, 1.0, signed=True))
    return st.tuples(spread(1e-4, 2.0, signed=True), spread(1.0, 1e4, signed=True), spread(1e-8, 1e-5, signed=True))


def difference(along, h):
    """Central difference of sixth order, what rounding may do to it, and whether a kink lies within."""
    slope = sum(weight * (along(n * h) - along(-n * h)) for n, weight in CENTRAL) / h
    noise = 64 * np.finfo(float).eps * abs(along(0.0)) / h
    # the second difference of a smooth function goes with the square of the step, that of a kink with the step
    bends = [(along(n * h) - 2.0 * along(0.0) + along(-n * h)) / (n * n * h) for n in (1, 3)]
    return slope, noise, abs(bends[0] - bends[1]) > 1e-5 * abs(slope) + noise


@pytest.mark.parametrize(("law", "function"), EVERY, ids=NAMES)
def test_partials_equal_differences(law, function):
    """At random points; those with a kink within a step are left out, by the values of the law alone."""
    p = block(law)
    partials = opaque(function, len(arguments_of(law)[0])).partials

    @settings(max_examples=60, deadline=None, derandomize=True)
    @given(points(law), st.data())
    def at_random(arguments, data):
        k = data.draw(st.sampled_from(range(len(arguments))))

        def along(step):
            return function(*(x + step * (i == k) for i, x in enumerate(arguments)), p)

        wide, noise, kink = difference(along, 1e-3 * abs(arguments[k]))
        assume(not kink)
        exact = partials[k] if isinstance(partials[k], float) else partials[k].function(*arguments, p)
        assert exact == pytest.approx(wide, rel=1e-7, abs=noise)

    at_random()


@pytest.mark.parametrize(("law", "function"), COMPILED)
def test_plain_python_equals_machine_code(law, function):
    p = block(law)
    pointer = p.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    count = len(arguments_of(law)[0])
    for k in range(count):
        slope = tangent(function, k)
        if slope is None:
            continue
        native = machine(slope, count)
        chosen = [arguments for arguments in arguments_of(law) if arguments[0] != 0.0]
        expected = np.array([slope(*arguments, p) for arguments in chosen])
        # where large terms cancel, fused operations show: they round once where Python rounds twice
        rounding = 1e-15 * np.nanmax(np.abs(expected))
        found = [native(*arguments, pointer) for arguments in chosen]
        assert found == pytest.approx(expected, rel=1e-8, abs=rounding, nan_ok=True)


@pytest.mark.parametrize(("law", "function"), EVERY, ids=NAMES)
def test_a_law_depends_on_something(law, function):
    found = [tangent(function, k) for k in range(len(arguments_of(law)[0]))]
    assert found[0] is not None
