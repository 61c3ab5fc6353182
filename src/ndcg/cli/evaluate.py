"""`ndcg evaluate`: score runs against judgments."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from .. import process
from ..counted import counted_noun
from ..errors import UsageError
from .conventions import add_conventions, given_conventions
from .exits import Exit
from .names import named, runs_in
from .output import FORMATS, format_of, refuse_inputs, write
from .parser import Parser
from .progress import Progress
from .reading import add_query_ids, add_reading, given_reading
from .slicing import add_slicing, files_of, given_slicing, with_methods

if TYPE_CHECKING:
    from ..results import Result

EXAMPLES = (
    "ndcg evaluate judgments.qrels bm25.run",
    "ndcg evaluate judgments.qrels bm25.run dense.run -m nDCG@10 -m nDCG@5",
    "ndcg evaluate judgments.csv 'shards/part-*.run' --ties average",
    "ndcg evaluate judgments.qrels --runs runs/ --format csv -o scores.csv",
    "ndcg evaluate judgments.csv clicks.csv --columns query=qid,qrels.grade=label",
    "ndcg evaluate judgments.qrels bm25.run --by queries.csv:language --weights queries.csv:searches --interval",
)


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg evaluate",
        "Score runs against judgments. Each RUN is one run; a quoted glob or a folder is one run in several\n"
        "files. Prints the value, what it was computed under, who was counted and who was left out.",
        EXAMPLES,
        usage="ndcg evaluate QRELS RUN [RUN ...] [-m MEASURE ...] [options]",
    )
    made.add_argument("qrels", metavar="QRELS", help="the judgments: a file, a folder, a quoted glob, or -")
    made.add_argument("run", metavar="RUN", nargs="*", help="a run: a file, a folder, a quoted glob, or -")
    made.add_argument("--runs", metavar="FOLDER", help="many runs: each file of the folder is one")
    made.add_argument(
        "-m",
        "--measure",
        metavar="MEASURE",
        action="append",
        help="what to measure, such as nDCG@10 or \"nDCG(gain='linear')@5\"; may be repeated (default: nDCG@10)",
    )
    made.add_argument("--split-tags", action="store_true", help="every tag of the TREC runs is a run of its own")
    group = made.add_argument_group("output")
    group.add_argument("--per-query", action="store_true", help="a row for every query as well")
    group.add_argument("--worst", metavar="N", type=whole, default=5, help="show the N lowest queries (default: 5)")
    group.add_argument("--format", metavar="F", help=f"{', '.join(FORMATS)} (default: table)")
    group.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write to a file, whole or not at all; .json, .csv and .md name the format too",
    )
    group.add_argument("--pool-version", metavar="TEXT", help="label of the candidate pool, shown with the value")
    add_reading(made)
    add_query_ids(made)
    add_conventions(made)
    add_slicing(made)
    return made


def whole(text: str) -> int:
    """A whole number of at least 0, for argparse."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def run(argv: Sequence[str]) -> int:
    """Parse, score, render."""
    parsed = parser().arguments(with_methods(argv))
    more = given_slicing(parsed)
    format = format_of(parsed.format, parsed.output)
    paths = [*parsed.run, *(runs_in(parsed.runs) if parsed.runs is not None else [])]
    if not paths:
        raise UsageError("ndcg evaluate: no run was given", code="usage", hint="ndcg evaluate QRELS RUN")
    refuse_inputs(parsed.output, [parsed.qrels, parsed.candidates, *paths, *files_of(parsed)])
    _begin(paths)
    import numpy  # noqa: F401  # here, where few calls are open, it loads faster than from within other imports

    from ..asked_measures import DEFAULT_MEASURE
    from ..evaluation import evaluate

    if process.OURS and format == "table":
        process.MEANWHILE.append(partial(_prepare_table, (parsed.measure or [DEFAULT_MEASURE])[0]))
    notes = () if parsed.measure else (f"no measure was asked for, so this is {DEFAULT_MEASURE}",)
    what = f"scoring {counted_noun(len(paths), 'run')}"
    with Progress(what, shown=format != "json"):
        result = evaluate(
            parsed.qrels,
            named(paths),
            parsed.measure or DEFAULT_MEASURE,
            worst=0 if format == "csv" else parsed.worst,
            pool_version=parsed.pool_version,
            split_tags=parsed.split_tags,
            **given_reading(parsed),
            **given_conventions(parsed),
            **more,
        )
        if format in ("table", "md"):
            result = in_words_of_options(result)
        text = rendered(result, format, notes, parsed.per_query)
    write(text, parsed.output, machine=format != "table")
    return Exit.OK


def _begin(paths: Sequence[str]) -> None:
    """Let files be looked at and DuckDB be opened while the libraries that score are loaded."""
    from ..readers.lines import look_ahead

    look_ahead(paths)
    from ..engines.workspace import begin_opening

    if process.OURS:
        begin_opening()


def _prepare_table(measure: str) -> None:
    """Load what the table of a result will need."""
    from ..measures.nearest import resolved
    from ..measures.registry import as_measures
    from ..reports import terminal  # noqa: F401

    resolved(as_measures(measure)[0].family)


def in_words_of_options(result: Result) -> Result:
    """The result with its warnings in the words of the command line."""
    warnings = [*result.warnings, *(warning for entry in result.entries for warning in entry.warnings)]
    if not any("=" in warning for warning in warnings):
        return result
    from .wording import words_of

    said = words_of(parser()).said
    entries = tuple(replace(entry, warnings=tuple(map(said, entry.warnings))) for entry in result.entries)
    return replace(result, entries=entries, warnings=tuple(map(said, result.warnings)))


def rendered(result: Result, format: str, notes: Sequence[str], per_query: bool) -> str:
    """The result in one of the formats."""
    if format == "json":
        return result.to_json(per_query=per_query)
    if format == "csv":
        from ..reports.csv import per_query_csv, summary_csv

        return per_query_csv(result) if per_query else summary_csv(result)
    if format == "md":
        from ..reports.markdown import result_markdown

        return result_markdown(result, notes, per_query)
    from ..reports.terminal import result_text

    return result_text(result, [f"{note}." for note in notes], per_query)
