"""The order in which rows are eliminated, searched for the fewest operations.

How many operations an order takes can be counted without doing them, from what is zero, what is fixed during a run and
what changes with the state: an operation on fixed numbers is done once per run and costs nothing here. So an order is
judged in a fraction of a millisecond, and better ones are looked for by moving one row at a time, from the order with
the fewest changing entries first. The search is short and always the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from gudgeon.compile.graph import Graph, Scalar

Row = dict[int, Scalar]
Changing = dict[int, bool]  # entries that are not zero: whether they change with the state

LOOKS = 150  # orders that are judged at most
MOST_ROWS = 24  # of more, moving one at a time finds little in so few looks


def elimination_order(graph: Graph, rows: Sequence[Row], *, search: bool = True) -> list[int]:
    """Fewest state-dependent entries first, then fewest entries; bettered by moving rows where bodies have masses of
    their own, so that rows meet in the bodies they share."""
    fixed = graph.arrays.get("p", 0)
    changing = [{k: bool(x.depends & ~fixed) for k, x in row.items()} for row in rows]
    order = sorted(range(len(rows)), key=lambda r: (sum(changing[r].values()), len(rows[r])))
    return better(changing, order) if search and 2 < len(rows) <= MOST_ROWS else order


def better(rows: Sequence[Changing], order: list[int]) -> list[int]:
    """An order with no more operations than the given one."""
    products = _products(rows)
    least, looks, n = operations(products, order), 1, len(order)
    improved = True
    while improved and looks < LOOKS:
        improved = False
        for i in range(n):
            for j in range(n):
                if i == j or looks >= LOOKS:
                    continue
                tried = order.copy()
                tried.insert(j, tried.pop(i))
                count, looks = operations(products, tried), looks + 1
                if count < least:
                    least, order, improved = count, tried, True
    return order


def _products(rows: Sequence[Changing]) -> list[dict[int, bool]]:
    """Entries of J M^-1 Jt, M being diagonal: of each row those with rows that share a column."""
    pattern: list[dict[int, bool]] = []
    for a in rows:
        line = {}
        for j, b in enumerate(rows):
            shared = [k for k in a if k in b]
            if shared:
                line[j] = any(a[k] or b[k] for k in shared)
        pattern.append(line)
    return pattern


def operations(products: Sequence[dict[int, bool]], order: Sequence[int]) -> int:
    """Operations on numbers that change, of factors L D Lt in this order and of a solution with them."""
    total = 0
    lower: list[Changing] = []
    pivots: list[bool] = []
    for n, i in enumerate(order):
        line = products[i]
        upper: Changing = {}
        for m in range(n):
            changes = line.get(order[m])
            there = changes is not None
            for k, factor in lower[m].items():
                if k in upper:
                    product = upper[k] or factor
                    total += product + (product or bool(changes) if there else False)
                    changes, there = bool(changes) or product, True
            if there:
                upper[m] = bool(changes)
        pivot, factors = line.get(i, False), {}
        for m, changes in upper.items():
            factors[m] = changes or pivots[m]
            product = changes or factors[m]
            total += factors[m] + 2 * product
            pivot = pivot or product
        # the solution: once forwards and once back for every factor, whose right-hand sides always change
        total += 4 * len(factors) + 1 + 3 * pivot
        lower.append(factors)
        pivots.append(pivot)
    return total
