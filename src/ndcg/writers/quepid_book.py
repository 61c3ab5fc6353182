"""Quepid's book: a column per judge, `query,docid,Anna,Ben`; an empty cell is no rating."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ..readers.source import Role
from .contract import Content, Row, Writer, numeral
from .csv import record
from .quepid import guarded, query_problem
from .quepid import problem as basic_problem

NAMELESS = "Anonymous"
"""What Quepid calls a judge without a name."""


def text(content: Content) -> Iterator[str]:
    """The header with the judges in order of appearance, and one record per document of a query."""
    judges = list(dict.fromkeys(row.judge or NAMELESS for row in content.rows("input")))
    yield record(["query", "docid", *judges])
    for (query, doc), rows in groupby(content.rows("pair"), key=lambda row: (row.query, row.doc)):
        given = {row.judge or NAMELESS: numeral(row.number or 0.0) for row in rows}
        yield record([guarded(query), doc, *(given.get(judge, "") for judge in judges)])
    for query in content.bare:
        yield record([guarded(query), *[""] * (len(judges) + 1)])


def problem(row: Row) -> str | None:
    """Why a row cannot be held."""
    if row.judge != row.judge.strip():
        return f"the name of the judge {row.judge!r} begins or ends with a blank"
    return basic_problem(row)


HOLDS = frozenset({"judges", "bare"})
WRITER = Writer("quepid_book", (Role.JUDGMENTS,), text, HOLDS, frozenset({"judges"}), problem, query_problem)
