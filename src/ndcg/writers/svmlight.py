"""SVMlight rows without features: `2 qid:q1 # docid = P-12`, grades of judgments for tools that learn to rank."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Row, Writer, first_of, numeral, unbroken


def text(content: Content) -> Iterator[str]:
    """One line per row, query by query."""
    for row in content.rows("query"):
        assert row.number is not None
        yield f"{numeral(row.number)} qid:{row.query} # docid = {row.doc}\n"


def problem(row: Row) -> str | None:
    """Why a row cannot be held."""
    hash_ = "the query id holds #, which begins a comment" if "#" in row.query else None
    return first_of(unbroken(row.query, "query"), unbroken(row.doc, "document"), hash_)


WRITER = Writer("svmlight", (Role.JUDGMENTS,), text, frozenset({"repeats"}), problem=problem)
