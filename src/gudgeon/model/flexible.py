"""The flexible links that a mechanism can be given."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from gudgeon.model.beam import Beam

__all__ = ["BeamMaker"]

Same = TypeVar("Same", bound="BeamMaker")


class BeamMaker(ABC):
    """What a mechanism inherits: its beams, which stand wherever a body does."""

    _beams: dict[str, Beam]
    _bodies: dict[str, Any]
    _sorts: Any

    @property
    def beams(self) -> Mapping[str, Beam]:
        """Flexible links by name."""
        return MappingProxyType(self._beams)

    def beam(self, name: str, *, a: Any, b: Any, section: Any, elements: int = 4, order: int = 3,
             damping: float | str = 0.0, **more: Any) -> Beam:  # fmt: skip
        """Add a flexible link from a to b [m], straight as described, with a Section, in space a SpatialSection;
        damping [s]; see Beam and SpatialBeam. Joints, springs and forces hold it anywhere along its length."""
        made: Beam = self._add(self._beams, self._sorts.beam, name, a=a, b=b, section=section, elements=elements,
                               order=order, damping=damping, **more)  # fmt: skip
        return made

    def stiffened(self: Same) -> Same:
        """The same mechanism with every beam as the rigid body of its shape and mass."""
        other = copy.copy(self)
        other._bodies = {**self._bodies, **{name: beam.stiff for name, beam in self._beams.items()}}
        other._beams = {}
        return other

    def link(self, name: str) -> Any:
        """The body or beam of this name."""
        return self._beams[name] if name in self._beams else self._bodies[name]

    # what the mechanism itself answers

    @property
    @abstractmethod
    def planar(self) -> bool:
        """Whether the bodies move in a plane."""

    @abstractmethod
    def _add(self, group: dict[str, Any], sort: type[Any], name: str, **values: Any) -> Any:
        """Make a part and put it into its group."""
