"""OpenSearch judgment list, as imported: ratings are text there."""

from __future__ import annotations

from collections.abc import Iterator

from ..readers.source import Role
from .contract import Content, Writer, grouped, numeral, quoted


def text(content: Content) -> Iterator[str]:
    """One document, a line per query."""
    yield '{"name": "judgments", "description": "", "type": "IMPORT_JUDGMENT", "judgmentRatings": ['
    mark = "\n"
    for query, rows in grouped(content.rows("query")):
        rated = ((quoted(row.doc), numeral(row.number or 0.0)) for row in rows)
        held = ", ".join(f'{{"docId": {doc}, "rating": "{rating}"}}' for doc, rating in rated)
        yield f'{mark}  {{"query": {quoted(query)}, "ratings": [{held}]}}'
        mark = ",\n"
    for query in content.bare:
        yield f'{mark}  {{"query": {quoted(query)}, "ratings": []}}'
        mark = ",\n"
    yield "\n]}\n"


WRITER = Writer("opensearch_judgments", (Role.JUDGMENTS,), text, frozenset({"bare", "repeats"}))
