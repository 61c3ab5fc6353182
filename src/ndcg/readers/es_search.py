"""Elasticsearch and OpenSearch `_search` responses, each under its query: `{"q1": {"hits": {"hits": [...]}}, ...}`.

Scores where every hit has one, else the order of the hits (a response that is sorted has none). A response that is an
error (`{"error": ...}`) is a failed query. A response alone, and those of `_msearch`, do not say which query they
answer: they are refused with the way on.
"""

from __future__ import annotations

from typing import Any

from ..errors import Fault, InputError
from .context import Context, Piece
from .es_rank_eval import Identity
from .gathering import Gathering
from .json import parsed
from .json_walk import below, leftover, objects


def read(path: str, context: Context) -> Piece:
    """Read one file of responses by query."""
    return from_data(parsed(path), path, context)


def is_response(data: Any) -> bool:
    """Whether a JSON value is what a search answers: hits, or an error."""
    return hits_of(data) is not None or (isinstance(data, dict) and isinstance(data.get("error"), dict))


def are_responses(data: Any) -> bool:
    """Whether an object holds a response under every query, and one with hits at least."""
    if not isinstance(data, dict) or not data or hits_of(data) is not None:
        return False
    return all(map(is_response, data.values())) and any(hits_of(held) is not None for held in data.values())


def hits_of(data: Any) -> list[Any] | None:
    """The list of hits of a response, None where there is none."""
    held = data.get("hits") if isinstance(data, dict) else None
    hits = held.get("hits") if isinstance(held, dict) else None
    return hits if isinstance(hits, list) else None


def nameless(data: Any, path: str) -> InputError | None:
    """The error for responses that do not say which query they answer, None for anything else."""
    several = data.get("responses") if isinstance(data, dict) else None
    if isinstance(several, list) and any(map(is_response, several)):
        problem = f"{len(several)} responses of _msearch do not say which query each of them answers"
    elif hits_of(data) is not None:
        problem = "a _search response does not say which query it answers"
    else:
        return None
    return InputError(
        problem,
        code="no_query",
        faults=[Fault(problem, path)],
        hint='write each response under its query, {"QUERY": RESPONSE, ...}, or a line {"query": ..., "response": '
        "RESPONSE} for each; a _rank_eval response names its queries",
    )


def from_data(data: Any, path: str, context: Context) -> Piece:
    """The Piece of responses by query."""
    refused = nameless(data, path)
    if refused is not None:
        raise refused
    if not are_responses(data):
        raise InputError(f"{path}: expected a _search response under every query", code="layout")
    rows = Gathering(context, path, "es_search")
    identity = Identity(rows, context)
    held = [hit for response in data.values() for hit in hits_of(response) or ()]
    scored = all(isinstance(hit, dict) and hit.get("_score") is not None for hit in held)
    partial = 0
    for name, response in data.items():
        place = below("$", name)
        query = rows.query(name, place=place)
        if query is None:
            continue
        if hits_of(response) is None:
            rows.failed(query)
            continue
        partial += is_partial(response)
        identity.next_query()
        for at, (hit, inside) in enumerate(objects(rows, response["hits"], "hits", below(place, "hits")), 1):
            leftover(rows, hit, ("_id", "_index", "_score"), "hit key")
            doc = identity.of(hit, query, inside)
            if doc is not None:
                rows.row(query, doc, hit["_score"] if scored else None, at, place=below(inside, "_score"))
    identity.said()
    if partial:
        rows.notes.append(
            f"{partial} response{'s' if partial > 1 else ''} timed out or missed shards: lists may be cut"
        )
    number = "score=_score, in the order of the hits" if scored else "in the order of the hits"
    return rows.piece(f"_search response per query, doc={identity.key}, {number}")


def is_partial(response: Any) -> bool:
    """Whether a response itself says that it is incomplete."""
    shards = response.get("_shards")
    failed = shards.get("failed") if isinstance(shards, dict) else 0
    return response.get("timed_out") is True or (isinstance(failed, int) and failed > 0)
