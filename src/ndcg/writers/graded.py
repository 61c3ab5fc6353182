"""Judgments without a header: query, document, grade, separated by tabs."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Writer, numeral
from .headerless import problem


def text(content: Content) -> Iterator[str]:
    """One line per row."""
    for row in content.rows("input"):
        assert row.number is not None
        yield f"{row.query}\t{row.doc}\t{numeral(row.number)}\n"


WRITER = Writer("graded", (Role.JUDGMENTS,), text, frozenset({"repeats"}), problem=problem)
