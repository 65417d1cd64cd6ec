"""Implicit methods: Radau IIA for stiff equations, generalized-alpha and energy methods for the residual form.

Radau takes accelerations and their Jacobian, as other mechanisms of rigid links have them. The others take residuals
(assemble.residual.form): accelerations a and multipliers are unknowns beside the positions, one sparse matrix serves
steps, instants and impacts, and flexible links and hard walls take part. Constraints stay at the level of
accelerations; positions and velocities are brought onto them within the step, by its own matrix.

Each method has a record of its own (compile.native.record), which begins with the equations of one instant
(instant.py). How steps move coordinates is a table per body (coordinates.py), so that nothing here asks whether a
mechanism is planar. Hard walls are in walls/, the methods with an energy statement in energy/.
"""
