"""What a method is, and the arrays that the time loop and the methods share.

A method is four compiled functions with one signature. They see a state vector and addresses, never bodies.

  restart      begin at (t, y): evaluate the slope into work[0], forget the history
  attempt      try a step of length h from (t, y) into `new`; the error relative to the tolerance, 1 or less is good.
               May be repeated with another h: that is how contact onset is located on the step itself
  interpolate  the state at t + x·h, 0 <= x <= 1, into `out`, after an attempt
  commit       the step is accepted with error x: make work[0] the slope at `new`; the factor for the next step

Row 0 of `work` is the slope at the start of the step, its last row the slope at `new`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from numba import types

from gudgeon.assemble.support import Needs
from gudgeon.compile.native.kernel import FLOAT, INT, MATRIX, VECTOR, inlined
from gudgeon.quantity import GudgeonError

# (rhs address, t, h, y, new, out, p, m, work, control, atol, rtol, x)
STEP = FLOAT(INT, FLOAT, FLOAT, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, MATRIX, VECTOR, VECTOR, FLOAT, FLOAT)
STEP_FUNCTION = types.FunctionType(STEP)

# places in `control`; a method may use those from FREE on
# LAST_ERROR is kept as a logarithm; JACOBIAN is the address of the function that writes the rows of the Jacobian,
# for methods that need it: addresses lie below 2^53 and are exact as numbers. An event is located when the depth is as
# small as DEPTH_NOISE [m]; AFTER is the first step of a mode, relative to the last of the old one, 0: as usual; HARD
# is 1 where `restart` decides whether what has touched leaves at once
(EVALUATIONS, CONTROLLED, ORDER, LAST_ERROR, JACOBIAN, JACOBIANS, FACTORISATIONS, DEPTH_NOISE, AFTER, HARD,
 FREE) = range(11)  # fmt: skip
LOG_SMALL = -9.21
CONTROL_SIZE = 64


@inlined
def error_norm(defect: Any, y: Any, new: Any, atol: Any, rtol: float, controlled: int) -> float:
    """Root mean square of the defect relative to the tolerance, over the states under error control.

    Squares first, then two sums: the compiler may use vectors for the first, and the order of addition is ours.
    """
    for i in range(controlled):
        scaled = defect[i] / (atol[i] + rtol * max(abs(y[i]), abs(new[i])))
        defect[i] = scaled * scaled
    even, odd = 0.0, 0.0
    for i in range(0, controlled - 1, 2):
        even += defect[i]
        odd += defect[i + 1]
    if controlled % 2 == 1:
        even += defect[controlled - 1]
    return math.sqrt((even + odd) / controlled)


@inlined
def growth(control: Any, error: float) -> float:
    """Factor for the next step by a proportional-integral controller (Hairer, Norsett, Wanner II.4 and IV.2)."""
    size = math.log(max(error, 1e-10))
    factor = 0.9 * math.exp((0.2 * control[LAST_ERROR] - 0.85 * size) / control[ORDER])
    control[LAST_ERROR] = max(size, LOG_SMALL)
    return min(6.0, max(0.2, factor))


@dataclass(frozen=True)
class Method(ABC):
    """A way through time. rtol is the relative tolerance; a subclass names its compiled module.

    step [s] is the length of the step for methods without error control, the largest step for the others.
    """

    registry: ClassVar[dict[str, type[Method]]] = {}
    title: ClassVar[str]
    reference: ClassVar[str]
    works: ClassVar[tuple[str, ...]] = ()  # keys of the bibliography
    order: ClassVar[int]
    rows: ClassVar[int]  # of `work`, and so many more for each state
    rows_per_state: ClassVar[int] = 0
    adaptive: ClassVar[bool] = True

    # depths are solved for no closer than this part of the tolerance at the size of the mechanism; 0: as close as time
    # resolves. The first step of a mode relative to the last of the old one; 0: as the time loop has it
    noise: ClassVar[float] = 0.0
    after: ClassVar[float] = 0.0

    rtol: float = 1e-9
    step: float | None = None

    def __init_subclass__(cls) -> None:
        Method.registry[cls.__name__.lower()] = cls

    def __post_init__(self) -> None:
        name = type(self).__name__
        if not (isinstance(self.rtol, int | float) and 1e-14 <= self.rtol <= 1e-2):
            raise GudgeonError(f"{name}: rtol {self.rtol!r} must lie between 1e-14 and 1e-2; 1e-9 is usual")
        if self.step is not None and not self.step > 0:
            raise GudgeonError(f"{name}: step {self.step!r} must be positive [s]")
        if self.step is None and not self.adaptive:
            raise GudgeonError(f"{name} has no error control: give its step, for instance step=1e-6 [s]")

    def needs(self) -> Needs:
        """What the method needs of the equations."""
        return Needs()

    def work_rows(self, states: int) -> int:
        """Rows of `work` for a system of this size."""
        return self.rows + self.rows_per_state * states

    @abstractmethod
    def functions(self) -> tuple[Any, Any, Any, Any]:
        """The compiled restart, attempt, interpolate and commit."""

    def connect(self, system: Any, control: Any) -> Any:
        """Put addresses of what else a method needs into `control`; what must live as long is given back."""
        return None

    def march(self) -> Callable[[Any], int]:
        """The time loop with this method; one that is compiled into a loop of its own overrides this."""
        from gudgeon.methods.march.generic import march

        functions = self.functions()
        return lambda w: int(march(*functions, w))

    def prepare(self, w: Any) -> None:
        """What precedes the first step."""
        from gudgeon.methods.march.loop import prepare

        prepare(self.functions()[0], w)
