"""`Kind`: parts of a mechanism with equal formulas, traced once, and what a loop over them computes.

A part is a joint, spring, force or torque with the bodies it acts on, or a body (`BodyKind`). Its graph has local
places 0, 1, 2 ...; which places of the mechanism these are, places.py has in tables with one row per part. They are
grouped by what they hold:

    in the workspace   P  what formulas of a body have in common
                       J  entries of the Jacobian's rows that change with the state
                       F  generalised forces of the part's bodies
                       A  accelerations of these
                       X  right side of the part's rows, after the solution their multipliers
                       Y  a second right side, of the projection
                       D  the part's own block of S = J M⁻¹ Jᵀ, lower triangle by rows
    in the results     whatever else, by the names in `Kind.functions`

With constraints g = 0, J = ∂g/∂q in directions of velocity, M diagonal, and g̈ = J a + b, accelerations follow from
J a = -b and M a = F + Jᵀ λ:

    S λ = -b - J M⁻¹ F,      a = M⁻¹ (F + Jᵀ λ)

and the loops of build.py compute them in this order, `+=` where several parts add to the same number:

    rhs                      F = forces of bodies, F += forces of parts, J, D, X = -b
    right sides              X -= J M⁻¹ F                    then S X = X is solved (factor.py)
    constraint forces        F += Jᵀ X
    accelerations            a = M⁻¹ F into the results      kept accelerations: into A, for the channels
    drive powers             what drives do, by their multipliers X

The projection has the same matrix: S X = -g and S Y = -ġ, then F += Jᵀ X, A += Jᵀ Y, and M⁻¹ F, M⁻¹ A are the
corrections of positions (in directions of velocity) and of velocities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gudgeon.assemble.looped.excerpt import Excerpt
from gudgeon.assemble.report.channels import body_channels, contact_channels, energies, joint_channels, ledger
from gudgeon.assemble.solve.elimination import Row
from gudgeon.assemble.solve.equations import Equations, Solution, shift
from gudgeon.assemble.trace.motors import SUPPLIED
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Graph, Scalar
from gudgeon.compile.graph.loop import Element, Output

WORKSPACE = ("P", "J", "F", "X", "Y", "A")  # in the order of a kind's local workspace
SHARED = ("drive", *SUPPLIED, "applied", "damper", "film")  # integrals that parts add to


@dataclass(frozen=True)
class Result:
    """A result of a part: its formula, its group and place within it."""

    value: Scalar
    group: str
    index: int
    add: bool = False

    @property
    def output(self) -> Output:
        array = "w" if self.group in (*WORKSPACE, "D") else "p" if self.group == "inverse" else "out"
        return Output(self.value, array, self.add)


class _AppliedForces(Equations):
    """Equations of a part without the gyroscopic forces of its bodies: the loop over the bodies has them."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.force = [self.graph.zero for _ in self.force]


class _PartTrace(Trace):
    equations_type = _AppliedForces


class Kind:
    """A traced part. `left_out` are places of redundant rows among its own, `feedback` Baumgarte's α and β, `options`
    those of `Trace`."""

    trace_type: type[Trace] = _PartTrace

    def __init__(self, excerpt: Excerpt, left_out: Sequence[int] = (), feedback: tuple[float, float] | None = None,
                 **options: bool) -> None:  # fmt: skip
        self.excerpt = excerpt
        self.trace = trace = self.trace_type(excerpt, **options)  # type: ignore[arg-type]
        self.graph, eq = trace.graph, trace.equations
        self.kept = [r for r in range(len(eq.constraints)) if r not in set(left_out)]
        self.values = [eq.constraints[r].value for r in self.kept]
        self.rows: list[Row] = [eq.gradient(value) for value in self.values]
        self.feedback = feedback
        self.changing: list[Scalar] = []  # entries of the rows to keep in the workspace, signs aside
        slots: dict[int, int] = {}
        for x in (x for row in self.rows for x in row.values()):
            entry = _without_sign(x)
            if not entry.is_constant and entry.id not in slots:
                slots[entry.id] = len(self.changing)
                self.changing.append(entry)
        self._slots = slots
        self.shared = [_without_factor(self.graph.scalar(x)) for body in trace.moving for x in body.shared]
        widths = {
            "P": len(self.shared),
            "J": len(self.changing),
            "F": len(eq.v),
            "X": len(self.kept),
            "Y": len(self.kept),
            "A": len(eq.v),
        }
        self.widths = widths
        self._starts, start = {}, 0
        for group in WORKSPACE:
            self._starts[group] = start
            start += widths[group]
        self.channel_names: list[Any] = []
        self.contact_names: list[Any] = []
        self.energy_names: list[str] = []

    def read(self, group: str) -> list[Scalar]:
        """A group of the workspace, as arguments."""
        return self.graph.inputs("w", self.widths[group], self._starts[group])

    def entries(self, graph: Graph, stored: Sequence[Scalar]) -> list[Row]:
        """The rows from what is stored of them, in another graph."""
        rows: list[Row] = []
        for row in self.rows:
            own: Row = {}
            for k, x in row.items():
                value = graph.constant(x.data) if x.is_constant else stored[self._slots[_without_sign(x).id]]
                own[k] = -value if x.op == "negate" else value
            rows.append(own)
        return rows

    # -- what loops compute ---------------------------------------------------------------------------------

    def functions(self) -> dict[str, list[Result]]:
        """Results by function; an empty one needs no loop."""
        trace, results = self.trace, {}
        rows = self.entries(self.graph, self.read("J"))
        forces = self._forces()
        results["forces"] = forces
        solution = self.solution()
        powers = ledger(trace, solution)
        by_drives = {name: x for name, x in powers.items() if name == "drive"}
        others = {name: x for name, x in powers.items() if name not in by_drives}
        results["rhs"] = [*forces, *self._rates(), *self._ledger(others)]
        results["right sides"] = self._right_sides(rows)
        results["constraint forces"] = self._transposed(rows, (("X", "F"),))
        results["both corrections"] = self._transposed(rows, (("X", "F"), ("Y", "A")))
        results["drive powers"] = self._ledger(by_drives)
        results["project"] = self._project()
        events = [c for c in trace.contacts if c.index is not None]
        gaps = [x for c in events for x in (c.depth, c.rate, c.normal)]
        results["gaps"] = [Result(x, "gaps", k) for k, x in enumerate(gaps)]
        results["channels"] = self._channels(solution)
        return results

    def element(self, functions: dict[str, list[Result]], *, given: bool = False) -> Element:
        """The functions to loop over; `given`: with what formulas of a body share read from the workspace."""
        outputs = {name: [x.output for x in results] for name, results in functions.items() if results}
        known = {x.id: ("w", k) for k, x in enumerate(self.shared) if not x.is_constant}
        return Element(self.graph, outputs, len(self.trace.parameters), known if given else None)

    def measured(self) -> dict[str, list[Result]]:
        """Rows, their rates and their Jacobian, for the start."""
        rates = [self.trace.equations.ddt(value) for value in self.values]
        results = [Result(x, "values", i) for i, x in enumerate(self.values)]
        results += [Result(x, "speeds", i) for i, x in enumerate(rates)]
        entries = [x for row in self.rows for x in row.values()]
        return {"measure": results + [Result(x, "entries", i) for i, x in enumerate(entries)]}

    def solution(self) -> Solution:
        """Accelerations and multipliers as the workspace has them."""
        eq, zero = self.trace.equations, self.graph.zero
        known = dict(zip(self.kept, self.read("X"), strict=True))
        multipliers = [known.get(r, zero) for r in range(len(eq.constraints))]
        return Solution(eq, None, self.kept, self.values, [], self.read("X"), self.read("A"), multipliers)  # type: ignore[arg-type]

    def _forces(self) -> list[Result]:
        """J, D, X = -b and F += the part's forces; with Baumgarte's feedback X = -b - 2 α ġ - β² g."""
        eq, zero = self.trace.equations, self.graph.zero
        right = [-eq.ddt(eq.ddt(value)) for value in self.values]
        if self.feedback is not None:
            alpha, beta = self.feedback
            pairs = zip(right, self.values, strict=True)
            right = [g - 2.0 * alpha * eq.ddt(x) - beta * beta * x for g, x in pairs]
        results = [*self._matrix(), *(Result(x, "X", i) for i, x in enumerate(right))]
        return results + [Result(x, "F", k, add=True) for k, x in enumerate(eq.force) if x is not zero]

    def _matrix(self) -> list[Result]:
        """The changing entries of the rows, and the rows' own matrix."""
        results = [Result(x, "J", k) for k, x in enumerate(self.changing)]
        inverse = self._inverse_mass()
        place = 0
        for i, a in enumerate(self.rows):
            for b in self.rows[: i + 1]:
                terms = [x * inverse[k] * b[k] for k, x in a.items() if k in b]
                results.append(Result(sum(terms, self.graph.zero), "D", place))
                place += 1
        return results

    def _inverse_mass(self) -> list[Scalar]:
        return [self.graph.scalar(x) for body in self.trace.moving for x in body.inverse_mass]

    def _rates(self) -> list[Result]:
        states = self.trace.states
        start = states.positions + states.velocities
        rates = [states.rate(start + k) for k in range(len(states.names))]
        return [Result(x, "states", k) for k, x in enumerate(rates)]

    def _ledger(self, powers: dict[str, Scalar]) -> list[Result]:
        names = self.integral_names
        return [
            Result(x, "integrals", names.index(name), add=name in SHARED)
            for name, x in powers.items()
            if name not in SHARED or x is not self.graph.zero
        ]

    @property
    def integral_names(self) -> list[str]:
        """What the part adds to, or has of its own: absorbed.k and rubbed.k by its own count of contacts."""
        own = []
        for k, contact in enumerate(self.trace.contacts):
            own += [f"absorbed.{k}"] if contact.friction_law is None else [f"absorbed.{k}", f"rubbed.{k}"]
        return [*SHARED, *own]

    def _right_sides(self, rows: list[Row]) -> list[Result]:
        """X -= J M⁻¹ F."""
        force, inverse = self.read("F"), self._inverse_mass()
        terms = [sum((x * inverse[k] * force[k] for k, x in row.items()), self.graph.zero) for row in rows]
        return [Result(-x, "X", i, add=True) for i, x in enumerate(terms)]

    def _transposed(self, rows: list[Row], sides: Sequence[tuple[str, str]]) -> list[Result]:
        """target += Jᵀ source for pairs (source, target) of groups."""
        results = []
        for source, target in sides:
            total: Row = {}
            for row, multiplier in zip(rows, self.read(source), strict=True):
                for k, x in row.items():
                    total[k] = total.get(k, self.graph.zero) + x * multiplier
            results += [Result(x, target, k, add=True) for k, x in total.items()]
        return results

    def _project(self) -> list[Result]:
        """J, D, and the residuals of positions and velocities: as results, and with the other sign as right sides."""
        speeds = [self.trace.equations.ddt(value) for value in self.values]
        results = self._matrix() if self.kept else []
        for values, group, right in ((self.values, "values", "X"), (speeds, "speeds", "Y")):
            results += [Result(x, group, i) for i, x in enumerate(values)]
            results += [Result(-x, right, i) for i, x in enumerate(values)]
        return results

    def _channels(self, solution: Solution) -> list[Result]:
        trace, results = self.trace, []

        def listed(names: list[Any], group: str) -> Any:
            def add(name: str, unit: str, label: str, value: Any) -> None:
                results.append(Result(self.graph.scalar(value), group, len(names)))
                names.append((name[len(self.excerpt.owner) :], unit, label))

            return add

        for joint in trace.mechanism.joints.values():
            joint_channels(listed(self.channel_names, "channels"), trace, solution, joint)
        contact_channels(listed(self.contact_names, "contacts"), trace)
        return results + self._energies([])

    def _energies(self, bodies: list[Any]) -> list[Result]:
        """Shares in the energies; only those that are not zero."""
        results: list[Result] = []
        names = self.energy_names

        def add(name: str, unit: str, label: str, value: Any) -> None:
            if value is not self.graph.zero:
                results.append(Result(self.graph.scalar(value), "energies", len(names), add=True))
                names.append(name)

        states, own = self.trace.states, self.integral_names
        for name in own:
            states.integrate(name, self.graph.zero)
        kept = [name for name in own if name not in SHARED]
        energies(add, self.trace, bodies, kept)
        return results


class BodyKind(Kind):
    """Bodies with equal formulas."""

    trace_type = Trace

    def functions(self) -> dict[str, list[Result]]:
        eq, (body,) = self.trace.equations, self.trace.moving
        shared = [Result(x, "P", k) for k, x in enumerate(self.shared)]
        force = [*(Result(x, "F", k) for k, x in enumerate(eq.force)), *shared]
        rates = [Result(x, "rates", k) for k, x in enumerate(eq.rates)]
        inverse = [self.graph.scalar(x) for x in body.inverse_mass]
        from_forces = [x * w for x, w in zip(self.read("F"), inverse, strict=True)]  # M⁻¹ F
        from_second = [x * w for x, w in zip(self.read("A"), inverse, strict=True)]  # M⁻¹ A, in the projection
        shifts = shift(body, body.rates(body.q, from_forces))
        results = {
            "rhs": [*rates, *force],
            "forces": force,
            "shared": shared,
            "accelerations": [Result(x, "accelerations", k) for k, x in enumerate(from_forces)],
            "kept accelerations": [Result(x, "A", k) for k, x in enumerate(from_forces)],
            "project": [Result(self.graph.scalar(x), "rates", k) for k, x in enumerate(shifts)]
            + [Result(x, "accelerations", k) for k, x in enumerate(from_second)],
            "inverse": [Result(x, "inverse", k) for k, x in enumerate(inverse)],
        }
        channels: list[Result] = []

        def add(name: str, unit: str, label: str, value: Any) -> None:
            channels.append(Result(self.graph.scalar(value), "channels", len(self.channel_names)))
            self.channel_names.append((name[len(self.excerpt.owner) :], unit, label))

        body_channels(add, self.excerpt.owner, body, self.read("A"))
        results["channels"] = channels + self._energies([body])
        return results


def _without_sign(x: Scalar) -> Scalar:
    return x.args[0] if x.op == "negate" else x


def _without_factor(x: Scalar) -> Scalar:
    """A node without sign and constant factor, which products take to their front."""
    while x.op == "negate" or (x.op == "multiply" and x.args[0].is_constant):
        x = x.args[-1]
    return x


def pair_element(a: Kind, side_a: int, b: Kind, side_b: int, width: int) -> Element:
    """J_a M⁻¹ J_bᵀ, the block of S of two parts at a body they share, which is body `side_a` of the one and `side_b` of
    the other. Local w = (J of a, J of b), p = the `width` inverse masses of the body."""
    graph = Graph()
    inverse = graph.inputs("p", width)
    stored = graph.inputs("w", len(a.changing)), graph.inputs("w", len(b.changing), len(a.changing))
    first, second = a.entries(graph, stored[0]), b.entries(graph, stored[1])
    outputs = []
    for row in first:
        for other in second:
            total = graph.zero
            for k in range(width):
                x, z = row.get(side_a * width + k), other.get(side_b * width + k)
                if x is not None and z is not None:
                    total = total + x * inverse[k] * z
            outputs.append(Output(total, "w", add=True))
    return Element(graph, {"pair": outputs}, width)
