"""The engine "threads": the code of the engine "gpu" on the cores of this computer.

Trajectories are compiled for the mechanism as they are for a card, with nothing of Python around a march, and threads
share them without Python's lock: a run costs what its march costs. What a card cannot do, it cannot do either.
"""

from __future__ import annotations

from gudgeon.batch.machine import Host
from gudgeon.study.engines.gpu.engine import Gpu
from gudgeon.study.engines.local import cores

__all__ = ["Threads"]

PIECE = 64  # runs of each thread at once, and the least: fewer, and threads wait for the last
LEAST = 8


class Threads(Gpu):
    """So many threads; default: one for each core."""

    name = "threads"
    ahead = 2

    def __init__(self, threads: int | None = None, piece: int | None = None) -> None:
        many = threads or cores()
        self.machine, self.piece, self.least = Host(many), piece or PIECE * many, LEAST * many
        self.words, self.processes = f"{many} thread{'s' * (many != 1)}", many

    def size(self, count: int) -> int:
        """Several pieces also of a small study: one is judged while the next is marched."""
        return min(self.piece, max(self.least, -(-count // (2 * self.ahead))))
