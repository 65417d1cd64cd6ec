"""kill -9 at random instants: of the cache here, of all else in the slow set; as many as one likes with kills.py."""

import os
import random
import signal
import time
from collections import Counter

import pytest
from kills import LocalCluster, campaign

from gudgeon.compile.native import cache
from gudgeon.compile.python import target

KILLS = 40
TEXT = """define void @f(double* %p) {{
  %x = load double, double* %p
  %y = fadd double %x, {0}.0
  store double %y, double* %p
  ret void
}}
"""


def compile_for_ever(first):
    for k in range(first, first + 1000):
        text = TEXT.format(k)
        target.compiled(text, lambda text=text: text)
    os._exit(0)


def test_kills_while_code_is_compiled_and_kept(tmp_path, monkeypatch):
    """What stands under a final name is whole, and what comes from the cache is what would be compiled."""
    monkeypatch.setattr(cache, "directory", lambda: tmp_path)
    chance = random.Random(3)
    target.host(TEXT.format(10_000), "f")  # LLVM is ready
    for k in range(KILLS):
        before, child = len(list(tmp_path.rglob("*.o"))), os.fork()
        if not child:
            compile_for_ever(1000 * k)
        while len(list(tmp_path.rglob("*.o"))) == before:
            assert os.waitpid(child, os.WNOHANG) == (0, 0)
            time.sleep(0.001)
        time.sleep(chance.uniform(0.0, 0.02))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    kept = list(tmp_path.rglob("*.o"))
    assert len(kept) >= KILLS and all(cache.read(path) is not None for path in kept)
    for k in range(KILLS):
        text = TEXT.format(1000 * k)
        assert target.compiled(text, lambda text=text: text) == target.object_code(text)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["processes", "threads", "cluster", "alone", "run", "compile"])
def test_nothing_finished_is_lost(kind):
    if kind == "cluster" and LocalCluster is None:
        pytest.skip('dask.distributed is not installed: pip install "gudgeon[cluster]"')
    counts = Counter()
    campaign(kind, 20, 5, counts)
    assert counts["killed"] >= 5
