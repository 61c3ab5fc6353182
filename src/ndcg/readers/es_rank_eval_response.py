"""Elasticsearch and OpenSearch `_rank_eval` response: what each request returned, and its ratings.

`{"details": {query: {"hits": [{"hit": {"_index", "_id", "_score"}, "rating": 3 or null}]}}, "failures": {query: ...}}`.
As a run: scores where every hit has one, else the order of the hits. `failures` are failed queries. As judgments
(declared with the format): the ratings of what was returned, which hides rated documents that were not.
"""

from __future__ import annotations

from typing import Any

from ..errors import InputError
from .context import Context, Piece
from .es_rank_eval import Identity
from .gathering import Gathering
from .json import parsed
from .json_walk import below, kind, leftover, objects
from .source import Role


def read(path: str, context: Context) -> Piece:
    """Read one response body."""
    return from_data(parsed(path), path, context)


def from_data(data: Any, path: str, context: Context) -> Piece:
    """The Piece of a parsed response body."""
    rows = Gathering(context, path, "es_rank_eval_response")
    details = data.get("details") if isinstance(data, dict) else None
    if not isinstance(details, dict):
        raise InputError(f"{path}: $.details: expected an object, found {kind(details)}", code="layout")
    identity = Identity(rows, context)
    scored = all(_score(item) is not None for detail in details.values() for item in _hits(detail))
    for name, detail in details.items():
        place = below("$.details", name)
        query = rows.query(name, place=place)
        if query is None:
            continue
        identity.next_query()
        if isinstance(detail, dict):
            leftover(rows, detail, ("hits",), "detail key")
        for at, (item, inside) in enumerate(objects(rows, detail, "hits", place), 1):
            leftover(rows, item, ("hit", "rating") if context.role is Role.JUDGMENTS else ("hit",), "hit key")
            doc = identity.of(item.get("hit"), query, below(inside, "hit"))
            if doc is None:
                continue
            if context.role is Role.JUDGMENTS:
                rows.row(query, doc, item.get("rating"), place=below(inside, "rating"))
            else:
                rows.row(query, doc, _score(item) if scored else None, at, place=below(below(inside, "hit"), "_score"))
    _failures(rows, data.get("failures"))
    leftover(rows, data, ("details", "failures"), "key")
    identity.said()
    if context.role is Role.JUDGMENTS:
        rows.notes.append("ratings of returned documents only: rated documents that were not returned are unknown")
        return rows.piece(f"rank_eval response, query=key of details, doc={identity.key}, grade=rating")
    number = "score=_score, in the order of the hits" if scored else "in the order of the hits"
    return rows.piece(f"rank_eval response, query=key of details, doc={identity.key}, {number}")


def _failures(rows: Gathering, failures: Any) -> None:
    if failures is None:
        return
    if not isinstance(failures, dict):
        rows.fault(f"expected an object, found {kind(failures)}", place="$.failures")
        return
    for name in failures:
        query = rows.query(name, place=below("$.failures", name))
        if query is not None and rows.role is Role.RUN:
            rows.failed(query)


def _hits(detail: Any) -> list[Any]:
    hits = detail.get("hits") if isinstance(detail, dict) else None
    return hits if isinstance(hits, list) else []


def _score(item: Any) -> Any:
    hit = item.get("hit") if isinstance(item, dict) else None
    return hit.get("_score") if isinstance(hit, dict) else None
