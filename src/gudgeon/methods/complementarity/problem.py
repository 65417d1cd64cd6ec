"""The data and the unknowns of a complementarity problem of contact impulses, as one record for all solvers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats, Integers, Matrix, Record

# the role of a contact: it takes no part and gets no impulse; it takes part; it takes part and does not rebound
APART, CLOSED, RESTS = -1, 0, 1


class ImpulseProblem(Record):
    """Impulses `impulse` of the contacts that are not APART. Rows are those of the first contact, then those of the
    second ...: of each its opening, then the components of its slip."""

    contacts: int
    rows_per_contact: int
    slip_components: int  # rows_per_contact - 1
    slip_is_scalar: int  # 1: the slip has one component
    delassus: Matrix  # W: row speeds by unit impulses along the rows
    friction: Floats  # coefficient of friction of each contact
    target: Floats  # row speeds without impulses, with what restitution asks for on top
    impulse: Floats
    wish: Floats  # scratch: three components of an impulse before it is projected onto a cone
    role: Integers  # of each contact: APART, CLOSED or RESTS
    tableau: Matrix  # scratch: a small linear system, or the tableau of Lemke's method

    @classmethod
    def of_size(cls, contacts: int, rows_per_contact: int, **fields: Any) -> Self:
        """A problem of this size; arrays that are not given are new."""
        rows = rows_per_contact * contacts
        shapes: dict[str, int | tuple[int, int]] = {
            "delassus": (rows, rows), "friction": contacts, "target": rows, "impulse": rows, "wish": 3,
            "tableau": (3 * contacts + 1, 3 * contacts + 3),
        }  # fmt: skip
        new = {name: np.zeros(shape) for name, shape in shapes.items() if name not in fields}
        return cls(
            contacts=contacts, rows_per_contact=rows_per_contact, slip_components=rows_per_contact - 1,
            slip_is_scalar=int(rows_per_contact == 2), role=np.zeros(contacts, dtype=np.int64), **new, **fields,
        )  # fmt: skip


@kernel
def row_speed(problem: ImpulseProblem, before: Floats, r: int) -> float:
    """Speed along row r after the impulses, if the row speeds `before` hold without them."""
    total = before[r]
    for k in range(problem.impulse.shape[0]):
        total += problem.delassus[r, k] * problem.impulse[k]
    return total
