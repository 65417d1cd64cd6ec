"""Figures of runs: time histories, journal orbits, contact forces, hysteresis loops, phase portraits, energy;
bifurcation diagrams; orbits by several routes.

    gd.compare(ideal, real, "slider.ax", "main.torque", "pin.orbit").save("loose.svg")
    gd.plot(real, "pin.normal", "pin.hysteresis", "energy", window=("1 rev", "2 rev")).save("contact.png")

Decisions:

- A kind of figure is a file in `panels`; a name such as "pin.orbit" selects it.
- matplotlib is loaded by the first figure: its modules import it at their top, and this package loads a module when
  one of its names is first used.
- The same run writes the same file: no dates, and the layout is settled before the first drawing.
"""

from typing import TYPE_CHECKING

from gudgeon.plugins import loaded_on_use

__all__ = [
    "Figure", "allowed_map", "bifurcation", "compare", "distribution", "draw_map", "marginals", "path_errors", "plot",
    "position_errors", "routes", "sweep", "tornado",
]  # fmt: skip

if TYPE_CHECKING:
    from gudgeon.draw.design.allowed import allowed_map
    from gudgeon.draw.design.path import path_errors
    from gudgeon.draw.design.positions import position_errors
    from gudgeon.draw.diagram import bifurcation
    from gudgeon.draw.draw import compare, plot
    from gudgeon.draw.figure import Figure
    from gudgeon.draw.route_orbits import routes
    from gudgeon.draw.studies.distribution import distribution
    from gudgeon.draw.studies.influences import tornado
    from gudgeon.draw.studies.map import draw_map
    from gudgeon.draw.studies.sweeps import marginals, sweep
else:
    __getattr__ = loaded_on_use(
        __name__,
        {
            "Figure": "gudgeon.draw.figure",
            "bifurcation": "gudgeon.draw.diagram",
            "compare": "gudgeon.draw.draw",
            "allowed_map": "gudgeon.draw.design.allowed",
            "path_errors": "gudgeon.draw.design.path",
            "distribution": "gudgeon.draw.studies.distribution",
            "draw_map": "gudgeon.draw.studies.map",
            "marginals": "gudgeon.draw.studies.sweeps",
            "plot": "gudgeon.draw.draw",
            "position_errors": "gudgeon.draw.design.positions",
            "routes": "gudgeon.draw.route_orbits",
            "sweep": "gudgeon.draw.studies.sweeps",
            "tornado": "gudgeon.draw.studies.influences",
        },
    )
