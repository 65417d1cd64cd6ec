"""Equations in residual form, for implicit methods: accelerations and multipliers are unknowns."""
