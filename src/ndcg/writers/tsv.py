"""Tab-separated values with a header: query, doc, then grade and judge, or score and rank."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Row, Writer, first_of, tabless
from .csv import HOLDS, cells, columns


def text(content: Content) -> Iterator[str]:
    """The header and one line per row."""
    yield "\t".join(columns(content)) + "\n"
    for row in content.rows("input"):
        yield "\t".join(cells(content, row)) + "\n"


def problem(row: Row) -> str | None:
    """Why a row cannot be held."""
    judge = tabless(row.judge, "judge's") if row.judge else None
    return first_of(tabless(row.query, "query"), tabless(row.doc, "document"), judge)


WRITER = Writer("tsv", (Role.JUDGMENTS, Role.RUN), text, HOLDS, problem=problem)
