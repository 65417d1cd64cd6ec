"""What a description holds, as bytes: equal for mechanisms that are described alike, so that what was made of one
serves the other."""

from __future__ import annotations

import io
import pickle
import types
from typing import Any

from gudgeon.model.builder.mechanism import Mechanism

__all__ = ["content_of"]

KNOWN = ("gudgeon.", "builtins", "numpy")


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


def content_of(mechanism: Mechanism) -> bytes | None:
    """The content of a mechanism; None where functions or classes of a user are part of it."""
    written = io.BytesIO()
    try:
        _Writer(written, protocol=5).dump(mechanism)
    except (_Unkeepable, pickle.PicklingError, AttributeError, TypeError):
        return None
    return written.getvalue()
