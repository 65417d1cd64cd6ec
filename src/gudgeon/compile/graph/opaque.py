"""`Opaque`: a scalar function the graph does not look into, because it branches on its arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property


class Opaque:
    """A named scalar function, called by address from machine code and directly by the Python back end.

    function   plain Python: f(*arguments) or, with a parameter block, f(*arguments, p)
    address    gives the machine address of the same function: double f(double..., [double*]); asked for once,
               when something is compiled
    partials   opaque functions for the derivative with respect to each argument, asked for where a method needs
               them; 0.0 where the function does not depend on the argument
    identity   gives a text that is the same wherever and whenever the function is the same; needed where code that
               calls the function is kept on disk
    held       the result is where a formula has its extremum: the formula's first derivative is the same with the
               result held, so that the derivative of the call is taken as zero
    """

    def __init__(self, name: str, function: Callable[..., float], address: Callable[[], int],
                 partials: Sequence[Opaque | float | None] = (), *, held: bool = False,
                 identity: Callable[[], str] | None = None) -> None:  # fmt: skip
        self.name, self.function, self._address, self.partials = name, function, address, partials
        self.held, self._identity = held, identity

    @property
    def address(self) -> int:
        return self._address()

    @cached_property
    def identity(self) -> str:
        if self._identity is None:
            raise AssertionError(f"{self.name}: code with it cannot be kept on disk")
        return self._identity()

    def __repr__(self) -> str:
        return f"Opaque({self.name})"
