"""The design desk: which fits, masses and counterweights a machine needs.

    answer = gd.tolerance(feeder, ["peak pin.force"], limits={"peak pin.force": "800 N", "rocker.angle": "1 mrad"})
    best = gd.optimise(press, free={"weight.mass": ("0 kg", "2 kg")}, goal="peak main.force")

`tolerance.py` answers in three steps: errors of position in closed form (`analysis.tolerance`); runs with clearances by
chance, from which percentiles and Sobol indices follow (`survey.py`); proposals from a smooth surface through all runs
(`surface.py`, `allowance.py`), each of which is then counted in runs of its own (`checks.py`). `optimise.py` searches
numbers of the mechanism.

Decisions:

- What is reported with a confidence was counted in runs, by exact binomial or order statistics. Surfaces and optimisers
  only propose; they may be wrong and cost a better answer, not a true one.
- Chaos is noise: machines that nobody could tell apart ("twins", `study.points.design`) show how much of the variance
  it is, and no joint is blamed for it.
- A machine keeps a limit if its run does. Runs without a result keep none.
- Wear is added to every clearance in full: limits must be kept at the end of the life.
- All runs are in stores of studies, so that everything can be interrupted and resumed, and gives the same answer again.
"""

from gudgeon.desk.answer import DesignAnswer
from gudgeon.desk.beside import Beside, beside
from gudgeon.desk.optimise import Optimum, optimise
from gudgeon.desk.tolerance import tolerance

__all__ = ["Beside", "DesignAnswer", "Optimum", "beside", "optimise", "tolerance"]
