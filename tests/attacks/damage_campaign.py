"""Many damaged files, with a table of how they ended.

python tests/attacks/damage_campaign.py [first] [count] [--no-run]
"""

from __future__ import annotations

import argparse
import collections
import resource
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from damage import damaged
from file_checks import Ending, examine


def tried(seed: int, run: bool) -> tuple[str, Ending]:
    """Kind of damage and how it ended; an exception that is no refusal is a crash."""
    source, name, damage = damaged(seed)
    try:
        return name, examine(source, damage, run=run)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        said = f"{type(error).__name__}: {str(error)[:200]} ({Path(where.filename).name}:{where.lineno} {where.name})"
        return name, Ending("crashed", [said])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--no-run", action="store_true", help="only read them")
    given = parser.parse_args()
    ends: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    faults = 0
    for seed in range(given.first, given.first + given.count):
        began = time.perf_counter()
        name, ending = tried(seed, not given.no_run)
        ends[name][ending.kind] += 1
        spent = time.perf_counter() - began
        for fault in ending.faults:
            faults += 1
            print(f"seed {seed} ({name}, {ending.kind}): {fault}", flush=True)
        if spent > 10.0:
            print(f"seed {seed} ({name}, {ending.kind}) took {spent:.0f} s", flush=True)
    kinds = sorted({kind for row in ends.values() for kind in row})
    print(f"{'':<24}" + "".join(f"{kind:>15}" for kind in kinds))
    for name, row in ends.items():
        print(f"{name:<24}" + "".join(f"{row[kind]:>15}" for kind in kinds))
    print(f"{'all':<24}" + "".join(f"{sum(row[kind] for row in ends.values()):>15}" for kind in kinds))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    print(f"{faults} faults, at most {most:.0f} MB of memory")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
