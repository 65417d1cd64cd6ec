"""Figures of runs: time histories, journal orbits, contact forces, hysteresis loops, phase portraits, energy;
bifurcation diagrams; orbits by several routes.

    gd.compare(ideal, real, "slider.ax", "main.torque", "pin.orbit").save("loose.svg")
    gd.plot(real, "pin.normal", "pin.hysteresis", "energy", window=("1 rev", "2 rev")).save("contact.png")

Decisions:

- A kind of figure is a file in `panels`; a name such as "pin.orbit" selects it.
- matplotlib is loaded by the first figure, never by the import.
- The same run writes the same file: no dates, and the layout is settled before the first drawing.
"""

from gudgeon.draw.diagram import bifurcation
from gudgeon.draw.draw import compare, plot
from gudgeon.draw.figure import Figure
from gudgeon.draw.routes import routes

__all__ = ["Figure", "bifurcation", "compare", "plot", "routes"]
