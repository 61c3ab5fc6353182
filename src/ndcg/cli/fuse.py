"""`ndcg fuse`: several runs become one."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import UsageError, choose
from .exits import Exit
from .names import named
from .output import refuse_inputs, write
from .parser import Parser
from .progress import Progress

if TYPE_CHECKING:
    from ..fusion.fusing import Fused

EXAMPLES = (
    "ndcg fuse bm25.run dense.run -o hybrid.run",
    "ndcg fuse bm25.run dense.run --method weighted --weights 0.3,0.7 --normalisation zscore -o hybrid.run",
    "ndcg fuse bm25.run dense.run --method combmnz --format json",
)

FORMATS = ("trec", "json")


def parser() -> Parser:
    """The options of the command."""
    from ..fusion.fusing import described
    from ..fusion.normalisations import NORMALISATIONS

    methods = "".join(f"\n  {name:<13}{sentence}\n{'':15}({source})" for name, sentence, source in described())
    scales = "".join(f"\n  {name:<13}{scale.sentence}" for name, scale in NORMALISATIONS.items())
    made = Parser(
        "ndcg fuse",
        "Fuse two or more runs into one, query by query. A document is worth, by method:\n"
        f"{methods}\n\nnormalisations of the scores of a list:\n{scales}",
        EXAMPLES,
        usage="ndcg fuse RUN RUN [RUN ...] [--method METHOD] [options]",
    )
    made.add_argument("run", metavar="RUN", nargs="+", help="a run: a file, a folder or a quoted glob")
    made.add_argument("--method", metavar="M", default="rrf", help="rrf, combsum, combmnz or weighted (default: rrf)")
    made.add_argument("--weights", metavar="W,W,...", help="a weight of at least 0 for each run (weighted, rrf)")
    made.add_argument("--k", metavar="K", type=number, default=60, help="the k of reciprocal ranks (default: 60)")
    made.add_argument("--normalisation", metavar="N", help="scale of the scores (default: minmax)")
    made.add_argument("--absent", metavar="A", help="what a list adds for a document it does not hold: zero or lowest")
    made.add_argument("--depth", metavar="N", type=int, help="fuse the first N documents of each list only")
    made.add_argument("--tag", metavar="TAG", default="ndcg", help="the run tag that is written (default: ndcg)")
    made.add_argument("--run-format", metavar="F", help="format of the runs, found by looking if left out")
    made.add_argument("--format", metavar="F", default="trec", help="trec or json (default: trec)")
    made.add_argument("-o", "--output", metavar="FILE", help="write to a file, whole or not at all")
    return made


def number(text: str) -> float:
    """A finite number, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return value


def run(argv: Sequence[str]) -> int:
    """Parse, fuse, write."""
    parsed = parser().arguments(argv)
    if parsed.format not in FORMATS:
        raise choose("--format", parsed.format, FORMATS)
    refuse_inputs(parsed.output, parsed.run)
    weights = None
    if parsed.weights is not None:
        try:
            weights = [number(part) for part in parsed.weights.split(",")]
        except argparse.ArgumentTypeError as error:
            raise UsageError(f"--weights: {error}", code="fusion", hint="--weights 0.3,0.7") from None
    from ..fusion.fusing import fuse

    with Progress("fusing", shown=parsed.output is not None):
        found = fuse(
            named(parsed.run),
            parsed.method,
            weights=weights,
            k=parsed.k,
            normalisation=parsed.normalisation,
            absent=parsed.absent,
            depth=parsed.depth,
            run_format=parsed.run_format,
        )
        text = found.to_json() if parsed.format == "json" else trec(found, parsed.tag)
    write(text, parsed.output, machine=True)
    return Exit.OK


def trec(found: Fused, tag: str) -> str:
    """The fused run as TREC text; ids and tags with blanks, and failed queries, cannot be held and are errors."""
    lines = []
    for query, rows in found.items():
        if rows is None:
            raise UsageError(
                f"query {query!r} failed in every run, which TREC text cannot say", code="format", hint="--format json"
            )
        for rank, (document, score) in enumerate(rows.items(), 1):
            for name in (query, document, tag):
                if not name or any(char.isspace() for char in name) or name.startswith("#"):
                    raise UsageError(
                        f"{name!r} cannot stand in TREC text, whose fields are separated by blanks",
                        code="format",
                        hint="--format json",
                    )
            lines.append(f"{query} Q0 {document} {rank} {score!r} {tag}\n")
    return "".join(lines)
