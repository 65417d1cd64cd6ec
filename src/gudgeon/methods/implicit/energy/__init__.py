"""Methods with an energy statement: `energy` keeps the energy of a mechanism, `decay` never adds any.

Both solve the equations over a step instead of those at an instant, `energy` in one stage, `decay` in two. Stage s goes
from the positions x_(s-1) to x_s, x_(-1) those of the start, by steps ψ_s (of angles as graph.passes.secant has them,
of rotations in space as assemble.residual.step.kinematics: along the axes of the body, as its angular velocity is).
With the conservative forces F_s along the secant slopes of its own pair of states and the dissipative forces L at the
middle of the last pair, with velocities u_s,

    M (Σ A_sr ψ_r - B_s h v) / h² + F_s + L(u_s) = 0,      g(x_s) = 0,      u_s = Σ U_sr ψ_r / h
    velocities at the end:  Σ C_r ψ_r / h + c v

Internal states z (currents of motors, bristles, what drives given by speed have reached) take part as positions do,
with steps δ_s and rates of the same state as the dissipative forces, so that what passes between them has one value:

    Σ U_sr δ_r / h = z'(u_s, z + Σ S_sr δ_r)

The unknowns are the positions x_s, internal states and multipliers; what is kept are the steps, since differences of
positions would lose digits when the step is short. So would those of g: its change is the sum of D g ψ_s, and it makes
good what rounding, or the margin of a hard wall, left of g at the start; of that a brief step makes good only the share
h / BRIEF, since all of it would be a speed there.
    With two stages the multipliers λ belong to both pairs: their work, λ (g(x_1) - g(x_0)) + λ (g(x_0) - g(x_(-1))), is
zero wherever x_0 is. In place of g(x_0) = 0 the velocity at the start of the step, v_j = Σ U_0r ψ_r / h, is tangent to
the constraints there, J v_j = 0, by an impulse Jt μ, which works with v_j and so does nothing: it enters stage s as
U_s0 Jt μ. So x_0 lies beside a curved constraint by as much as everything else jumps, and stiff parts that hang on a
body with such a path are not strained by it.

Velocities at the end are then brought onto the constraints, weighted by the mass, which takes kinetic energy only.

Decisions: works over a step of two stages are integrals of linear functions, so that the ledger counts what the stages
did. Contacts that an impact leaves open end at its instant. Links whose mass changes with the position, and beams of
space, take steps of their momenta (inertia.py).

method.py has the two methods with their coefficients, memory.py the record, steps.py how coordinates move, states.py
what the functions of steps read, blocks.py the matrix, constraints.py what constraints ask at the ends of a step,
newton.py the solution, stages.py the kernels of the contract.
"""
