"""Figures of ambrosio2018."""

from __future__ import annotations

from gudgeon.papers.figures.entry import PaperFigure

__all__ = ["FIGURES"]

FIGURES: tuple[PaperFigure, ...] = ()
