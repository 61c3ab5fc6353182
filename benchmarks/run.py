"""Measure `ndcg` against the tools people use today, and against its own targets.

python benchmarks/run.py [--rows small|medium|large] [--paths trec dicts ...] [--repeats 5] [-o FOLDER]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from datetime import date
from pathlib import Path

from bench.comparison import Comparison, Outcome
from bench.corpus_files import Corpus
from bench.measuring import Failed, differences, measure, warm
from bench.paths import NEEDED, PATHS, SHARDS, Sizes
from bench.report import machine, markdown

HERE = Path(__file__).resolve().parent
SIZES = {"tiny": (50, 1_000), "small": (6_980, 100), "deep": (698, 1_000), "medium": (6_980, 1_000)}
LARGE = (6_980, 10_000)
SMOKE = {"tiny": (20, 30), "small": (60, 20), "deep": (20, 60), "medium": (60, 40)}
"""Sizes that only show that everything runs."""

BY_ROWS = {
    "smoke": ("tiny", "small", "deep", "medium"),
    "small": ("tiny", "small", "deep"),
    "medium": ("tiny", "small", "deep", "medium"),
    "large": ("tiny", "small", "deep", "medium", "large"),
}


def corpora(rows: str, folder: Path) -> Sizes:
    """The corpora that may be used at a size."""
    shapes = SMOKE if rows == "smoke" else {**SIZES, "large": LARGE}
    return {name: Corpus(folder, *shapes[name]) for name in BY_ROWS[rows]}


def generate(corpus: Corpus, *, shards: bool) -> None:
    """Write a corpus in a process of its own; what is there already stays."""
    command = [sys.executable, "-m", "bench.corpus", str(corpus.folder), str(corpus.queries), str(corpus.depth)]
    subprocess.run(command, check=True, cwd=HERE)
    if shards:
        subprocess.run([*command, str(SHARDS)], check=True, cwd=HERE)


def outcome_of(comparison: Comparison, repeats: int) -> Outcome:
    """Check values first, which also warms caches, then measure; a contender that fails ends its comparison only."""
    outcome = Outcome(comparison, {})
    try:
        for agreement in comparison.agreeing:
            pair = f"{agreement.ours} and {agreement.peer}"
            outcome.differences[pair] = differences(agreement.commands, agreement.ours, agreement.peer)
        outcome.measured = measure(comparison.contenders, comparison.repeats or repeats)
    except Failed as failure:
        outcome.failure = str(failure)
    return outcome


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", choices=list(BY_ROWS), default="medium", help="largest corpus to use")
    parser.add_argument("--paths", nargs="+", choices=list(PATHS), default=None, help="what to compare")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--data", type=Path, default=HERE / "data", help="where the corpus is kept")
    parser.add_argument("-o", "--out", type=Path, default=HERE / "out", help="where results go")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> int:
    """Generate, measure, print the table, write it with the picture and all raw timings."""
    asked = arguments(given)
    sizes = corpora(asked.rows, asked.data)
    outcomes = []
    for path in asked.paths or PATHS:
        if missing := [size for size in NEEDED[path] if size not in sizes]:
            print(f"{path}: skipped, it needs --rows {missing[-1]}", file=sys.stderr)
            continue
        for size in NEEDED[path]:
            generate(sizes[size], shards=size == "large")
            warm([sizes[size].run()])
        for comparison in PATHS[path](sizes):
            print(f"{path}: {comparison.title}", file=sys.stderr)
            outcomes.append(outcome_of(comparison, asked.repeats))
    on, today = machine(), date.today().isoformat()
    table = markdown(outcomes, on, today)
    print(table)
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "results.md").write_text(table)
    raw = {"date": today, "machine": on, "results": [outcome.as_dict() for outcome in outcomes]}
    (asked.out / "timings.json").write_text(json.dumps(raw, indent=1))
    picture = [sys.executable, "-m", "bench.plot", asked.out / "timings.json", asked.out / "ratios.png"]
    subprocess.run(list(map(str, picture)), check=True, cwd=HERE)
    bad = [outcome for outcome in outcomes if outcome.failure or max(outcome.differences.values(), default=0) > 1e-12]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
