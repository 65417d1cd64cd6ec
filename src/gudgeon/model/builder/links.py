"""The flexible links that a mechanism can be given."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from gudgeon.model.names import about
from gudgeon.model.parts.beam import Beam
from gudgeon.model.parts.modal import ModalLink
from gudgeon.model.parts.section import Section
from gudgeon.quantity import GudgeonError

__all__ = ["BeamMaker"]

Same = TypeVar("Same", bound="BeamMaker")


class BeamMaker(ABC):
    """What a mechanism inherits: its beams, which stand wherever a body does."""

    _beams: dict[str, Beam]
    _modal_links: dict[str, ModalLink]
    _bodies: dict[str, Any]
    _types: Any

    @property
    def beams(self) -> Mapping[str, Beam]:
        """Flexible links by name."""
        return MappingProxyType(self._beams)

    def beam(self, name: str, *, a: Any, b: Any, section: Any, elements: int = 4, order: int = 3,
             damping: float | str = 0.0, **more: Any) -> Beam:  # fmt: skip
        """Add a flexible link from a to b [m], straight or curved (`sweep`, `through`), with a Section, in space a
        SpatialSection; damping [s]; see Beam and SpatialBeam. Joints, springs and forces can act anywhere along its
        length.
        """
        made: Beam = self._add(self._beams, self._types.beam, name, a=a, b=b, section=section, elements=elements,
                               order=order, damping=damping, **more)  # fmt: skip
        return made

    @property
    def modal_links(self) -> Mapping[str, ModalLink]:
        """Links with bending modes, by name; they are also in `bodies`."""
        return MappingProxyType(self._modal_links)

    def modal_link(self, name: str, *, a: Any, b: Any, section: Section | None = None, EI: Any = None, mass: Any = None,
                   modes: int = 2, damping: float = 0.0, **more: Any) -> ModalLink:  # fmt: skip
        """Add a link from a to b [m] with a few bending modes, for small vibrations; every method can integrate it.
        Give a `section`, or EI [N m^2] and mass [kg]; damping is the damping ratio of its first mode; see
        ModalLink.
        """
        with about(f'modal link "{name}"'):
            if not self.planar:
                raise GudgeonError("links with modes exist in planar mechanisms only; use m.beam in space")
        made: ModalLink = self._add(self._modal_links, ModalLink, name, a=a, b=b, section=section, EI=EI, mass=mass,
                                    modes=modes, damping=damping, **more)  # fmt: skip
        return made

    def bends(self, name: str) -> bool:
        """Whether a link is flexible: a beam, or one with modes."""
        return name in self._beams or name in self._modal_links

    def stiffened(self: Same) -> Same:
        """The same mechanism with rigid bodies of the same shape and mass instead of flexible links."""
        other = copy.copy(self)
        flexible: dict[str, Any] = {**self._modal_links, **self._beams}
        other._bodies = {**self._bodies, **{name: link.stiff for name, link in flexible.items()}}
        other._modal_links, other._beams = {}, {}
        return other

    def link(self, name: str) -> Any:
        """The body or beam of this name."""
        return self._beams.get(name) or self._modal_links.get(name) or self._bodies[name]

    # what the mechanism itself answers

    @property
    @abstractmethod
    def planar(self) -> bool:
        """Whether the bodies move in a plane."""

    @abstractmethod
    def _add(self, group: dict[str, Any], cls: type[Any], name: str, **values: Any) -> Any:
        """Make a part and put it into its group."""
