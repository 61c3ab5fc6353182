"""Parquet with the columns query, doc, then grade and judge, or score and rank."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Writer


def text(content: Content) -> Iterator[str]:
    """No text: the content is stored."""
    return iter(())


HOLDS = frozenset({"scores", "ranks", "judges", "repeats"})
WRITER = Writer("parquet", (Role.JUDGMENTS, Role.RUN), text, HOLDS, stores=True)
