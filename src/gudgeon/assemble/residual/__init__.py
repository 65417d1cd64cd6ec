"""The residual form for implicit methods: accelerations and multipliers are states, with a residual and its tangent.

Three factors make one tangent serve steps, statics and modes. Constraints stay at the level of accelerations; positions
and velocities are projected within the step by its own matrix. Beams need this form.
"""
