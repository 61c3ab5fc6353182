"""Spreadsheets kept by hand: a CSV or TSV with a header, whose query cell is empty where the row above's holds on.

GOV.UK's header (`queryEntry.query,queryEntry.targets.score,queryEntry.targets.uri`) is known; others by their usual
names or `columns=`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import InputError
from .columns import Chosen, choose_columns
from .context import Context, Piece
from .gathering import Gathering
from .quepid_text import Record, server_records
from .source import Role

GOVUK = {"query": "queryEntry.query", "doc": "queryEntry.targets.uri", "grade": "queryEntry.targets.score"}


def is_govuk(names: Sequence[str]) -> bool:
    """Whether a header is GOV.UK's."""
    return set(GOVUK.values()) <= set(names)


def read(path: str, context: Context) -> Piece:
    """Read one file. The first row needs a query; rows whose cells are all empty are skipped."""
    rows = Gathering(context, path, "fill_down")
    found = server_records(path)
    header = next(found, Record(1, None, ""))
    names = header.fields or []
    if not names:
        raise InputError(f"{path} has no header line", code="layout")
    known = {**GOVUK, **context.columns} if is_govuk(names) else context.columns
    chosen = choose_columns(names, context.role, known, path)
    at = {role: names.index(name) for role, name in _columns(chosen).items()}
    query: str | None = None
    begun = False
    filled = 0
    for record in found:
        fields = record.fields
        if fields is None or len(fields) != len(names):
            said = record.text if fields is None else f"expected {len(names)} fields, found {len(fields)}"
            rows.fault(said, line=record.line, text=None if fields is None else record.text)
            continue
        if not any(fields):
            continue
        if fields[at["query"]]:
            query, begun = rows.query(fields[at["query"]], line=record.line, text=record.text), True
        elif not begun:
            rows.fault("the first row has no query", line=record.line, text=record.text)
            begun = True
        else:
            filled += 1
        if query is None:
            continue
        number: str | float | None
        number, rank = (fields[at[role]] if role in at else None for role in ("number", "rank"))
        number = number if chosen.constant is None else chosen.constant
        blank = rows.role is Role.JUDGMENTS and not str("" if number is None else number).strip(" \t")
        if blank and fields[at["doc"]]:
            rows.fault("the grade is empty", line=record.line, query=query, doc=fields[at["doc"]], text=record.text)
        elif not (blank and fields[at["query"]]):  # a query alone has no judgment
            rows.row(query, fields[at["doc"]], number, rank, line=record.line, text=record.text)
    used = set(at.values())
    rows.unused.update(dict.fromkeys(f"column {name!r}" for place, name in enumerate(names) if place not in used))
    rows.notes.append(f"the query of {filled} row{'s' if filled != 1 else ''} is that of the row above")
    return rows.piece(f"header line, {chosen.words}, query filled down")


def _columns(chosen: Chosen) -> dict[str, str]:
    found = {role: getattr(chosen, role) for role in ("query", "doc", "number", "rank")}
    return {role: name for role, name in found.items() if name is not None}
