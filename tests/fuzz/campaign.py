"""`make fuzz`: many random mechanisms; every disagreement is made smaller and printed with its seed.

python tests/fuzz/campaign.py [first] [count] [--most BODIES] [--check NAME] [--log FILE] [--limit SECONDS]
"""

from __future__ import annotations

import argparse
import collections
import copy
import json
import multiprocessing
import os
import random
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import random_checks
import random_limits  # noqa: F401  # its checks join the others
from random_checks import CHECKS, Outcome, examine
from random_mechanism import GROUPS, Description, build, describe

import gudgeon as gd
from gudgeon.methods import methods

EACH = 3  # checks of each mechanism, chosen by its seed


def tried(whole: Description, checks: list[str] | None) -> Outcome:
    """The outcome; an exception that is no refusal is a failure."""
    try:
        return examine(whole, checks)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return Outcome("crashed", "", [f"{type(error).__name__}: {str(error)[:200]} ({where.name})"])


def tried_apart(whole: Description, checks: list[str], seconds: float) -> Outcome:
    """The same in a process of its own, whose memory is freed and which is ended after so many seconds of the
    processor, however busy the machine is: a mechanism that is compiled cannot be interrupted."""
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, whole, checks))
    process.start()
    theirs.close()
    stage, outcome, left = "begin", None, seconds
    try:
        while outcome is None and left > 0.0:
            if mine.poll(left):
                got = mine.recv()
                stage, outcome = (got, None) if isinstance(got, str) else (stage, got)
            left = seconds - _used(process.pid)
        if outcome is None:
            outcome = Outcome("crawled", "", [f"crawled: in {stage}"])
    except EOFError:
        outcome = Outcome("crashed", "", [f"died: in {stage}"])
    process.kill()
    process.join()
    mine.close()
    return outcome


def _used(process: int | None) -> float:
    """Seconds of the processor that a process has taken [s]."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:  # it has ended, and what it said can be read
        return 0.0
    return sum(float(x) for x in fields[11:13]) / os.sysconf("SC_CLK_TCK")


def _answer(pipe: Any, whole: Description, checks: list[str]) -> None:
    random_checks.on_stage = pipe.send
    pipe.send(tried(whole, checks))


def smaller(whole: Description) -> Iterator[Description]:
    """Simpler descriptions of which one may fail in the same way."""
    held = {j["bearing"] for j in whole["joints"].values()} | {s[e] for s in whole["springs"].values() for e in "ij"}
    held |= {t["reaction"] for t in whole["torques"].values() if "reaction" in t}
    for name in reversed(whole["bodies"]):
        ends = [k for k, j in whole["joints"].items() if j["journal"] == name]
        if name not in held and len(whole["bodies"]) > 1:
            other = copy.deepcopy(whole)
            del other["bodies"][name]
            for k in ends:
                _drop(other, k)
            for group in ("forces", "torques"):
                other[group] = {k: v for k, v in other[group].items() if v["body"] != name}
            yield other
    for group in GROUPS:
        for name in whole[group]:
            other = copy.deepcopy(whole)
            del other[group][name]
            yield other
    for name, joint in whole["joints"].items():
        if not joint["tree"]:
            other = copy.deepcopy(whole)
            _drop(other, name)
            yield other
        for field in ("fits", "stops"):
            for key in joint[field]:
                if not joint.get("centres"):
                    other = copy.deepcopy(whole)
                    del other["joints"][name][field][key]
                    yield other
        for key, fit in joint["fits"].items():
            if fit[1].get("friction"):
                other = copy.deepcopy(whole)
                other["joints"][name]["fits"][key][1]["friction"] = None
                yield other
    for field in ("velocity", "spin"):
        if any(any(body[field]) for body in whole["bodies"].values()):
            other = copy.deepcopy(whole)
            for body in other["bodies"].values():
                body[field] = [0.0, 0.0, 0.0]
            yield other
    if any(whole["gravity"]):
        yield copy.deepcopy(whole) | {"gravity": [0.0, 0.0, 0.0]}
    if whole["method"] is not None:
        yield copy.deepcopy(whole) | {"method": None}


def _drop(whole: Description, name: str) -> None:
    """Take a joint away, with all that is on it or reads it."""
    del whole["joints"][name]
    for other in ("drives", "motors", "controllers"):
        whole[other].pop(name, None)
    whole["torsion_springs"] = {k: v for k, v in whole["torsion_springs"].items() if v["joint"] != name}
    for group in ("forces", "torques", "motors", "controllers"):
        whole[group] = {k: v for k, v in whole[group].items() if v["signal"].get("joint") != name}


def shrink(whole: Description, checks: list[str], found: Outcome, seconds: float, limit: float) -> Description:
    """The smallest description found that still ends in this kind of failure."""
    words = {failure.split(":")[0] for failure in found.failures}
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for other in smaller(whole):
            got = tried_apart(other, checks, limit)
            if got.kind == found.kind and words & {failure.split(":")[0] for failure in got.failures}:
                whole = other
                break
            if time.monotonic() > until:
                return whole
        else:
            return whole
    return whole


def warm() -> None:
    """Compile or load the time loop of each method once, for all processes."""
    body = {"type": "rigid", "mass": 1.0, "at": [0.1, 0, 0], "velocity": [0.0] * 3, "spin": [0.0] * 3}
    whole = describe(0, 1) | {"planar": True, "duration": 0.01, "step": 1e-3} | {group: {} for group in GROUPS}
    whole |= {"bodies": {"b": body | {"inertia": [1.0], "turn": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}}, "joints": {}}
    for name in methods():
        random_checks.run(build(whole), whole | {"method": name})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--most", type=int, default=12, help="bodies at most")
    parser.add_argument("--check", action="append", help="this check, and no others")
    parser.add_argument("--shrink", type=float, default=60.0, help="seconds to make a failure smaller")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of the processor for each mechanism")
    parser.add_argument("--log", type=Path, help="a line of JSON for each mechanism")
    given = parser.parse_args()
    warm()
    counts: collections.Counter[str] = collections.Counter()
    for seed in range(given.first, given.first + given.count):
        whole = describe(seed, given.most)
        checks = given.check or random.Random(seed).sample(list(CHECKS), EACH)
        began = time.perf_counter()
        outcome = tried_apart(whole, checks, given.limit)
        spent = time.perf_counter() - began
        counts[outcome.kind] += 1
        if outcome.failures:
            print(f"seed {seed}: {outcome.kind}: {'; '.join(outcome.failures)}", flush=True)
            if given.shrink:
                ran = [name for name in checks if any(f.startswith(name) for f in outcome.failures)] or checks
                least = shrink(whole, ran, outcome, given.shrink, given.limit)
                print(f"  smallest: {json.dumps(least)}", flush=True)
        if given.log:
            with given.log.open("a") as out:
                line = vars(outcome) | {"seed": seed, "s": round(spent, 2), "bodies": len(whole["bodies"]),
                                        "planar": whole["planar"], "method": whole["method"],
                                        "declined": whole["declined"]}  # fmt: skip
                out.write(json.dumps(line) + "\n")
    print(dict(counts), f"gudgeon {gd.__version__}")
    return int(counts["failed"] + counts["crashed"] + counts["crawled"] > 0)


if __name__ == "__main__":
    sys.exit(main())
