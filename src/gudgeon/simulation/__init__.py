"""From a description to results.

`simulate` is the one door; `prepare` is the lower one, for tests and benchmarks that choose how the equations are set
up (`Numerics`). `RunSettings`, in the room of the model, is the one table of settings.

- `prepare.py`   equations, method and start of a run; `method.py` loads the method
- `marching.py`  the time integration and what comes of it; `watch.py` ends one that would take for ever
- `trust.py`     until when a run agrees with a tighter twin

A failed run is diagnosed afterwards, from its last state and its pace (`results/failure.py`): nothing in the compiled
loop knows about it. A run takes the time loop that all mechanisms share or one compiled for its mechanism, whichever is
sooner done (`batch/tiers.py`); they are equal to the last bit, so that the choice may depend on time and on the cache.
"""

from gudgeon.model.run_settings import RunSettings, default_method, period_of
from gudgeon.simulation.door import simulate, whole_run
from gudgeon.simulation.marching import SMOOTH, RunStopped
from gudgeon.simulation.method import choose_method, own_loop
from gudgeon.simulation.prepare import Numerics, Prepared, prepare
from gudgeon.simulation.trust import plays
from gudgeon.simulation.watch import MOST_STEPS, WINDOW, Watch

__all__ = [
    "MOST_STEPS", "SMOOTH", "WINDOW", "Numerics", "Prepared", "RunSettings", "RunStopped", "Watch", "choose_method",
    "default_method", "own_loop", "period_of", "plays", "prepare", "simulate", "whole_run",
]  # fmt: skip
