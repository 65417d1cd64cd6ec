"""Ways through time. Importing a method compiles it, or loads it from the cache, so they are imported only to run."""

# module -> class; the one list of methods, since finding them would mean compiling them
METHODS = {
    "dopri5": "Dopri5", "dop853": "Dop853", "adams": "Adams", "radau": "Radau", "rk4": "RK4", "impact": "Impact",
    "moreau": "Moreau", "alpha": "Alpha", "energy": "Energy", "decay": "Decay",
}  # fmt: skip
# those that take walls as hard
RIGID = ("impact", "moreau")
