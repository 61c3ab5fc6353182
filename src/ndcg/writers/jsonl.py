"""JSON Lines: an object per judgment; for a run an object per query, as sentence-transformers writes predictions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..readers.source import Role
from .contract import Content, Row, Writer, finite, grouped, json_number


def text(content: Content) -> Iterator[str]:
    """One object per line."""
    if content.role is Role.JUDGMENTS:
        for row in content.rows("input"):
            assert row.number is not None
            judge = {"judge": row.judge} if row.judge else {}
            yield _line({"query_id": row.query, "doc_id": row.doc, "grade": json_number(row.number), **judge})
        for query in content.bare:
            yield _line({"query_id": query, "judgments": []})
        return
    for query, rows in grouped(content.rows("query")):
        yield _line({"query_id": query, "results": [_result(row) for row in rows]})
    for query in content.bare:
        yield _line({"query_id": query, "results": []})
    for query in content.failed:
        yield _line({"query_id": query, "failed": True})


def _result(row: Row) -> dict[str, Any]:
    numbers = {"score": row.number, "rank": row.rank}
    return {"corpus_id": row.doc, **{name: json_number(n) for name, n in numbers.items() if n is not None}}


def _line(held: dict[str, Any]) -> str:
    return json.dumps(held, ensure_ascii=False, allow_nan=False) + "\n"


HOLDS = frozenset({"scores", "ranks", "judges", "bare", "nothing", "failed", "repeats"})
WRITER = Writer("jsonl", (Role.JUDGMENTS, Role.RUN), text, HOLDS, problem=finite)
