"""From the name of a method, or a method with options, to one that is ready to run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gudgeon.assemble import System
from gudgeon.batch.whole import whole
from gudgeon.methods import methods
from gudgeon.methods.contract import Method
from gudgeon.quantity import GudgeonError, closest

__all__ = ["choose_method", "own_loop"]



def choose_method(method: str | Method, rtol: float | None, step: float | None = None) -> Method:
    """The method by name or as given; the time loop is compiled or loaded here."""
    name = method.lower() if isinstance(method, str) else type(method).__name__.lower()
    if isinstance(method, str) and name not in methods():
        likely = closest(name, methods())
        hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(methods())}"
        raise GudgeonError(f'method "{method}" is not known; {hint}')
    given: dict[str, Any] = {k: x for k, x in (("rtol", rtol), ("step", step)) if x is not None}
    if isinstance(method, str):
        chosen = methods()[name](**given)
    elif isinstance(method, Method):
        chosen = replace(method, **given)
    else:
        raise GudgeonError(f'method {method!r} is no method; give a name such as "dopri5", or Dopri5(rtol=1e-10)')
    chosen.compiled()
    return chosen


def own_loop(system: System, method: Method, loop: str) -> Callable[[Any], int] | None:
    """The time loop that is asked for; None for the one of the method."""
    if loop == "shared":
        return None
    if loop != "own":
        raise GudgeonError(f'loop "{loop}" is not known; choose "shared" or "own"')
    return whole(system, method)
