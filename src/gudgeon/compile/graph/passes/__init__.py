"""What goes through a graph node by node: derivatives along a direction, secant slopes, copies into another graph,
fingerprints. `walk` is what they have in common."""
