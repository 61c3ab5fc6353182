"""`ndcg power`: how many queries are needed to tell runs apart?"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence

from ..counted import counted_noun
from ..errors import UsageError
from .conventions import add_conventions, given_conventions
from .exits import Exit
from .names import named, runs_in
from .output import FORMATS, format_of, refuse_inputs, write
from .parser import Parser
from .progress import Progress
from .reading import add_reading, given_reading

EXAMPLES = (
    "ndcg power judgments.qrels bm25.run dense.run",
    "ndcg power judgments.qrels bm25.run dense.run -m nDCG@10 --difference 0.03 --power 0.9",
    "ndcg power judgments.qrels --runs runs/ --format json",
)


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg power",
        "How many queries? From the values of runs on this test set: the least difference that its queries can\n"
        "show, how many queries a difference needs (paired t test; analysis of variance for several runs), and\n"
        "how reliable the set is (Erho2, Phi). One run gives a cautious answer, two or more a better one.",
        EXAMPLES,
        usage="ndcg power QRELS RUN [RUN ...] [-m MEASURE ...] [options]",
    )
    made.add_argument("qrels", metavar="QRELS", help="the judgments: a file, a folder, a quoted glob, or -")
    made.add_argument("run", metavar="RUN", nargs="*", help="a run: a file, a folder, a quoted glob, or -")
    made.add_argument("--runs", metavar="FOLDER", help="many runs: each file of the folder is one")
    made.add_argument(
        "-m",
        "--measure",
        metavar="MEASURE",
        action="append",
        help="what to measure; may be repeated (default: nDCG@10)",
    )
    made.add_argument("--split-tags", action="store_true", help="every tag of the TREC runs is a run of its own")
    group = made.add_argument_group("question")
    group.add_argument(
        "--difference",
        metavar="D",
        type=above_zero,
        action="append",
        help="a true difference of means that should be found; may be repeated (default: 0.01, 0.02, 0.05, 0.1)",
    )
    group.add_argument(
        "--power", metavar="P", type=share, default=0.8, help="the probability of finding it (default: 0.8)"
    )
    group.add_argument(
        "--alpha", metavar="P", type=share, default=0.05, help="found means p below this (default: 0.05)"
    )
    group.add_argument("--level", metavar="P", type=share, default=0.95, help="level of all limits (default: 0.95)")
    group.add_argument(
        "--target", metavar="R", type=share, default=0.95, help="Erho2 and Phi to be reached (default: 0.95)"
    )
    group = made.add_argument_group("output")
    group.add_argument("--format", metavar="F", help=f"{', '.join(FORMATS)} (default: table)")
    group.add_argument("-o", "--output", metavar="FILE", help="write to a file, whole or not at all")
    add_reading(made)
    add_conventions(made)
    return made


def above_zero(text: str) -> float:
    """A finite number above 0, for argparse."""
    value = _number(text)
    if not 0.0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return value


def share(text: str) -> float:
    """A number between 0 and 1, for argparse."""
    value = _number(text)
    if not 0.0 < value < 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number between 0 and 1")
    return value


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def run(argv: Sequence[str]) -> int:
    """Parse, score, plan, render."""
    parsed = parser().arguments(argv)
    format = format_of(parsed.format, parsed.output)
    paths = [*parsed.run, *(runs_in(parsed.runs) if parsed.runs is not None else [])]
    if not paths:
        raise UsageError("ndcg power: no run was given", code="usage", hint="ndcg power QRELS RUN [RUN ...]")
    refuse_inputs(parsed.output, [parsed.qrels, parsed.candidates, *paths])
    from ..asked_measures import DEFAULT_MEASURE
    from ..comparison.planning import power
    from ..reports.power import RENDERED

    notes = () if parsed.measure else (f"no measure was asked for, so this is {DEFAULT_MEASURE}",)
    with Progress(f"scoring {counted_noun(len(paths), 'run')}", shown=format != "json"):
        report = power(
            parsed.qrels,
            named(paths),
            parsed.measure or DEFAULT_MEASURE,
            differences=parsed.difference,
            power=parsed.power,
            alpha=parsed.alpha,
            level=parsed.level,
            target=parsed.target,
            split_tags=parsed.split_tags,
            **given_reading(parsed),
            **given_conventions(parsed),
        )
        text = RENDERED[format](report, notes)
    write(text, parsed.output, machine=format != "table")
    return Exit.OK
