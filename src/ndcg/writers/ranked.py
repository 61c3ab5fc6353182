"""A run without a header: query, document, rank, separated by tabs."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Writer, numeral
from .headerless import problem


def text(content: Content) -> Iterator[str]:
    """One line per row, each query's in ranked order."""
    for row in content.rows("rank"):
        assert row.rank is not None
        yield f"{row.query}\t{row.doc}\t{numeral(row.rank)}\n"


WRITER = Writer("ranked", (Role.RUN,), text, frozenset({"ranks", "repeats"}), frozenset({"ranks"}), problem)
