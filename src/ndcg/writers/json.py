"""JSON: `{query: {document: number}}`, or `{query: [documents]}` for a run without scores (BEIR's results, ranx)."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Writer, finite, grouped, json_number, quoted


def text(content: Content) -> Iterator[str]:
    """One object, a line per query."""
    yield "{"
    mark = "\n"
    for query, rows in grouped(content.rows("query" if content.scored else "rank")):
        if content.scored:
            pairs = ((row.doc, row.number) for row in rows)
            held = ", ".join(f"{quoted(doc)}: {json_number(number)!r}" for doc, number in pairs if number is not None)
            yield f"{mark}  {quoted(query)}: {{{held}}}"
        else:
            yield f"{mark}  {quoted(query)}: [{', '.join(quoted(row.doc) for row in rows)}]"
        mark = ",\n"
    nothing = "{}" if content.scored else "[]"
    for query, held in (*((query, nothing) for query in content.bare), *((query, "null") for query in content.failed)):
        yield f"{mark}  {quoted(query)}: {held}"
        mark = ",\n"
    yield "\n}\n"


HOLDS = frozenset({"scores", "order", "bare", "nothing", "failed"})
WRITER = Writer("json", (Role.JUDGMENTS, Role.RUN), text, HOLDS, problem=finite)
