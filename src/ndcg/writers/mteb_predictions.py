"""MTEB predictions: one subset and split, `{"default": {"test": {query: {document: score}}}}`."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Writer, finite, grouped, json_number, quoted


def text(content: Content) -> Iterator[str]:
    """One document, a line per query."""
    yield f'{{"mteb_model_meta": {{"model_name": {quoted(content.tag or "run")}}}, "default": {{"test": {{'
    mark = "\n"
    for query, rows in grouped(content.rows("query")):
        held = ", ".join(f"{quoted(row.doc)}: {json_number(row.number or 0.0)!r}" for row in rows)
        yield f"{mark}  {quoted(query)}: {{{held}}}"
        mark = ",\n"
    for query in content.bare:
        yield f"{mark}  {quoted(query)}: {{}}"
        mark = ",\n"
    yield "\n}}}\n"


HOLDS = frozenset({"scores", "nothing", "tag"})
WRITER = Writer("mteb_predictions", (Role.RUN,), text, HOLDS, frozenset({"scores"}), finite)
