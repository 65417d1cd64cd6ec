"""What a method is.

A method is four kernels that work on the record of a march (march/memory.py); they see a state vector and addresses,
never bodies.

  restart(w)            begin at (w.t, w.y): evaluate the slope into row 0 of w.k, forget the history. What it gives is
                        positive where contacts that were struck open at once
  attempt(w, h)         try a step of length h from (w.t, w.y) into w.new; gives the error relative to the tolerance, 1
                        or less is good. May be repeated with another h: that is how contact onset is located on the
                        step itself
  interpolate(w, h, x)  the state at w.t + x h, 0 <= x <= 1, into w.out, after an attempt
  commit(w, h, error)   the step is accepted: make row 0 of w.k the slope at w.new; gives the factor for the next step

Row 0 of w.k is the slope at the start of the step, its last row the slope at w.new.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gudgeon.assemble.support import Needs
from gudgeon.compile.native.kernel import CompiledKernel, Kernel, compile_kernels, kernel
from gudgeon.compile.native.record import Floats, Record
from gudgeon.methods.march import loop as time_loop
from gudgeon.methods.march import method_steps
from gudgeon.methods.march.memory import March
from gudgeon.quantity import GudgeonError

LOG_SMALL = -9.21
_compiled: dict[tuple[Kernel, ...], tuple[CompiledKernel, CompiledKernel]] = {}


@kernel
def error_norm(defect: Floats, y: Floats, new: Floats, atol: Floats, rtol: float, controlled: int) -> float:
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


@kernel
def growth(w: March, error: float) -> float:
    """Factor for the next step by a proportional-integral controller (Hairer, Norsett, Wanner II.4 and IV.2)."""
    size = math.log(max(error, 1e-10))
    factor = 0.9 * math.exp((0.2 * w.log_error - 0.85 * size) / w.order)
    w.log_error = max(size, LOG_SMALL)
    return min(6.0, max(0.2, factor))


def step_kernels(method: Method) -> dict[Any, Kernel]:
    """The kernels of a method by those whose place they take in a time loop."""
    steps = (method_steps.restart, method_steps.attempt, method_steps.interpolate, method_steps.commit)
    return dict(zip(steps, method.functions(), strict=True))


@dataclass(frozen=True)
class Method(ABC):
    """An integration method. rtol is the relative tolerance; a subclass names its kernels.

    step [s] is the length of the step for methods without error control, the largest step for the others.
    """

    registry: ClassVar[dict[str, type[Method]]] = {}
    title: ClassVar[str]
    reference: ClassVar[str]
    works: ClassVar[tuple[str, ...]] = ()  # keys of the bibliography
    order: ClassVar[int]
    rows: ClassVar[int]  # of `k`
    adaptive: ClassVar[bool] = True

    # depths are solved for no closer than this part of the tolerance at the size of the mechanism; 0: as close as time
    # resolves. The first step of a mode relative to the last of the old one; 0: as the time loop has it
    noise: ClassVar[float] = 0.0
    after: ClassVar[float] = 0.0

    # the record of its own, which its kernels find at w.method_at
    record: ClassVar[type[Record] | None] = None
    # what precedes the first step, and the loop
    first: ClassVar[Kernel] = time_loop.begin
    march: ClassVar[Kernel] = time_loop.loop

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

    def step_lengths(self, span: Any, longest: Any) -> tuple[Any, Any]:
        """The longest and the first step of a march over a span, where no step is to be longer than `longest`; all in
        [s], numbers or arrays of them."""
        if self.step is not None:
            longest = 0.0 * longest + self.step
        if not self.adaptive:
            return longest, longest
        if isinstance(span, float) and isinstance(longest, float):
            return longest, min(1e-7 * max(span, 1e-3), longest)
        return longest, np.minimum(1e-7 * np.maximum(span, 1e-3), longest)

    @property
    def explicit(self) -> bool:
        """Whether it takes slopes alone, by the usual time loop, and keeps nothing but numbers from one step to the
        next. Its loop can then be compiled in one piece with the equations of a mechanism (batch/), for cards too."""
        kind = type(self)
        usual = kind.first is time_loop.begin and kind.march is time_loop.loop and self.needs() == Needs()
        kept = () if kind.record is None else kind.record.layout.values()
        return usual and all(field.kind in ("float", "integer") for field in kept)

    @abstractmethod
    def functions(self) -> tuple[Kernel, Kernel, Kernel, Kernel]:
        """The kernels restart, attempt, interpolate and commit."""

    def connect(self, system: Any, w: March) -> Any:
        """Put what the method needs into the record of a march; what is given back is kept until its end."""
        own = None if self.record is None else self.record()
        w.method_at = 0 if own is None else own.address
        return own

    def compiled(self) -> tuple[CompiledKernel, CompiledKernel]:
        """`first` and `march` with the steps of this method in place, compiled or from disk."""
        key = (type(self).first, type(self).march, *self.functions())
        if key not in _compiled:
            first, march = compile_kernels(key[:2], step_kernels(self))
            _compiled[key] = first, march
        return _compiled[key]
