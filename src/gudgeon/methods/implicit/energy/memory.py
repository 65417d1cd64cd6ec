"""The record of the methods with an energy statement: coefficients, unknowns, the states of a stage, the matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.assemble.residual.step.modal import MORE as INERTIA_WEIGHTS
from gudgeon.assemble.solve.ordering import Plan, plan
from gudgeon.compile.graph.llvm import call_address
from gudgeon.compile.native.record import Floats, Integers, Matrix, Record, Table
from gudgeon.methods.implicit.instant import ResidualMemory, instant_of
from gudgeon.methods.implicit.walls.sharing import Sharing, sharing_of
from gudgeon.methods.linear.sparse import SparseFactors, sparse_factors
from gudgeon.quantity import GudgeonError


@dataclass(frozen=True)
class StageCoefficients:
    """What tells a method from another, see the package; one row per stage."""

    a: list[list[float]]  # A of ψ in the inertia
    b: list[float]  # B of the velocity at the start in it
    u: list[list[float]]  # U of ψ in the velocities of the dissipative forces
    c: list[float]  # C of ψ in the velocity at the end ...
    c_start: float  # ... and c of that at the start
    s: list[list[float]]  # S of steps in the internal states and in the positions that films see
    p: list[list[float]]  # P of the momenta at the ends of stages (inertia.py)
    end_weight: list[float]  # of the stress at the end of the pair; 0: the mean over the pair
    filter: float  # of the mass in what is too fast for the step
    error: float  # of h² times the change of the accelerations
    loose: float  # corrections may be left so much larger than where energy is to be kept


class StepState(Record):
    """The states that functions of steps read (assemble.residual.step.forces), as one vector and by its parts: the end
    b of a pair of states, its start a, and the step between them."""

    whole: Floats
    positions: Floats
    velocities: Floats
    internal: Floats
    multipliers: Floats
    weights: Floats  # c_b, c_a, c_u of the tangents
    start_positions: Floats
    start_time: Floats  # one number
    end_weight: Floats  # one number
    start_internal: Floats
    start_velocities: Floats  # these two where there are momenta
    inertia_weights: Floats  # w_p, w_k, c_w, w_t, w_w
    step: Floats  # ψ
    step_time: Floats  # one number
    step_internal: Floats
    jump: Floats  # one number: what products of jumps have of the length of the step


class StageMemory(ResidualMemory):
    """Everything that a step of one or two stages needs beyond the equations of an instant."""

    # coefficients
    stages: int
    a: Matrix
    b: Floats
    u: Matrix
    c: Floats
    c_start: float
    s: Matrix
    p: Matrix
    end_weight: Floats
    filter: float
    error: float
    loose: float
    # functions over a step: values and changes; the last two are 0 where nothing has momenta of its own
    conservative_at: int
    conservative_tangent_at: int
    dissipative_at: int
    dissipative_tangent_at: int
    inertia_at: int
    inertia_tangent_at: int
    # what is remembered
    factors_step: float  # length of the step that the factors are for; 0: there are none
    stale: int  # 1: the factors are to be made anew
    fresh: int  # 1: they have been, in this attempt
    rate: float  # θ / (1 - θ) of the last correction (newton.py); beyond KEEP the next step gets new factors
    failed: int  # 1: a step from this time has been turned down
    start_known: int  # 1: the matrix of the instant is that of the start of the step
    multiplier_change: float  # the last one of the multipliers, relative to them
    mean_accelerations: Floats  # of the last step
    # unknowns, one row per stage
    steps: Matrix  # of positions
    psi: Matrix  # the same as velocities count them
    multipliers: Matrix
    internal_steps: Matrix
    # values
    state: StepState
    forces: Floats  # of a stage: conservative ones, then rows of the constraints, then works
    losses: Floats  # of a stage: dissipative forces, then internal rates, then works
    inertia: Floats  # what the mass multiplies
    momenta: Floats  # changes of momenta
    works: Floats  # what the step adds to the integrals
    drive_work: int  # place of that of the drives in y, or -1
    start_residuals: Floats  # of the constraints: what the first stage breaks, or impulses at the end
    left_over: Floats  # of the constraints: what the step is to make good
    change: Floats  # of the constraints, summed over the stages
    moments: Floats  # principal moments of inertia of bodies that rotate in space, in the places of their velocities
    # matrices by entries
    entry_row: Integers
    entry_column: Integers
    mass: Floats
    end_mass: Floats  # that of what has momenta, at the end of the step
    tangent: Floats
    start_tangent: Floats  # of the instant at the start
    # the matrix of the step: of each block of two stages its first entry and their number, and which entries these are
    block_first: Table
    block_count: Table
    block_entries: Integers
    factors: SparseFactors
    sharing: Sharing


def stage_memory(system: Any, title: str, coefficients: StageCoefficients) -> StageMemory:
    """The record of a system for these coefficients; `title` names the method."""
    if system.residual is None or not system.residual.longer:
        raise GudgeonError(f'{title} needs the equations over a step; assemble(..., method.needs())')
    layout, base, address = system.residual.layout, system.residual.plan, system.addresses
    stages, nv, rows, internal = len(coefficients.b), layout.velocities, layout.rows, layout.internal
    works, rotates = len(system.layout.integrals), any(body.euler_parameters for body in layout.bodies)
    first, count, listed, order = _blocks(layout, base, stages, rotates)
    own = StageMemory(
        instant=instant_of(system, title), stages=stages, state=_step_state(system),
        conservative_at=address["conservative"], conservative_tangent_at=address["conservative_tangent"],
        dissipative_at=address["dissipative"], dissipative_tangent_at=address["dissipative_tangent"],
        inertia_at=address.get("inertia", 0), inertia_tangent_at=address.get("inertia_tangent", 0),
        drive_work=system.layout.integral("drive"),
        mass=_mass(system), moments=_moments(system), entry_row=base.rows, entry_column=base.columns_of,
        block_first=first, block_count=count, block_entries=listed, factors=sparse_factors(order),
        sharing=sharing_of(layout, order, stages),
        c_start=coefficients.c_start, filter=coefficients.filter, error=coefficients.error,
        # matrices of bodies that rotate grow old sooner, and what corrections leave of momenta would be energy
        loose=1.0 if rotates or "inertia" in address else coefficients.loose,
    )  # fmt: skip
    for name in ("a", "b", "u", "c", "s", "p", "end_weight"):
        setattr(own, name, np.array(getattr(coefficients, name)))
    shapes = {
        "mean_accelerations": nv, "steps": (stages, nv), "psi": (stages, nv), "multipliers": (stages, rows),
        "internal_steps": (stages, internal), "forces": nv + rows + works, "losses": nv + internal + works,
        "inertia": nv, "momenta": nv, "works": works, "start_residuals": rows, "left_over": rows, "change": rows,
        "end_mass": len(base.rows), "tangent": len(base.rows), "start_tangent": len(base.rows),
    }  # fmt: skip
    for name, shape in shapes.items():
        setattr(own, name, np.zeros(shape))
    return own


def _step_state(system: Any) -> StepState:
    """Room for the states of a stage, and its parts in the order of assemble.residual.step.forces."""
    layout, whole = system.residual.layout, np.zeros(system.residual.longer)
    nq, nv, internal = layout.positions, layout.velocities, layout.internal
    momenta = "inertia" in system.addresses
    state = StepState(
        whole=whole, positions=whole[:nq], velocities=whole[nq : nq + nv], internal=whole[nq + nv :][:internal],
        multipliers=whole[layout.multipliers :][: layout.rows], weights=whole[layout.factors :][:3],
    )  # fmt: skip
    sizes = {
        "start_positions": nq, "start_time": 1, "end_weight": 1, "start_internal": internal,
        "start_velocities": nv if momenta else 0, "inertia_weights": INERTIA_WEIGHTS if momenta else 0,
        "step": nv, "step_time": 1, "step_internal": internal, "jump": 1,
    }  # fmt: skip
    place = system.states
    for name, size in sizes.items():
        setattr(state, name, whole[place : place + size])
        place += size
    assert place == len(whole)
    return state


def _blocks(layout: Any, base: Plan, stages: int, rotates: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, Plan]:
    """Of each block of the matrix of a step its first entry and their number, the entries one block behind the other,
    and the order of elimination. A later stage depends on an earlier one by positions, not by constraints."""
    n, held = layout.size, range(layout.velocities, layout.velocities + layout.rows)
    every = range(len(base.rows))
    free = [e for e in every if base.rows[e] not in held]
    first, count = np.zeros((stages, stages), dtype=np.int64), np.zeros((stages, stages), dtype=np.int64)
    listed: list[int] = []
    pairs: list[tuple[int, int]] = []
    for s in range(stages):
        for r in range(stages):
            # a rotation in space that begins elsewhere ends elsewhere
            chosen = free if s > r and not rotates else every
            first[s, r], count[s, r] = len(listed), len(chosen)
            listed += chosen
            pairs += [(int(base.rows[e]) + s * n, int(base.columns_of[e]) + r * n) for e in chosen]
    late = [s * n + k for s in range(stages) for k in held]
    last = [s * n + k for s in range(stages) for k in range(layout.velocities - layout.weightless, layout.velocities)]
    return first, count, np.array(listed, dtype=np.int64), plan(stages * n, pairs, late, last)


def _moments(system: Any) -> np.ndarray:
    """Principal moments of inertia of the bodies that rotate in space, in the places of their velocities."""
    layout = system.residual.layout
    moments = np.zeros(layout.velocities)
    for body, name in zip(layout.bodies, system.mechanism.bodies, strict=False):
        if body.euler_parameters:
            places = [system.code.parameter_names.index(f"{name}.inertia.{axis}") for axis in "xyz"]
            moments[body.velocity + 3 : body.velocity + 6] = system.p[places]
    return moments


def _mass(system: Any) -> np.ndarray:
    """The mass matrix by entries, without what has momenta of its own: it is the same in all positions."""
    layout, base, y = system.residual.layout, system.residual.plan, system.y0.copy()
    inner = (base.rows < layout.velocities) & (base.columns_of < layout.velocities)
    y[layout.factors : layout.factors + 3] = 1.0, 0.0, 0.0
    entries, mass = np.zeros(len(base.rows)), np.zeros(len(base.rows))
    call_address(system.addresses["tangent"], 0.0, y, system.p, np.zeros(system.memory), entries)
    mass[inner] = entries[inner]
    if "inertia_tangent" in system.addresses:
        state = _step_state(system)
        state.whole[: system.states] = y
        state.start_positions[:], state.weights[:] = state.positions, (0.0, 0.0, 1.0)
        state.inertia_weights[0] = 1.0
        call_address(system.addresses["inertia_tangent"], 0.0, state.whole, system.p, np.zeros(system.memory), entries)
        mass[inner] -= entries[inner]
    return mass
