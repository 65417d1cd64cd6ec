"""Open trees in joint coordinates; what a run reports comes from the same mechanism in absolute coordinates."""
