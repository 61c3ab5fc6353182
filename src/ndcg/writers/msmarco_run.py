"""MS MARCO run of four columns: query, document, rank, score, separated by tabs."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Writer, numeral
from .headerless import problem


def text(content: Content) -> Iterator[str]:
    """One line per row, each query's in ranked order."""
    for row in content.rows("rank"):
        assert row.number is not None and row.rank is not None
        yield f"{row.query}\t{row.doc}\t{numeral(row.rank)}\t{numeral(row.number)}\n"


HOLDS = frozenset({"scores", "ranks", "repeats"})
WRITER = Writer("msmarco_run", (Role.RUN,), text, HOLDS, frozenset({"scores", "ranks"}), problem)
