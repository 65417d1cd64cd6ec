"""The time loop that all methods share: event search, recorded rows, memory, error scales, and the driver in Python."""
