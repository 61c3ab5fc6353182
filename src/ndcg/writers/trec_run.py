"""TREC run: `query Q0 document rank score tag`, ids and tag without blanks."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Row, Writer, first_of, numeral, unbroken

TAG = "run"
"""The tag of a run that has none."""


def text(content: Content) -> Iterator[str]:
    """One line per row."""
    tag = content.tag or TAG
    for row in content.rows("input"):
        assert row.number is not None and row.rank is not None
        yield f"{row.query} Q0 {row.doc} {numeral(row.rank)} {numeral(row.number)} {tag}\n"


def problem(row: Row) -> str | None:
    """Why a row cannot be held."""
    comment = "the query id begins with #, like a comment" if row.query.startswith("#") else None
    return first_of(unbroken(row.query, "query"), unbroken(row.doc, "document"), comment)


HOLDS = frozenset({"scores", "ranks", "tag", "repeats"})
WRITER = Writer("trec_run", (Role.RUN,), text, HOLDS, frozenset({"scores", "ranks"}), problem)
