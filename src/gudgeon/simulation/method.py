"""From the name of a method, or a method with options, to one that is ready to run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gudgeon.assemble import System
from gudgeon.batch.tiers import Tiers
from gudgeon.batch.whole import unfit, whole
from gudgeon.methods import methods
from gudgeon.methods.contract import Method
from gudgeon.quantity import GudgeonError, closest

__all__ = ["choose_method", "own_loop"]

# what others call the pair of Dormand and Prince
ALSO_CALLED = {"rk45": "dopri5", "ode45": "dopri5", "rk5": "dopri5", "dop5": "dopri5"}
LOOPS = ("auto", "shared", "own")

def choose_method(method: str | Method, rtol: float | None, step: float | None = None) -> Method:
    """The method by name or as given."""
    name = method.lower() if isinstance(method, str) else type(method).__name__.lower()
    if isinstance(method, str) and name not in methods():
        likely = ALSO_CALLED.get(name) or closest(name, methods())
        hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(methods())}"
        raise GudgeonError(f'method "{method}" is not known; {hint}')
    given: dict[str, Any] = {k: x for k, x in (("rtol", rtol), ("step", step)) if x is not None}
    if isinstance(method, str):
        chosen = methods()[name](**given)
    elif isinstance(method, Method):
        chosen = replace(method, **given)
    else:
        raise GudgeonError(f'method {method!r} is no method; give a name such as "dopri5", or Dopri5(rtol=1e-10)')
    return chosen


def own_loop(system: System, method: Method, loop: str) -> Callable[[Any], int] | None:
    """The time loop that is asked for; None for the one of the method."""
    if loop not in LOOPS:
        raise GudgeonError(f'loop "{loop}" is not known; choose from {", ".join(LOOPS)}')
    why = "" if loop == "shared" else unfit(system, method)
    if why and loop == "own":
        raise GudgeonError(f'loop "own": {why}; leave loop="own" out')
    if why or loop == "shared":
        method.compiled()
        return None
    return whole(system, method) if loop == "own" else Tiers(system, method)
