"""What a motion is: sections, periods, exponents, spectra, regimes, bifurcations, multipliers.

- `flow.py` takes a mechanism as a map of its state from period to period, and measures distances of states
- `motion.py` is the settled motion of a mechanism; its parts are computed when they are asked for, each once
- `sections.py`, `series.py`: strobes, sections, repetition, the 0-1 test, spectra
- `lyapunov.py`: the largest exponent, from twins; `regimes.py` judges a motion by all of it
- `bifurcation.py` follows a motion over a parameter; `multipliers.py`, `mirror.py`: whether small changes die out

Sections and exponents follow the state itself, so that they hold for whatever a mechanism is made of. Multipliers come
from integrations over a period, by Arnoldi's process on central differences; across a plane of symmetry what errors
bring into the plane is left out.
"""
