"""What a description holds, as bytes: equal for mechanisms that are described alike, so that what was made of one
serves the other. Descriptions with other numbers differ in the bytes of these numbers alone."""

from __future__ import annotations

import io
import pickle
import pickletools
import types
from typing import Any

import numpy as np

from gudgeon.model.builder.mechanism import Mechanism

__all__ = ["Skeleton", "content_of"]

KNOWN = ("gudgeon.", "builtins", "numpy")
WIDTH = 8  # bytes of a number


class _Unkeepable(Exception):
    """A part whose name does not say what it does."""


class _Writer(pickle.Pickler):
    """Writes objects by value. A function or class of a user is named only, and may be another one under the same name
    when it is seen again: such a mechanism has no content that could be compared."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, type | types.FunctionType | types.MethodType):
            module = getattr(obj, "__module__", None) or ""
            if not (module == "gudgeon" or module.startswith(KNOWN)):
                raise _Unkeepable
        return NotImplemented


class Skeleton:
    """A content without its numbers."""

    def __init__(self, content: bytes) -> None:
        self._kept = np.ones(len(content), dtype=bool)
        for operation, _, place in pickletools.genops(content):
            if operation.name == "BINFLOAT" and place is not None:
                self._kept[place + 1 : place + 1 + WIDTH] = False
        self._rest = self._without_numbers(content)

    def _without_numbers(self, content: bytes) -> bytes:
        return np.frombuffer(content, dtype=np.uint8)[self._kept].tobytes()

    def fits(self, content: bytes) -> bool:
        """Whether another content differs in numbers only."""
        return len(content) == len(self._kept) and self._without_numbers(content) == self._rest


def content_of(mechanism: Mechanism) -> bytes | None:
    """The content of a mechanism; None where functions or classes of a user are part of it."""
    written = io.BytesIO()
    try:
        _Writer(written, protocol=5).dump(mechanism)
    except (_Unkeepable, pickle.PicklingError, AttributeError, TypeError):
        return None
    return written.getvalue()
