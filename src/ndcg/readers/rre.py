"""Rated Ranking Evaluator ratings: topics, query groups, queries, and the relevant documents that they share.

`relevant_documents` is `{document: {"gain": 3}}` or `{grade: [documents]}`; one of a group holds for all its queries,
one of a query for that query. Topics and groups may be left out. The key of a query is its placeholder `$query`, or
its only one, or the one that `columns={"query": "$q"}` names.
"""

from __future__ import annotations

from typing import Any

from ..errors import InputError
from .context import Context, Piece
from .gathering import Gathering
from .json import parsed
from .json_walk import below, kind, leftover, objects

_LEVELS = ("topics", "query_groups", "queries", "relevant_documents", "placeholders")
_DEEPEST = 20


def read(path: str, context: Context) -> Piece:
    """Read one ratings file."""
    return from_data(parsed(path), path, context)


def from_data(data: Any, path: str, context: Context) -> Piece:
    """The Piece of a parsed ratings file."""
    rows = Gathering(context, path, "rre")
    if not isinstance(data, dict) or not any(key in data for key in ("topics", "query_groups", "queries")):
        raise InputError(f"{path}: $: expected an object with 'topics', 'query_groups' or 'queries'", code="layout")
    _Ratings(rows, context.columns.get("query")).level(data, "$", None, "", 0)
    return rows.piece("ratings, query=placeholder, doc=relevant document, grade=gain")


class _Ratings:
    def __init__(self, rows: Gathering, given: str | None) -> None:
        self.rows, self.given = rows, given

    def level(self, held: dict[str, Any], place: str, documents: Any, where: str, depth: int) -> None:
        """A file, topic or group: its queries share the nearest relevant documents above them."""
        rows = self.rows
        leftover(rows, held, _LEVELS, "key")
        if depth > _DEEPEST:
            rows.fault("nested too deeply", place=place)
            return
        documents, where = self._nearest(held, place, documents, where)
        for key in ("topics", "query_groups"):
            if key in held:
                for inner, at in objects(rows, held, key, place):
                    self.level(inner, at, documents, where, depth + 1)
        if "queries" in held:
            for inner, at in objects(rows, held, "queries", place):
                leftover(rows, inner, _LEVELS, "key")
                query = self._key(inner, at)
                if query is not None:
                    self._rows(query, *self._nearest(inner, at, documents, where))

    def _nearest(self, held: dict[str, Any], place: str, documents: Any, where: str) -> tuple[Any, str]:
        own = held.get("relevant_documents")
        return (documents, where) if own is None else (own, below(place, "relevant_documents"))

    def _key(self, held: dict[str, Any], place: str) -> str | None:
        rows, inside = self.rows, below(place, "placeholders")
        placeholders = held.get("placeholders")
        if not isinstance(placeholders, dict):
            rows.fault(f"expected an object of placeholders, found {kind(placeholders)}", place=inside)
            return None
        names = list(placeholders)
        name = self.given or ("$query" if "$query" in names or len(names) != 1 else names[0])
        if name not in placeholders:
            rows.fault(
                f"which placeholder is the query? There are {', '.join(names) or 'none'}; "
                "say which with columns={'query': ...}",
                place=inside,
            )
            return None
        for other in names:
            if other != name:
                rows.unused[f"placeholder {other!r}"] = None
        return rows.query(placeholders[name], place=below(inside, name))

    def _rows(self, query: str, documents: Any, place: str) -> None:
        rows = self.rows
        if documents is None:
            return  # a query without any judgment
        if not isinstance(documents, dict):
            rows.fault(f"expected an object, found {kind(documents)}", place=place, query=query)
            return
        for key, held in documents.items():
            at = below(place, key)
            if isinstance(held, list):
                for number, doc in enumerate(held):
                    rows.row(query, doc, key, place=below(at, number))
            elif isinstance(held, dict):
                leftover(rows, held, ("gain",), "document key")
                if held.get("gain") is None:
                    rows.fault("no 'gain'", place=at, query=query, doc=key)
                else:
                    rows.row(query, key, held["gain"], place=below(at, "gain"))
            else:
                rows.fault(
                    f"expected {{'gain': number}} or a list of documents, found {kind(held)}", place=at, query=query
                )
