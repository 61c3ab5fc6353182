"""Rated Ranking Evaluator ratings: a query group per query, `{document: {"gain": grade}}`."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Writer, grouped, json_number, quoted


def text(content: Content) -> Iterator[str]:
    """One document, a line per query group."""
    yield '{"topics": [{"description": "judgments", "query_groups": ['
    mark = "\n"
    for query, rows in grouped(content.rows("query")):
        held = ", ".join(f'{quoted(row.doc)}: {{"gain": {json_number(row.number or 0.0)!r}}}' for row in rows)
        yield f'{mark}  {{{_named(query)}, "relevant_documents": {{{held}}}}}'
        mark = ",\n"
    for query in content.bare:
        yield f"{mark}  {{{_named(query)}}}"
        mark = ",\n"
    yield "\n]}]}\n"


def _named(query: str) -> str:
    return f'"name": {quoted(query)}, "queries": [{{"placeholders": {{"$query": {quoted(query)}}}}}]'


WRITER = Writer("rre", (Role.JUDGMENTS,), text, frozenset({"bare"}))
