"""Contact impulses and forces as complementarity problems: projected sweeps, friction cones, Lemke's method."""
