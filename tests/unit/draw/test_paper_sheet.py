"""What the figures of the articles share."""

import numpy as np

from gudgeon.papers.schwab2002.figures import _angles
from gudgeon.papers.sheet import curves, reach, sheet


def test_panels_of_one_quantity_share_their_unit():
    """4 kN beside 12 kN: not one panel in N and the next in kN."""
    t = np.linspace(0.0, 1.0, 5)
    weak, strong = [("", t, 4e3 * t)], [("a", t, -12e3 * t), ("b", t, t)]
    _, (a, b) = sheet(2)
    for axes, lines in ((a, weak), (b, strong)):
        curves(axes, "force", "N", lines, up_to=reach(weak, strong))
    assert reach(weak, strong) == 12e3
    assert a.get_ylabel() == b.get_ylabel() == "[kN]"
    assert a.lines[0].get_ydata()[-1] == 4.0


def test_numbers_along_a_way_keep_off_its_line_and_each_other():
    angle = np.linspace(0.0, 2.0 * np.pi, 721)
    x, y = np.cos(angle), np.sin(2.0 * angle)  # crosses itself in the middle
    _, (axes,) = sheet(1)
    axes.plot(x, y)
    _angles(axes, x, y, away=0.1, between=30)
    spots = np.array([text.get_position() for text in axes.texts])
    assert len(spots) == 12
    line = np.column_stack([x, y])
    assert np.linalg.norm(spots[:, None] - line[None], axis=2).min() > 0.04
    apart = np.linalg.norm(spots[:, None] - spots[None], axis=2) + np.eye(12)
    assert apart.min() > 0.05
