"""Formats of search tools, told by their header or by the keys of their JSON document."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..errors import Fault, InputError
from .context import Context, Piece
from .source import Role

ROLES = {
    "quepid": (Role.JUDGMENTS, Role.POOL),
    "quepid_basic_snapshot": (Role.RUN, Role.POOL),
    "quepid_snapshot": (Role.RUN, Role.POOL),
    "quepid_book": (Role.JUDGMENTS, Role.POOL),
    "quepid_json": (Role.JUDGMENTS, Role.POOL),
    "es_rank_eval": (Role.JUDGMENTS, Role.POOL),
    "es_search": (Role.RUN, Role.POOL),
    "opensearch_judgments": (Role.JUDGMENTS, Role.POOL),
    "rre": (Role.JUDGMENTS, Role.POOL),
    "mteb_predictions": (Role.RUN, Role.POOL),
}
"""What these formats can hold; the others hold any kind of input."""

_HELD = {
    "quepid": "Quepid's ratings (query, docid, rating)",
    "quepid_snapshot": "a Quepid snapshot, what was returned",
    "quepid_book": "a table with a column per judge",
    "quepid_json": "an export of Quepid, which holds ratings",
    "es_rank_eval": "a rank_eval request, which holds ratings",
    "es_search": "_search responses, what was returned",
    "opensearch_judgments": "an OpenSearch judgment list",
    "rre": "RRE ratings",
    "mteb_predictions": "MTEB predictions, a run",
}


def header_format(path: str, rows: list[bytes], context: Context) -> str | None:
    """The format whose header the first row is, or None. InputError where it holds another kind of input.

    Declared columns mean that the file is read as a general table, but for a wildcard: that means judges.
    """
    from .delimited import header_fields
    from .fill_down import is_govuk
    from .quepid import holds_ratings, is_basic
    from .quepid_book import is_book
    from .quepid_detailed import is_detailed
    from .quepid_snapshot import is_snapshot
    from .quepid_text import separator_of

    lines = [row.decode("utf-8", "replace") for row in rows[:50]]
    delimiter = separator_of(lines[0])
    names = [name.strip() for name in header_fields(lines[0], delimiter)]
    if context.columns:
        judges = context.columns.get("grade", "")
        return _fitting("quepid_book", path, context.role) if any(mark in judges for mark in "*?") else None
    if is_basic(names):
        if context.role is not Role.RUN:
            return "quepid"
        if not holds_ratings(path):
            return "quepid_basic_snapshot"
        return _fitting("quepid", path, context.role, "if it is what was returned: format='quepid_basic_snapshot'")
    if is_snapshot(names):
        return _fitting("quepid_snapshot", path, context.role)
    if is_detailed(names):
        return "quepid_detailed"
    if is_govuk(names):
        return "fill_down"
    if is_book(names, [header_fields(line, delimiter) for line in lines[1:]]):
        return _fitting("quepid_book", path, context.role)
    return None


def _fitting(format: str, path: str, role: Role, more: str = "") -> str:
    if role in ROLES[format]:
        return format
    expected = {Role.JUDGMENTS: "judgments", Role.RUN: "a run", Role.POOL: "a candidate pool"}[role]
    problem = f"expected {expected}, found {_HELD[format]}"
    hint = "judgments and run look swapped: the judgments come first" + (f"; or, {more}" if more else "")
    raise InputError(problem, code="wrong_kind", faults=[Fault(problem, path)], hint=hint)


def document_reader(data: Any, path: str, context: Context) -> Callable[[], Piece] | None:
    """Reads a parsed JSON document of a search tool; None for any other. InputError for another kind of input."""
    from .es_search import nameless

    format = _document_format(data)
    refused = nameless(data, path) if format is None else None
    if refused is not None:
        raise refused
    if format is None:
        return None
    if format == "opensearch_query_set":
        raise query_set(path)
    if format == "es_rank_eval_response" and context.role is Role.JUDGMENTS:
        problem = "a rank_eval response holds the ratings of returned documents only, which hides what was missed"
        raise InputError(
            problem,
            code="wrong_kind",
            faults=[Fault(problem, path)],
            hint="give the request's body, or take them all the same with format='es_rank_eval_response'",
        )
    if format in ROLES:
        _fitting(format, path, context.role)
    module = import_module(f".{format}", __package__)
    return lambda: _piece(module, data, path, context)


def _piece(module: Any, data: Any, path: str, context: Context) -> Piece:
    made: Piece = module.from_data(data, path, context)
    return made


def query_set(path: str) -> InputError:
    """The error for a query set: it has no documents."""
    problem = "an OpenSearch query set holds queries, and neither judgments nor a run"
    return InputError(
        problem,
        code="wrong_kind",
        faults=[Fault(problem, path)],
        hint="its fields can slice the result: --by FILE:COLUMN",
    )


def bulk(path: str) -> InputError:
    """The error for a bulk file: it indexes documents, of User Behavior Insights queries and events."""
    problem = "a bulk file of Elasticsearch or OpenSearch holds documents to index, and neither judgments nor a run"
    return InputError(
        problem,
        code="wrong_kind",
        faults=[Fault(problem, path, 1)],
        hint="of events (UBI), give the judgments that were made from them: an OpenSearch judgment list",
    )


def _document_format(data: Any) -> str | None:
    if not isinstance(data, dict):
        return None
    if _listed(data, "requests"):
        return "es_rank_eval"
    details = data.get("details")
    if isinstance(details, dict) and (
        "failures" in data or _one_of(data, "metric_score", "quality_level", "rank_eval")
    ):
        return "es_rank_eval_response"
    from .es_search import are_responses
    from .opensearch_judgments import unwrapped
    from .quepid_json import is_export

    if _listed(unwrapped(data)[0], "judgmentRatings"):
        return "opensearch_judgments"
    if _listed(data, "querySetQueries"):
        return "opensearch_query_set"
    if _listed(data, "topics") or _listed(data, "query_groups"):
        return "rre"
    if _listed(data, "queries") and "relevant_documents" in data:
        return "rre"
    if is_export(data):
        return "quepid_json"
    if are_responses(data):
        return "es_search"
    return "mteb_predictions" if "mteb_model_meta" in data else None


def _one_of(data: dict[str, Any], *keys: str) -> bool:
    return any(key in data for key in keys)


def _listed(data: Any, key: str) -> bool:
    """Whether a key holds a list of objects; a list of ids is a ranked list of a query of that name."""
    held = data.get(key) if isinstance(data, dict) else None
    return isinstance(held, list) and all(isinstance(item, dict) for item in held[:1])
