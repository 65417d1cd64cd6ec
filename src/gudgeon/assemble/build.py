"""`assemble`: from a mechanism and the needs of a method to a `System`."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from threading import RLock

from gudgeon.assemble.looped.assemble import assemble_looped
from gudgeon.assemble.looped.refusals import is_large
from gudgeon.assemble.needs import ACCELERATIONS, Needs
from gudgeon.assemble.residual.assemble import assemble_residual
from gudgeon.assemble.solve.start import typical_size
from gudgeon.assemble.structure import Structure
from gudgeon.assemble.support import Coordinates, Formulation, choose
from gudgeon.assemble.system import AssemblyOptions, Backend, Baumgarte, Formulated, System
from gudgeon.assemble.written_out import assemble_absolute, assemble_tree
from gudgeon.compile.collector import collector_paused
from gudgeon.compile.graph.tape import OtherStructure
from gudgeon.model import Mechanism
from gudgeon.model.content import Skeleton, content_of

SHAREABLE = ("absolute", "tree")  # formulations into whose systems nothing writes while they run
FEW_REDUNDANT = 6  # constraints of which the self-stresses are still written out
MOST_SYSTEMS, MOST_STRUCTURES = 8, 16  # that are remembered

ASSEMBLERS: dict[Formulation, Callable[[Mechanism, Needs, AssemblyOptions], Formulated]] = {
    "absolute": assemble_absolute,
    "tree": assemble_tree,
    "looped": assemble_looped,
    "residual": assemble_residual,
}


@dataclass(frozen=True)
class Purpose:
    """What a mechanism is assembled for; see `assemble`."""

    needs: Needs
    stabilisation: Baumgarte | None
    backend: Backend
    coordinates: Coordinates
    unrolled: bool | None
    reduce: bool

    def formulation(self, mechanism: Mechanism) -> Formulation:
        chosen = choose(mechanism, self.needs, self.coordinates, unrolled=self.unrolled, backend=self.backend)
        mechanism.check()
        return chosen

    def options(self, mechanism: Mechanism) -> AssemblyOptions:
        size = typical_size(mechanism)
        return AssemblyOptions(size=size, stabilisation=self.stabilisation, backend=self.backend, reduce=self.reduce)

    def system(self, mechanism: Mechanism, made: Formulated, formulation: Formulation, size: float) -> System:
        parts = {part.name: getattr(made, part.name) for part in fields(made)}
        return System(mechanism=mechanism, needs=self.needs, formulation=formulation, size=size,
                      stabilisation=self.stabilisation, **parts)  # fmt: skip


@dataclass(frozen=True)
class KnownStructure:
    """A structure, what it was assembled for, the formulation it was chosen by, and the descriptions it may serve."""

    structure: Structure
    purpose: Purpose
    chosen: Formulation
    formulation: Formulation
    skeleton: Skeleton


# The last systems, by the content of their mechanisms: what was assembled a moment ago is not assembled again. The
# last structures: what was assembled with other numbers is not built again.
_systems: OrderedDict[tuple[bytes, Purpose], System] = OrderedDict()
_structures: deque[KnownStructure] = deque(maxlen=MOST_STRUCTURES)
_lock = RLock()  # a tape is played by one thread at a time


def assemble(mechanism: Mechanism, needs: Needs = ACCELERATIONS, *, stabilisation: Baumgarte | None = None,
             backend: Backend = "llvm", coordinates: Coordinates = "absolute", unrolled: bool | None = None,
             reduce: bool = False) -> System:  # fmt: skip
    """Mechanism -> System: choose the formulation, trace, find a start, build the equations, compile. Of a structure
    that is known all but the numbers is there.

    needs          what the method needs, `Method.needs()`
    stabilisation  Baumgarte's feedback instead of projection onto the constraints; of equations solved for the
                   accelerations
    backend        "llvm", or "python" for tests
    coordinates    "absolute", "tree" or "auto", see assemble.support.choose; `unrolled` too
    reduce         leave out states that are proved constant (assemble.solve.reduce); not with a Jacobian or hard walls
    """
    purpose = Purpose(needs, stabilisation, backend, coordinates, unrolled, reduce)
    content = content_of(mechanism)
    if content is None:
        return _built(mechanism, purpose)
    with _lock:
        system = _systems.get((content, purpose))
        if system is None:
            system = _renumbered(mechanism, content, purpose) or _built(mechanism, purpose, content)
            if system.formulation not in SHAREABLE:
                return system
            _systems[content, purpose] = system
            if len(_systems) > MOST_SYSTEMS:
                _systems.popitem(last=False)
        _systems.move_to_end((content, purpose))
    return replace(system, mechanism=mechanism)


def _renumbered(mechanism: Mechanism, content: bytes, purpose: Purpose) -> System | None:
    """The system of a mechanism by a structure that is known; None where none is."""
    alike = [known for known in _structures if known.purpose == purpose and known.skeleton.fits(content)]
    if not alike:
        return None
    chosen, options = purpose.formulation(mechanism), purpose.options(mechanism)
    with collector_paused():
        for known in alike:
            if known.chosen == chosen:
                with suppress(OtherStructure):
                    made = known.structure.of(mechanism, options)
                    return purpose.system(mechanism, made, known.formulation, options.size)
    return None


def _built(mechanism: Mechanism, purpose: Purpose, content: bytes | None = None) -> System:
    """The system of a mechanism, from its description; with its `content` the structure is remembered."""
    chosen, options = purpose.formulation(mechanism), purpose.options(mechanism)
    formulation = chosen
    with collector_paused():
        made = ASSEMBLERS[chosen](mechanism, purpose.needs, options)
        # loops have no least-norm reactions
        few = 0 < len(made.start.redundant) <= FEW_REDUNDANT and not is_large(mechanism, 2)
        if chosen == "looped" and purpose.unrolled is None and few:
            formulation = "absolute"
            made = ASSEMBLERS[formulation](mechanism, purpose.needs, options)
    if content is not None and made.structure is not None:
        _structures.appendleft(KnownStructure(made.structure, purpose, chosen, formulation, Skeleton(content)))
    return purpose.system(mechanism, made, formulation, options.size)
