"""Impulses (or forces) of hard contacts as complementarity problems.

    u = W s + target       row speeds after the impulses s; per contact first the opening speed, then its slip
    s_N ≥ 0,  u_N ≥ 0,  s_N u_N = 0                                               Signorini's law with Newton's
    |s_T| ≤ μ s_N;  u_T = 0 where it sticks,  s_T = -μ s_N u_T / |u_T| where it slides        Coulomb's law

W is the Delassus matrix. For forces of lasting contacts the same laws hold with accelerations in place of speeds.

A slip of one component makes the laws a linear complementarity problem, which sweeps and pivots solve to rounding
(`sweeps`, `lemke`). A slip of several components makes them a problem on cones, solved by projections (`cone`). The
record `problem.ImpulseProblem` is all that the solvers know; `solver.solve` chooses one.
"""
