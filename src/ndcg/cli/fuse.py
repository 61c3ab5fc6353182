"""`ndcg fuse`: several runs become one."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ..errors import UsageError, choose
from .exits import Exit
from .names import named
from .output import refuse_inputs, write
from .parser import Parser, number
from .progress import Progress
from .reading import columns_of

EXAMPLES = (
    "ndcg fuse bm25.run dense.run -o hybrid.run",
    "ndcg fuse bm25.run dense.run --method weighted --weights 0.3,0.7 --normalisation zscore -o hybrid.run",
    "ndcg fuse bm25.run dense.run --method combmnz --format json",
)

USAGE = "ndcg fuse RUN RUN [RUN ...]"


def parser() -> Parser:
    """The options of the command."""
    from ..fusion.fusing import described
    from ..fusion.normalisations import NORMALISATIONS
    from ..fusion.writing import run_formats

    methods = "".join(f"\n  {name:<13}{sentence}\n{'':15}({source})" for name, sentence, source in described())
    scales = "".join(f"\n  {name:<13}{scale.sentence}" for name, scale in NORMALISATIONS.items())
    made = Parser(
        "ndcg fuse",
        "Fuse two or more runs into one, query by query. A document is worth, by method:\n"
        f"{methods}\n\nnormalisations of the scores of a list:\n{scales}",
        EXAMPLES,
        usage=f"{USAGE} [--method METHOD] [options]",
    )
    made.add_argument("run", metavar="RUN", nargs="+", help="a run: a file, a folder or a quoted glob")
    made.add_argument("--method", metavar="M", default="rrf", help="rrf, combsum, combmnz or weighted (default: rrf)")
    made.add_argument(
        "--weights", metavar="W,W,...", help="a weight for each run (weighted, rrf); a run of weight 0 takes no part"
    )
    made.add_argument("--rrf-k", metavar="K", type=number, help="the k of reciprocal ranks (default: 60)")
    made.add_argument("--normalisation", metavar="N", help="scale of the scores (default: minmax)")
    made.add_argument(
        "--absent",
        metavar="A",
        help="what a list adds for a document it does not hold: zero, or lowest, its least number (default: zero; "
        "lowest under zscore)",
    )
    made.add_argument("--depth", metavar="N", type=int, help="fuse the first N documents of each list only")
    made.add_argument("--tag", metavar="TAG", default="ndcg", help="the run tag that is written (default: ndcg)")
    made.add_argument("--run-format", metavar="F", help="format of the runs, found by looking if left out")
    made.add_argument(
        "--columns", metavar="ROLE=NAME,...", action="append", help="column names by role (query, doc, score, rank)"
    )
    made.add_argument(
        "--comments",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether lines of TREC text that start with # are comments",
    )
    made.add_argument(
        "--format",
        metavar="F",
        help=f"format of the run that is written: {', '.join(run_formats())} (default: by the ending of -o, "
        "trec_run where that names none)",
    )
    made.add_argument("-o", "--output", metavar="FILE", help="write to a file, whole or not at all")
    return made


def run(argv: Sequence[str]) -> int:
    """Parse, fuse, write."""
    parsed = parser().arguments(argv)
    from ..fusion.writing import format_of, run_formats, text_of

    format = parsed.format or format_of(parsed.output)
    if format not in run_formats():
        raise choose("--format", format, run_formats())
    if len(parsed.run) < 2:
        raise UsageError("ndcg fuse: one run was given, and fusion takes two or more", code="usage", hint=USAGE)
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
            k=parsed.rrf_k,
            normalisation=parsed.normalisation,
            absent=parsed.absent,
            depth=parsed.depth,
            run_format=parsed.run_format,
            columns=columns_of(parsed.columns),
            comments=parsed.comments,
        )
        text = text_of(found, format, parsed.tag)
    write(text, parsed.output, machine=True)
    return Exit.OK
