"""The same joint by several routes: a continuous contact law, hard walls by event or by step, an oil film.

    print(gd.routes(mechanism, revolutions=2, film=gd.Moes("400 cP")))

`plan` says which routes a joint allows, `routes` runs them, `pointwise` compares motions, `report` puts it into words.
"""

from gudgeon.analysis.agreement.pointwise import Agreement, TouchRecord
from gudgeon.analysis.agreement.routes import Cost, Route, Routes, routes

__all__ = ["Agreement", "Cost", "Route", "Routes", "TouchRecord", "routes"]
