"""`ndcg tune`: the weight of a hybrid of two runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import UsageError
from .conventions import add_conventions, given_conventions
from .exits import Exit
from .names import named
from .output import FORMATS, format_of, refuse_inputs, write
from .parser import Parser, number
from .progress import Progress
from .reading import add_query_ids, add_reading, given_reading

if TYPE_CHECKING:
    from ..fusion.tuning import Tuning

EXAMPLES = (
    "ndcg tune judgments.qrels bm25.run dense.run",
    "ndcg tune judgments.qrels bm25.run dense.run -m nDCG@5 --normalisation zscore --folds 10",
    "ndcg tune judgments.qrels bm25.run dense.run --method rrf --format json",
)


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg tune",
        "Sweep the weight alpha of a hybrid, (1 - alpha) x first + alpha x second, on graded judgments: the\n"
        "curve with intervals, the best alpha, and what choosing it is worth on queries it was not chosen on\n"
        "(cross-validation over queries).",
        EXAMPLES,
        usage="ndcg tune QRELS FIRST SECOND [-m MEASURE] [options]",
    )
    made.add_argument("qrels", metavar="QRELS", help="the judgments: a file, a folder, a quoted glob, or -")
    made.add_argument("first", metavar="FIRST", help="a run: a file, a folder or a quoted glob")
    made.add_argument("second", metavar="SECOND", help="the run whose share is alpha")
    made.add_argument("-m", "--measure", metavar="MEASURE", help="what to measure (default: nDCG@10)")
    group = made.add_argument_group("fusion")
    group.add_argument("--method", metavar="M", default="weighted", help="weighted or rrf (default: weighted)")
    group.add_argument("--normalisation", metavar="N", help="scale of the scores, as in ndcg fuse (default: minmax)")
    group.add_argument("--rrf-k", metavar="K", type=number, help="the k of reciprocal ranks (default: 60)")
    group.add_argument("--steps", metavar="N", type=int, default=20, help="steps of alpha from 0 to 1 (default: 20)")
    group.add_argument("--depth", metavar="N", type=int, help="fuse the first N documents of each list only")
    group = made.add_argument_group("validation")
    group.add_argument("--folds", metavar="N", type=int, default=5, help="folds over queries (default: 5)")
    group.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the folds (default: 0)")
    group.add_argument("--level", metavar="P", type=float, default=0.95, help="level of intervals (default: 0.95)")
    group = made.add_argument_group("output")
    group.add_argument("--format", metavar="F", help=f"{', '.join(FORMATS)} (default: table)")
    group.add_argument("-o", "--output", metavar="FILE", help="write to a file, whole or not at all")
    add_reading(made)
    add_query_ids(made)
    add_conventions(made)
    return made


def run(argv: Sequence[str]) -> int:
    """Parse, tune, render."""
    parsed = parser().arguments(argv)
    format = format_of(parsed.format, parsed.output)
    refuse_inputs(parsed.output, [parsed.qrels, parsed.first, parsed.second, parsed.candidates])
    if parsed.collapse is not None:
        raise UsageError(
            "tune fuses documents and does not collapse chunks", code="usage", hint="collapse the runs first"
        )
    from ..asked_measures import DEFAULT_MEASURE
    from ..fusion.tuning import tune

    with Progress("tuning", shown=format != "json"):
        found = tune(
            parsed.qrels,
            named([parsed.first, parsed.second]),
            parsed.measure or DEFAULT_MEASURE,
            method=parsed.method,
            normalisation=parsed.normalisation,
            k=parsed.rrf_k,
            steps=parsed.steps,
            folds=parsed.folds,
            seed=parsed.seed,
            level=parsed.level,
            depth=parsed.depth,
            **given_reading(parsed),
            **given_conventions(parsed),
        )
    notes = () if parsed.measure else (f"no measure was asked for, so this is {DEFAULT_MEASURE}",)
    write(rendered(found, format, notes), parsed.output, machine=format != "table")
    return Exit.OK


def rendered(found: Tuning, format: str, notes: Sequence[str]) -> str:
    """The tuning in one of the formats."""
    from ..reports.tuning import tuning_csv, tuning_markdown, tuning_text

    if format == "json":
        return found.to_json()
    if format == "csv":
        return tuning_csv(found)
    return tuning_markdown(found) if format == "md" else tuning_text(found, notes)
