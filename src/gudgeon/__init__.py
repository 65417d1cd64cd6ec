"""gudgeon: multibody dynamics of mechanisms with real joints.

    import gudgeon as gd

    m = gd.Mechanism("slider-crank")
    ...
    loose = m.refit(pin=gd.Clearance("0.5 mm", wall=gd.LankaraniNikravesh(gd.STEEL, restitution=0.9)))
    run = gd.simulate(loose, revolutions=2)
    print(run.evidence)

Importing gudgeon loads neither numpy nor numba nor matplotlib nor xarray; they come when something is run or drawn.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from gudgeon.compile.graph import cos, exp, log, sin, sqrt, tanh
from gudgeon.laws import (
    ALUMINIUM,
    BRASS,
    BRONZE,
    CAST_IRON,
    NYLON,
    PTFE,
    STEEL,
    TITANIUM,
    ContactLaw,
    ContactTable,
    DubowskyFreudenstein,
    ExactRestitution,
    FilmLaw,
    Flores2011,
    FrictionLaw,
    Gonthier,
    Hertz,
    HuntCrossley,
    JohnsonCylinder,
    KelvinVoigt,
    LankaraniNikravesh,
    LinearLiner,
    LinerLaw,
    LinerTable,
    LuGre,
    Material,
    ModifiedCoulomb,
    ModifiedKelvinVoigt,
    Moes,
    Ocvirk,
    PereiraCylinder,
    PolynomialLiner,
    SmoothCoulomb,
    Stribeck,
)  # fmt: skip
from gudgeon.methods import METHODS
from gudgeon.model import Bushing, Clearance, Ideal, Lubricated, Mechanism, Stop
from gudgeon.quantity import GudgeonError

if TYPE_CHECKING:
    from gudgeon.analysis import bifurcate, regime, routes
    from gudgeon.assemble import Baumgarte
    from gudgeon.results import Run
    from gudgeon.simulation import RunStopped, simulate
    from gudgeon.study import Study, linspace, logspace

__version__ = "0.1.0"

_LAZY = {title: f"gudgeon.methods.{place}" for place, title in METHODS.values()}
_LAZY |= {
    "Baumgarte": "gudgeon.assemble", "Run": "gudgeon.results", "RunStopped": "gudgeon.simulation",
    "simulate": "gudgeon.simulation", "compare": "gudgeon.draw", "plot": "gudgeon.draw",
    "Study": "gudgeon.study", "linspace": "gudgeon.study", "logspace": "gudgeon.study",
    "bifurcate": "gudgeon.analysis", "regime": "gudgeon.analysis",
    "routes": "gudgeon.analysis", "Elastic": "gudgeon.model", "Touching": "gudgeon.model",
    "Section": "gudgeon.model", "SpatialSection": "gudgeon.model.parts",
}  # fmt: skip

__all__ = [
    "ALUMINIUM",
    "BRASS",
    "BRONZE",
    "CAST_IRON",
    "NYLON",
    "PTFE",
    "STEEL",
    "TITANIUM",
    "Baumgarte",
    "Bushing",
    "Clearance",
    "ContactLaw",
    "ContactTable",
    "DubowskyFreudenstein",
    "ExactRestitution",
    "FilmLaw",
    "Flores2011",
    "FrictionLaw",
    "Gonthier",
    "GudgeonError",
    "Hertz",
    "HuntCrossley",
    "Ideal",
    "JohnsonCylinder",
    "KelvinVoigt",
    "LankaraniNikravesh",
    "LinearLiner",
    "LinerLaw",
    "LinerTable",
    "LuGre",
    "Lubricated",
    "Material",
    "Mechanism",
    "ModifiedCoulomb",
    "ModifiedKelvinVoigt",
    "Moes",
    "Ocvirk",
    "PereiraCylinder",
    "PolynomialLiner",
    "Run",
    "RunStopped",
    "SmoothCoulomb",
    "Stop",
    "Stribeck",
    "Study",
    "bifurcate",
    "compare",
    "cos",
    "exp",
    "linspace",
    "log",
    "logspace",
    "plot",
    "regime",
    "routes",
    "simulate",
    "sin",
    "sqrt",
    "tanh",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "analysis":
        return importlib.import_module("gudgeon.analysis")
    if name in _LAZY:
        globals()[name] = value = getattr(importlib.import_module(_LAZY[name]), name)
        return value
    raise AttributeError(f"module 'gudgeon' has no attribute {name!r}")
