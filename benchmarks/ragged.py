"""TREC text with ragged white space: `ndcg evaluate` as a whole process beside pytrec_eval's parser alone.

    python benchmarks/ragged.py [--rows small|medium] [--repeats 5] [--data FOLDER]

The run is that of run.py with double blanks, tabs and trailing blanks put between fields. The target: scoring the
ragged file takes at most a third of the time that pytrec_eval's parser takes to read it.
"""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path

from bench.comparison import Comparison, Outcome, Target
from bench.corpus_files import Corpus
from bench.measuring import Contender, Failed, measure, warm
from bench.report import machine, markdown
from run import SIZES, SMOKE, generate

HERE = Path(__file__).resolve().parent
SHAPES = {"smoke": "small", "small": "small", "medium": "medium"}
PARSER = "import pytrec_eval, sys\nwith open(sys.argv[1]) as file:\n    pytrec_eval.parse_run(file)\n"
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


def main(given: list[str] | None = None) -> int:
    """Generate what is missing, measure, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", choices=list(SHAPES), default="medium")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--data", type=Path, default=HERE / "data")
    asked = parser.parse_args(given)
    corpus = Corpus(asked.data, *(SMOKE if asked.rows == "smoke" else SIZES)[SHAPES[asked.rows]])
    generate(corpus, shards=False)
    run = ragged(corpus.run())
    warm([run])
    contenders = (
        Contender("ndcg", (sys.executable, "-m", "ndcg", "evaluate", str(corpus.qrels("dev")), str(run))),
        Contender("pytrec_eval's parser", (sys.executable, "-c", PARSER, str(run))),
    )
    target = Target("time", "pytrec_eval's parser", "ndcg", at_least=3)
    title = f"Ragged TREC text, {corpus.queries:,} x {corpus.depth:,} rows"
    outcome = Outcome(Comparison("ragged", title, contenders, (target,)), {})
    try:
        outcome.measured = measure(contenders, asked.repeats)
    except Failed as failure:
        outcome.failure = str(failure)
    print(markdown([outcome], machine(), date.today().isoformat()))
    return 1 if outcome.failure else 0


if __name__ == "__main__":
    sys.exit(main())
