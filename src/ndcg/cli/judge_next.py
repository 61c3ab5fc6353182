"""`ndcg judge-next`: which (query, document) pairs to judge next, as a list or as a sheet for judges."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..counted import counted_noun
from ..errors import UsageError
from .conventions import add_conventions, given_conventions
from .exits import Exit
from .judging_options import add_runs, add_uncertainty, given_uncertainty, optional_whole, paths_of
from .names import named
from .output import FORMATS, format_of, refuse_inputs, write
from .parser import Parser
from .progress import Progress
from .reading import add_query_ids, add_reading, given_reading

if TYPE_CHECKING:
    from ..judging.model import JudgeNext

EXAMPLES = (
    "ndcg judge-next judgments.qrels bm25.run dense.run",
    "ndcg judge-next judgments.qrels bm25.run dense.run --budget 100 --blind -o sheet.csv",
    "ndcg judge-next judgments.qrels new.run --queries queries.csv --documents corpus.jsonl.gz -o sheet.csv",
    "ndcg judge-next --no-judgments bm25.run dense.run --depth 10 --blind -o sheet.csv",
)


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg judge-next",
        "The unjudged (query, document) pairs whose judging could most change the verdict between runs,\n"
        "or the value of a run, with that possible effect, below what all unjudged documents could do.\n"
        "As CSV it is a sheet for judges: fill its grade column, then ndcg judge-merge.",
        EXAMPLES,
        usage="ndcg judge-next QRELS RUN [RUN ...] [-m MEASURE] [options]",
    )
    add_runs(made)
    made.add_argument(
        "--no-judgments",
        action="store_true",
        help="there are none yet: all files are runs, and their first --depth ranks are the pool",
    )
    group = made.add_argument_group("which pairs")
    group.add_argument("--budget", metavar="N", help="how many pairs (default: 50; all with --no-judgments)")
    group.add_argument("--depth", metavar="N", help="how many ranks of each run (default: the cutoff of the measure)")
    group.add_argument("--aim", metavar="A", help="verdict (default for several runs) or value (default for one)")
    add_uncertainty(made)
    sheet = made.add_argument_group("the sheet (CSV)")
    sheet.add_argument("--queries", metavar="FILE", help="texts of queries: CSV, TSV or JSON Lines with id and text")
    sheet.add_argument(
        "--documents", metavar="FILE", help="texts of documents: CSV, TSV or JSON Lines with id and text"
    )
    sheet.add_argument(
        "--blind",
        action="store_true",
        help="no ranks and effects, and the documents of a query in a drawn order, so that no row shows its run",
    )
    sheet.add_argument("--seed", metavar="N", default="0", help="seed of that order (default: 0)")
    output = made.add_argument_group("output")
    output.add_argument("--format", metavar="F", help=f"{', '.join(FORMATS)} (default: table)")
    output.add_argument("-o", "--output", metavar="FILE", help="write to a file, whole or not at all; .csv is a sheet")
    add_reading(made)
    add_query_ids(made)
    add_conventions(made)
    return made


def run(argv: Sequence[str]) -> int:
    """Parse, rank the pairs, render."""
    parsed = parser().arguments(argv)
    format = format_of(parsed.format, parsed.output)
    if parsed.no_judgments:
        parsed.run, parsed.qrels = [parsed.qrels, *parsed.run], None
    paths = paths_of(parsed, "ndcg judge-next")
    refuse_inputs(parsed.output, [parsed.qrels, parsed.candidates, parsed.queries, parsed.documents, *paths])
    _check(parsed, format)
    if format == "csv" and parsed.output is not None:
        _refuse_filled(parsed.output)
    from ..asked_measures import DEFAULT_MEASURE
    from ..judging.next import BUDGET, judge_next

    budget = optional_whole("--budget", parsed.budget)
    with Progress("looking for what to judge", shown=format != "json"):
        found = judge_next(
            parsed.qrels,
            named(paths),
            parsed.measure or DEFAULT_MEASURE,
            budget=budget if budget is not None or parsed.no_judgments else BUDGET,
            depth=optional_whole("--depth", parsed.depth),
            aim=parsed.aim,
            seed=optional_whole("--seed", parsed.seed, least=0) or 0,
            **given_uncertainty(parsed),
            **given_reading(parsed),
            **given_conventions(parsed),
        )
        text = _rendered(found, format, parsed)
    write(text, parsed.output, machine=format != "table")
    return Exit.OK


def _check(parsed: argparse.Namespace, format: str) -> None:
    """Refuse options that mean nothing together."""
    if format != "csv":
        for option, given in (("--queries", parsed.queries), ("--documents", parsed.documents)):
            if given is not None:
                raise UsageError(f"{option} adds a column to the sheet", code="usage", hint="add -o SHEET.csv")
        if parsed.blind:
            raise UsageError("--blind makes a sheet for judges", code="usage", hint="add -o SHEET.csv")
    if parsed.no_judgments:
        for option in ("aim", "grades", "baseline", "candidates", "qrels_format", "merge"):
            if getattr(parsed, option) is not None:
                name = option.replace("_", "-")
                raise UsageError(
                    f"--{name} means nothing without judgments", code="usage", hint="leave it or --no-judgments out"
                )


def _refuse_filled(path: str) -> None:
    """Refuse to replace a sheet in which somebody has written grades."""
    from ..errors import InputError
    from ..judging.sheets import read_sheet

    if not Path(path).is_file():
        return
    try:
        filled = sum(row.grade is not None for row in read_sheet(path))
    except InputError:
        return
    if filled:
        raise UsageError(
            f"-o {path} holds {counted_noun(filled, 'grade')} that somebody has filled in",
            code="exists",
            hint="merge them with ndcg judge-merge, or name another file",
        )


def _rendered(found: JudgeNext, format: str, parsed: argparse.Namespace) -> str:
    from ..reports.judging_next import next_markdown, next_text, sheet_csv

    if format == "json":
        return found.to_json()
    if format == "md":
        return next_markdown(found)
    if format == "table":
        return next_text(found)
    from ..judging.next import blind_order
    from ..judging.texts import read_texts

    rows = blind_order(found) if parsed.blind else found.rows
    texts: dict[str, dict[str, str] | None] = {"queries": None, "documents": None}
    for option, kind, wanted in (
        ("queries", "query", {row.query for row in rows}),
        ("documents", "doc", {row.document for row in rows}),
    ):
        path = getattr(parsed, option)
        if path is not None:
            held = read_texts(path, wanted, kind)
            texts[option] = held
            if len(held) < len(wanted):
                lacking = len(wanted) - len(held)
                all_of = counted_noun(len(wanted), "document" if kind == "doc" else kind, option)
                what = f"{lacking} of {all_of} {'lacks' if lacking == 1 else 'lack'} a text in {path}"
                sys.stderr.write(f"ndcg: {what}; their cells are blank\n")
    return sheet_csv(found, rows, texts["queries"], texts["documents"], parsed.blind)
