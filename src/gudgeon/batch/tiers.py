"""Which compiled time loop a run takes: the one that all mechanisms share, or the one compiled for this mechanism.

Both give the same to the last bit and go on where the other left, so that the choice may depend on time and on what
lies in the cache: code that exists is used at once; where a structure has marched in the shared loop for as long as its
own would take to compile, that is compiled, and the run goes on in it. So nobody waits for more than twice what the
better choice would have taken, and what is run often is soon as fast as it can be.
"""

from __future__ import annotations

from gudgeon.assemble import System
from gudgeon.batch.whole import Whole, expected_cost, is_made, key_of, whole
from gudgeon.methods.contract import Method
from gudgeon.methods.march.driver import Shared
from gudgeon.methods.march.memory import March

__all__ = ["Tiers"]

_marched: dict[str, float] = {}  # seconds in the shared loop, by structure and method


class Tiers:
    """The loop of a run; called with the record of a march it goes on as `method.march` does."""

    def __init__(self, system: System, method: Method) -> None:
        self._system, self._method = system, method
        self._key, self._cost = key_of(system, method), expected_cost(system, method)
        self._own: Whole | None = whole(system, method) if is_made(self._key) else None
        if self._own is None:
            self._shared = Shared(system, method)

    def __call__(self, w: March) -> int:
        if self._own is None and _marched.get(self._key, 0.0) > self._cost:
            self._own = whole(self._system, self._method)
        if self._own is not None:
            return self._own(w)
        status = self._shared(w)
        _marched[self._key] = _marched.get(self._key, 0.0) + self._shared.seconds
        return status
