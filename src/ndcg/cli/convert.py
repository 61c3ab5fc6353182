"""`ndcg convert`: judgments and runs from one format to another."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ..errors import choose
from ..readers.labels import PRESETS
from .exits import Exit
from .output import write
from .parser import Parser
from .progress import Progress
from .reading import columns_of, labels_of

EXAMPLES = (
    "ndcg convert ratings.csv judgments.qrels",
    "ndcg convert 'shards/part-*.run' whole.jsonl.gz",
    "ndcg convert judgments.json list.json --from json --to opensearch_judgments",
    "ndcg convert judges.csv merged.qrels --columns 'grade=agent_*' --merge median",
    "ndcg convert bm25.run top.tsv --to ranked --drop scores",
    "ndcg convert quepid.csv judgments.qrels --query-ids queries.csv --drop unrated",
    "ndcg convert --list",
)

FORMATS = ("table", "json")


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg convert",
        "Write judgments or a run in another format. What the target cannot hold is refused by name, what the source\n"
        "had besides is said, and the file is written whole or not at all.",
        EXAMPLES,
        usage="ndcg convert IN OUT [--from F] [--to F] [options]\n       ndcg convert --list",
    )
    made.add_argument("source", metavar="IN", nargs="?", help="a file, a folder, a quoted glob, or -")
    made.add_argument(
        "target", metavar="OUT", nargs="?", help="the file to write; .gz and .zst compress it; - is standard output"
    )
    made.add_argument("--from", dest="source_format", metavar="F", help="format of IN, found by looking if left out")
    made.add_argument("--to", metavar="F", help="format of OUT, found by its ending if left out")
    made.add_argument("--list", action="store_true", help="every format, whether it is read and written")
    group = made.add_argument_group("what and how")
    group.add_argument("--kind", metavar="KIND", help="judgments or run, where IN could be either")
    group.add_argument("--tag", metavar="TEXT", help="the name of the run, where OUT holds one (default: that of IN)")
    group.add_argument("--merge", metavar="RULE", help="combine several grades: max, min, mean or median")
    group.add_argument(
        "--drop",
        metavar="WHAT",
        action="append",
        default=[],
        help="leave out what could change a score and OUT cannot hold: scores, unrated, empty, failed",
    )
    group.add_argument("--columns", metavar="ROLE=NAME,...", action="append", help="column names of IN by role")
    group.add_argument(
        "--labels",
        metavar="LABEL=GRADE,...",
        action="append",
        help=f"the grades of text labels, or a preset ({', '.join(PRESETS)})",
    )
    group.add_argument(
        "--query-ids",
        metavar="FILE",
        help="IN names queries by their wording, and OUT by their ids: a table with query_id and text",
    )
    group.add_argument("--features", metavar="FILE", help="the feature file that predictions belong to")
    group.add_argument("--groups", metavar="FILE", help="group file of a feature file without qid:")
    group.add_argument(
        "--comments",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether lines of TREC text that start with # are comments",
    )
    group.add_argument("--memory", metavar="SIZE", help="memory limit of the engine, such as 1GB")
    group.add_argument("--format", metavar="F", default="table", help="the report: table or json (default: table)")
    return made


def run(argv: Sequence[str]) -> int:
    """Parse, convert, say what was done: on standard error where the data itself goes to standard output."""
    made = parser()
    parsed = made.arguments(argv)
    if parsed.format not in FORMATS:
        raise choose("--format", parsed.format, FORMATS)
    if parsed.list:
        write(_listed(), None)
        return Exit.OK
    if parsed.source is None or parsed.target is None:
        made.error("IN and OUT are needed")
    from ..conversion import convert
    from ..reports.conversion import conversion_json, conversion_text

    with Progress(f"converting {parsed.source}", shown=parsed.format != "json"):
        done = convert(
            parsed.source,
            parsed.target,
            to=parsed.to,
            source_format=parsed.source_format,
            kind=parsed.kind,
            columns=columns_of(parsed.columns),
            comments=parsed.comments,
            labels=labels_of(parsed.labels),
            features=parsed.features,
            groups=parsed.groups,
            query_ids=parsed.query_ids,
            merge=parsed.merge,
            tag=parsed.tag,
            drop=[name for given in parsed.drop for name in given.split(",")],
            memory=parsed.memory,
        )
    text = conversion_json(done) if parsed.format == "json" else conversion_text(done)
    if parsed.target == "-":
        sys.stderr.write(text + "\n")
    else:
        write(text, None, machine=parsed.format == "json")
    return Exit.OK


def _listed() -> str:
    import textwrap

    from ..readers import FORMATS as READ
    from ..readers.inputs import FILES
    from ..reports.layout import WIDTH
    from ..writers import WHY_NOT, WRITERS

    names = [name for name in READ if name in FILES]
    width = max(map(len, names)) + 2
    lines = []
    for name in names:
        why = "" if name in WRITERS else f" Read, not written: {WHY_NOT[name]}."
        told = textwrap.wrap(READ[name] + why, WIDTH - width, break_on_hyphens=False)
        lines += [f"{name if at == 0 else '':<{width}}{line}" for at, line in enumerate(told)]
    return "\n".join(lines)
