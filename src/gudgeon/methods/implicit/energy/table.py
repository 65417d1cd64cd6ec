"""The table of the stages of a step: where the kernels of methods.stages find what a system has.

Integers lie in the table of methods.sparse_lu, numbers in a block of their own, and `control` has the addresses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.assemble import System
from gudgeon.assemble.residual.step.forces import MORE
from gudgeon.assemble.solve.ordering import plan
from gudgeon.compile.graph.llvm import call_address
from gudgeon.methods.implicit import alpha
from gudgeon.methods.implicit.instant import LARGEST
from gudgeon.methods.linear.sparse import OWN, table
from gudgeon.methods.march.memory import March
from gudgeon.quantity import GudgeonError

# places of own integers in the table: sizes, addresses of the functions, then where lists begin in the table
(STAGES, NQ, NV, ROWS, INTERNAL, STATES, ENTRIES_EACH, MULTIPLIERS, ACCELERATIONS, CHANGES, BETWEEN, BETWEEN_TANGENT,
 LOSSES, LOSSES_TANGENT, DRIVE, INERTIA, INERTIA_TANGENT, STEPPED, ROW_OF, COLUMN_OF, BLOCKS,
 ANGLES) = range(OWN, OWN + 22)  # fmt: skip

# places in the numbers G of the stages: the coefficients, then blocks by their offsets
A, B, U, C, C_OLD, WEIGHT, FILTER, ESTIMATE, LOOSE, SHARE, P, NUMBERS = 0, 4, 6, 10, 12, 13, 15, 16, 17, 18, 22, 26
MOST_STAGES = 2

# places in `control`, behind those of methods.alpha, whose equations give accelerations
(T_AT, F_AT, G_AT, STEPS, TURNS, LAMBDA, MASS, CHANGE, TANGENT, STARTING, PLACE, FORCE, OTHER, MOVED, OFF, INNER,
 MOMENTS, CARRIED, CHANGED, SHORT, STALE, FRESH, THETA, FAILED, HELD,
 LEFT) = range(LARGEST + 1, LARGEST + 27)  # fmt: skip

STEPS_OF = ("conservative", "conservative_tangent", "dissipative", "dissipative_tangent")  # functions of assemble.steps
MEAN = 1  # row of `work`: mean accelerations of the last step
ESTIMATED = 3.0  # the power of the step in the estimate
MOST_ITERATIONS = 14
CLOSE, ROUNDING = 1e-13, 5e-16  # corrections left: of velocities, and of positions ...
BRIEF = 1e-5  # [s] ... where elastic forces rule them: in briefer steps inertia does, which rounding hardly reaches
FINE = 1e-12  # corrections of multipliers left, where the ledger is to close
LITTLE = 1e-6  # internal states count as this at least
KEEP = 0.1  # factors are kept while corrections fall by this
POOR = 0.3  # of bodies of space old factors are given up within a step where corrections fall by less


def connect(system: Any, w: March, title: str, coefficients: dict[int, list[float]]) -> Any:
    """Tables of a system for these kernels, their addresses in `control`; what is given back must live as long."""
    if system.residual is None or not system.residual.longer:
        raise GudgeonError(f"{title} needs the equations over a step; assemble(..., method.needs())")
    layout, base, place = system.residual.layout, system.residual.plan, system.addresses
    nq, nv, rows, n = layout.positions, layout.velocities, layout.rows, layout.size
    stages, entries = len(coefficients[B]), len(base.rows)
    kept = alpha.Alpha().connect(system, w)
    every = range(entries)
    held = range(nv, nv + rows)
    columns = [e for e in every if base.rows[e] not in held]
    blocks = np.zeros((MOST_STAGES, MOST_STAGES, 2), dtype=np.int64)
    listed: list[int] = []
    pairs: list[tuple[int, int]] = []
    for s in range(stages):
        for r in range(stages):
            # a turn of space that begins elsewhere ends elsewhere
            chosen = columns if s > r and nq == nv else every
            blocks[s, r] = len(listed), len(chosen)
            listed += chosen
            pairs += [(int(base.rows[e]) + s * n, int(base.columns_of[e]) + r * n) for e in chosen]
    late = [s * n + nv + k for s in range(stages) for k in range(rows)]
    last = [s * n + k for s in range(stages) for k in range(nv - layout.weightless, nv)]
    integers, floats = table(plan(stages * n, pairs, late, last), [], 0)
    own = [stages, nq, nv, rows, layout.internal, system.states, entries, layout.multipliers, layout.accelerations,
           layout.factors, *(place[name] for name in STEPS_OF),
           system.layout.integrals.index("drive") if "drive" in system.layout.integrals else -1,
           *(place.get(name, 0) for name in ("inertia", "inertia_tangent")), _stepped(system)]  # fmt: skip
    angles = [int(unit == "rad") for unit in system.units[:nv]] if nq == nv else [0] * nv
    lists = [base.rows, base.columns_of, np.concatenate([blocks.ravel(), listed]), angles]
    begins = np.cumsum([len(integers), *(len(x) for x in lists)])
    integers[OWN : OWN + len(own) + len(lists)] = [*own, *begins[:-1]]
    integers = np.concatenate([integers, *lists]).astype(np.int64)
    result = max(nv + max(rows, layout.internal) + len(system.layout.integrals), nq + nv + 2 * rows)
    sizes = [stages * nv, stages * nv, stages * rows, entries, entries, entries, rows, system.residual.longer,
             result, result, result, rows, stages * layout.internal, nv, max(entries, nv), rows]  # fmt: skip
    offsets = np.cumsum([NUMBERS, *sizes])
    numbers = np.zeros(int(offsets[-1]))
    for at, values in coefficients.items():
        numbers[at : at + len(values)] = values
    numbers[offsets[3] : offsets[4]] = _mass(system, [e for e in every if max(base.rows[e], base.columns_of[e]) < nv])
    if "inertia" in place:
        numbers[LOOSE] = 1.0  # what corrections leave of momenta would be energy
    if nq != nv:
        numbers[offsets[13] : offsets[14]] = _moments(system)
        numbers[LOOSE] = 1.0  # matrices of bodies that turn grow old sooner
    w.control[T_AT : G_AT + 1] = [x.ctypes.data for x in (integers, floats, numbers)]
    w.control[STEPS : CHANGED + 1] = offsets[:-1]
    return [kept, integers, floats, numbers]


def _stepped(system: System) -> int:
    """Where the steps of velocities, of time and of the internal states lie in the longer y, before its last number."""
    layout = system.residual.layout
    return int(system.residual.longer) - layout.velocities - 2 - layout.internal


def _moments(system: System) -> np.ndarray:
    """Principal moments of inertia of the bodies of space, in the places of their velocities."""
    found = np.zeros(system.residual.layout.velocities)
    for k, name in enumerate(system.mechanism.bodies):
        places = [system.code.parameter_names.index(f"{name}.inertia.{axis}") for axis in "xyz"]
        found[6 * k + 3 : 6 * k + 6] = system.p[places]
    return found


def _mass(system: System, inner: list[int]) -> np.ndarray:
    """The mass matrix by entries, without the links with modes: it is the same in all positions."""
    layout, y = system.residual.layout, system.y0.copy()
    y[layout.factors : layout.factors + 3] = 1.0, 0.0, 0.0
    found, mass = np.zeros(len(system.residual.plan.rows)), np.zeros(len(system.residual.plan.rows))
    call_address(system.addresses["tangent"], 0.0, y, system.p, np.zeros(system.memory), found)
    mass[inner] = found[inner]
    if "inertia_tangent" in system.addresses:
        longer = np.zeros(system.residual.longer)
        longer[: system.states] = y
        longer[layout.factors : layout.factors + 3] = 0.0, 0.0, 1.0
        longer[system.states : system.states + layout.positions] = y[: layout.positions]
        # behind the time and the weight: the velocities of a, then w_p
        longer[system.states + layout.positions + MORE + layout.internal + layout.velocities] = 1.0
        call_address(system.addresses["inertia_tangent"], 0.0, longer, system.p, np.zeros(system.memory), found)
        mass[inner] -= found[inner]
    return mass
