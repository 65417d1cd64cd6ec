"""`assemble`: from a mechanism and the needs of a method to a `System`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from gudgeon.assemble.looped.assemble import assemble_looped
from gudgeon.assemble.looped.refusals import is_large
from gudgeon.assemble.needs import ACCELERATIONS, Needs
from gudgeon.assemble.residual.assemble import assemble_residual
from gudgeon.assemble.solve.start import typical_size
from gudgeon.assemble.support import Coordinates, Formulation, choose
from gudgeon.assemble.system import AssemblyOptions, Backend, Baumgarte, Formulated, System
from gudgeon.assemble.written_out import assemble_absolute, assemble_tree
from gudgeon.compile.collector import collector_paused
from gudgeon.model import Mechanism
from gudgeon.model.content import content_of

# The last systems, by the content of their mechanisms: a mechanism that was assembled a moment ago is not assembled
# again. Only those that nothing writes into while they run.
SHAREABLE, MOST = ("absolute", "tree"), 8
FEW_REDUNDANT = 6  # constraints of which the self-stresses are still written out
_remembered: OrderedDict[tuple[Any, ...], System] = OrderedDict()

ASSEMBLERS: dict[Formulation, Callable[[Mechanism, Needs, AssemblyOptions], Formulated]] = {
    "absolute": assemble_absolute,
    "tree": assemble_tree,
    "looped": assemble_looped,
    "residual": assemble_residual,
}


def assemble(mechanism: Mechanism, needs: Needs = ACCELERATIONS, *, stabilisation: Baumgarte | None = None,
             backend: Backend = "llvm", coordinates: Coordinates = "absolute", unrolled: bool | None = None,
             reduce: bool = False) -> System:  # fmt: skip
    """Mechanism -> System: choose the formulation, trace, find a start, build the equations, compile.

    needs          what the method needs, `Method.needs()`
    stabilisation  Baumgarte's feedback instead of projection onto the constraints; of equations solved for the
                   accelerations
    backend        "llvm", or "python" for tests
    coordinates    "absolute", "tree" or "auto", see assemble.support.choose; `unrolled` too
    reduce         leave out states that are proved constant (assemble.solve.reduce); not with a Jacobian or hard walls
    """
    content = content_of(mechanism)
    key = (content, needs, stabilisation, backend, coordinates, unrolled, reduce)
    if content is not None and key in _remembered:
        _remembered.move_to_end(key)
        return replace(_remembered[key], mechanism=mechanism)
    chosen = choose(mechanism, needs, coordinates, unrolled=unrolled, backend=backend)
    mechanism.check()
    size = typical_size(mechanism)
    options = AssemblyOptions(size=size, stabilisation=stabilisation, backend=backend, reduce=reduce)
    with collector_paused():
        made = ASSEMBLERS[chosen](mechanism, needs, options)
        # loops have no least-norm reactions
        few = 0 < len(made.start.redundant) <= FEW_REDUNDANT and not is_large(mechanism, 2)
        if chosen == "looped" and unrolled is None and few:
            chosen = "absolute"
            made = ASSEMBLERS[chosen](mechanism, needs, options)
    parts = {part.name: getattr(made, part.name) for part in fields(made)}
    system = System(mechanism=mechanism, needs=needs, formulation=chosen, size=size, stabilisation=stabilisation,
                    **parts)  # fmt: skip
    if content is not None and chosen in SHAREABLE:
        _remembered[key] = system
        if len(_remembered) > MOST:
            _remembered.popitem(last=False)
    return system
