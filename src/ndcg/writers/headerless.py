"""Lines of query, document and a number, separated by tabs, without a header."""

from __future__ import annotations

from .contract import Row, first_of, tabless


def problem(row: Row) -> str | None:
    """Why a row cannot be held."""
    comment = "the query id begins with #, like a comment" if row.query.startswith("#") else None
    return first_of(tabless(row.query, "query"), tabless(row.doc, "document"), comment)
