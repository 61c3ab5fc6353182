"""BEIR judgments: tab-separated, header `query-id corpus-id score`, whole grades."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Row, Writer, first_of, numeral, tabless, whole


def text(content: Content) -> Iterator[str]:
    """The header, which BEIR's loader skips without looking, and one line per row."""
    yield "query-id\tcorpus-id\tscore\n"
    for row in content.rows("input"):
        assert row.number is not None
        yield f"{row.query}\t{row.doc}\t{numeral(row.number)}\n"


def problem(row: Row) -> str | None:
    """Why a row cannot be held: BEIR's loader takes whole numbers only."""
    return first_of(tabless(row.query, "query"), tabless(row.doc, "document"), whole(row))


WRITER = Writer("beir_qrels", (Role.JUDGMENTS,), text, frozenset({"repeats"}), problem=problem)
