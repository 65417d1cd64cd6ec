"""`Panel`: one kind of figure, for one name."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from gudgeon.draw import panels
from gudgeon.draw.run_window import RunWindow
from gudgeon.quantity import GudgeonError, closest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Panel", "kinds", "known_names"]


class Panel(ABC):
    """Draws one name of a window. A timed panel shares the time axis; square and wide ones have axes of their own."""

    registry: ClassVar[list[type[Panel]]] = []
    square: bool = False
    wide: bool = False  # it stands above all others, over the whole page; its height is a share of the width
    twofold: ClassVar[bool] = True  # whether it has lines of both runs, in their colours
    heights: tuple[float, ...] = (1.0,)  # one entry per stacked axes

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        Panel.registry.append(cls)

    def __init__(self, view: RunWindow, name: str) -> None:
        self.view, self.name = view, name
        self.prepare()

    @property
    def timed(self) -> bool:
        return not (self.square or self.wide)

    @classmethod
    def matches(cls, name: str, view: RunWindow) -> bool:
        """Whether a name selects this kind of figure."""
        return False

    @classmethod
    def offered(cls, view: RunWindow) -> list[str]:
        """Names that are no channels, and that this kind draws for these runs."""
        return []

    def prepare(self) -> None:  # noqa: B027 - not every kind needs it
        """Raise an error for what cannot be drawn."""

    @abstractmethod
    def draw(self, axes: Sequence[Axes]) -> None:
        """Put the figure on its axes."""

    def settled(self, axes: Sequence[Axes]) -> None:  # noqa: B027
        """Add what depends on where everything stands on the page."""

    def unknown(self) -> GudgeonError:
        """The name means nothing for these runs."""
        known = known_names(self.view)
        likely = closest(self.name, known)
        hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(known)}"
        return GudgeonError(f'figure of "{self.view.real.name}": "{self.name}" is not known; {hint}')


@cache
def kinds() -> tuple[type[Panel], ...]:
    """Every kind of figure that has a file in this folder."""
    for module in pkgutil.iter_modules(panels.__path__):
        importlib.import_module(f"{panels.__name__}.{module.name}")
    return tuple(sorted(Panel.registry, key=lambda kind: kind.__module__))


def known_names(view: RunWindow) -> list[str]:
    """Every name that a figure of these runs understands."""
    names = [name for kind in kinds() for name in kind.offered(view)]
    channels = [name for run in (view.real, view.ideal) if run is not None for name in run.channels]
    return list(dict.fromkeys([*names, *channels]))
