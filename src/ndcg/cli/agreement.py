"""`ndcg agreement`: how far judges agree."""

from __future__ import annotations

from collections.abc import Sequence

from .exits import Exit
from .output import FORMATS, format_of, refuse_inputs, write
from .parser import Parser
from .reading import columns_of, labels_of

EXAMPLES = (
    "ndcg agreement judgments.csv",
    "ndcg agreement anna.csv ben.csv",
    "ndcg agreement book.csv --format json",
)


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg agreement",
        "How far judges agree beyond chance: kappa for every two of them, plain and weighted,\n"
        "Krippendorff's alpha over all, and the agreement on each grade. FILE is CSV with a judge column,\n"
        "CSV with a column of grades per judge, or one file of judgments per judge.",
        EXAMPLES,
        usage="ndcg agreement FILE [FILE ...] [options]",
    )
    made.add_argument(
        "file",
        metavar="FILE",
        nargs="+",
        help="judgments of one judge or of several; judges are named after their files",
    )
    made.add_argument(
        "--columns", metavar="ROLE=NAME,...", action="append", help="column names by role (query, doc, grade, judge)"
    )
    made.add_argument(
        "--labels", metavar="LABEL=GRADE,...", action="append", help="the grades of text labels, or a preset"
    )
    made.add_argument("--format", metavar="F", help=f"{', '.join(FORMATS)} (default: table)")
    made.add_argument("-o", "--output", metavar="FILE", help="write to a file, whole or not at all")
    return made


def run(argv: Sequence[str]) -> int:
    """Parse, compare, render."""
    parsed = parser().arguments(argv)
    format = format_of(parsed.format, parsed.output)
    refuse_inputs(parsed.output, parsed.file)
    from ..judging.agreement import judge_agreement
    from ..reports.judging_agreement import agreement_csv, agreement_markdown, agreement_text

    found = judge_agreement(parsed.file, columns=columns_of(parsed.columns), labels=labels_of(parsed.labels))
    if format == "json":
        text = found.to_json()
    else:
        text = {"csv": agreement_csv, "md": agreement_markdown, "table": agreement_text}[format](found)
    write(text, parsed.output, machine=format != "table")
    return Exit.OK
