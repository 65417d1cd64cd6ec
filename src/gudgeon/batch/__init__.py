"""Many trajectories at once, one per thread of a GPU: plain Python functions read and written as code for it."""
