"""gudgeon: multibody dynamics of mechanisms with real joints.

    import gudgeon as gd

    m = gd.Mechanism("slider-crank")
    ...
    loose = m.refit(pin=gd.Clearance("0.5 mm", wall=gd.LankaraniNikravesh(gd.STEEL, restitution=0.9)))
    run = gd.simulate(loose, revolutions=2)
    print(run.evidence)

Importing gudgeon loads neither llvmlite nor matplotlib nor xarray; they come when something is run or drawn.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from gudgeon.compile.graph import atan, cos, exp, log, sin, sqrt, tanh
from gudgeon.compile.native.piecewise import absolute, maximum, minimum, step
from gudgeon.laws import (
    ALUMINIUM,
    BRASS,
    BRONZE,
    CAST_IRON,
    LAWS,
    NYLON,
    PTFE,
    STEEL,
    TITANIUM,
    ContactLaw,
    FilmLaw,
    FrictionLaw,
    LinerLaw,
    Material,
    oil,
)
from gudgeon.model import Mechanism, Stop
from gudgeon.model.fits import Fit
from gudgeon.plugins import loaded_on_use
from gudgeon.quantity import GudgeonError

if TYPE_CHECKING:  # for editors and type checkers; at run time laws and fits come from their registries
    from gudgeon.analysis import bifurcate, regime, routes
    from gudgeon.assemble import Baumgarte
    from gudgeon.desk import optimise, tolerance
    from gudgeon.laws.contact.contact_table import ContactTable as ContactTable
    from gudgeon.laws.contact.dubowsky_freudenstein import DubowskyFreudenstein as DubowskyFreudenstein
    from gudgeon.laws.contact.exact_restitution import ExactRestitution as ExactRestitution
    from gudgeon.laws.contact.flores2011 import Flores2011 as Flores2011
    from gudgeon.laws.contact.gonthier import Gonthier as Gonthier
    from gudgeon.laws.contact.hertz import Hertz as Hertz
    from gudgeon.laws.contact.hunt_crossley import HuntCrossley as HuntCrossley
    from gudgeon.laws.contact.johnson_cylinder import JohnsonCylinder as JohnsonCylinder
    from gudgeon.laws.contact.kelvin_voigt import KelvinVoigt as KelvinVoigt
    from gudgeon.laws.contact.lankarani_nikravesh import LankaraniNikravesh as LankaraniNikravesh
    from gudgeon.laws.contact.modified_kelvin_voigt import ModifiedKelvinVoigt as ModifiedKelvinVoigt
    from gudgeon.laws.contact.pereira_cylinder import PereiraCylinder as PereiraCylinder
    from gudgeon.laws.film.moes import Moes as Moes
    from gudgeon.laws.film.ocvirk import Ocvirk as Ocvirk
    from gudgeon.laws.friction.lugre import LuGre as LuGre
    from gudgeon.laws.friction.modified_coulomb import ModifiedCoulomb as ModifiedCoulomb
    from gudgeon.laws.friction.smooth_coulomb import SmoothCoulomb as SmoothCoulomb
    from gudgeon.laws.friction.stribeck import Stribeck as Stribeck
    from gudgeon.laws.liner.linear_liner import LinearLiner as LinearLiner
    from gudgeon.laws.liner.liner_table import LinerTable as LinerTable
    from gudgeon.laws.liner.polynomial_liner import PolynomialLiner as PolynomialLiner
    from gudgeon.model.fits import Bushing as Bushing
    from gudgeon.model.fits import Clearance as Clearance
    from gudgeon.model.fits import Elastic as Elastic
    from gudgeon.model.fits import Ideal as Ideal
    from gudgeon.model.fits import Lubricated as Lubricated
    from gudgeon.model.fits import Touching as Touching
    from gudgeon.results import Run
    from gudgeon.simulation import RunStopped, simulate
    from gudgeon.study import Study, linspace, logspace

__version__ = "0.1.0"

_LATE = {
    "Baumgarte": "gudgeon.assemble", "Run": "gudgeon.results", "RunStopped": "gudgeon.simulation",
    "simulate": "gudgeon.simulation", "compare": "gudgeon.draw", "plot": "gudgeon.draw",
    "Study": "gudgeon.study", "linspace": "gudgeon.study", "logspace": "gudgeon.study",
    "bifurcate": "gudgeon.analysis", "regime": "gudgeon.analysis",
    "routes": "gudgeon.analysis", "tolerance": "gudgeon.desk", "optimise": "gudgeon.desk",
    "Section": "gudgeon.model", "SpatialSection": "gudgeon.model.parts",
}  # fmt: skip
_on_use = loaded_on_use(__name__, _LATE)

__all__ = [
    "ALUMINIUM", "BRASS", "BRONZE", "CAST_IRON", "NYLON", "PTFE", "STEEL", "TITANIUM", "Baumgarte", "ContactLaw",
    "FilmLaw", "FrictionLaw", "GudgeonError", "LinerLaw", "Material", "Mechanism", "Run", "RunStopped", "Stop", "Study",
    "absolute", "atan", "bifurcate", "compare", "cos", "exp", "linspace", "log", "logspace", "maximum", "minimum",
    "oil", "optimise", "plot", "regime", "routes", "simulate", "sin", "sqrt", "step", "tanh", "tolerance",
]  # fmt: skip
# laws and fits are public because their files exist
_PLUGINS = {**LAWS, **Fit.registry}
globals().update(_PLUGINS)
__all__ += list(_PLUGINS)


def __getattr__(name: str) -> Any:
    if name == "analysis":
        return importlib.import_module("gudgeon.analysis")
    try:
        return _on_use(name)
    except AttributeError:
        method = importlib.import_module("gudgeon.methods").methods().get(name.lower())
        if method is None or method.__name__ != name:
            raise
        return method


def __dir__() -> list[str]:
    """Every public name, also of what is loaded when it is first asked for: for completion in notebooks and editors."""
    methods = importlib.import_module("gudgeon.methods").methods().values()
    return sorted({*globals(), *_LATE, "analysis", *(method.__name__ for method in methods)})
