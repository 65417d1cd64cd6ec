"""Studies: many runs of one mechanism with other numbers, on all cores or a cluster, safe against interruption.

    table = gd.Study(loose, vary={"pin.radial_clearance": gd.logspace("0.01 mm", "0.5 mm", 20),
                                  "pin.friction": gd.linspace(0, 0.1, 10)},
                     measure=["peak pin.force", "contacts pin"], revolutions=4).run("out/gap-friction")
    table.map("peak pin.force").save("peaks.svg")

A study can be stopped in any way, also by kill -9: the same call, or `gudgeon study resume`, goes on where it was
and ends with the same numbers.
"""

from gudgeon.study.comparison import compare
from gudgeon.study.files import StudyFile, load, loads, schema
from gudgeon.study.points.values import Iso as iso
from gudgeon.study.points.values import Linspace as linspace
from gudgeon.study.points.values import Logspace as logspace
from gudgeon.study.points.values import Normal as normal
from gudgeon.study.points.values import Uniform as uniform
from gudgeon.study.storage.disk import StoreError
from gudgeon.study.storage.merge import merge
from gudgeon.study.storage.store import Store
from gudgeon.study.study import Study
from gudgeon.study.table import Table

__all__ = [
    "Store", "StoreError", "Study", "StudyFile", "Table", "compare", "iso", "linspace", "load", "loads", "logspace",
    "merge", "normal", "schema", "uniform",
]  # fmt: skip
