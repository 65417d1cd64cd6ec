"""The house style: what every figure has in common."""

from __future__ import annotations

from typing import Any

__all__ = [
    "CONTACT", "DOUBT", "FREE", "HALO", "IDEAL", "INK", "LEDGER", "PALETTE", "PAPER", "REAL", "REGIMES", "RULES",
    "SOFT", "WALL",
]  # fmt: skip

# Okabe and Ito's palette: told apart by colour-blind readers, and by their lightness in a grey print
INK, SOFT, PAPER = "#222222", "#666666", "#ffffff"
IDEAL, REAL = "#9c9c9c", "#0072b2"
HALO = 2.0  # width of a line that lies underneath, so that it shows where lines coincide
FREE, CONTACT, WALL = "#7fb2d6", "#d55e00", "#ececec"
DOUBT = "#f6f1e4"  # beyond the trust horizon
LEDGER = {
    "drive": "#222222", "applied": "#8a8a8a", "kinetic": "#0072b2", "potential": "#56b4e9",
    "contact": "#d55e00", "friction": "#e69f00", "liner": "#cc79a7", "damper": "#009e73",
    "film": "#8c7a00", "electrical": "#4a3b8f", "magnetic": "#a79be0", "copper": "#b5482a", "conversion": "#c9a227",
}  # fmt: skip

PALETTE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8a8a8a")
# the calmer the motion, the bluer; what is not known is grey
REGIMES = {
    "equilibrium": "#dcebf5",
    "period-1": "#bcd9ec", "period-2": "#7fb8dd", "period-3": "#3f94cb", "period-4": "#0072b2",
    "period-n": "#004c78", "quasi-periodic": "#e69f00", "chaotic": "#b5482a", "not settled": "#bdbdbd",
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
    "agg.path.chunksize": 5_000,  # a long line in pieces: in one it takes hundreds of megabytes
    "figure.facecolor": PAPER,
    "savefig.dpi": 200,
    # the same run writes the same bytes
    "svg.hashsalt": "gudgeon",
}
