"""A spreadsheet to be kept by hand: query, doc, grade; the query stands in the first row of its documents only."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Writer, numeral
from .csv import problem, record


def text(content: Content) -> Iterator[str]:
    """The header and one record per row, query by query."""
    yield record(["query", "doc", "grade"])
    before: str | None = None
    for row in content.rows("query"):
        assert row.number is not None
        yield record([row.query if row.query != before else "", row.doc, numeral(row.number)])
        before = row.query
    for query in content.bare:
        yield record([query, "", ""])


WRITER = Writer("fill_down", (Role.JUDGMENTS,), text, frozenset({"bare", "repeats"}), problem=problem)
