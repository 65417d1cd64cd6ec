"""Built-in cases: published mechanisms by the name of article and function."""

from __future__ import annotations

import importlib
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gudgeon.model import Mechanism

__all__ = ["CASES", "Case"]


@dataclass(frozen=True)
class Case:
    """A function of `gudgeon.papers` that gives a mechanism, and how long it runs unless said otherwise."""

    name: str
    words: str
    duration: float | None = None  # [s]
    revolutions: float | None = None
    method: str = "dopri5"
    rtol: float | None = None  # that of the method
    step: float | None = None  # [s], of methods without error control
    output: float | None = None  # [s], where every step would be too many rows
    part: str = ""  # what the name of its module ends with, where an article has several

    @property
    def module(self) -> Any:
        return importlib.import_module(f"gudgeon.papers.{self.name.split('/')[0]}{self.part}")

    @property
    def function(self) -> Any:
        return getattr(self.module, self.name.split("/")[1])

    def mechanism(self) -> Mechanism:
        made: Mechanism = self.function()
        return made

    @property
    def work(self) -> str:
        """Key of its article in the bibliography: the name of the module."""
        return self.name.split("/")[0]

    @property
    def length(self) -> str:
        """How long it runs."""
        if self.revolutions:
            return f"{self.revolutions:g} rev"
        time = self.duration or 0.0
        return f"{time:g} s" if time >= 1.0 else f"{time * 1e3:g} ms"

    @property
    def section(self) -> str:
        """What its function says."""
        return " ".join((inspect.getdoc(self.function) or "").split("\n\n")[0].split())

    @property
    def article(self) -> str:
        """Authors, title and place of the article, as its module says."""
        parts = (inspect.getdoc(self.module) or "").split("\n\n")
        place = " ".join(parts[1].split())
        return f"{parts[0]} {place}"


CASES = {
    case.name: case
    for case in (
        Case("schwab2002/ideal", "slider-crank at 523.6 rad/s, ideal joints", revolutions=2),
        Case("schwab2002/hertz", "slider-crank, 0.5 mm of play in the slider pin", revolutions=2),
        Case("schwab2002/impact", "the same with hard walls, impacts as instants", revolutions=2, method="impact"),
        Case("schwab2002/elastic", "slider-crank with play, the rod bends by two modes", revolutions=2),
        Case("schwab2002/elastic_elements", "the same, the rod of two beam elements", revolutions=2),
        Case("schwab2002/film", "slider-crank, 0.5 mm of play filled with oil", revolutions=3),
        Case("schwab2002/sphere", "a sphere meets a concave socket at 5 m/s", duration=3e-4),
        Case("flores2007/four_bar", "drag-link, 0.2 mm of play at the follower", revolutions=2),
        Case("flores2007/slider_crank", "slider-crank, 5000 rpm, 0.5 mm of play in the pin", revolutions=2),
        Case("flores2010/slider_crank", "free slider-crank, 1 mm of play in the guide", duration=0.1),
        Case("ambrosio2018/slider_crank", "slider-crank in space, ideal joints", duration=5.0),
        Case("ambrosio2018/ball", "the same with 0.5 mm of play in its ball", duration=1.0),
        Case("ambrosio2018/triple_pendulum", "three arms in space, within stops", duration=4.0),
        *(
            # a motor takes the time it needs: three revolutions are 1.23 s
            Case(
                f"bauchau2002/{name}",
                words,
                1.25 if "motor" in words else None,
                None if "motor" in words else 3,
                "alpha",
                output=2e-5,
            )
            for name, words in {
                "A1": "flexible crank-slider, 150 rpm, ideal joints",
                "A2": "the same with 0.5 mm of play, dry",
                "A3": "the same with 0.5 mm of play in oil",
                "A4": "flexible crank-slider on a motor, ideal joints",
                "A5": "on a motor with 0.5 mm of play, dry",
                "B1": "as A2",
                "B2": "as A2, ten times as stiff",
                "B3": "as A2, fifty times as stiff",
                "C1": "as A1, damping 1e-3 s",
                "C2": "as A1, damping 1e-4 s",
                "C3": "as A1, damping 1e-5 s",
                "C4": "as A1, no damping",
                "C5": "as A2, damping 1e-3 s",
                "C6": "as A2, damping 1e-4 s",
                "C7": "as A2, damping 1e-5 s",
                "C8": "as A2, no damping",
                "quick_return_1": "quick return on a motor, stiff arm, ideal joints",
                "quick_return_1b": "quick return on a motor, flexible arm",
                "quick_return_2": "on a motor with 0.5 mm of play at N",
                "quick_return_3": "on a motor with 0.5 mm of play at N and B",
            }.items()
        ),
        *(
            Case(
                f"bauchau2002/spatial_{name}",
                words,
                1.25 if name == "A3" else None,
                None if name == "A3" else 3,
                "alpha",
                1e-6,
                output=2e-5,
                part="_space",
            )
            for name, words in {
                "A1": "flexible crank-slider in space, pushed aside",
                "A2": "the same, two disks in a bore, stops",
                "A3": "the same on a motor",
            }.items()
        ),
        Case("flores2006/four_bar", "four-bar in space, 0.5 mm of play in a ball", duration=0.3),
        Case("gonzalez2006/pendulum", "benchmark A01: a point mass on a bar", duration=10.0),
        Case(
            "gonzalez2006/four_bars",
            "benchmark A02: two four-bars through a singular position",
            duration=10.0,
            method="rk4",
            step=1e-3,
        ),
        Case("gonzalez2006/andrews", "benchmark A03: the squeezer of Andrews, seven bars", duration=0.03),
        Case("gonzalez2006/bricard", "benchmark A04: five rods in space, overconstrained", duration=10.0),
        Case("gonzalez2006/governor", "benchmark A05: a flyball governor, stiff", duration=2.0, output=1e-3),
    )
}
