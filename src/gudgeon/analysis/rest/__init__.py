"""Where a mechanism rests, and its small motions about a position at rest.

- `standstill.py`, `flexible.py`: a mechanism that does not move, as numbers: forces out of balance, mass, stiffness and
  damping along the motions its constraints allow. Rigid bodies and links with modes answer by their accelerations,
  beams by the residual form of their equations; both give the same `LinearMotion`.
- `equilibrium.py`: the static equilibrium; `newton.py`: where the search for it begins when there are beams.
- `modes.py`: natural frequencies, damping and shapes.

All numbers come from the compiled functions of the system, so that new kinds of parts take part without being listed.
"""

from gudgeon.analysis.rest.equilibrium import Equilibrium, equilibrium
from gudgeon.analysis.rest.modes import Mode, Modes, modes

__all__ = ["Equilibrium", "Mode", "Modes", "equilibrium", "modes"]
