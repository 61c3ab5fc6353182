"""Quepid's book export, and tables like it: one column per judge, `query,docid,Anna,Ben`.

Every judge's rating is a row of its own, so that a declared merge rule decides; an empty cell is no rating. The judges
are all columns after the document, or those that `columns={"grade": "agent_*_rating"}` fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from ..counted import counted_noun
from ..errors import InputError
from . import numbers
from .columns import role_of
from .context import Context, Piece
from .gathering import Gathering
from .quepid_text import Guard, Record, server_records

_MOST_GRADES = 12
"""More different numbers than this in the first rows are prices or counts, not ratings."""


def is_book(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether a table looks like a book: query and document, then at least two columns of a few different numbers."""
    folded = [name.strip().lower() for name in names]
    if len(folded) < 4 or folded[0] != "query" or folded[1] not in ("docid", "doc_id") or not rows:
        return False
    if any(role_of(name) is not None for name in folded[2:]):
        return False
    cells = [cell.strip(" \t") for row in rows if len(row) == len(names) for cell in row[2:]]
    given = {cell for cell in cells if cell}
    return 0 < len(given) <= _MOST_GRADES and all(numbers.is_number(cell) for cell in given)


def read(path: str, context: Context) -> Piece:
    """Read one file as judgments or as a pool."""
    rows = Gathering(context, path, "quepid_book", judges=True)
    found = server_records(path)
    header = next(found, Record(1, None, ""))
    names = [name.strip() for name in header.fields or []]
    query_at, doc_at = _place(path, names, context, "query", ("query",)), _place(path, names, context, "doc", _DOCS)
    judges = _judges(path, names, context.columns.get("grade"), {query_at, doc_at})
    guard = Guard()
    for record in found:
        fields = record.fields
        if fields is None:
            rows.fault(record.text, line=record.line)
            continue
        if len(fields) != len(names):
            said = f"expected {len(names)} fields, found {len(fields)}"
            rows.fault(said, line=record.line, text=record.text)
            continue
        query = rows.query(guard.off(fields[query_at]), line=record.line, text=record.text)
        doc, ratings = fields[doc_at], [(judge, fields[at].strip(" \t")) for at, judge in judges.items()]
        if query is None or (not doc and not any(rating for _, rating in ratings)):
            continue
        given = [(judge, rating) for judge, rating in ratings if rating]
        for judge, rating in given or [("", "")]:
            rows.row(query, doc, rating or None, line=record.line, judge=judge, text=record.text)
    guard.said(rows)
    used = {query_at, doc_at, *judges}
    rows.unused.update(dict.fromkeys(f"column {name!r}" for at, name in enumerate(names) if at not in used))
    layout = f"header line, query={names[query_at]}, doc={names[doc_at]}, {counted_noun(len(judges), 'judge')}: "
    return rows.piece(layout + ", ".join(judges.values()))


_DOCS = ("docid", "doc_id")


def _place(path: str, names: list[str], context: Context, role: str, usual: tuple[str, ...]) -> int:
    wanted = context.columns.get(role)
    fits = [at for at, name in enumerate(names) if (name == wanted if wanted else name.lower() in usual)]
    if len(fits) != 1:
        raise InputError(
            f"{path}: {'no' if not fits else 'more than one'} column {wanted or usual[0]!r}; the columns are "
            f"{', '.join(map(repr, names))}",
            code="missing_column" if not fits else "ambiguous_column",
            hint=f"name it with columns={{'{role}': ...}}",
        )
    return fits[0]


def _judges(path: str, names: list[str], wanted: str | None, taken: set[int]) -> dict[int, str]:
    """Position -> name of each judge; two judges of one name are told apart by their column's number."""
    chosen = [
        at
        for at, name in enumerate(names)
        if at not in taken and (name == wanted or fnmatchcase(name, wanted) if wanted else True)
    ]
    if not chosen:
        raise InputError(
            f"{path}: no column of a judge{f' fits {wanted!r}' if wanted else ''}; the columns are "
            f"{', '.join(map(repr, names))}",
            code="missing_column",
        )
    found = [names[at] for at in chosen]
    return {at: names[at] if found.count(names[at]) == 1 else f"{names[at]} (column {at + 1})" for at in chosen}
