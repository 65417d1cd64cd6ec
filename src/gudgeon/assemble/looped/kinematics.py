"""The constraints of a large mechanism as numbers, for finding its start: residuals, rates and a sparse Jacobian J.

Two questions are asked of J beside its values. The motion of least weighted norm with J x = r comes from the normal
equations J W⁻² Jᵀ y = r by a sparse factorisation. Which rows depend on rows before them is seen from the pivots of
J Jᵀ: they are small where they may, and only the bodies concerned are then looked at row by row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.assemble.looped.inventory import Inventory
from gudgeon.assemble.looped.kind import Kind
from gudgeon.assemble.looped.places import Members
from gudgeon.assemble.solve.start import Kinematics, dependent
from gudgeon.compile.graph.llvm import call_address
from gudgeon.compile.graph.loop import link
from gudgeon.compile.graph.module import PREPARE

# With rows of length 1 a pivot of J Jᵀ is the square of what is left of its row after the rows before it are projected
# out. The square has half the digits, so that a pivot below this may be that of a dependent row or not: the rows that
# are coupled with it are then orthogonalised one by one, as for a small mechanism.
CLEAR = 1e-8
DENSE = 400  # rows of one group that are orthogonalised; in a larger group the pivots have to decide


class SparseKinematics(Kinematics):
    """As `Kinematics`, by loops over the parts and with sparse matrices.

    Results of the compiled function lie in one array: residuals, their rates, then the entries of the Jacobian, of
    which `_rows` and `_columns` are the places.
    """

    def __init__(self, inventory: Inventory) -> None:
        self.bodies = [body for part in inventory.bodies for body in part.sketch.moving]
        self.constraints, self.count = inventory.constraints, len(inventory.constraints)
        self.velocities = inventory.velocities
        self.angular = np.array([unit == "rad/s" for body in self.bodies for unit in body.velocity_units], dtype=bool)
        self._extra = np.array(inventory.starts)
        size = 2 * self.count
        rows_of: list[np.ndarray] = [np.zeros(0, dtype=np.int64)]
        columns: list[np.ndarray] = [np.zeros(0, dtype=np.int64)]
        steps: dict[str, list[Any]] = {PREPARE: [], "rows": []}
        place = len(inventory.names)
        for parts in inventory.kinds(inventory.parts).values():
            if not parts[0].rows:
                continue
            kind = Kind(parts[0].excerpt, (), None, **inventory.options)
            rows = np.array([part.rows for part in parts])
            local = [(i, k) for i, row in enumerate(kind.rows) for k in row]
            entries = size + np.arange(len(parts) * len(local)).reshape(len(parts), len(local))
            size += entries.size
            members = Members(inventory, kind, parts)
            members.add("values", rows).add("speeds", rows + self.count).add("entries", entries)
            loop = members.loop(kind.measured(), place)
            place += loop.derived
            steps[PREPARE].append(loop.step(PREPARE))
            steps["rows"].append(loop.step("measure"))
            rows_of.append(rows[:, [i for i, _ in local]].ravel())
            columns.append(members.velocities[:, [k for _, k in local]].ravel())
        self._rows, self._columns, self._width = np.concatenate(rows_of), np.concatenate(columns), size
        self._linked = link(steps, workspace=place)
        self._p = np.zeros(place + 1)
        self._p[: len(inventory.names)] = inventory.values
        self._call(PREPARE, np.zeros(1), np.zeros(1))

    def _call(self, name: str, y: np.ndarray, out: np.ndarray) -> None:
        call_address(self._linked.addresses[name], 0.0, y, self._p, np.zeros(1), out)

    def rows(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, Any]:
        """Residuals, their rates and the Jacobian at t = 0."""
        from scipy.sparse import csr_array

        out, n = np.zeros(max(self._width, 1)), self.count
        self._call("rows", np.concatenate([q, v, self._extra]), out)
        entries = out[2 * n : self._width]
        return out[:n], out[n : 2 * n], csr_array((entries, (self._rows, self._columns)), shape=(n, self.velocities))

    def scaled(self, jacobian: Any, size: float) -> Any:
        return jacobian * np.where(self.angular, 1.0 / size, 1.0)[None, :]

    def least(self, jacobian: Any, right: np.ndarray, weight: Any, rcond: float = 1e-11) -> np.ndarray:
        from scipy.sparse.linalg import splu

        weighted = jacobian * (1.0 / np.asarray(weight))[None, :]
        independent = np.setdiff1d(np.arange(jacobian.shape[0]), self._dependent(weighted))
        rows = weighted.tocsr()[independent]
        try:
            factors = splu((rows @ rows.T).tocsc(), **_SYMMETRIC)
        except RuntimeError:
            # in a position that is singular one more row may follow from the others: dense, none of them must be known
            return super().least(jacobian.toarray(), right, weight, rcond)
        motion = np.zeros(self.velocities)
        for _ in range(3):  # normal equations square the condition number; iterative refinement makes up for it
            motion = motion + rows.T @ factors.solve(right[independent] - rows @ motion)
        return motion / weight

    def redundant(self, jacobian: Any, size: float) -> list[int]:
        return self._dependent(self.scaled(jacobian, size), np.array([c.drive for c in self.constraints]))

    def by_chance(self, redundant: list[int], elsewhere: Any, size: float) -> list[int]:
        only_here = super().by_chance(redundant, elsewhere, size)
        # of rows that depend on each other the pivots may name another one elsewhere: that is no difference as long as
        # the rows that are kept here are independent there
        kept = np.setdiff1d(np.arange(self.count), redundant)
        return only_here if only_here and self._dependent(self.scaled(elsewhere, size).tocsr()[kept]) else []

    def _dependent(self, jacobian: Any, drives: np.ndarray | None = None) -> list[int]:
        """Rows that follow from other rows; in large groups those of joints are compared among themselves before the
        marked ones of drives are compared with them."""
        redundant: list[int] = []
        jacobian = jacobian.tocsr()
        last = np.zeros(jacobian.shape[0], dtype=bool) if drives is None else drives
        for rows in self._doubtful_groups(jacobian):
            block = jacobian[rows]
            block = block[:, np.unique(block.indices)]
            if len(rows) <= DENSE:
                redundant += [int(rows[k]) for k in dependent(block.toarray())]
                continue
            among = _by_pivots(block, np.flatnonzero(~last[rows]))
            among += _by_pivots(block, np.setdiff1d(np.arange(len(rows)), among))
            redundant += [int(rows[k]) for k in among]
        return sorted(redundant)

    def _doubtful_groups(self, jacobian: Any) -> list[np.ndarray]:
        """Groups of rows that are coupled by bodies and have a pivot so small that one of them may be dependent."""
        from scipy.sparse.csgraph import connected_components

        if not jacobian.shape[0]:
            return []
        square = _square(jacobian)
        small = np.flatnonzero(_pivots(square) < CLEAR)
        _, group = connected_components(square, directed=False)
        return [np.flatnonzero(group == g) for g in np.unique(group[small])]


def _square(jacobian: Any) -> Any:
    """J Jᵀ, with the rows of J scaled to length 1."""
    size = np.sqrt(np.asarray((jacobian * jacobian).sum(axis=1)).ravel())
    unit = (jacobian * (1.0 / np.maximum(size, 1e-300))[:, None]).tocsr()
    return (unit @ unit.T).tocsc()


# A pivot that is zero but for rounding would spoil all pivots after it. With a little added to the diagonal a dependent
# row leaves a pivot of that size, which is safe to divide by, and the pivots of independent rows hardly change.
def _pivots(square: Any) -> np.ndarray:
    """What is left of each row after those eliminated before it, squared, relative to the row."""
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu

    factors = splu((square + 0.01 * CLEAR * eye_array(square.shape[0])).tocsc(), **_SYMMETRIC)
    return np.asarray(factors.U.diagonal()[factors.perm_c])


def _by_pivots(jacobian: Any, rows: np.ndarray) -> list[int]:
    """Rows among `rows` that depend on others of them."""
    if not len(rows):
        return []
    return [int(k) for k in rows[_pivots(_square(jacobian[rows])) < CLEAR]]


_SYMMETRIC: dict[str, Any] = {
    "permc_spec": "MMD_AT_PLUS_A", "diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True},
}  # fmt: skip
