"""`ndcg dialects`: one run under every known tool's conventions."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import UsageError, choose
from .exits import Exit
from .output import write
from .parser import Parser
from .progress import Progress
from .reading import add_query_ids, add_reading, given_reading

EXAMPLES = (
    "ndcg dialects judgments.qrels bm25.run",
    "ndcg dialects judgments.qrels bm25.run -k 5 --compare trec_eval sklearn",
    "ndcg dialects judgments.qrels bm25.run --explain-number 0.4821",
    "ndcg dialects --list",
)

FORMATS = ("table", "json", "md")


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg dialects",
        "The same data under every known tool's conventions, and which convention moves the number. With --compare,\n"
        "how much each convention explains of the difference between two tools; with --explain-number, the\n"
        "conventions that give a published number; with --list, what each tool does, without any data.",
        EXAMPLES,
        usage="ndcg dialects QRELS RUN [-k K] [--compare A B] [--explain-number N] [options]\n"
        "       ndcg dialects --list [--format table|json|md]",
    )
    made.add_argument("qrels", metavar="QRELS", nargs="?", help="the judgments: a file, a folder, a quoted glob, or -")
    made.add_argument("run", metavar="RUN", nargs="?", help="the run: a file, a folder, a quoted glob, or -")
    made.add_argument("-k", metavar="K", default="10", help="the cutoff, or all for the whole list (default: 10)")
    made.add_argument(
        "--compare", metavar=("A", "B"), nargs=2, help="two dialects, 'default', or measures, to be taken apart"
    )
    made.add_argument("--explain-number", metavar="N", help="a published number, with the digits that it was printed")
    made.add_argument("--list", action="store_true", help="what each tool does; no data is read")
    group = made.add_argument_group("output")
    group.add_argument("--format", metavar="F", default="table", help="table, json or md (default: table)")
    group.add_argument("-o", "--output", metavar="FILE", help="write to a file, whole or not at all")
    add_reading(made)
    add_query_ids(made)
    return made


def run(argv: Sequence[str]) -> int:
    """Parse, score, render."""
    parsed = parser().arguments(argv)
    if parsed.format not in FORMATS:
        raise choose("--format", parsed.format, FORMATS)
    machine = parsed.format != "table"
    if parsed.list:
        write(_listed(parsed.format), parsed.output, machine)
        return Exit.OK
    if parsed.qrels is None or parsed.run is None:
        raise UsageError(
            "ndcg dialects: QRELS and RUN are needed", code="usage", hint="ndcg dialects --list needs no data"
        )
    from ..dialect_table import dialects
    from ..reports.dialects import table_markdown

    with Progress("scoring dialects", shown=parsed.format != "json"):
        table = dialects(
            parsed.qrels,
            parsed.run,
            _cutoff(parsed.k),
            compare=parsed.compare,
            explain_number=parsed.explain_number,
            **given_reading(parsed),
        )
    text = table.to_json() if parsed.format == "json" else str(table)
    write(table_markdown(table) if parsed.format == "md" else text, parsed.output, machine)
    return Exit.OK


def _cutoff(given: str) -> int | None:
    if given == "all":
        return None
    if not (given.isascii() and given.isdigit()) or int(given) < 1:
        raise UsageError(f"-k {given}: the cutoff is a whole number of at least 1, or all", code="cutoff")
    return int(given)


def _listed(format: str) -> str:
    from ..dialect_page import page, plain
    from ..measures.dialects import all_dialects
    from ..reports.dialects import list_text

    if format == "md":
        return page()
    if format == "json":
        return plain()
    return list_text(list(all_dialects().values()))
