"""The states of a stage, as the functions of steps read them."""

from __future__ import annotations

from gudgeon.compile.native.kernel import kernel
from gudgeon.methods.implicit.energy.memory import StageMemory, StepState
from gudgeon.methods.implicit.energy.steps import apply_step
from gudgeon.methods.march.memory import March


@kernel
def set_weights(state: StepState, end: float, start: float, velocity: float) -> int:
    """By what positions of the end, what else and velocities count in the tangents: c_b, c_a, c_u."""
    state.weights[0], state.weights[1], state.weights[2] = end, start, velocity
    return 0


@kernel
def set_step(own: StageMemory, s: int, h: float) -> int:
    """The step of a stage, and those of time and internal states, which belong to the last one, as does what products
    of jumps have of its length."""
    state, internal, last = own.state, own.instant.internal, s == own.stages - 1
    for i in range(own.instant.velocities):
        state.step[i] = own.psi[s, i]
    state.step_time[0] = h if last else 0.0
    for k in range(internal):
        state.step_internal[k] = 0.0
        for r in range(own.stages if last else 0):
            state.step_internal[k] += own.internal_steps[r, k]
    state.jump[0] = h / (own.u[0, 0] - own.u[1, 0]) if last and own.stages > 1 else 0.0
    return 0


@kernel
def set_pair(w: March, own: StageMemory, s: int, h: float) -> float:
    """Both states of a stage, for the conservative forces; gives the time of its end."""
    y, state, instant, last = w.y, own.state, own.instant, own.stages - 1
    nq, nv = instant.positions, instant.velocities
    for i in range(nq):
        state.start_positions[i] = y[i]
    for r in range(s):
        apply_step(own, state.start_positions, state.start_positions, r, 1.0)
    apply_step(own, state.positions, state.start_positions, s, 1.0)
    for k in range(instant.constraints):
        state.multipliers[k] = own.multipliers[last, k]
    for k in range(instant.internal):
        x = y[nq + nv + k]
        state.start_internal[k] = x  # what drives ask for moves with time, in the last pair
        for r in range(own.stages if s == last else 0):
            x += own.internal_steps[r, k]
        state.internal[k] = x
    state.start_time[0], state.end_weight[0] = w.t, own.end_weight[s]
    set_step(own, s, h)
    return w.t + h if s == last else w.t


@kernel
def set_middle(w: March, own: StageMemory, s: int, h: float) -> float:
    """For the dissipative forces: the middle of the last pair with the velocities and internal states of a stage, and
    where the start was the positions of that stage; gives the time."""
    y, state, instant, last = w.y, own.state, own.instant, own.stages - 1
    nq, nv = instant.positions, instant.velocities
    for i in range(nq):
        state.positions[i] = state.start_positions[i] = y[i]
    for r in range(own.stages):
        apply_step(own, state.positions, state.positions, r, own.s[last, r])
        apply_step(own, state.start_positions, state.start_positions, r, own.s[s, r])
    for i in range(nv):
        u = 0.0
        for r in range(own.stages):
            u += own.u[s, r] * own.psi[r, i]
        state.velocities[i] = u / h
    for k in range(instant.internal):
        x = y[nq + nv + k]
        for r in range(own.stages):
            x += own.s[s, r] * own.internal_steps[r, k]
        state.internal[k] = x
    for k in range(instant.constraints):
        state.multipliers[k] = own.multipliers[last, k]
    set_step(own, s, h)
    return w.t + 0.5 * h if s == last else w.t
