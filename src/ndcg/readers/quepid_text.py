"""What Quepid's exports have in common: how a query's text was guarded, and how the client writes a CSV field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .delimited import Table, header_fields, quotation, records
from .gathering import Gathering
from .lines import numbered_with_ends

_GUARDED = re.compile(r" [-=+@]")
"""The export puts a blank before a query that a spreadsheet would take for a formula; Quepid's import takes it off."""

_LONGEST_RECORD = 4_000_000


class Record(NamedTuple):
    """One record: its first line, its fields (None where they cannot be taken apart), its text or the reason."""

    line: int
    fields: list[str] | None
    text: str


class Guard:
    """Takes the blank off guarded queries and counts them."""

    def __init__(self) -> None:
        self.count = 0

    def off(self, query: str) -> str:
        """The query as its author wrote it."""
        if _GUARDED.match(query):
            self.count += 1
            return query[1:]
        return query

    def said(self, rows: Gathering) -> None:
        """Note how many were taken off."""
        if self.count:
            rows.notes.append(
                f"the blank that the export puts before -, =, + and @ was taken off the query in {self.count} "
                f"row{'s' if self.count > 1 else ''}"
            )


def separator_of(header: str) -> str:
    """What separates the names of a header line: the mark that makes most of them, a comma where none does.

    >>> separator_of("query;docid;rating"), separator_of("query")
    (';', ',')
    """
    return max((",", "\t", ";"), key=lambda mark: len(header_fields(header, mark)))


def server_records(path: str) -> Iterator[Record]:
    """Records of a file that the server wrote: proper CSV, the first being the header.

    Tabs or semicolons separate the fields where a spreadsheet saved it again.
    """
    delimiter = separator_of(next((line.decode("utf-8", "replace") for _, line, _ in numbered_with_ends(path)), ""))
    table = Table(path, delimiter, quotation(path, delimiter), True, 0, 0, 1, None, None, "grade")
    for line, fields, text in records(table, exact=True):
        if fields is not None and any(0xDC80 <= ord(char) <= 0xDCFF for field in fields for char in field):
            yield Record(line, None, "not valid UTF-8")
        else:
            yield Record(line, fields, text)


def client_records(path: str) -> Iterator[Record]:
    """Records of a file that the browser wrote.

    It doubles every quotation mark but encloses a field only if that holds a comma or a line end, and the guarding
    blank stands before the mark: ` "=a,b"` is `=a,b`, `12"" pipe` is `12" pipe`. Proper CSV reads the same but for an
    enclosed field.
    """
    held, begun = "", 0
    for number, line, end in numbered_with_ends(path):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            yield Record(number, None, f"byte 0x{line[error.start]:02X} at offset {error.start} is not valid UTF-8")
            held, begun = "", 0
            continue
        begun = begun if held else number
        held += text
        if not held:
            continue
        fields, state = _fields(held)
        if state == "open" and end and len(held) < _LONGEST_RECORD:
            held += end
            continue
        yield Record(begun, fields if state == "" else None, held if state == "" else "quotation marks do not match")
        held, begun = "", 0
    if held:
        yield Record(begun, None, "quotation marks do not match")


_ENCLOSED = re.compile(r' ?"((?:[^"]|"")*)"(?=,|$)', re.DOTALL)
_BARE = re.compile(r'(?:[^",]|"")*(?=,|$)')
_OPEN = re.compile(r' ?"(?:[^"]|"")*$', re.DOTALL)


def _fields(record: str) -> tuple[list[str], str]:
    """The fields of a record, and '' or what keeps it from being one: 'open' (a mark is not closed yet), 'broken'."""
    fields: list[str] = []
    at = 0
    while True:
        found = _ENCLOSED.match(record, at)
        if found is not None:
            guard = " " if record[at] == " " else ""
            fields.append(guard + found[1].replace('""', '"'))
        else:
            found = _BARE.match(record, at)
            if found is None:
                return [], "open" if _OPEN.match(record, at) else "broken"
            fields.append(found[0].replace('""', '"'))
        at = found.end()
        if at == len(record):
            return fields, ""
        at += 1
