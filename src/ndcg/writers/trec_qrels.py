"""TREC judgments: `query 0 document grade`, whole grades, ids without blanks."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Row, Writer, first_of, numeral, unbroken, whole


def text(content: Content) -> Iterator[str]:
    """One line per row."""
    for row in content.rows("input"):
        assert row.number is not None
        yield f"{row.query} 0 {row.doc} {numeral(row.number)}\n"


def problem(row: Row) -> str | None:
    """Why a row cannot be held: trec_eval cuts fractions off, and takes a line that starts with # for a comment."""
    comment = "the query id begins with #, like a comment" if row.query.startswith("#") else None
    return first_of(unbroken(row.query, "query"), unbroken(row.doc, "document"), comment, whole(row))


WRITER = Writer("trec_qrels", (Role.JUDGMENTS,), text, frozenset({"repeats"}), problem=problem)
