"""Quepid's basic export: `query,docid,rating` in any order, keyed by the query's text.

A row without document and rating is a query that nobody judged, a document without rating one that nobody rated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import InputError
from .context import Context, Piece
from .delimited import read_headed
from .gathering import Gathering
from .lines import numbered
from .quepid_text import Guard, Record, separator_of, server_records
from .source import Role

_PARTICULAR = re.compile(rb'(?:^|[,;\t])(?:"? [-=+@]|[ \t]*(?:"[ \t]*")?[ \t]*(?:[,;\t]|$))').search
"""Lines that general CSV would read differently: a guarded query, or an empty field."""

_NAMES = ("query", "docid", "rating")


def is_basic(names: list[str]) -> bool:
    """Whether a header is Quepid's: the server writes `docid`, its own browser code once wrote `doc_id`."""
    return sorted(map(_name, names)) == sorted(_NAMES)


def _name(given: str) -> str:
    name = given.strip().lower()
    return "docid" if name == "doc_id" else name


def read(path: str, context: Context) -> Piece:
    """Read one file of ratings, or a pool of its documents."""
    if not any(line and _PARTICULAR(line) for _, line in numbered(path)):
        header = next(iter(numbered(path)))[1].decode("utf-8", "replace")
        return read_headed(path, context, separator_of(header), "quepid")
    rows = Gathering(context, path, "quepid")
    guard = Guard()
    for record in _data(rows, server_records(path)):
        _row(rows, guard, record)
    guard.said(rows)
    return rows.piece("header line, query=query text, doc=docid, grade=rating")


def read_snapshot(path: str, context: Context) -> Piece:
    """Read what was returned: the same header, documents in ranked order, ratings of no importance."""
    rows = Gathering(context, path, "quepid_basic_snapshot")
    guard = Guard()
    places: dict[str, int] = {}
    for record in _data(rows, server_records(path)):
        query, doc, rating = record.fields or ("", "", "")
        known = rows.query(guard.off(query), line=record.line, text=record.text)
        if known is None or (not doc and not rating):
            continue  # the query returned nothing
        places[known] = places.get(known, 0) + 1
        rows.row(known, doc, None, places[known], line=record.line, text=record.text)
        if rating:
            rows.unused["column 'rating'"] = None
    guard.said(rows)
    return rows.piece("header line, query=query text, doc=docid, in the order of the rows")


def holds_ratings(path: str) -> bool:
    """Whether any row has a rating."""
    found = server_records(path)
    place = list(map(_name, next(found, Record(1, None, "")).fields or _NAMES)).index("rating")
    # What is no record of three fields is read as ratings, whose reader names it.
    return any(
        record.fields is None or len(record.fields) != 3 or bool(record.fields[place].strip(" \t")) for record in found
    )


def _data(rows: Gathering, found: Iterator[Record]) -> Iterator[Record]:
    """The records after the header as query, document, rating; what is no record of three fields is a fault."""
    header = next(found, Record(1, None, ""))
    names = list(map(_name, header.fields or []))
    if not is_basic(names):
        raise InputError(f"{rows.where}: no header of Quepid's basic export [{header.text}]", code="layout")
    for record in found:
        if record.fields is None:
            rows.fault(record.text, line=record.line)
        elif len(record.fields) != 3:
            rows.fault(f"expected 3 fields, found {len(record.fields)}", line=record.line, text=record.text)
        else:
            yield record._replace(fields=[record.fields[names.index(name)] for name in _NAMES])


def _row(rows: Gathering, guard: Guard, record: Record) -> None:
    query, doc, rating = record.fields or ("", "", "")
    known = rows.query(guard.off(query), line=record.line, text=record.text)
    if known is None or (not doc and not rating.strip(" \t") and rows.role is not Role.RUN):
        return
    rows.row(known, doc, rating if rating.strip(" \t") else None, line=record.line, text=record.text)
