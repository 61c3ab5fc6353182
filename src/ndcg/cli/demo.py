"""`ndcg demo`: the bundled collection, scored and explained."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import UsageError
from .exits import Exit
from .output import write
from .parser import Parser

EXAMPLES = ("ndcg demo", "ndcg demo --copy collection")


def parser() -> Parser:
    """The options of the command."""
    made = Parser(
        "ndcg demo",
        "Score the bundled test collection and walk through the output.",
        EXAMPLES,
        usage="ndcg demo [--copy FOLDER]",
    )
    made.add_argument("--copy", metavar="FOLDER", help="write the collection's files to a folder instead")
    return made


def run(argv: Sequence[str]) -> int:
    """Walk through the output, or copy the files."""
    parsed = parser().arguments(argv)
    if parsed.copy is not None:
        from ..demo import copy_to

        if not parsed.copy:
            raise UsageError("--copy: the path is empty; was a variable not set?", code="usage")

        folder = Path(parsed.copy)
        count = len(copy_to(folder))
        write(
            f"{count} files are in {folder}. Try:\n\n"
            f"  cd {folder}\n"
            "  ndcg evaluate judgments.qrels runs/fts_title.run\n"
            "  ndcg evaluate judgments.qrels --runs runs\n"
            "  ndcg explain judgments.qrels runs/fts_title.run q39",
            None,
        )
        return Exit.OK
    from ..demo.walk import walk

    write(walk(), None)
    return Exit.OK
