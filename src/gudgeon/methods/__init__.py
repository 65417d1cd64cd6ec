"""Ways through time. Importing a method compiles it, or loads it from the cache, so they are imported only to run."""

# name -> module and class; the one list of methods, since finding them would mean compiling them
METHODS = {
    "dopri5": ("explicit.dopri5", "Dopri5"), "dop853": ("explicit.dop853", "Dop853"),
    "radau": ("implicit.radau", "Radau"), "rk4": ("explicit.rk4", "RK4"),
    "impact": ("impact.method", "Impact"), "moreau": ("stepping.moreau", "Moreau"),
    "alpha": ("implicit.alpha", "Alpha"), "energy": ("implicit.energy.energy", "Energy"),
    "decay": ("implicit.energy.decay", "Decay"),
}  # fmt: skip
# those that take walls as hard
RIGID = ("impact", "moreau")
