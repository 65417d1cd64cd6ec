"""Lines of many points, thinned to what a page can show, and lines with gaps."""

from __future__ import annotations

import numpy as np

__all__ = ["MANY", "broken", "envelope", "thinned"]

MANY = 20_000  # more rows than this are thinned to an envelope, or drawn as points
BINS = 2_000  # columns of the envelope, more than a page has pixels


def thinned(x: np.ndarray, y: np.ndarray, state: np.ndarray, grain: float) -> np.ndarray:
    """Rows that a curve needs when it is drawn to a grain: those a grain further on, and those where the state changes.

    Steps are short where forces are large, so that most rows of an orbit lie on top of each other.
    """
    way = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    keep = np.concatenate([[True], np.diff(np.floor(way / grain)) > 0.0])
    change = state[1:] != state[:-1]
    keep[1:] |= change
    keep[:-1] |= change
    keep[-1] = True
    return np.flatnonzero(keep)


def envelope(t: np.ndarray, x: np.ndarray, bins: int = BINS, many: int = MANY) -> tuple[np.ndarray, np.ndarray]:
    """A line of at most 4 points per bin that covers the same pixels: first, least, largest and last of each.

    A chaotic line of a million points takes minutes to draw and looks the same.
    """
    if len(t) <= max(many, 4 * bins):
        return t, x
    edges = np.searchsorted(t, np.linspace(t[0], t[-1], bins + 1)[1:-1])
    keep: list[int] = []
    for part in np.split(np.arange(len(t)), edges):
        if len(part):
            piece = x[part]
            keep += sorted({int(part[0]), int(part[np.argmin(piece)]), int(part[np.argmax(piece)]), int(part[-1])})
    return t[keep], x[keep]


def broken(keep: np.ndarray, *columns: np.ndarray) -> list[np.ndarray]:
    """The columns with nan outside `keep` and the row before each part of it, so that parts join up."""
    wide = keep.copy()
    wide[:-1] |= keep[1:]
    return [np.where(wide, column, np.nan) for column in columns]
