"""OpenSearch Search Relevance Workbench judgment list: ratings as text, keyed by the query's text.

`{"name": ..., "type": "IMPORT_JUDGMENT", "judgmentRatings": [{"query": ..., "ratings": [{"docId", "rating"}]}]}`, as
imported, or wrapped in the answer of a search that found one list.
"""

from __future__ import annotations

from typing import Any

from .context import Context, Piece
from .gathering import Gathering
from .json import parsed
from .json_walk import below, leftover, objects


def read(path: str, context: Context) -> Piece:
    """Read one list."""
    return from_data(parsed(path), path, context)


def unwrapped(data: Any) -> tuple[Any, str]:
    """The list itself and its path: out of the answer of a search that found exactly one."""
    hits = data.get("hits", {}) if isinstance(data, dict) else None
    found = hits.get("hits") if isinstance(hits, dict) else None
    if isinstance(found, list) and len(found) == 1 and isinstance(found[0], dict):
        source = found[0].get("_source")
        if isinstance(source, dict) and "judgmentRatings" in source:
            return source, "$.hits.hits[0]._source"
    return data, "$"


def from_data(data: Any, path: str, context: Context) -> Piece:
    """The Piece of a parsed list."""
    rows = Gathering(context, path, "opensearch_judgments")
    inner, root = unwrapped(data)
    for held, place in objects(rows, inner, "judgmentRatings", root):
        query = rows.query(held.get("query"), place=below(place, "query"))
        if query is None:
            continue
        leftover(rows, held, ("query", "ratings"), "key")
        for rated, at in objects(rows, held, "ratings", place):
            leftover(rows, rated, ("docId", "rating"), "rating key")
            doc = rated.get("docId")
            if doc is None:
                rows.fault("no 'docId'", place=at, query=query)
            elif rated.get("rating") is None:
                rows.fault("the rating is missing", place=below(at, "rating"), query=query, doc=doc)
            else:
                rows.row(query, doc, rated["rating"], place=below(at, "rating"))
    if isinstance(inner, dict):
        leftover(rows, inner, ("judgmentRatings",), "key")
    return rows.piece("judgment list, query=query text, doc=docId, grade=rating")
