"""Quepid's snapshot: what each query returned, by position, under the run's name."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Writer, numeral
from .csv import record
from .quepid import guarded, problem, query_problem

COLUMNS = ("Snapshot Name", "Snapshot Time", "Case ID", "Query Text", "Doc ID", "Doc Position")


def text(content: Content) -> Iterator[str]:
    """The header and one record per row; the time and the case, which Quepid's import ignores, are empty."""
    yield record(COLUMNS)
    for row in content.rows("rank"):
        assert row.rank is not None
        yield record([content.tag or "run", "", "", guarded(row.query), row.doc, numeral(row.rank)])
    for query in content.bare:
        yield record([content.tag or "run", "", "", guarded(query), "", ""])


HOLDS = frozenset({"ranks", "nothing", "tag", "repeats"})
WRITER = Writer("quepid_snapshot", (Role.RUN,), text, HOLDS, frozenset({"ranks"}), problem, query_problem)
