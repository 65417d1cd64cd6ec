"""`Mirror`: the part of small differences that lies across a plane of symmetry of a motion."""

# Seen in the mirror a body is at the other side, and turned the other way about axes in the plane. In a motion that is
# its own mirror image each body has an axis of its own, e, that is always normal to the plane. Small differences across
# the plane are, of such a body, shifts along the normal and turns about axes normal to e; so are those of velocities.
# Along its own axes a turn u changes the Euler parameters p by p (0, u) / 2.

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gudgeon.analysis.motions.flow import Flow
from gudgeon.space.spatial.geometry.rotation import after, parameter_rates, unit_parameters

__all__ = ["Mirror", "axes", "bodies"]

# units of the coordinates and of the velocities of a body, by the number of axes
BLOCKS = {2: (["m", "m", "rad"], ["m/s", "m/s", "rad/s"]), 3: (["m"] * 3 + ["1"] * 4, ["m/s"] * 3 + ["rad/s"] * 3)}


def axes(flow: Flow) -> int:
    """How many axes there are: three where bodies have Euler parameters."""
    return 3 if "1" in flow.system.units else 2


def bodies(flow: Flow) -> Iterator[tuple[int, int]]:
    """Places of the coordinates and of the velocities of each body, or node of a beam, in y."""
    system = flow.system
    at, along = BLOCKS[axes(flow)]
    ends = system.positions, len(system.units)
    return zip(_places(system.units, at, 0, ends[0]), _places(system.units, along, *ends), strict=True)


class Mirror:
    """A plane by its normal, and the state of a motion that is symmetric about it."""

    def __init__(self, flow: Flow, normal: np.ndarray, y: np.ndarray) -> None:
        self.normal, self.y = normal, y
        self.bodies = list(bodies(flow))

    def across(self, way: np.ndarray) -> np.ndarray:
        """The part of a difference that lies across the plane; of what is no body, all."""
        across, n = way.copy(), len(self.normal)
        for q, v in self.bodies:
            for k in (q, v):
                across[k : k + n] = self.normal * (self.normal @ way[k : k + n])
            if n == 3:
                p, turned, spin = slice(q + 3, q + 7), way[q + 3 : q + 7], way[v + 3 : v + 6]
                here = unit_parameters(tuple(self.y[p]))
                back = (here[0], -here[1], -here[2], -here[3])
                own = np.array(after(after(back, (0.0, *self.normal)), here))[1:]
                turn = 2.0 * np.array(after(back, tuple(turned)))[1:]
                across[p] = parameter_rates(here, tuple(turn - own * (own @ turn)))
                across[v + 3 : v + 6] = spin - own * (own @ spin)
        return across


def _places(units: list[str], pattern: list[str], k: int, end: int) -> Iterator[int]:
    while k + len(pattern) <= end:
        if units[k : k + len(pattern)] == pattern:
            yield k
            k += len(pattern)
        else:
            k += 1
