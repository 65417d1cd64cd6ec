"""gudgeon: multibody dynamics of mechanisms with real joints.

    import gudgeon as gd

    m = gd.Mechanism("slider-crank")
    ...
    loose = m.refit(pin=gd.Clearance("0.5 mm", wall=gd.LankaraniNikravesh(gd.STEEL, restitution=0.9)))
    run = gd.simulate(loose, revolutions=2)
    print(run.evidence)

Importing gudgeon loads nothing else; a part comes when its name is first used. So the program can heed Ctrl-C before
it loads anything (`__main__`), and `gudgeon --help` needs no numbers.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from gudgeon.plugins import loaded_on_use

if TYPE_CHECKING:  # for editors and type checkers
    from gudgeon.analysis import bifurcate as bifurcate
    from gudgeon.analysis import regime as regime
    from gudgeon.analysis import routes as routes
    from gudgeon.analysis.contact_loss import contact_loss as contact_loss
    from gudgeon.assemble import Baumgarte as Baumgarte
    from gudgeon.compile.graph import atan as atan
    from gudgeon.compile.graph import cos as cos
    from gudgeon.compile.graph import exp as exp
    from gudgeon.compile.graph import log as log
    from gudgeon.compile.graph import sin as sin
    from gudgeon.compile.graph import sqrt as sqrt
    from gudgeon.compile.graph import tanh as tanh
    from gudgeon.compile.native.piecewise import absolute as absolute
    from gudgeon.compile.native.piecewise import maximum as maximum
    from gudgeon.compile.native.piecewise import minimum as minimum
    from gudgeon.compile.native.piecewise import step as step
    from gudgeon.desk.optimise import optimise as optimise
    from gudgeon.desk.tolerance import tolerance as tolerance
    from gudgeon.draw import compare as compare
    from gudgeon.draw import plot as plot
    from gudgeon.export.live import live as live
    from gudgeon.export.programs.fmu import export_fmu as export_fmu
    from gudgeon.export.programs.object import export_object as export_object
    from gudgeon.laws import ALUMINIUM as ALUMINIUM
    from gudgeon.laws import BRASS as BRASS
    from gudgeon.laws import BRONZE as BRONZE
    from gudgeon.laws import CAST_IRON as CAST_IRON
    from gudgeon.laws import NYLON as NYLON
    from gudgeon.laws import PTFE as PTFE
    from gudgeon.laws import STEEL as STEEL
    from gudgeon.laws import TITANIUM as TITANIUM
    from gudgeon.laws import ContactLaw as ContactLaw
    from gudgeon.laws import FilmLaw as FilmLaw
    from gudgeon.laws import FrictionLaw as FrictionLaw
    from gudgeon.laws import LinerLaw as LinerLaw
    from gudgeon.laws import Material as Material
    from gudgeon.laws import oil as oil
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
    from gudgeon.model import Mechanism as Mechanism
    from gudgeon.model import Section as Section
    from gudgeon.model import Stop as Stop
    from gudgeon.model.fits import Bushing as Bushing
    from gudgeon.model.fits import Clearance as Clearance
    from gudgeon.model.fits import Elastic as Elastic
    from gudgeon.model.fits import Ideal as Ideal
    from gudgeon.model.fits import Lubricated as Lubricated
    from gudgeon.model.fits import Touching as Touching
    from gudgeon.model.parts import SpatialSection as SpatialSection
    from gudgeon.quantity import GudgeonError as GudgeonError
    from gudgeon.results import Run as Run
    from gudgeon.simulation import RunStopped as RunStopped
    from gudgeon.simulation import simulate as simulate
    from gudgeon.study import Study as Study
    from gudgeon.study import linspace as linspace
    from gudgeon.study import logspace as logspace

__version__ = "0.1.0"

_HOMES = {
    "gudgeon.analysis": "bifurcate regime routes",
    "gudgeon.analysis.contact_loss": "contact_loss",
    "gudgeon.assemble": "Baumgarte",
    "gudgeon.compile.graph": "atan cos exp log sin sqrt tanh",
    "gudgeon.compile.native.piecewise": "absolute maximum minimum step",
    "gudgeon.desk": "optimise tolerance",
    "gudgeon.draw": "compare plot",
    "gudgeon.export.live": "live",
    "gudgeon.export.programs.fmu": "export_fmu",
    "gudgeon.export.programs.object": "export_object",
    "gudgeon.laws": "ALUMINIUM BRASS BRONZE CAST_IRON NYLON PTFE STEEL TITANIUM ContactLaw FilmLaw FrictionLaw "
                    "LinerLaw Material oil",
    "gudgeon.model": "Mechanism Section Stop",
    "gudgeon.model.parts": "SpatialSection",
    "gudgeon.quantity": "GudgeonError",
    "gudgeon.results": "Run",
    "gudgeon.simulation": "RunStopped simulate",
    "gudgeon.study": "Study linspace logspace",
}  # fmt: skip
_LATE = {name: home for home, names in _HOMES.items() for name in names.split()}
_UNLISTED = {"Section", "SpatialSection"}
_on_use = loaded_on_use(__name__, _LATE)


def _plugins() -> dict[str, type]:
    """Laws and fits, which are public because their files exist."""
    fits = importlib.import_module("gudgeon.model.fits").Fit.registry
    return {**importlib.import_module("gudgeon.laws").LAWS, **fits}


def _is_part(name: str) -> bool:
    return not name.startswith("_") and importlib.util.find_spec(f"gudgeon.{name}") is not None


def __getattr__(name: str) -> Any:
    if name in _LATE:
        return _on_use(name)
    if name == "__all__":
        return [*sorted(_LATE.keys() - _UNLISTED), *_plugins()]
    if name.startswith("__"):
        return _on_use(name)
    if _is_part(name):
        return importlib.import_module(f"gudgeon.{name}")
    found = _plugins().get(name) or _method(name)
    return _on_use(name) if found is None else found


def _method(name: str) -> Any:
    method = importlib.import_module("gudgeon.methods").methods().get(name.lower())
    return method if method is not None and method.__name__ == name else None


def __dir__() -> list[str]:
    """Every public name, also of what is loaded when it is first asked for: for completion in notebooks and editors."""
    methods = importlib.import_module("gudgeon.methods").methods().values()
    return sorted({*globals(), *_LATE, *_plugins(), "analysis", *(method.__name__ for method in methods)})
