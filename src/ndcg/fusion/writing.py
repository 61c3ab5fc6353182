"""A fused run as text of any format that holds a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..readers.source import Role
from ..writers import WRITERS, Content, Row, writer
from ..writers.files import ending

if TYPE_CHECKING:
    from .fusing import Fused


def run_formats() -> list[str]:
    """The formats of text that hold a run with scores."""
    return [name for name in WRITERS if _holds_a_run(name)]


def _holds_a_run(name: str) -> bool:
    chosen = writer(name)
    return Role.RUN in chosen.roles and "scores" in chosen.holds and not chosen.stores


def format_of(path: str | None) -> str:
    """The format by the ending of the output file (before .gz or .zst), TREC text where it names none.

    UsageError for the ending of a format that holds no run, or no text.
    """
    from ..conversion import ENDINGS

    found = ending(path or "")
    format = ENDINGS.get(found, "trec_run")
    if not _holds_a_run(format):
        raise UsageError(
            f"a fused run is not written as {found[1:]}",
            code="format",
            hint=f"name a file that ends in {', '.join(end for end, held in ENDINGS.items() if _holds_a_run(held))}",
        )
    return format


def text_of(found: Fused, format: str, tag: str) -> str:
    """The whole text. UsageError for ids, a tag or failed queries that the format cannot hold."""
    chosen = writer(format)
    if not _holds_a_run(format):
        raise UsageError(
            f"{format} does not hold a run with scores", code="format", hint=f"choose from {', '.join(run_formats())}"
        )
    failed = tuple(query for query, rows in found.items() if rows is None)
    if failed and "failed" not in chosen.holds:
        raise UsageError(
            f"query {failed[0]!r} failed in every run, which {format} cannot say",
            code="format",
            hint="write json (--format json)",
        )
    if "tag" in chosen.holds and (not tag or any(char.isspace() for char in tag)):
        raise UsageError(f"the tag {tag!r} is not one word", code="format", hint="--tag hybrid")
    for row in _rows(found):
        problem = chosen.problem(row)
        if problem is not None:
            raise UsageError(
                f"query {row.query!r}, document {row.doc!r}: {problem}, which {format} cannot hold",
                code="format",
                hint="write json (--format json)",
            )
    content = Content(Role.RUN, True, True, False, tag, (), failed, lambda order: _rows(found), _not_stored)
    return "".join(chosen.text(content))


def _rows(found: Fused) -> Iterator[Row]:
    for query, rows in found.items():
        for rank, (document, score) in enumerate((rows or {}).items(), 1):
            yield Row(query, document, score, float(rank))


def _not_stored(path: Path) -> None:
    raise NotImplementedError(path)
