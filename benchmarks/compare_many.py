"""100 runs of 50 queries x 1,000 documents, read from TREC text and compared all against all: `ndcg` and ranx.

    benchmarks/.venv/bin/python benchmarks/compare_many.py [--runs 100] [--repeats 3] [-o FOLDER]

Each contender is a process of its own, in turn. Two times are told: the whole process, and reading and comparing alone,
without imports. ndcg makes a randomised Tukey test of all pairs at once (10,000 draws), an interval for each run, and
groups. ranx makes its default test, paired t for each pair, and, measured once, its randomisation test (its default of
1,000 draws for each pair). Values of every query and run are compared first.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.measuring import differences, run_once, warm

HERE = Path(__file__).resolve().parent
QUERIES, DEPTH = 50, 1_000
TARGET = 10.0
"""How many times faster than ranx it should be."""


def generate(folder: Path, runs: int) -> tuple[Path, Path]:
    """(judgments, folder of runs), written in a process of its own; what is there already stays."""
    inside = folder / f"{runs}-runs"
    command = [sys.executable, "-m", "bench.many_runs", str(folder), str(inside), str(runs), str(QUERIES), str(DEPTH)]
    subprocess.run(command, check=True, cwd=HERE)
    return folder / f"graded-{QUERIES}.qrels.trec", inside


RANDOMISED = "ranx, randomisation"
CONTENDERS = {"ndcg": ("ndcg", "randomised_tukey"), "ranx": ("ranx", "student"), RANDOMISED: ("ranx", "fisher")}
"""Each contender's script and its test."""


def command(name: str, judgments: Path, folder: Path) -> tuple[str, ...]:
    """A contender, with an empty last argument for where it writes its values."""
    script, test = CONTENDERS[name]
    return sys.executable, str(HERE / "work" / f"compare_{script}.py"), str(judgments), str(folder), test, ""


def main(given: Sequence[str] | None = None) -> int:
    """Generate, check the values, measure, print and write the times."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--data", type=Path, default=HERE / "data", help="where the corpus is kept")
    parser.add_argument("-o", "--out", type=Path, default=HERE / "out", help="where results go")
    asked = parser.parse_args(given)
    judgments, folder = generate(asked.data, asked.runs)
    warm(sorted(folder.iterdir()))
    commands = {name: command(name, judgments, folder) for name in CONTENDERS}
    largest = differences((commands["ndcg"], commands["ranx"]), "ndcg", "ranx")
    found: dict[str, dict[str, list[float]]] = {name: {"whole": [], "inside": [], "peak": []} for name in commands}
    for turn in range(asked.repeats):
        for name in list(commands) if turn % 2 == 0 else list(reversed(commands)):
            if name == RANDOMISED and found[name]["whole"]:
                continue
            seconds, peak, output = run_once(commands[name])
            found[name]["whole"].append(seconds)
            found[name]["inside"].append(json.loads(output.splitlines()[-1])["seconds"])
            found[name]["peak"].append(peak / 1e6)
    medians = {name: {key: statistics.median(values) for key, values in one.items()} for name, one in found.items()}
    ratios = {
        f"{name}, {key}": medians[name][key] / medians["ndcg"][key]
        for name in ("ranx", RANDOMISED)
        for key in ("whole", "inside")
    }
    print(f"{asked.runs} runs x {QUERIES} queries x {DEPTH:,} documents, all against all; medians of {asked.repeats}")
    for name, one in medians.items():
        print(f"  {name}: {one['whole']:.2f} s whole process, {one['inside']:.2f} s inside, {one['peak']:.0f} MB")
    for key, ratio in ratios.items():
        reached = "reached" if ratio >= TARGET else "not reached"
        print(f"  {key}: {ratio:.1f} times the time of ndcg (target {TARGET:g}: {reached})")
    print(f"  largest difference of a value: {largest:.1e}")
    asked.out.mkdir(parents=True, exist_ok=True)
    raw = {"runs": asked.runs, "measured": found, "ratios": ratios, "largest_difference": largest}
    (asked.out / "compare_many.json").write_text(json.dumps(raw, indent=1))
    return 0 if largest <= 1e-12 else 1


if __name__ == "__main__":
    sys.exit(main())
