"""`OperationTape`: the operations that were asked of a graph, in their order, with what each gave.

A trace of a mechanism runs the same Python for every mechanism. Where the tape of an earlier trace is played, an
operation is looked up instead of worked out, and its arguments are compared with those on the tape: what is played to
the end has asked for the same graph, operation by operation. What differs between both is then in the numbers of p
alone, which the trace collects while it runs. The first operation that differs raises `OtherStructure`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

from gudgeon.compile.graph.graph import Graph
from gudgeon.compile.graph.scalar import Scalar

__all__ = ["OperationTape", "OtherStructure"]

UNARY = ("constant", "negate", "reciprocal")
BINARY = ("add", "subtract", "multiply", "divide", "power", "input", "apply")
OPERATIONS = (*UNARY, *BINARY, "call")
END = ("end",)


class OtherStructure(Exception):
    """What was traced is not what is on the tape."""


class OperationTape:
    """What was asked of one graph. Only outermost operations are on it, not those that an operation is made of."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._entries: list[tuple[Any, ...]] = []  # name, arguments, result

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Operations are worked out and put on the tape."""
        inside = False

        def recorder(name: str) -> Callable[..., Scalar]:
            plain: Callable[..., Scalar] = getattr(self.graph, name)

            def operation(*args: Any, **options: Any) -> Scalar:
                nonlocal inside
                if inside:
                    return plain(*args, **options)
                inside = True
                try:
                    result = plain(*args, **options)
                finally:
                    inside = False
                self._entries.append((name, *_flat(name, args, options), result))
                return result

            return operation

        def whole(name: str, arguments: tuple[Any, ...], make: Callable[[], Any]) -> Any:
            nonlocal inside
            if inside:
                return make()
            inside = True
            try:
                result = make()
            finally:
                inside = False
            self._entries.append((name, *arguments, result))
            return result

        with self._instead({**{name: recorder(name) for name in OPERATIONS}, "whole": whole}):
            yield

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Operations are looked up; raises OtherStructure at the first that differs, or where some are left."""
        following = chain(self._entries, [END]).__next__

        def compared(name: str, arguments: tuple[Any, ...]) -> Any:
            entry = following()
            if entry[0] != name or len(entry) != len(arguments) + 2:
                raise OtherStructure
            for a, b in zip(arguments, entry[1:-1], strict=True):
                if a is not b:
                    _compare(a, b)
            return entry[-1]

        def unary(name: str) -> Callable[..., Scalar]:
            def operation(a: Any) -> Scalar:
                entry = following()
                if entry[0] is not name:
                    raise OtherStructure
                if a is not entry[1]:
                    _compare(a, entry[1])
                return entry[2]

            return operation

        def binary(name: str) -> Callable[..., Scalar]:
            def operation(a: Any, b: Any = 0) -> Scalar:
                entry = following()
                if entry[0] is not name:
                    raise OtherStructure
                if a is not entry[1]:
                    _compare(a, entry[1])
                if b is not entry[2]:
                    _compare(b, entry[2])
                return entry[3]

            return operation

        def whole(name: str, arguments: tuple[Any, ...], make: Callable[[], Any]) -> Any:
            return compared(name, arguments)

        def call(*args: Any, **options: Any) -> Scalar:
            return compared("call", _flat("call", args, options))

        players: dict[str, Callable[..., Scalar]] = {name: unary(name) for name in UNARY}
        players |= {name: binary(name) for name in BINARY} | {"call": call, "whole": whole}
        with self._instead(players):
            yield
        if following() is not END:
            raise OtherStructure

    @contextmanager
    def _instead(self, operations: dict[str, Callable[..., Scalar]]) -> Iterator[None]:
        """Put functions in the place of the operations of the graph."""
        vars(self.graph).update(operations)
        try:
            yield
        finally:
            for name in operations:
                delattr(self.graph, name)


def _flat(name: str, args: Sequence[Any], options: dict[str, Any]) -> tuple[Any, ...]:
    """Arguments one by one, so that they can be compared."""
    if name == "call":
        function, arguments = args
        guards = options.get("guards", ())
        return function, options.get("block", -1), len(guards), *guards, *arguments
    if name == "input" and len(args) == 1:
        return (*args, 0)
    return tuple(args)


def _compare(given: Any, known: Any) -> None:
    """Raise OtherStructure unless both are the same number, or word."""
    if isinstance(given, Scalar) or isinstance(known, Scalar) or given != known:
        raise OtherStructure
