"""Equations over a step between two states, for methods that conserve or dissipate energy."""
