"""`ndcg check`: what is odd in the data, before anything is scored."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import UsageError, choose
from .exits import Exit
from .names import named, runs_in
from .output import format_of, refuse_inputs, write
from .parser import Parser
from .progress import Progress
from .reading import add_query_ids, add_reading, given_reading

if TYPE_CHECKING:
    from ..checking.page import CheckReport
    from .wording import Words

EXAMPLES = (
    "ndcg check judgments.qrels bm25.run",
    "ndcg check judgments.csv --older-than 2026-01-01",
    "ndcg check judgments.qrels --runs runs/ --corpus ids.txt --format md",
    "ndcg check judgments.qrels bm25.run --strict=conflicting_grades,suspected_document_joins",
    "ndcg check --list",
)

FORMATS = ("table", "json", "md")


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg check",
        "What was loaded and what is odd in it, before anything is scored: each finding with counts, examples, what\n"
        "it does to the score (measured by scoring both ways) and the option that settles it, most harmful first.",
        EXAMPLES,
        usage="ndcg check QRELS [RUN ...] [-m MEASURE] [--strict[=CODE,...]] [options]\n       ndcg check --list",
    )
    made.add_argument("qrels", metavar="QRELS", nargs="?", help="the judgments: a file, a folder, a quoted glob, or -")
    made.add_argument("run", metavar="RUN", nargs="*", help="a run: a file, a folder, a quoted glob, or -")
    made.add_argument("--runs", metavar="FOLDER", help="many runs: each file of the folder is one")
    made.add_argument("-m", "--measure", metavar="MEASURE", help="whose value is followed (default: nDCG@10)")
    made.add_argument("--corpus", metavar="FILE", help="the ids that exist: one per line, or JSON Lines with _id")
    made.add_argument("--older-than", metavar="DATE", help="judgments before this date are old, such as 2026-01-31")
    made.add_argument("--date", metavar="COLUMN", help="the column with the date of each judgment")
    made.add_argument("--split-tags", action="store_true", help="every tag of the TREC runs is a run of its own")
    made.add_argument(
        "--strict",
        metavar="CODE,...",
        nargs="?",
        const="",
        help="end with status 2 on these findings; without codes on all but notes (write --strict=CODE)",
    )
    made.add_argument("--list", action="store_true", help="every kind of finding, without any data")
    group = made.add_argument_group("output")
    group.add_argument("--format", metavar="F", help="table, json or md (default: table)")
    group.add_argument("-o", "--output", metavar="FILE", help="write to a file, whole or not at all")
    add_reading(made)
    add_query_ids(made)
    return made


def run(argv: Sequence[str]) -> int:
    """Parse, check, render; status 2 where nothing can be scored or a strict finding is there."""
    made = parser()
    parsed = made.arguments(argv)
    format = parsed.format if parsed.format is not None else format_of(None, parsed.output)
    if format not in FORMATS:
        raise choose("--format", format, FORMATS)
    if parsed.list:
        write(_kinds(format), parsed.output, machine=format != "table")
        return Exit.OK
    if parsed.qrels is None:
        raise UsageError("ndcg check: QRELS is needed", code="usage", hint="ndcg check --list needs no data")
    strict = _strict(parsed.strict)
    paths = [*parsed.run, *(runs_in(parsed.runs) if parsed.runs is not None else [])]
    refuse_inputs(parsed.output, [parsed.qrels, parsed.candidates, parsed.corpus, *paths])
    from ..asked_measures import DEFAULT_MEASURE
    from ..checking.checks import check
    from ..reports.check import check_markdown
    from .wording import words_of

    with Progress("checking", shown=format != "json"):
        report = check(
            parsed.qrels,
            named(paths) if paths else None,
            parsed.measure or DEFAULT_MEASURE,
            corpus=parsed.corpus,
            older_than=parsed.older_than,
            date=parsed.date,
            split_tags=parsed.split_tags,
            **given_reading(parsed),
        )
        report = _in_options(report, words_of(made))
        text = report.to_json() if format == "json" else check_markdown(report) if format == "md" else str(report)
    write(text, parsed.output, machine=format != "table")
    return _status(report, strict)


def _in_options(report: CheckReport, words: Words) -> CheckReport:
    """The report with the advice of the readers in the options of the command."""
    return replace(
        report,
        findings=tuple(
            replace(found, option=words.said(found.option)) if found.code == "bad_rows" else found
            for found in report.findings
        ),
    )


def _strict(given: str | None) -> frozenset[str] | None:
    """The codes that are errors; None where none is. An empty set stands for all but notes."""
    if given is None:
        return None
    from ..checking.kinds import ALL

    codes = [code.strip() for code in given.split(",") if code.strip()]
    for code in codes:
        if code not in ALL:
            raise choose("--strict: finding", code, list(ALL))
    return frozenset(codes)


def _status(report: CheckReport, strict: frozenset[str] | None) -> Exit:
    """The exit status, and on standard error why it is not 0."""
    if report.problem is not None:
        sys.stderr.write(f"ndcg check: nothing can be scored: {report.problem}\n")
        return Exit.ERROR
    if strict is None:
        return Exit.OK
    found = dict.fromkeys(
        finding.code
        for finding in report.findings
        if finding.code in strict or (not strict and finding.weight != "note")
    )
    if not found:
        return Exit.OK
    sys.stderr.write(f"ndcg check: --strict does not allow {', '.join(found)}\n")
    return Exit.ERROR


def _kinds(format: str) -> str:
    from ..checking.kinds import ALL

    if format == "json":
        rows = [
            {"code": kind.code, "weight": str(kind.weight), "why": kind.explanation, "option": kind.option}
            for kind in ALL.values()
        ]
        return json.dumps({"findings": rows}, indent=1)
    if format == "md":
        lines = ["| finding | weight | why it matters | what settles it |", "| --- | --- | --- | --- |"]
        lines += [f"| `{k.code}` | {k.weight} | {k.explanation} | {k.option} |" for k in ALL.values()]
        return "\n".join(lines)
    from ..reports.check import kinds_text

    return kinds_text(list(ALL.values()))
