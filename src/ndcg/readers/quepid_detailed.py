"""Quepid's detailed export: judgments and positions of a case, one document a row, keyed by the query's text.

`Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating,...`; a query without documents is a row of
four fields. The columns after Rating are fields of the documents.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import InputError
from .context import Context, Piece
from .gathering import Gathering
from .quepid_text import Guard, Record, client_records
from .source import Role

_NEEDED = {"query": ("query text",), "doc": ("doc id",), "rating": ("rating",), "case": ("case id",)}
_POSITION = ("doc position", "position")


def is_detailed(names: Sequence[str]) -> bool:
    """Whether a header is that of the detailed export."""
    folded = [name.strip().lower() for name in names]
    return {"case id", "query text", "doc id", "rating"} <= set(folded) and any(name in folded for name in _POSITION)


def read(path: str, context: Context) -> Piece:
    """Read one file as judgments (ratings), as a run (positions) or as a pool."""
    rows = Gathering(context, path, "quepid_detailed")
    found = client_records(path)
    header = next(found, Record(1, None, ""))
    names = [name.strip() for name in header.fields or []]
    if not is_detailed(names):
        raise InputError(f"{path}: no header of Quepid's detailed export; found {', '.join(names)}", code="layout")
    folded = [name.lower() for name in names]
    at = {role: folded.index(words[0]) for role, words in _NEEDED.items()}
    position = next(folded.index(word) for word in _POSITION if word in folded)
    guard, cases = Guard(), Cases(rows)
    for record in found:
        fields = record.fields
        short = at["query"] + 1
        if fields is None:
            rows.fault(record.text, line=record.line)
            continue
        if len(fields) not in (len(names), short):
            said = f"expected {len(names)} fields, or {short} for a query without documents, found {len(fields)}"
            rows.fault(said, line=record.line, text=record.text)
            continue
        query = rows.query(guard.off(fields[at["query"]]), line=record.line, text=record.text)
        if query is None or not cases.fits(query, fields[at["case"]], record) or len(fields) == short:
            continue
        doc = fields[at["doc"]]
        if rows.role is Role.JUDGMENTS:
            rows.row(query, doc, fields[at["rating"]].strip(" \t") or None, line=record.line, text=record.text)
        else:
            rows.row(query, doc, None, fields[position], line=record.line, text=record.text)
    guard.said(rows)
    used = {at["query"], at["doc"], at["rating"] if rows.role is Role.JUDGMENTS else position}
    rows.unused.update(dict.fromkeys(f"column {name!r}" for place, name in enumerate(names) if place not in used))
    number = "grade=Rating" if rows.role is Role.JUDGMENTS else f"rank={names[position]}"
    return rows.piece(f"header line, query=Query Text, doc=Doc ID, {number}")


class Cases:
    """A query's text is its key: the same text in two cases of one file would be mixed up."""

    def __init__(self, rows: Gathering) -> None:
        self.rows = rows
        self._of: dict[str, str] = {}

    def fits(self, query: str, case: str, record: Record) -> bool:
        """Whether the query stands in one case only; a fault if not."""
        before = self._of.setdefault(query, case)
        if before != case:
            self.rows.fault(
                f"the query stands in two cases ({before}, {case}); export each case to a file of its own",
                line=record.line,
                query=query,
            )
        return before == case
