"""Sheets for judges: written as CSV with a column for the grade, and read back after somebody has filled it."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ..counted import counted_noun
from ..errors import Fault, InputError, unreadable
from ..readers.columns import role_of
from ..readers.labels import Labels, found_hint
from ..readers.lines import LONGEST, numbered, numbered_with_ends
from ..readers.numbers import problem

DELIMITERS = (",", ";", "\t")
"""What may stand between the columns of a filled sheet: spreadsheets choose by the language of their user."""


JUDGE = "judge"
"""The column of judges, however a file spells it."""

SCAFFOLD = frozenset({"query_text", "document_text", "ranks", "effect", "by_grade", "on"})
"""Columns of a sheet that told its judge what to look at; they say nothing of the grade."""


class SheetRow(NamedTuple):
    """One row of a filled sheet; a grade of None was left blank. `beside` are the texts beside it, by column."""

    path: str
    line: int
    query: str
    document: str
    grade: float | None
    judge: str | None = None
    beside: Mapping[str, str] = MappingProxyType({})

    def fault(self, what: str) -> Fault:
        """A fault at this row."""
        return Fault(what, self.path, self.line, self.query, self.document)


def read_sheet(path: str, labels: Labels | None = None) -> list[SheetRow]:
    """All rows of a filled sheet: CSV with a header that names query, document and grade; what other columns say of the
    grade (judge, comment) stands beside it.

    `labels` gives the grades of cells that hold labels. Raises InputError with line, query and document for a grade
    that is neither a number nor a label of the table, and for a row without its ids.
    """
    table = read_table(path)
    grade_at = table.column("grade")
    if grade_at is None:
        raise InputError(
            f"{path}: no grade column; the columns are {', '.join(map(repr, table.names))}",
            code="missing_column",
            hint="name it grade",
        )
    rows, faults, unknown = [], [], []
    for line, query, document, fields in table.rows:
        text = fields[grade_at].strip()
        wrong = _wrong(text, labels) if text else None
        if wrong is not None:
            faults.append(Fault(wrong, path, line, query, document))
            unknown.append(text)
            continue
        judge = fields[table.judge].strip() if table.judge is not None else ""
        beside = texts_of(table, fields, SCAFFOLD)
        grade = _grade(text, labels) if text else None
        rows.append(SheetRow(path, line, query, document, grade, judge or None, beside))
    if faults:
        several = f"{path}: {counted_noun(len(faults), 'grade')} cannot be used"
        raise InputError(
            faults[0].problem if len(faults) == 1 else several,
            code="grade",
            faults=faults,
            hint=(None if labels is not None else found_hint(unknown)) or "correct the file",
        )
    return rows


def _wrong(text: str, labels: Labels | None) -> str | None:
    """What is wrong with what somebody wrote in the place of a grade, None if nothing."""
    return problem(text, "grade", finite=True) if labels is None else labels.problem(text)


def _grade(text: str, labels: Labels | None) -> float | None:
    """The grade that a cell without fault stands for."""
    return float(text) if labels is None else labels.grade(text)


class Table(NamedTuple):
    """A table with a header: names, the places of query, document and judge, and rows (line, ids, cells)."""

    names: Sequence[str]
    query: int
    document: int
    judge: int | None
    rows: Sequence[tuple[int, str, str, Sequence[str]]]

    def column(self, role: str) -> int | None:
        """The place of the first column of a role."""
        return next((at for at, name in enumerate(self.names) if role_of(name) == role), None)


def texts_of(table: Table, fields: Sequence[str], leave: frozenset[str] = frozenset()) -> dict[str, str]:
    """{column: text} of one row beside query, document and grade; the column of judges is `judge` however spelt."""
    found = {}
    for at, name in enumerate(table.names):
        if at in (table.query, table.document, table.column("grade")) or name.lower() in leave:
            continue
        column = JUDGE if role_of(name) == JUDGE else name
        if column and fields[at].strip():
            found[column] = fields[at].strip()
    return found


def header_of(path: str) -> tuple[list[str], str] | None:
    """(column names, delimiter) of a file whose first line names a query and a document column, else None."""
    try:
        first = next(((number, line) for number, line in numbered(path)), None)
    except OSError as error:
        raise unreadable(error, path) from None
    if first is None:
        raise InputError(f"{path} is empty", code="empty_input", hint="expected a header line and rows")
    line = first[1].decode("utf-8", "replace")
    for delimiter in DELIMITERS:
        names = [name.strip() for name in next(csv.reader([line], delimiter=delimiter), [])]
        roles = [role_of(name) for name in names]
        if "query" in roles and "doc" in roles:
            return names, delimiter
    return None


def read_table(path: str) -> Table:
    """A table whose header names query and document; blank lines are passed over."""
    found = header_of(path)
    if found is None:
        raise InputError(
            f"{path}: the first line names no query and document columns",
            code="missing_column",
            hint="a sheet for judges has the columns query, doc and grade",
        )
    names, delimiter = found
    query, document = (next(at for at, name in enumerate(names) if role_of(name) == role) for role in ("query", "doc"))
    judge = next((at for at, name in enumerate(names) if role_of(name) == "judge"), None)
    rows, faults = [], []
    for line, fields in _records(path, delimiter):
        if not any(field.strip() for field in fields):
            continue
        if len(fields) != len(names):
            faults.append(Fault(f"expected {len(names)} fields, found {len(fields)}", path, line))
        elif not fields[query] or not fields[document]:
            faults.append(Fault(f"the {'query' if not fields[query] else 'document'} id is empty", path, line))
        else:
            rows.append((line, fields[query], fields[document], fields))
    if faults:
        raise InputError(f"{path}: {said(len(faults), 'row', 'rows')} cannot be used", code="layout", faults=faults)
    return Table(names, query, document, judge, rows)


def _records(path: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Records after the header with the lines on which they begin."""
    csv.field_size_limit(LONGEST)
    line = 0

    def text() -> Iterator[str]:
        nonlocal line
        for number, data, end in numbered_with_ends(path):
            line = number
            try:
                yield data.decode("utf-8") + (end or "\n")
            except UnicodeDecodeError:
                wrong = "the line is not UTF-8"
                raise InputError(
                    wrong, code="encoding", faults=[Fault(wrong, path, number)], hint="save the file as UTF-8"
                ) from None

    reader = csv.reader(text(), delimiter=delimiter, strict=True)
    while True:
        begun = line + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            wrong = f"quotation marks do not match ({error})"
            raise InputError(wrong, code="layout", faults=[Fault(wrong, path, begun)]) from None
        if begun > 1:
            yield begun, fields


def said(count: int, one: str, several: str) -> str:
    """A count with what is said of one or of several.

    >>> said(1, "row is wrong", "rows are wrong"), said(2, "row is wrong", "rows are wrong")
    ('1 row is wrong', '2 rows are wrong')
    """
    return f"{count} {one if count == 1 else several}"
