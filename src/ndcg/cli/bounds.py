"""`ndcg bounds`: what unjudged documents could make of the scores and of the verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from ..counted import counted_noun
from .conventions import add_conventions, given_conventions
from .exits import Exit
from .judging_options import add_runs, add_uncertainty, given_uncertainty, paths_of
from .names import named
from .output import FORMATS, format_of, refuse_inputs, write
from .parser import Parser
from .progress import Progress
from .reading import add_query_ids, add_reading, given_reading

EXAMPLES = (
    "ndcg bounds judgments.qrels bm25.run dense.run",
    "ndcg bounds judgments.qrels bm25.run dense.run --scope scored --grades 0,1,2,3",
    "ndcg bounds judgments.qrels --runs runs/ --baseline bm25 --format csv",
)


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg bounds",
        "How far unjudged documents could move each score: the exact smallest and largest mean over\n"
        "every way of judging them, the value of the condensed list beside, and whether the verdict\n"
        "between two runs survives.",
        EXAMPLES,
        usage="ndcg bounds QRELS RUN [RUN ...] [-m MEASURE] [options]",
    )
    add_runs(made)
    add_uncertainty(made)
    group = made.add_argument_group("output")
    group.add_argument("--per-query", action="store_true", help="the queries as well, the widest bounds first")
    group.add_argument("--format", metavar="F", help=f"{', '.join(FORMATS)} (default: table)")
    group.add_argument("-o", "--output", metavar="FILE", help="write to a file, whole or not at all")
    add_reading(made)
    add_query_ids(made)
    add_conventions(made)
    return made


def run(argv: Sequence[str]) -> int:
    """Parse, bound, render."""
    parsed = parser().arguments(argv)
    format = format_of(parsed.format, parsed.output)
    paths = paths_of(parsed, "ndcg bounds")
    refuse_inputs(parsed.output, [parsed.qrels, parsed.candidates, *paths])
    from ..asked_measures import DEFAULT_MEASURE
    from ..judging.bounds import unjudged_bounds
    from ..reports.judging import bounds_csv, bounds_markdown, bounds_text

    with Progress(f"bounding {counted_noun(len(paths), 'run')}", shown=format != "json"):
        found = unjudged_bounds(
            parsed.qrels,
            named(paths),
            parsed.measure or DEFAULT_MEASURE,
            **given_uncertainty(parsed),
            **given_reading(parsed),
            **given_conventions(parsed),
        )
    if format == "json":
        text = found.to_json()
    elif format == "csv":
        text = bounds_csv(found, parsed.per_query)
    else:
        text = bounds_markdown(found) if format == "md" else bounds_text(found, parsed.per_query)
    write(text, parsed.output, machine=format != "table")
    return Exit.OK
