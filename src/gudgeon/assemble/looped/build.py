"""The functions of a large mechanism: loops over parts of equal formulas around one sparse factorisation.

    rhs       forces and rows of every part → S = J M⁻¹ Jᵀ, one block per pair of parts at a body → λ → a
    project   the same matrix with the residuals of both levels on the right
    channels  the solution of rhs kept in the workspace, then what every part reports

The workspace is w = (S in fronts, F, A, X, Y, P, J): forces and accelerations per body, right sides and multipliers per
row, changing entries of the rows. It lies behind the parameters, so that it belongs to the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gudgeon.assemble.looped.factor import Factor
from gudgeon.assemble.looped.inventory import Inventory, LoopedPart
from gudgeon.assemble.looped.kind import SHARED, BodyKind, Kind, Result, pair_element
from gudgeon.assemble.looped.places import Members, spread
from gudgeon.assemble.report.channels import Channel, energies
from gudgeon.assemble.trace.loads import Loads
from gudgeon.assemble.trace.motors import Actuator, Motors, Supply
from gudgeon.compile.graph import Graph
from gudgeon.compile.graph.loop import Element, Linked, Loop, Output, Step, clear, link
from gudgeon.compile.graph.module import PREPARE
from gudgeon.quantity import GudgeonError

MOST_ROWS = 1000  # at a body: their factorisation has a third of a thousand million products


@dataclass
class Group:
    """The parts of a kind: what they compute, and the loop that does it."""

    kind: Kind
    parts: list[LoopedPart]
    members: Members
    functions: dict[str, list[Result]]
    loop: Loop = field(init=False)

    def steps(self, name: str) -> list[Step]:
        return [self.loop.step(name)] if self.functions.get(name) else []


class Looped:
    """Machine code of a mechanism in loops."""

    def __init__(self, inventory: Inventory, redundant: Sequence[int], feedback: tuple[float, float] | None) -> None:
        self.inventory, self.feedback = inventory, feedback
        self.bodies = self._groups(inventory.bodies, (), BodyKind)
        self.groups = self._groups(inventory.parts, redundant, Kind)
        self.rowed = [group for group in self.groups if group.kind.kept]
        self._blocks()
        self._workspace()
        self.channels = self._channels()
        self._place_energies()
        count = len(inventory.names)
        self.inverse = count
        count += inventory.velocities
        for group in self.bodies:
            group.members.add("inverse", self.inverse + group.members.velocities)
        for group in (*self.bodies, *self.groups):
            group.loop = group.members.loop(group.functions, count, given=not isinstance(group.kind, BodyKind))
            count += group.loop.derived
        self.parameters = count
        self.pairs = self._pairs()
        self.linked = self._link()

    def _groups(self, parts: list[LoopedPart], redundant: Sequence[int], kind_type: type[Kind]) -> list[Group]:
        inventory, groups = self.inventory, []
        for (_, left_out), alike in inventory.kinds(parts, redundant).items():
            kind = kind_type(alike[0].excerpt, left_out, self.feedback, **inventory.options)
            functions = kind.functions()
            groups.append(Group(kind, alike, Members(inventory, kind, alike), functions))
        return groups

    # -- places ---------------------------------------------------------------------------------------------

    def _blocks(self) -> None:
        """One block of S per part with rows; parts at the same body are coupled."""
        self.block_of: list[tuple[Group, int]] = [(group, e) for group in self.rowed for e in range(len(group.parts))]
        sizes = [len(group.kind.kept) for group, _ in self.block_of]
        self.at_body: dict[int, list[tuple[int, int]]] = {}  # body -> (block, side)
        for block, (group, e) in enumerate(self.block_of):
            for side, body in enumerate(group.parts[e].bodies):
                if any(k // self.inventory.nv == side for row in group.kind.rows for k in row):
                    self.at_body.setdefault(body, []).append((block, side))
        coupled: list[set[int]] = [set() for _ in sizes]
        for meeting in self.at_body.values():
            for block, _ in meeting:
                coupled[block].update(other for other, _ in meeting)
        self._check(sizes)
        self.factor = Factor(sizes, coupled, 0)

    def _check(self, sizes: Sequence[int]) -> None:
        """Refuse a body that couples too many rows: each with every other."""
        names = list(self.inventory.mechanism.bodies)
        for body, meeting in self.at_body.items():
            rows = sum(sizes[block] for block, _ in meeting)
            if rows > MOST_ROWS:
                raise GudgeonError(
                    f'body "{names[body]}" has {len(meeting)} ideal joints with {rows} constraint equations '
                    f"that are coupled; more than {MOST_ROWS} at one body cannot be solved. Divide the body, or give "
                    "some of its joints a Clearance or a Bushing"
                )

    def _workspace(self) -> None:
        factor, inventory = self.factor, self.inventory
        forces = factor.entries
        accelerations = forces + inventory.velocities
        first = accelerations + inventory.velocities
        second = first + factor.rows
        place = second + factor.rows
        self.rights = (first, second)
        common = len(self.bodies[0].kind.shared)
        for group in (*self.bodies, *self.groups):
            group.members.add("P", place + spread(group.members.bodies, common))
        place += common * len(inventory.bodies)
        self.cleared = first  # S, F and A
        block = 0
        for group in self.groups:
            members, kind = group.members, group.kind
            members.add("F", forces + members.velocities).add("A", accelerations + members.velocities)
            width = len(kind.changing)
            members.add("J", place + np.arange(len(group.parts) * width))
            place += len(group.parts) * width
            if not kind.kept:
                continue
            numbers = range(block, block + len(group.parts))
            block += len(group.parts)
            rows = np.array([factor.row[k] for k in numbers])[:, None] + np.arange(len(kind.kept))
            members.add("X", first + rows).add("Y", second + rows)
            members.add("D", np.array([factor.diagonal(k) for k in numbers]))
            corrected = inventory.positions + inventory.velocities
            members.add("values", corrected + rows).add("speeds", corrected + factor.rows + rows)
        for group in self.bodies:
            members = group.members
            members.add("F", forces + members.velocities).add("A", accelerations + members.velocities)
        self.workspace = place

    def _channels(self) -> list[Channel]:
        """Every channel in the order of the unrolled form: bodies, joints, contacts, energies."""
        place: dict[int, tuple[Group, int]] = {}
        for group in (*self.bodies, *self.groups):
            for e, part in enumerate(group.parts):
                place[id(part)] = (group, e)
        channels: list[Channel] = []
        starts: dict[tuple[int, str], list[int]] = {}
        inventory = self.inventory
        for parts, where in (
            (inventory.bodies, "channels"),
            (inventory.parts, "channels"),
            (inventory.parts, "contacts"),
        ):
            for part in parts:
                group, e = place[id(part)]
                names = group.kind.channel_names if where == "channels" else group.kind.contact_names
                starts.setdefault((id(group), where), [0] * len(group.parts))[e] = len(channels)
                channels += [Channel(part.owner + suffix, unit, label) for suffix, unit, label in names]
        for group in (*self.bodies, *self.groups):
            for where, names in (("channels", group.kind.channel_names), ("contacts", group.kind.contact_names)):
                first = np.array(starts.get((id(group), where), [0] * len(group.parts)))
                group.members.add(where, first[:, None] + np.arange(len(names)))
        return channels

    def _place_energies(self) -> None:
        """Energies come last; the shares of parts are added to what the integrals of all parts say."""
        graph = Graph()
        states = _Integrals(graph, [name for name in self.inventory.integrals if name in SHARED])
        formulas: dict[str, Any] = {}
        listed: list[Channel] = []

        def add(name: str, unit: str, label: str, value: Any) -> None:
            listed.append(Channel(name, unit, label))
            formulas[name] = graph.scalar(value)

        energies(add, _Nothing(graph, states, bool(self.inventory.mechanism.motors)), [], list(states.names))  # type: ignore[arg-type]
        first = len(self.channels)
        self.channels = self.channels + listed
        index = {channel.name: first + k for k, channel in enumerate(listed)}
        y = [self.inventory.controlled + self.inventory.integrals.index(name) for name in states.names]
        element = Element(graph, {"energies": [Output(x) for x in formulas.values()]}, 0)
        places = {"y": np.array([y], dtype=np.int64).reshape(1, -1)}
        self.ledger = Loop(element, places, {"energies": np.array([list(index.values())])})
        zero = Element(graph, {"zero": [Output(graph.zero)] * len(y)}, 0)
        self.zero = Loop(zero, {}, {"zero": np.array([y], dtype=np.int64).reshape(1, -1)})
        for group in (*self.bodies, *self.groups):
            row = [index[name] for name in group.kind.energy_names]
            group.members.add("energies", np.tile(np.array(row, dtype=np.int64), (len(group.parts), 1)))

    # -- code -----------------------------------------------------------------------------------------------

    def _pairs(self) -> list[Loop]:
        """Blocks of S between parts at the same body, grouped by the kinds and sides that meet."""
        meetings: dict[tuple[int, int, int, int], list[tuple[int, int, int]]] = {}
        groups = {id(group): group for group in self.rowed}
        for body, meeting in self.at_body.items():
            for k, (a, side_a) in enumerate(meeting):
                for b, side_b in meeting[:k]:
                    key = (id(self.block_of[a][0]), side_a, id(self.block_of[b][0]), side_b)
                    meetings.setdefault(key, []).append((a, b, body))
        loops, width = [], self.inventory.nv
        for (first, side_a, second, side_b), alike in meetings.items():
            one, two = groups[first], groups[second]
            element = pair_element(one.kind, side_a, two.kind, side_b, width)
            ends = np.array([(self.block_of[a][1], self.block_of[b][1]) for a, b, _ in alike])
            entries = np.hstack([one.members.groups["J"][ends[:, 0]], two.members.groups["J"][ends[:, 1]]])
            masses = self.inverse + width * np.array([body for *_, body in alike])[:, None] + np.arange(width)
            targets = np.array([self.factor.between(a, b) for a, b, _ in alike])
            loops.append(Loop(element, {"w": entries, "p": masses}, {"pair": targets}, self.parameters))
            self.parameters += loops[-1].derived
        return loops

    def _link(self) -> Linked:
        bodies, parts = self.bodies, self.groups
        each = lambda groups, name: [step for group in groups for step in group.steps(name)]  # noqa: E731
        pairs = [loop.step("pair") for loop in self.pairs]
        one, two = self.factor.steps(self.rights[:1]), self.factor.steps(self.rights)
        solve = [*pairs, *each(parts, "right sides"), *one, *each(parts, "constraint forces")]
        fresh = clear(0, self.factor.entries)
        loops = [*(group.loop for group in (*bodies, *parts)), *self.pairs]
        programs = {
            PREPARE: [*(loop.step(PREPARE) for loop in loops if loop.derived), *each(bodies, "inverse")],
            "rhs": [fresh, self.zero.step("zero"), *each(bodies, "rhs"), *each(parts, "rhs"), *solve,
                    *each(bodies, "accelerations"), *each(parts, "drive powers")],
            "gaps": [*each(bodies, "shared"), *each(parts, "gaps")],
            "project": [clear(0, self.cleared), *each(bodies, "shared"), *each(parts, "project"), *pairs, *two,
                        *each(parts, "both corrections"), *each(bodies, "project")],
            "channels": [fresh, *each(bodies, "forces"), *each(parts, "forces"), *solve,
                         *each(bodies, "kept accelerations"), self.ledger.step("energies"), *each(bodies, "channels"),
                         *each(parts, "channels")],
        }  # fmt: skip
        return link(programs, self.parameters)

    @property
    def operations(self) -> dict[str, int]:
        """Operations of one evaluation of each function."""
        sums = dict.fromkeys(("rhs", "gaps", "project", "channels", PREPARE), 0)
        for group in (*self.bodies, *self.groups):
            for name, function in group.loop.element.module.functions.items():
                for program in _PROGRAMS.get(name, ()):
                    sums[program] += function.size * len(group.parts)
        pairs = sum(loop.element.size * loop.count for loop in self.pairs)
        for program in ("rhs", "project", "channels"):
            sums[program] += pairs + self.factor.operations
        return sums


_PROGRAMS = {
    "rhs": ("rhs",), "accelerations": ("rhs",), "drive powers": ("rhs",), "right sides": ("rhs", "channels"),
    "constraint forces": ("rhs", "channels"), "gaps": ("gaps",), "project": ("project",),
    "both corrections": ("project",), "shared": ("project", "gaps"),
    "forces": ("channels",), "kept accelerations": ("channels",), "channels": ("channels",), PREPARE: (PREPARE,),
}  # fmt: skip


class _Integrals:
    """The integrals that parts share, as inputs."""

    def __init__(self, graph: Graph, names: list[str]) -> None:
        self.graph, self.names = graph, names

    def integral(self, name: str) -> Any:
        return self.graph.input("y", self.names.index(name))


@dataclass(frozen=True)
class _Nothing:
    """What `energies` asks of a trace, for a mechanism without parts."""

    graph: Graph
    states: _Integrals
    supplied: bool  # motors say what supplies give

    @property
    def motors(self) -> Motors:
        zero = self.graph.zero
        supply = Supply(zero, zero, zero, zero, zero, zero, winding=False)
        return Motors((Actuator("", zero, zero, supply),) if self.supplied else (), zero)

    @property
    def loads(self) -> Loads:
        zero = self.graph.zero
        return Loads(None, zero, zero, zero, zero, (), ())
