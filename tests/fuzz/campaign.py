"""`make fuzz`: many random mechanisms; every disagreement is made smaller and printed with its seed.

python tests/fuzz/campaign.py [first] [count] [--most BODIES] [--check NAME] [--log FILE]
"""

from __future__ import annotations

import argparse
import collections
import copy
import json
import random
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from random_changes import CHANGES
from random_checks import OTHERS, Outcome, examine
from random_mechanism import Description, describe

EACH = 3  # checks of each mechanism, chosen by its seed


def tried(whole: Description, checks: list[str] | None) -> Outcome:
    """The outcome; an exception that is no refusal is a failure."""
    try:
        return examine(whole, checks)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return Outcome("crashed", "", [f"{type(error).__name__}: {str(error)[:200]} ({where.name})"])


def smaller(whole: Description) -> Iterator[Description]:
    """Simpler descriptions of which one may fail in the same way."""
    held = {j["bearing"] for j in whole["joints"].values()} | {s[e] for s in whole["springs"].values() for e in "ij"}
    for name in reversed(whole["bodies"]):
        ends = [k for k, j in whole["joints"].items() if j["journal"] == name]
        if name not in held and len(whole["bodies"]) > 1:
            other = copy.deepcopy(whole)
            del other["bodies"][name]
            for k in ends:
                _drop(other, "joints", k)
            for group in ("forces", "torques"):
                other[group] = {k: v for k, v in other[group].items() if v["body"] != name}
            yield other
    for group in ("springs", "torsion_springs", "forces", "torques", "motors", "drives"):
        for name in whole[group]:
            other = copy.deepcopy(whole)
            del other[group][name]
            yield other
    for name, joint in whole["joints"].items():
        if not joint["tree"]:
            other = copy.deepcopy(whole)
            _drop(other, "joints", name)
            yield other
        for field in ("fit", "stop"):
            if joint[field] is not None:
                other = copy.deepcopy(whole)
                other["joints"][name][field] = None
                yield other
        if joint["fit"] is not None and joint["fit"].get("friction"):
            other = copy.deepcopy(whole)
            other["joints"][name]["fit"]["friction"] = None
            yield other
    if any(whole["gravity"]):
        yield copy.deepcopy(whole) | {"gravity": [0.0, 0.0, 0.0]}


def _drop(whole: Description, group: str, name: str) -> None:
    del whole[group][name]
    for other in ("drives", "motors"):
        whole[other].pop(name, None)
    whole["torsion_springs"] = {k: v for k, v in whole["torsion_springs"].items() if v["joint"] != name}


def shrink(whole: Description, checks: list[str], kind: str, seconds: float = 90.0) -> Description:
    """The smallest description found that still ends in this kind of failure."""
    words = {failure.split(":")[0] for failure in tried(whole, checks).failures}
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for other in smaller(whole):
            got = tried(other, checks)
            if got.kind == kind and words & {failure.split(":")[0] for failure in got.failures}:
                whole = other
                break
            if time.monotonic() > until:
                return whole
        else:
            return whole
    return whole


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--most", type=int, default=12, help="bodies at most")
    parser.add_argument("--check", action="append", help="this check, and no others")
    parser.add_argument("--shrink", type=float, default=90.0, help="seconds to make a failure smaller")
    parser.add_argument("--log", type=Path, help="a line of JSON for each mechanism")
    given = parser.parse_args()
    kinds: collections.Counter[str] = collections.Counter()
    every = [*CHANGES, *OTHERS]
    for seed in range(given.first, given.first + given.count):
        whole = describe(seed, given.most)
        checks = given.check or random.Random(seed).sample(every, EACH)
        began = time.perf_counter()
        outcome = tried(whole, checks)
        spent = time.perf_counter() - began
        kinds[outcome.kind] += 1
        if outcome.kind in ("failed", "crashed"):
            print(f"seed {seed}: {outcome.kind}: {'; '.join(outcome.failures)}", flush=True)
            if given.shrink:
                least = shrink(whole, checks, outcome.kind, given.shrink)
                print(f"  smallest: {json.dumps(least)}", flush=True)
        if given.log:
            with given.log.open("a") as out:
                line = {
                    "seed": seed,
                    "kind": outcome.kind,
                    "s": round(spent, 2),
                    "sentence": outcome.sentence,
                    "failures": outcome.failures,
                    "checks": outcome.checks,
                    "bodies": len(whole["bodies"]),
                    "planar": whole["planar"],
                }
                out.write(json.dumps(line) + "\n")
    print(dict(kinds))
    return int(kinds["failed"] + kinds["crashed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
