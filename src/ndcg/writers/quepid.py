"""Quepid's basic ratings: `query,docid,rating`; a query without judgments is a row without document and rating."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Row, Writer, numeral
from .csv import problem as csv_problem
from .csv import record

_GUARDED = re.compile(" [-=+@]")


def text(content: Content) -> Iterator[str]:
    """The header and one record per row; a blank before queries that a spreadsheet would take for formulas."""
    yield record(["query", "docid", "rating"])
    for row in content.rows("input"):
        assert row.number is not None
        yield record([guarded(row.query), row.doc, numeral(row.number)])
    for query in content.bare:
        yield record([guarded(query), "", ""])


def guarded(query: str) -> str:
    """The query as Quepid exports it: its import takes the blank off again."""
    return f" {query}" if query[:1] in ("-", "=", "+", "@") else query


def query_problem(query: str) -> str | None:
    """Why a query cannot be held."""
    return "Quepid would take the blank before the query's first sign off" if _GUARDED.match(query) else None


def problem(row: Row) -> str | None:
    """Why a row cannot be held."""
    return csv_problem(row) or query_problem(row.query)


HOLDS = frozenset({"bare", "repeats"})
WRITER = Writer("quepid", (Role.JUDGMENTS,), text, HOLDS, problem=problem, query_problem=query_problem)
