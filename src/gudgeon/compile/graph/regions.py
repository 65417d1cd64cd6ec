"""What is only needed behind a guard, gathered so that it is jumped over where the guard is not positive.

A law is called where its guards are positive, and its result is 0 elsewhere. So is every product with the result; and
what only such products need (where a contact is, its normal, how fast it slides) need not be known at all. A mechanism
with many places that can touch computes those that do.

    label     the guards without which a node is 0: a guarded call, a product with such a node, a sum of two of them
    region    the labelled nodes of a guard, and the nodes that only they use

Only guards that are inputs count: they are known before anything is computed. Guards of the same law with the same
numbers, such as those of the strips of a sleeve, share a region by fours: what is alike is then computed side by side
in the lanes of a vector. Where a node of a region needs something that was made of an earlier node of the same guards,
the region is cut in two.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass

from gudgeon.compile.graph.module import LEAVES, Function, Instruction

Key = tuple[int, int]  # first guard of a group, and turn

# right-hand side of a sleeve with 12 contacts, none and all touching: 84 and 358 ns; every guard alone 98 and 540 ns;
# without regions 341 ns
LANES = 4


@dataclass(frozen=True)
class Region:
    """Instructions to be run where the result of one of `guards` is positive; `exports` are 0 elsewhere."""

    guards: tuple[int, ...]
    code: tuple[Instruction, ...]
    exports: tuple[int, ...]


def regions(function: Function) -> list[Instruction | Region]:
    """The code of a function with its regions, in an order in which it can run."""
    groups = _groups(function)
    if not groups:
        return list(function.code)
    labels = _labels(function, {guard: group[0] for group in groups for guard in group})
    members = _cut(function, _members(function, labels))
    ordered = _ordered(function, members, {group[0]: group for group in groups})
    return list(function.code) if ordered is None else ordered


def _groups(function: Function) -> list[tuple[int, ...]]:
    """Guards that share a region."""
    inputs = {i.result for i in function.code if i.op == "input"}
    alike: dict[object, list[int]] = {}
    seen: set[int] = set()
    for i in function.code:
        if i.op == "call" and i.data[2] and i.args[0] in inputs and i.args[0] not in seen:
            seen.add(i.args[0])
            alike.setdefault(i.data[:2], []).append(i.args[0])
    return [tuple(guards[k : k + LANES]) for guards in alike.values() for k in range(0, len(guards), LANES)]


def _labels(function: Function, groups: dict[int, int]) -> dict[int, int]:
    labels: dict[int, int] = {}
    for i in function.code:
        label = None
        if i.op == "call":
            if i.data[2]:
                label = groups.get(i.args[0])
        elif i.op == "multiply":
            label = labels.get(i.args[0], labels.get(i.args[1]))
        elif i.op in ("divide", "negate", "add", "subtract"):
            label = labels.get(i.args[0])
            if i.op in ("add", "subtract") and label != labels.get(i.args[1]):
                label = None
        if label is not None:
            labels[i.result] = label
    return labels


def _members(function: Function, labels: dict[int, int]) -> dict[int, int]:
    """The label of every node that is only needed behind one."""
    users: dict[int, set[int | None]] = {node: {None} for node in function.outputs}
    label_of: dict[int, int] = {}
    for i in reversed(function.code):
        guard = labels.get(i.result)
        asked = users.get(i.result, set())
        if guard is None and i.op not in LEAVES and len(asked) == 1:
            (guard,) = asked
        if guard is not None:
            label_of[i.result] = guard
        for a in i.args:
            users.setdefault(a, set()).add(guard)
    return label_of


def _cut(function: Function, members: dict[int, int]) -> dict[int, Key]:
    """Members by guard and turn: a turn later than what the node is made of, through nodes outside."""
    needed = set(members)  # by members: what comes after them all does not matter
    for i in reversed(function.code):
        if i.result in needed:
            needed.update(i.args)
    key_of: dict[int, Key] = {}
    turns: dict[int, dict[int, int]] = {}  # of every node, the turn that each guard has reached below it
    for i in function.code:
        if i.result not in needed:
            continue
        below: dict[int, int] = {}
        own = members.get(i.result)
        for a in i.args:
            inside = own is not None and a in key_of and key_of[a][0] == own
            for guard, turn in turns[a].items():
                below[guard] = max(below.get(guard, 0), key_of[a][1] if inside and guard == own else turn)
        if own is not None:
            key_of[i.result] = (own, below.get(own, 0))
            below[own] = below.get(own, 0) + 1
        turns[i.result] = below
    return key_of


def _ordered(function: Function, members: dict[int, Key],
             groups: dict[int, tuple[int, ...]]) -> list[Instruction | Region] | None:  # fmt: skip
    """Units, single instructions or regions, each after those it needs; None where regions need each other."""
    place = {i.result: k for k, i in enumerate(function.code)}
    code: dict[int | Key, list[Instruction]] = {}
    for i in function.code:
        code.setdefault(members.get(i.result, place[i.result]), []).append(i)
    unit = {i.result: members.get(i.result, place[i.result]) for i in function.code}
    needs = {u: {unit[a] for i in part for a in i.args} - {u} for u, part in code.items()}
    users: dict[int | Key, list[int | Key]] = {}
    for u, needed in needs.items():
        for n in needed:
            users.setdefault(n, []).append(u)
    exports = _exports(function, unit)
    waiting = {u: len(needed) for u, needed in needs.items()}
    heap = [(place[code[u][-1].result], u) for u, count in waiting.items() if count == 0]
    heapq.heapify(heap)
    ordered: list[Instruction | Region] = []
    while heap:
        _, u = heapq.heappop(heap)
        ordered += [Region(groups[u[0]], tuple(code[u]), exports.get(u, ()))] if isinstance(u, tuple) else code[u]
        for user in users.get(u, ()):
            waiting[user] -= 1
            if waiting[user] == 0:
                heapq.heappush(heap, (place[code[user][-1].result], user))
    return ordered if not any(waiting.values()) else None


def _exports(function: Function, unit: dict[int, int | Key]) -> dict[int | Key, tuple[int, ...]]:
    """What others read of a region."""
    read_of: dict[int | Key, dict[int, None]] = {}

    def read(nodes: Iterable[int], by: int | Key | None) -> None:
        for node in nodes:
            if isinstance(unit[node], tuple) and unit[node] != by:
                read_of.setdefault(unit[node], {})[node] = None

    for i in function.code:
        read(i.args, unit[i.result])
    read(function.outputs, None)
    return {u: tuple(nodes) for u, nodes in read_of.items()}
