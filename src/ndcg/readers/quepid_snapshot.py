"""Quepid's snapshot export, its run file: what each query returned, by position.

`Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,...`; further columns are fields of the documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import InputError
from .context import Context, Piece
from .gathering import Gathering
from .quepid_detailed import Cases
from .quepid_text import Guard, Record, server_records
from .source import Described, Role, Scanned

_NAMES = ("snapshot name", "query text", "doc id", "doc position", "case id")


def is_snapshot(names: Sequence[str]) -> bool:
    """Whether a header is that of the snapshot export."""
    return set(_NAMES) <= {name.strip().lower() for name in names}


def read(path: str, context: Context) -> Piece:
    """Read one file as a run or a pool. Several snapshots in one file are several runs: an InputError."""
    rows, found = Gathering(context, path, "quepid_snapshot"), _Snapshots(path)
    cases, first = Cases(rows), ""
    for name, query, doc, position, case, record in found.rows(rows):
        first = first or name
        if name != first and not context.several_tags:
            said = f"snapshot {name!r} differs from {first!r}, the first row's; --split-tags scores each on its own"
            rows.fault(said, line=record.line, text=record.text)
        elif cases.fits(query, case, record) and (doc or position):
            rows.row(query, doc, None, position, line=record.line, text=record.text)
    found.said(rows)
    return rows.piece(found.layout, tag=first)


def by_tag(path: str) -> dict[str, Scanned]:
    """The runs of a file by snapshot name."""
    faulty = Gathering(Context(Role.RUN), path, "quepid_snapshot")
    apart: dict[str, Gathering] = {}
    found = _Snapshots(path)
    for name, query, doc, position, _case, record in found.rows(faulty):
        rows = apart.setdefault(name, Gathering(Context(Role.RUN), path, "quepid_snapshot"))
        if rows.query(query, line=record.line) is not None and (doc or position):
            rows.row(query, doc, None, position, line=record.line, text=record.text)
    if faulty.total:
        faulty.piece(found.layout)
    made: dict[str, Scanned] = {}
    for name, rows in apart.items():
        piece = rows.piece(found.layout)
        assert piece.part is not None
        described = Described(name, piece.format, f"{piece.layout}, of {path}", piece.notes)
        made[name] = Scanned(Role.RUN, described, (piece.part,), piece.ranked)
    return made


class _Snapshots:
    layout = "header line, query=Query Text, doc=Doc ID, rank=Doc Position"

    def __init__(self, path: str) -> None:
        self._found = server_records(path)
        header = next(self._found, Record(1, None, ""))
        self.names = [name.strip() for name in header.fields or []]
        if not is_snapshot(self.names):
            listed = ", ".join(self.names)
            raise InputError(f"{path}: no header of Quepid's snapshot export; found {listed}", code="layout")
        folded = [name.lower() for name in self.names]
        self._at = [folded.index(name) for name in _NAMES]
        self._guard = Guard()

    def rows(self, rows: Gathering) -> Iterator[tuple[str, str, str, str, str, Record]]:
        """(snapshot, query, document, position, case, record); faults go to `rows`."""
        for record in self._found:
            fields = record.fields
            if fields is None:
                rows.fault(record.text, line=record.line)
            elif len(fields) != len(self.names):
                said = f"expected {len(self.names)} fields, found {len(fields)}"
                rows.fault(said, line=record.line, text=record.text)
            else:
                name, query, doc, position, case = (fields[at] for at in self._at)
                known = rows.query(self._guard.off(query), line=record.line, text=record.text)
                if known is not None:
                    yield name, known, doc, position, case, record

    def said(self, rows: Gathering) -> None:
        """Note guarded queries and unused columns."""
        self._guard.said(rows)
        unused = [name for place, name in enumerate(self.names) if place not in self._at[1:4]]
        rows.unused.update(dict.fromkeys(f"column {name!r}" for name in unused))
