"""Pieces of one motion, each resumed from the one before, as one run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from gudgeon.quantity import GudgeonError
from gudgeon.results.contacts import ContactRecords
from gudgeon.results.extremes import JoinedExtremes
from gudgeon.results.run import Run

__all__ = ["joined"]


def joined(pieces: Sequence[Run]) -> Run:
    """One run of all rows and contacts. Its evidence is that of the last piece: each piece has its own.

    A contact that was open where a piece ended is in the next one as a whole.
    """
    if not pieces:
        raise GudgeonError("joined() needs at least one run")
    last = pieces[-1]
    for before, after in pairwise(pieces):
        if before.channels != after.channels or after.t[0] != before.end.t:
            raise GudgeonError(
                f'"{after.name}" from {after.t[0]:g} s does not go on where the run before it ended, {before.end.t:g} s'
            )
    names = [name for name in last.channels if not name.endswith(".mode")]
    # the first row of a piece is the last of the one before
    rows = [slice(None), *(slice(1, None) for _ in pieces[1:])]
    t = np.concatenate([run.t[r] for run, r in zip(pieces, rows, strict=True)])
    data = {name: np.concatenate([run[name][r] for run, r in zip(pieces, rows, strict=True)]) for name in names}
    ended = [r for run in pieces[:-1] for r in run.contacts if r.ended]
    contacts = ContactRecords.numbered([*ended, *last.contacts])
    loose = [name.removesuffix(".mode") for name in last.channels if name.endswith(".mode")]
    return Run(last.mechanism, t, data, {name: last.channel(name) for name in names}, contacts, last.evidence, last.end,
               last.complete, last.period, loose, impacts=[x for run in pieces for x in run.impacts],
               extremes=JoinedExtremes(t, data, pieces=[run.extremes for run in pieces]))  # fmt: skip
