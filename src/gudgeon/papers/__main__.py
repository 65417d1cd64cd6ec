"""Every published claim, computed anew: python -m gudgeon.papers [--full]"""

from __future__ import annotations

import argparse
import time
from collections import Counter

from gudgeon.papers import (
    ambrosio2018_claims,
    bauchau2002_claims,
    bauchau2002_quick_return_claims,
    bauchau2002_space_claims,
    flores2006_claims,
    flores2007_claims,
    schwab2002_claims,
    schwab2002_elastic_claims,
)
from gudgeon.papers.claim import header, row

CLAIMS = (
    *ambrosio2018_claims.CLAIMS,
    *flores2006_claims.CLAIMS,
    *schwab2002_claims.CLAIMS,
    *schwab2002_elastic_claims.CLAIMS,
    *bauchau2002_claims.CLAIMS,
    *bauchau2002_quick_return_claims.CLAIMS,
    *bauchau2002_space_claims.CLAIMS,
    *flores2007_claims.CLAIMS,
)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m gudgeon.papers", description=__doc__)
    parser.add_argument("--full", action="store_true", help="long statistics (some 5 minutes)")
    full = parser.parse_args(arguments).full
    began = time.perf_counter()
    print("000: Ambrosio, Pombo 2018; 001: Flores, Ambrosio, Claro, Lankarani 2006")
    print("002: Schwab, Meijaard, Meijers 2002; 003: Bauchau, Rodriguez 2002")
    print("004: Flores, Ambrosio, Claro, Lankarani 2007")
    print("means carry their standard error; chaotic motions are compared by distribution, not by value\n")
    print(header())
    verdicts: Counter[str] = Counter()
    for claim in CLAIMS:
        outcome = claim.compute(full)
        verdicts[outcome.verdict] += 1
        print(row(claim, outcome), flush=True)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    print(f"{len(CLAIMS)} claims: {counts} ({time.perf_counter() - began:.0f} s)")


if __name__ == "__main__":
    main()
