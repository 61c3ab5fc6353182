"""TREC text with ragged white space: `ndcg` beside pytrec_eval, reading alone and reading with scoring.

    python benchmarks/ragged.py [--rows small|medium] [--repeats 5] [--data FOLDER]

The run is that of run.py with double blanks, tabs and trailing blanks put between fields. The target: ragged text is
read at least three times as fast as by pytrec_eval's parser, without imports; whole processes are told too, and scoring
beside the parser alone.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from datetime import date
from pathlib import Path

from bench.comparison import Agreement, Comparison, Target
from bench.corpus_files import Corpus
from bench.measuring import Contender, run_once, warm
from bench.paths import TREC_EVAL, ours, script
from bench.report import machine, markdown
from run import SIZES, SMOKE, generate, outcome_of

HERE = Path(__file__).resolve().parent
SHAPES = {"smoke": "small", "small": "small", "medium": "medium"}
READING = {"ndcg": "reading_ndcg", "pytrec_eval": "reading_pytrec"}
TARGET = 3.0
"""How many times faster than pytrec_eval's parser it should read."""

SEPARATORS = (" ", "  ", "\t", " \t ")


def ragged(run: Path) -> Path:
    """The run with its separators replaced, made once."""
    made = run.with_suffix(".ragged.trec")
    if not made.exists():
        waiting = made.with_suffix(".part")
        with run.open() as lines, waiting.open("w") as out:
            for number, line in enumerate(lines):
                separator = SEPARATORS[number % len(SEPARATORS)]
                out.write(separator.join(line.split()) + (" \n" if number % 7 == 0 else "\n"))
        waiting.replace(made)
    return made


def reading(run: Path, repeats: int) -> str:
    """How long reading takes each, without imports, in turn; and the ratio."""
    found: dict[str, list[float]] = {name: [] for name in READING}
    for turn in range(repeats):
        for name in list(READING) if turn % 2 == 0 else list(reversed(READING)):
            _, _, output = run_once(script(READING[name], run))
            found[name].append(json.loads(output.splitlines()[-1])["seconds"])
    ours, theirs = (statistics.median(times) for times in found.values())
    reached = "reached" if theirs / ours >= TARGET else "not reached"
    return (
        f"Reading without imports: ndcg {ours:.3f} s, pytrec_eval's parser {theirs:.3f} s, {theirs / ours:.2f} times "
        f"the time (target {TARGET:g}: {reached}); of least times {min(found['pytrec_eval']) / min(found['ndcg']):.2f}"
    )


def comparison(corpus: Corpus, run: Path) -> Comparison:
    """Reading alone, and scoring, as whole processes."""
    judgments = corpus.qrels("dev")
    mine, peer = ours(judgments, run, TREC_EVAL), script("pytrec_files", judgments, run, "")
    contenders = (
        Contender("ndcg, reading", script("reading_ndcg", run)),
        Contender("pytrec_eval's parser", script("reading_pytrec", run)),
        Contender("ndcg", (sys.executable, "-m", "ndcg", "evaluate", str(judgments), str(run), "-m", TREC_EVAL)),
        Contender("pytrec_eval", peer),
    )
    targets = (
        Target("time", "pytrec_eval's parser", "ndcg, reading"),
        Target("time", "pytrec_eval", "ndcg", at_least=3),
        Target("time", "pytrec_eval's parser", "ndcg"),
    )
    title = f"Ragged TREC text, {corpus.queries:,} x {corpus.depth:,} rows, whole processes"
    return Comparison("ragged", title, contenders, targets, (Agreement("ndcg", "pytrec_eval", (mine, peer)),))


def main(given: list[str] | None = None) -> int:
    """Generate what is missing, check the values, measure, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", choices=list(SHAPES), default="medium")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--data", type=Path, default=HERE / "data")
    asked = parser.parse_args(given)
    corpus = Corpus(asked.data, *(SMOKE if asked.rows == "smoke" else SIZES)[SHAPES[asked.rows]])
    generate(corpus, shards=False)
    run = ragged(corpus.run())
    warm([run])
    outcome = outcome_of(comparison(corpus, run), asked.repeats)
    print(markdown([outcome], machine(), date.today().isoformat()))
    print(reading(run, asked.repeats))
    return 1 if outcome.failure else 0


if __name__ == "__main__":
    sys.exit(main())
