"""Comma-separated values with a header: query, doc, then grade and judge, or score and rank."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..readers.source import Role
from .contract import Content, Row, Writer, numeral

_TELLING = re.compile(r"[\",\r\n]|^[ \t]|[ \t]$")


def text(content: Content) -> Iterator[str]:
    """The header and one record per row."""
    yield record(columns(content))
    for row in content.rows("input"):
        yield record(cells(content, row))


def columns(content: Content) -> list[str]:
    """The names of the columns."""
    if content.role is Role.JUDGMENTS:
        return ["query", "doc", "grade", *(["judge"] if content.judges else [])]
    return ["query", "doc", *(["score"] if content.scored else []), *(["rank"] if content.placed else [])]


def cells(content: Content, row: Row) -> list[str]:
    """The texts of a row."""
    numbers = [numeral(value) for value in (row.number, row.rank) if value is not None]
    return [row.query, row.doc, *numbers, *([row.judge] if content.judges else [])]


def record(fields: Iterable[str]) -> str:
    """One record with its line end; what would be read otherwise stands in quotation marks."""
    return ",".join(map(_field, fields)) + "\n"


def _field(value: str) -> str:
    if not _TELLING.search(value):
        return value
    escaped = value.replace('"', '""')
    return f'"{escaped}"'


def problem(row: Row) -> str | None:
    """Why a row cannot be held."""
    return nul(row.query, "query") or nul(row.doc, "document")


def nul(value: str, word: str) -> str | None:
    """Why an id cannot stand in a CSV file."""
    return f"the {word} id holds a NUL character" if "\0" in value else None


HOLDS = frozenset({"scores", "ranks", "judges", "repeats"})
WRITER = Writer("csv", (Role.JUDGMENTS, Role.RUN), text, HOLDS, problem=problem)
