"""Numbers of a page: arrays packed into one compressed block, with references into it.

An array is written by bytes of equal weight, all first bytes, all second ones and so on, which compresses well. Curves
are kept in 65536 steps between their least and largest value, as differences, enough for any screen.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np

__all__ = ["PackedArrays", "rows_to_keep"]

STEPS = 65535


class PackedArrays:
    """Collects arrays; `reference` of each tells the page where it lies and how to read it."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def floats(self, values: np.ndarray, kind: str = "f4") -> dict[str, Any]:
        """Numbers as they are: f4, f8, i4 or u1."""
        return self._add(np.ascontiguousarray(values, dtype=f"<{kind}").ravel(), kind)

    def curve(self, values: np.ndarray) -> dict[str, Any]:
        """A curve in steps of its own range."""
        finite = values[np.isfinite(values)].astype(float)
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
        scale = STEPS / (high - low) if high > low else 0.0
        steps = np.round((np.nan_to_num(values.astype(float), nan=low, posinf=high, neginf=low) - low) * scale)
        changes = np.diff(steps.astype("<u2"), prepend=np.zeros(1, dtype="<u2")).astype("<u2")
        return {**self._add(changes, "u2"), "low": low, "high": high}

    def _add(self, values: np.ndarray, kind: str) -> dict[str, Any]:
        width = values.dtype.itemsize
        shuffled = values.view(np.uint8).reshape(-1, width).T.tobytes()
        reference = {"at": self._size, "count": len(values), "kind": kind}
        self._parts.append(shuffled)
        self._size += len(shuffled)
        return reference

    def text(self) -> str:
        """The block, compressed, as base64."""
        return base64.b64encode(zlib.compress(b"".join(self._parts), 9)).decode("ascii")


def rows_to_keep(t: np.ndarray, moments: np.ndarray, most: int) -> np.ndarray:
    """Rows for the poses: all, or those next to evenly spaced times and to the moments given."""
    if len(t) <= most:
        return np.arange(len(t))
    inside = moments[(moments >= t[0]) & (moments <= t[-1])]
    wanted = np.concatenate([np.linspace(t[0], t[-1], most - min(len(inside), most // 2)), inside[: most // 2]])
    return np.unique(np.clip(np.searchsorted(t, wanted), 0, len(t) - 1))
