"""`ndcg explain`: one query, rank by rank."""

from __future__ import annotations

from collections.abc import Sequence

from .conventions import add_conventions, given_conventions
from .exits import Exit
from .output import format_of, refuse_inputs, write
from .parser import Parser
from .progress import Progress
from .reading import add_query_ids, add_reading, given_reading

EXAMPLES = (
    "ndcg explain judgments.qrels bm25.run q7",
    "ndcg explain judgments.qrels bm25.run q7 -m nDCG@5 --gain linear",
    "ndcg explain judgments.qrels bm25.run q7 --format json",
)

FORMATS = ("table", "json")


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg explain",
        "Explain the score of one query: each rank with its grade, gain, discount and what it adds, the\n"
        "ideal list beside it, the judged documents that were missed, and the moves that would raise the\n"
        "score most.",
        EXAMPLES,
        usage="ndcg explain QRELS RUN QUERY [-m MEASURE] [options]",
    )
    made.add_argument("qrels", metavar="QRELS", help="the judgments: a file, a folder, a quoted glob, or -")
    made.add_argument("run", metavar="RUN", help="the run: a file, a folder, a quoted glob, or -")
    made.add_argument("query", metavar="QUERY", help="the id of the query")
    made.add_argument("-m", "--measure", metavar="MEASURE", help="what to measure (default: nDCG@10)")
    group = made.add_argument_group("output")
    group.add_argument("--format", metavar="F", help="table or json (default: table)")
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write to a file, whole or not at all; .json names the format too"
    )
    add_reading(made)
    add_query_ids(made)
    add_conventions(made)
    return made


def run(argv: Sequence[str]) -> int:
    """Parse, explain, render."""
    parsed = parser().arguments(argv)
    format = format_of(parsed.format, parsed.output, FORMATS)
    refuse_inputs(parsed.output, [parsed.qrels, parsed.run, parsed.candidates])
    from ..asked_measures import DEFAULT_MEASURE
    from ..explanation import explain

    with Progress("explaining", shown=format != "json"):
        found = explain(
            parsed.qrels,
            parsed.run,
            parsed.query,
            parsed.measure or DEFAULT_MEASURE,
            **given_reading(parsed),
            **given_conventions(parsed),
        )
    machine = format == "json"
    write(found.to_json() if machine else str(found), parsed.output, machine)
    return Exit.OK
