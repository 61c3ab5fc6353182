"""`ndcg judge-merge`: filled sheets and the judgments they belong to become new judgments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ..errors import UsageError, choose
from ..readers import FORMATS
from .exits import Exit
from .judging_options import grades_of
from .output import refuse_inputs, write
from .parser import Parser
from .reading import columns_of, labels_of

EXAMPLES = (
    "ndcg judge-merge judgments.qrels sheet.csv -o new.qrels",
    "ndcg judge-merge judgments.qrels anna.csv ben.csv -o new.qrels --conflicts median",
    "ndcg judge-merge --no-judgments sheet.csv -o judgments.csv",
    "ndcg judge-merge judgments.qrels filled.csv --sheet sheet.csv --grades 0,1,2,3 -o new.qrels",
)

HINT = "; name a file that ends in .csv to keep the columns of sheets and judgments"

TABLE_OR_JSON = ("table", "json")


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg judge-merge",
        "Put the grades of filled sheets into the judgments. A grade that differs from the one that is\n"
        "there is an error that names both, unless a rule is declared; rows left blank are counted.\n"
        "NEW holds query, document and grade, in CSV, TSV or JSON Lines by its ending, else in the TREC\n"
        "format. All but TREC also hold judges, comments and what else stood beside the grades; what\n"
        "NEW does not hold is said.",
        EXAMPLES,
        usage="ndcg judge-merge QRELS FILLED [FILLED ...] -o NEW [options]",
    )
    made.add_argument("qrels", metavar="QRELS", help="the judgments so far: a file, a folder, a quoted glob, or -")
    made.add_argument("filled", metavar="FILLED", nargs="*", help="a sheet that judge-next wrote, with grades in it")
    made.add_argument("--no-judgments", action="store_true", help="there are none so far: all files are sheets")
    made.add_argument("-o", "--output", metavar="NEW", help="the file to write, whole or not at all")
    made.add_argument("--overwrite", action="store_true", help="NEW may be there already, and may be an input")
    made.add_argument(
        "--conflicts",
        metavar="RULE",
        help="what counts where grades differ: keep (the one that is there), replace, max, min, mean or median",
    )
    made.add_argument("--grades", metavar="G,G,...", help="the only grades that may have been given")
    made.add_argument(
        "--sheet", metavar="FILE", help="the sheet as it was written: rows that are not in it are an error"
    )
    made.add_argument("--format", metavar="F", default="table", help="how to tell what was done: table or json")
    group = made.add_argument_group("inputs")
    group.add_argument("--qrels-format", metavar="F", help="format of the judgments, found by looking if left out")
    group.add_argument("--columns", metavar="ROLE=NAME,...", action="append", help="columns of QRELS by role")
    group.add_argument(
        "--comments",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether lines of TREC text that start with # are comments",
    )
    group.add_argument(
        "--labels",
        metavar="LABEL=GRADE,...",
        action="append",
        help="the grades of text labels in QRELS and FILLED, or a preset; a number stays a number",
    )
    group.add_argument("--groups", metavar="FILE", help="group file of a feature file that is QRELS")
    group.add_argument("--merge", metavar="RULE", help="combine several grades of one document inside QRELS")
    return made


def run(argv: Sequence[str]) -> int:
    """Parse, merge, write, tell."""
    parsed = parser().arguments(argv)
    if parsed.format not in TABLE_OR_JSON:
        raise choose("--format", parsed.format, TABLE_OR_JSON)
    if parsed.qrels_format is not None and parsed.qrels_format not in FORMATS:
        raise choose("--qrels-format", parsed.qrels_format, list(FORMATS))
    if parsed.no_judgments:
        parsed.filled, parsed.qrels = [parsed.qrels, *parsed.filled], None
    if not parsed.filled:
        raise UsageError(
            "ndcg judge-merge: no filled sheet was given",
            code="usage",
            hint="ndcg judge-merge QRELS FILLED -o NEW, or --no-judgments where there is no QRELS",
        )
    if parsed.output is None or parsed.output == "-":
        raise UsageError("ndcg judge-merge: -o NEW names the file to write", code="usage", hint="-o new.qrels")
    if not parsed.overwrite:
        refuse_inputs(parsed.output, [parsed.qrels, parsed.sheet, *parsed.filled])
    from ..judging.merging import judge_merge
    from ..reports.judging_next import merged_text

    merged = judge_merge(
        parsed.qrels,
        parsed.filled,
        conflicts=parsed.conflicts,
        grades=grades_of(parsed.grades),
        sheet=parsed.sheet,
        columns=columns_of(parsed.columns),
        qrels_format=parsed.qrels_format,
        comments=parsed.comments,
        labels=labels_of(parsed.labels),
        groups=parsed.groups,
        merge=parsed.merge,
    )
    merged.write(parsed.output, overwrite=parsed.overwrite)
    for warning in merged.warnings:
        sys.stderr.write(f"ndcg: warning: {warning}; --grades G,G,... makes other grades an error\n")
    machine = parsed.format == "json"
    dropped = merged.dropped(parsed.output)
    if machine:
        from ..judging.model import as_json

        text = as_json({**merged.as_dict(), "dropped": dropped})
    else:
        text = merged_text(merged, parsed.output)
    write(text, None, machine)
    if dropped:
        sys.stderr.write(f"ndcg: {parsed.output} does not hold {', '.join(dropped)}{HINT if merged.kept else ''}\n")
    return Exit.OK
