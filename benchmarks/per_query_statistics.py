"""Measure the statistics of per-query values beside SciPy: seconds and peak memory of fresh processes.

python benchmarks/per_query_statistics.py [--queries 7000] [--systems 10] [--resamples 10000] [--repeats 3] [-o FOLDER]

Limits of the same intervals, and p-values within their Monte Carlo error, are compared before anything is timed.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

from bench.measuring import Contender, Failed, measure, run_once
from bench.report import machine, verdict

HERE = Path(__file__).resolve().parent
LIMIT = 10.0
"""Seconds that intervals of 10 systems on 7,000 queries from 10,000 resamples may take on two cores."""

SETUP = """
import json, sys
import numpy as np
queries, systems, resamples = map(int, sys.argv[1:4])
matrix = np.random.default_rng(7).beta(0.5, 1.0, (queries, systems))
differences = matrix[:, 0] - matrix[:, 1] + 0.01
"""

INTERVALS = {
    "ndcg, bca": """
from ndcg.comparison import bootstrap_intervals
found = [(one.low, one.high) for one in bootstrap_intervals(matrix, resamples=resamples, seed=1)]
""",
    "SciPy, BCa": """
import scipy.stats
found = []
for column in matrix.T:
    rng = np.random.Generator(np.random.PCG64(1))
    limits = scipy.stats.bootstrap((column,), np.mean, n_resamples=resamples, method="BCa", batch=200, rng=rng)
    found.append(tuple(map(float, limits.confidence_interval)))
""",
}

SIGNS = {
    "ndcg, sign flips": """
from ndcg.comparison import sign_flip_test
found = [[sign_flip_test(differences, resamples=resamples).p_value]]
""",
    "SciPy, sign flips": """
import scipy.stats
test = scipy.stats.permutation_test(
    (differences,), lambda x, axis: x.mean(axis=axis), vectorized=True, permutation_type="samples",
    n_resamples=resamples, batch=200, rng=np.random.default_rng(1),
)
found = [[float(test.pvalue)]]
""",
}

ALONE = {
    "ndcg, randomised Tukey": """
from ndcg.comparison import randomised_tukey_hsd
found = [list(randomised_tukey_hsd(matrix[:500], resamples=resamples).adjusted)]
""",
    "ndcg, maxT": """
from ndcg.comparison import max_t
found = [list(max_t(matrix[:, 1:] - matrix[:, :1], resamples=resamples).adjusted)]
""",
}

ENDING = "\nprint(json.dumps(found))\n"


def contenders(programs: dict[str, str], sizes: list[str]) -> list[Contender]:
    """One process for each program."""
    return [Contender(name, (sys.executable, "-c", SETUP + code + ENDING, *sizes)) for name, code in programs.items()]


def agreement(pair: list[Contender], tolerance: float) -> float:
    """The largest difference between what two contenders print; Failed where it is beyond the tolerance."""
    ours, theirs = (json.loads(run_once(one.command)[2]) for one in pair)
    apart = max(abs(a - b) for row, other in zip(ours, theirs, strict=True) for a, b in zip(row, other, strict=True))
    if not apart <= tolerance:
        raise Failed(f"{pair[0].name} and {pair[1].name} differ by {apart}")
    return float(apart)


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--queries", type=int, default=7_000)
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("-o", "--out", type=Path, default=HERE / "out", help="where statistics.json goes")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> int:
    """Check, measure, print a table, write the raw timings."""
    asked = arguments(given)
    sizes = [str(asked.queries), str(asked.systems), str(asked.resamples)]
    intervals, signs, alone = (contenders(programs, sizes) for programs in (INTERVALS, SIGNS, ALONE))
    apart = {
        "limits": agreement(intervals, 1e-9),
        "p-values": agreement(signs, 6 * math.sqrt(0.5 / asked.resamples)),
    }
    measured: dict[str, Any] = {}
    for group in (intervals, signs, alone):
        measured |= measure(group, asked.repeats)
    print(f"{asked.queries:,} queries x {asked.systems} systems, {asked.resamples:,} resamples; largest differences: ")
    print(", ".join(f"{name} {value:.2g}" for name, value in apart.items()))
    print("\n| contender | median s | least s | peak MB |\n| --- | ---: | ---: | ---: |")
    for one in measured.values():
        print(f"| {one.name} | {one.median:.2f} | {one.least:.2f} | {one.peak:,.0f} |")
    ours = measured["ndcg, bca"].median
    print(f"\nintervals of all systems: {ours:.1f} s, target {LIMIT:g} s: {verdict(ours <= LIMIT)}")
    asked.out.mkdir(parents=True, exist_ok=True)
    raw = {"machine": machine(), "sizes": sizes, "apart": apart, "measured": [m.as_dict() for m in measured.values()]}
    (asked.out / "statistics.json").write_text(json.dumps(raw, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
