"""Quepid's basic export of what was returned: `query,docid,rating` in ranked order, ratings empty."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Writer
from .csv import record
from .quepid import guarded, problem, query_problem


def text(content: Content) -> Iterator[str]:
    """The header and one record per row."""
    yield record(["query", "docid", "rating"])
    for row in content.rows("rank"):
        yield record([guarded(row.query), row.doc, ""])
    for query in content.bare:
        yield record([guarded(query), "", ""])


HOLDS = frozenset({"order", "nothing", "repeats"})
WRITER = Writer("quepid_basic_snapshot", (Role.RUN,), text, HOLDS, frozenset({"order"}), problem, query_problem)
