"""What every law is: a frozen part with parameters, a reference, a validity and a scalar function.

A law turns into numbers once, at assembly, by `pack`. Its function is a static method in plain Python on
floats; `p` is the packed block, seen by index only, so that a changed parameter recompiles nothing.
A class registers with its family by being defined; a helper base says `abstract=True`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from inspect import signature
from typing import Any, ClassVar

from gudgeon.laws.pair import Pair
from gudgeon.quantity import GudgeonError, Part

__all__ = ["Block", "Law"]

Block = Sequence[float]


class Law(Part):
    """Base of the families of laws."""

    reference: ClassVar[str] = "not given"
    works: ClassVar[tuple[str, ...]] = ()  # keys of the bibliography
    validity: ClassVar[str] = "not stated"
    registry: ClassVar[dict[str, type[Law]]]

    def __init_subclass__(cls, *, family: bool = False, abstract: bool = False, **options: Any) -> None:
        super().__init_subclass__(**options)
        if family:
            cls.registry = {}
        elif not abstract:
            name = cls.__name__
            known = cls.registry.get(name)
            if known is not None and known.__module__ != cls.__module__:
                raise GudgeonError(f'the law "{name}" exists in {known.__module__}; give yours another name')
            if not cls.__module__.startswith("gudgeon."):
                cls._check_functions()
            cls.registry[name] = cls

    @classmethod
    def _check_functions(cls) -> None:
        """What is compiled takes numbers alone: a method that asks for the law itself is told how to be written."""
        for name, given in vars(cls).items():
            family = [vars(base).get(name) for base in cls.__mro__[1:]]
            pattern = next((function for function in reversed(family) if isinstance(function, staticmethod)), None)
            if pattern is None:
                continue
            wanted = list(signature(pattern.__func__).parameters)
            if not isinstance(given, staticmethod) or len(signature(given.__func__).parameters) != len(wanted):
                raise GudgeonError(
                    f'law "{cls.__name__}": {name} is compiled and knows no self; write it as a @staticmethod '
                    f"{name}({', '.join(wanted)}), where p holds the fields in their order"
                )

    @classmethod
    def examples(cls) -> list[Law]:
        """Laws of this class that show what it can do; the conformance tests try each of them."""
        return [cls()]

    def pack(self, pair: Pair) -> dict[str, float]:
        """Ordered name -> SI number, the block `p` of the function; by default every field in order."""
        law, block = type(self).__name__, {}
        for item in fields(self):  # type: ignore[arg-type]
            value = getattr(self, item.name)
            if not isinstance(value, (int, float)):
                raise GudgeonError(f"{law}: {item.name} {value!r} is no number; define pack() to make it one")
            block[item.name] = float(value)
        return block

    def warnings(self, pair: Pair, depth: float, rate: float, force: float) -> list[str]:
        """Sentences where a run left the validity: its largest depth [m], |rate| [m/s] and force [N]."""
        return []
