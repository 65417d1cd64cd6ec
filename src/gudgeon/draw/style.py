"""The house style: what every figure has in common."""

from __future__ import annotations

from typing import Any

__all__ = ["CONTACT", "DOUBT", "FREE", "IDEAL", "INK", "LEDGER", "PAPER", "REAL", "RULES", "SOFT", "WALL"]

# Okabe and Ito's palette: told apart by colour-blind readers, and by their lightness in a grey print
INK, SOFT, PAPER = "#222222", "#666666", "#ffffff"
IDEAL, REAL = "#9c9c9c", "#0072b2"
FREE, CONTACT, WALL = "#7fb2d6", "#d55e00", "#ececec"
DOUBT = "#f6f1e4"  # beyond the trust horizon
LEDGER = {
    "drive": "#222222", "applied": "#8a8a8a", "kinetic": "#0072b2", "potential": "#56b4e9",
    "contact": "#d55e00", "friction": "#e69f00", "liner": "#cc79a7", "damper": "#009e73",
    "film": "#8c7a00",
}  # fmt: skip

# Any, since matplotlib types its keys one by one
RULES: Any = {
    "font.family": ["DejaVu Sans"],
    "font.size": 8.5,
    "axes.titlesize": 8.5,
    "axes.titlelocation": "left",
    "axes.titlepad": 5.0,
    "axes.labelsize": 8.5,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "legend.fontsize": 8.0,
    "legend.frameon": False,
    "legend.handlelength": 1.6,
    "legend.borderaxespad": 0.3,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": SOFT,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 3.0,
    "ytick.major.size": 3.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.xmargin": 0.0,
    "axes.ymargin": 0.06,
    "axes.formatter.use_mathtext": True,
    "axes.unicode_minus": True,
    "lines.linewidth": 0.8,
    "lines.solid_joinstyle": "round",
    "path.simplify": True,
    "figure.facecolor": PAPER,
    "savefig.dpi": 200,
    # the same run writes the same bytes
    "svg.hashsalt": "gudgeon",
}
