"""Measure `ndcg check` against `ndcg evaluate` on the same files, whole processes in turn.

python benchmarks/check.py [--rows small|medium] [--repeats 5] [--data FOLDER]

The corpora are those of run.py, which makes them. The target: a check takes at most three times as long as scoring.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.comparison import Comparison, Outcome, Target
from bench.corpus_files import Corpus
from bench.measuring import Contender, Failed, measure, warm
from bench.report import machine, markdown
from run import SIZES, SMOKE, generate

HERE = Path(__file__).resolve().parent
SHAPES = {"small": ("small",), "medium": ("small", "medium"), "smoke": ("small",)}


def comparison(corpus: Corpus, judged: str, title: str) -> Comparison:
    """Checking and scoring one run against one kind of judgments."""
    files = (str(corpus.qrels(judged)), str(corpus.run()))
    contenders = tuple(
        Contender(name, (sys.executable, "-m", "ndcg", *words, *files))
        for name, words in {"evaluate": ("evaluate",), "check": ("check",)}.items()
    )
    return Comparison("check", title, contenders, (Target("time", "check", "evaluate", at_most=3),))


def main(given: list[str] | None = None) -> int:
    """Generate what is missing, measure, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", choices=list(SHAPES), default="medium")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--data", type=Path, default=HERE / "data")
    asked = parser.parse_args(given)
    outcomes = []
    for size in SHAPES[asked.rows]:
        corpus = Corpus(asked.data, *(SMOKE if asked.rows == "smoke" else SIZES)[size])
        generate(corpus, shards=False)
        warm([corpus.run()])
        for judged, words in {"dev": "1 judged per query", "graded": "20 judged per query"}.items():
            title = f"{corpus.queries:,} x {corpus.depth:,} rows, {words}"
            outcome = Outcome(comparison(corpus, judged, title), {})
            try:
                outcome.measured = measure(outcome.comparison.contenders, asked.repeats)
            except Failed as failure:
                outcome.failure = str(failure)
            outcomes.append(outcome)
    from datetime import date

    print(markdown(outcomes, machine(), date.today().isoformat()))
    return 1 if any(outcome.failure for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
