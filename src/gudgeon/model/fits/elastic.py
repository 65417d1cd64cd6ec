"""Elastic: a fit that couples all six relative motions of two bodies, as an intervertebral disc does."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from gudgeon.model.fits.base import Fit, FitNumber
from gudgeon.quantity import GudgeonError, quantity
from gudgeon.space.mate import Mate

if TYPE_CHECKING:
    from gudgeon.laws import Pair

__all__ = ["MOTIONS", "Elastic", "Matrix"]

MOTIONS = ("x", "y", "z", "rx", "ry", "rz")  # shifts and rotations along the bearing's axes, the joint's axis last
SLACK = 1e-9  # of the geometric mean of two diagonal entries: what typing and rounding may leave

Matrix: TypeAlias = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Elastic(Fit):
    """An elastic block with a 6 x 6 stiffness and a 6 x 6 damping matrix, for the joint `mount` in space.

    Its load along the motions x, y, z [m], rx, ry, rz [rad] of the journal relative to the bearing, in the bearing's
    axes with z along the joint's, is stiffness times motion plus damping times rate. Entries in N/m, N/rad and N m/rad;
    six numbers are the diagonal. Both matrices must be symmetric and positive semidefinite. The rotation is a rotation
    vector, valid below half a turn.
    """

    reserved: ClassVar[bool] = True

    stiffness: Matrix
    damping: Matrix = ((0.0,) * 6,) * 6

    def validate(self) -> None:
        for name, per in (("stiffness", ""), ("damping", " s")):
            object.__setattr__(self, name, _read(getattr(self, name), name, per))

    def numbers(self, mate: type[Mate], pair: Pair) -> list[FitNumber]:
        """The diagonals and the couplings, by the two motions that an entry joins."""
        numbers = []
        for field in ("stiffness", "damping"):
            matrix = getattr(self, field)
            for a, b in itertools.combinations_with_replacement(range(6), 2):
                if a == b or matrix[a][b]:

                    def changed(new: Any, a: int = a, b: int = b, field: str = field, matrix: Any = matrix) -> Fit:
                        rows = [list(row) for row in matrix]
                        rows[a][b] = rows[b][a] = new
                        return replace(self, **{field: rows})  # type: ignore[arg-type]

                    name = MOTIONS[a] if a == b else f"{MOTIONS[a]}.{MOTIONS[b]}"
                    numbers.append(FitNumber(f"{field}.{name}", matrix[a][b], changed))
        return numbers

    def describe(self) -> str:
        coupled = sum(self.stiffness[a][b] != 0.0 for a in range(6) for b in range(a))
        return f"elastic, {coupled} coupling{'' if coupled == 1 else 's'}" if coupled else "elastic, diagonal"


def _unit(a: int, b: int, per: str) -> str:
    """SI unit of an entry: load per motion, and per rate with " s"."""
    return ("N" if a < 3 else "Nm") + per + ("/m" if b < 3 else "/rad")


def _read(value: Any, name: str, per: str) -> Matrix:
    """A symmetric matrix of SI numbers that has no negative eigenvalue."""
    title, rows = f"Elastic: {name}", _rows(value)
    if rows is None:
        raise GudgeonError(
            f"{title} {value!r} is no matrix; give six rows of six numbers, or six numbers for a diagonal"
        )
    matrix = np.array(
        [[quantity(x, _unit(a, b, per), f"{title}[{a}][{b}]") for b, x in enumerate(row)] for a, row in enumerate(rows)]
    )
    scale = np.sqrt(np.abs(np.diag(matrix)))
    for a in range(6):
        for b in range(a):
            if abs(matrix[a, b] - matrix[b, a]) > SLACK * max(scale[a] * scale[b], abs(matrix[a, b])):
                raise GudgeonError(
                    f"{title}[{a}][{b}] {matrix[a, b]:g} differs from {name}[{b}][{a}] {matrix[b, a]:g}; the matrix "
                    "must be symmetric, else the block makes energy: give both the same number"
                )
    _check_definite(matrix, scale, title, name)
    matrix = 0.5 * (matrix + matrix.T)
    return tuple(tuple(float(x) for x in row) for row in matrix)


def _rows(value: Any) -> list[list[Any]] | None:
    """Six rows of six, from those or from a diagonal; None for anything else."""
    if isinstance(value, str) or not hasattr(value, "__len__") or len(value) != 6:
        return None
    items = list(value)
    if not any(hasattr(item, "__len__") and not isinstance(item, str) for item in items):
        return [[item if a == b else 0.0 for b in range(6)] for a, item in enumerate(items)]
    rows = [[] if isinstance(item, str) or not hasattr(item, "__len__") else list(item) for item in items]
    return rows if all(len(row) == 6 for row in rows) else None


def _check_definite(matrix: np.ndarray, scale: np.ndarray, title: str, name: str) -> None:
    """Motions in N/m and N m/rad are compared after scaling each by its own entry on the diagonal."""
    for a in range(6):
        if matrix[a, a] < 0.0:
            raise GudgeonError(f"{title}[{a}][{a}] {matrix[a, a]:g} must not be negative; check its sign")
        coupled = [b for b in range(6) if b != a and matrix[a, b] != 0.0]
        if scale[a] == 0.0 and coupled:
            b = coupled[0]
            raise GudgeonError(
                f"{title}[{a}][{b}] {matrix[a, b]:g} couples {MOTIONS[a]}, which has no {name} of its own; give "
                f"{name}[{a}][{a}] a number above 0"
            )
    safe = np.where(scale > 0.0, scale, 1.0)
    values, vectors = np.linalg.eigh(matrix / np.outer(safe, safe))
    if values[0] < -SLACK:
        worst = vectors[:, 0] / safe
        a, b = sorted(int(k) for k in np.argsort(-np.abs(vectors[:, 0]))[:2])
        share = ", ".join(f"{x:.3g}" for x in worst / np.abs(worst).max())
        raise GudgeonError(
            f"{title}[{a}][{b}] {matrix[a, b]:g} is too large: a motion along ({share}) would be given energy; its "
            f"magnitude must stay below {scale[a] * scale[b]:.6g}, the root of the product of both diagonal entries, "
            "and with more couplings lower"
        )
