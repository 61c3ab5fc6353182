"""Quepid's JSON exports: a book (every judge's rating), a case, or the ratings of a case.

Book: `{"query_doc_pairs": [{"query_text", "doc_id", "judgements": [{"rating", "user_email"}]}]}`. Case:
`{"queries": [{"query_text", "ratings": {document: rating}}]}`; the export of ratings calls the text `query`. Queries
are keyed by their text. A judgement without a rating (unrateable, for later) is none.
"""

from __future__ import annotations

from typing import Any

from ..counted import counted_noun
from ..errors import InputError
from .context import Context, Piece
from .gathering import Gathering
from .json import parsed
from .json_walk import below, kind, leftover, objects

NOBODY = "Anonymous"
"""What Quepid calls a judge without an account."""


def read(path: str, context: Context) -> Piece:
    """Read one export."""
    return from_data(parsed(path), path, context)


def is_export(data: Any) -> bool:
    """Whether a JSON document is one of these exports."""
    if not isinstance(data, dict):
        return False
    pairs, queries = data.get("query_doc_pairs"), data.get("queries")
    if isinstance(pairs, list):
        return any(isinstance(pair, dict) for pair in pairs)
    return isinstance(queries, list) and any(
        isinstance(query, dict) and "ratings" in query and ("query_text" in query or "query" in query)
        for query in queries
    )


def from_data(data: Any, path: str, context: Context) -> Piece:
    """The Piece of a parsed export."""
    if not is_export(data):
        raise InputError(f"{path}: expected query_doc_pairs, or queries with ratings", code="layout")
    book = isinstance(data.get("query_doc_pairs"), list)
    return _book(data, path, context) if book else _case(data, path, context)


def _book(data: dict[str, Any], path: str, context: Context) -> Piece:
    rows = Gathering(context, path, "quepid_json", judges=True)
    judges: dict[str, None] = {}
    for pair, place in objects(rows, data, "query_doc_pairs", "$"):
        leftover(rows, pair, ("query_text", "doc_id", "judgements"), "key")
        query = rows.query(pair.get("query_text"), place=below(place, "query_text"))
        if query is None:
            continue
        given = list(objects(rows, pair, "judgements", place)) if pair.get("judgements") else []
        rated = [(judgement, inside) for judgement, inside in given if judgement.get("rating") is not None]
        for judgement, inside in rated or [({}, place)]:
            leftover(rows, judgement, ("rating", "user_email"), "judgement key")
            judge = str(judgement.get("user_email") or NOBODY)
            judges.update({judge: None} if rated else {})
            rows.row(query, pair.get("doc_id"), judgement.get("rating"), place=below(inside, "rating"), judge=judge)
    leftover(rows, data, ("query_doc_pairs",), "key")
    return rows.piece(
        f"book, query=query_text, doc=doc_id, grade=rating, {counted_noun(len(judges), 'judge')}: {', '.join(judges)}"
    )


def _case(data: dict[str, Any], path: str, context: Context) -> Piece:
    rows = Gathering(context, path, "quepid_json")
    named = "query"
    for held, place in objects(rows, data, "queries", "$"):
        named = "query_text" if "query_text" in held else "query"
        leftover(rows, held, (named, "ratings"), "query key")
        query = rows.query(held.get(named), place=below(place, named))
        ratings, inside = held.get("ratings"), below(place, "ratings")
        if query is None or not ratings:
            continue
        if isinstance(ratings, dict):
            for doc, rating in ratings.items():
                rows.row(query, doc, rating, place=below(inside, doc))
        elif isinstance(ratings, list):
            for rated, at in objects(rows, held, "ratings", place):
                leftover(rows, rated, ("doc_id", "rating"), "rating key")
                rows.row(query, rated.get("doc_id"), rated.get("rating"), place=below(at, "rating"))
        else:
            rows.fault(f"expected {{document: rating}}, found {kind(ratings)}", place=inside, query=query)
    leftover(rows, data, ("queries",), "key")
    return rows.piece(f"case, query={named}, grade=rating")
