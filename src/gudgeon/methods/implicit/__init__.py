"""Implicit methods: Radau IIA for stiff equations, generalized-alpha and energy methods in residual form."""
