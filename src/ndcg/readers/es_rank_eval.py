"""Elasticsearch and OpenSearch `_rank_eval` request: rated documents per request.

`{"requests": [{"id": ..., "request": {...}, "ratings": [{"_index": ..., "_id": ..., "rating": 3}]}], "metric": ...}`.
The key of a query is the request's `id`, or what `columns={"query": "params.text"}` (a dotted path) names. The key of
a document is `_id`; `columns={"doc": "_index/_id"}` takes index and id together.
"""

from __future__ import annotations

from typing import Any

from ..errors import InputError
from .context import Context, Piece
from .gathering import Gathering
from .json import parsed
from .json_values import value_at
from .json_walk import below, leftover, objects

BOTH = "_index/_id"


def read(path: str, context: Context) -> Piece:
    """Read one request body."""
    return from_data(parsed(path), path, context)


def from_data(data: Any, path: str, context: Context) -> Piece:
    """The Piece of a parsed request body."""
    rows = Gathering(context, path, "es_rank_eval")
    key = context.columns.get("query", "id")
    identity = Identity(rows, context)
    seen: dict[str, str] = {}
    for request, place in objects(rows, data, "requests", "$"):
        inside = place + "".join(below("", step) for step in key.split("."))
        query = rows.query(value_at(request, key), place=inside)
        if query is None:
            continue
        if query in seen and key == "id":
            rows.fault(f"the request id stands twice, first at {seen[query]}", place=inside, query=query)
            continue
        seen[query] = place
        leftover(rows, request, ("id", "ratings", key.partition(".")[0]), "request key")
        identity.next_query()
        for rated, at in objects(rows, request, "ratings", place):
            leftover(rows, rated, ("_id", "_index", "rating"), "rating key")
            doc = identity.of(rated, query, at)
            if doc is None:
                continue
            if rated.get("rating") is None:
                rows.fault("the rating is missing", place=below(at, "rating"), query=query, doc=doc)
                continue
            rows.row(query, doc, rated["rating"], place=below(at, "rating"))
    if isinstance(data, dict):
        leftover(rows, data, ("requests",), "key")
    identity.said()
    return rows.piece(f"rank_eval request, query={key}, doc={identity.key}, grade=rating")


class Identity:
    """The document's key out of `_index` and `_id`."""

    def __init__(self, rows: Gathering, context: Context) -> None:
        self.rows = rows
        self.key = context.columns.get("doc", "_id")
        if self.key not in ("_id", BOTH):
            raise InputError(
                f"{rows.where}: columns={{'doc': {self.key!r}}} is no key of a hit",
                code="missing_column",
                hint=f"it is '_id' or {BOTH!r}",
            )
        self._indexes: dict[str, None] = {}
        self._here: dict[str, Any] = {}

    def next_query(self) -> None:
        """The ratings of another query follow."""
        self._here = {}

    def of(self, held: Any, query: str, place: str) -> object:
        """The document's id, or None and a fault."""
        found = held.get("_id") if isinstance(held, dict) else None
        index = held.get("_index") if isinstance(held, dict) else None
        if found is None:
            self.rows.fault("no '_id'", place=place, query=query)
            return None
        if isinstance(index, str):
            self._indexes[index] = None
        if self.key == BOTH:
            if not isinstance(index, str):
                self.rows.fault("no '_index'", place=place, query=query, doc=found)
                return None
            return f"{index}/{found}"
        before = self._here.setdefault(str(found), index)
        if before != index:
            self.rows.fault(
                f"the '_id' stands under two indexes ({before}, {index}); columns={{'doc': {BOTH!r}}} keeps them apart",
                place=place,
                query=query,
                doc=found,
            )
            return None
        return found

    def said(self) -> None:
        """Note the indexes: they are dropped where the id alone is the key."""
        if self._indexes and self.key == "_id":
            self.rows.unused["key '_index'"] = None
            if len(self._indexes) > 1:
                self.rows.notes.append(f"documents of {len(self._indexes)} indexes are told apart by '_id' alone")
