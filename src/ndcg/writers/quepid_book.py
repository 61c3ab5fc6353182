"""Quepid's book: a column per judge, `query,docid,Anna,Ben`; an empty cell is no rating."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, count, groupby

from ..readers.columns import role_of
from ..readers.source import Role
from .contract import Content, Row, Writer, numeral
from .csv import record
from .quepid import guarded, query_problem
from .quepid import problem as basic_problem

NAMELESS = "Anonymous"
"""What Quepid calls a judge without a name; with a number where somebody is called so."""


def text(content: Content) -> Iterator[str]:
    """The header with the judges in order of appearance, and one record per document of a query."""
    judges = list(dict.fromkeys(row.judge for row in content.rows("input")))
    yield record(["query", "docid", *(judge or nameless(judges) for judge in judges)])
    for (query, doc), rows in groupby(content.rows("pair"), key=lambda row: (row.query, row.doc)):
        given = {row.judge: numeral(row.number or 0.0) for row in rows}
        yield record([guarded(query), doc, *(given.get(judge, "") for judge in judges)])
    for query in content.bare:
        yield record([guarded(query), *[""] * (len(judges) + 1)])


def nameless(judges: Iterable[str]) -> str:
    """The name of the judge without a name, which no other one has.

    >>> nameless(["Anna", ""]), nameless(["Anonymous", ""])
    ('Anonymous', 'Anonymous 2')
    """
    taken = set(judges)
    names = chain([NAMELESS], (f"{NAMELESS} {number}" for number in count(2)))
    return next(name for name in names if name not in taken)


def problem(row: Row) -> str | None:
    """Why a row cannot be held."""
    if role_of(row.judge) is not None:
        return f"the name of the judge {row.judge!r} is that of another column"
    if row.judge != row.judge.strip():
        return f"the name of the judge {row.judge!r} begins or ends with a blank"
    return basic_problem(row)


HOLDS = frozenset({"judges", "bare"})
WRITER = Writer("quepid_book", (Role.JUDGMENTS,), text, HOLDS, frozenset({"judges"}), problem, query_problem)
