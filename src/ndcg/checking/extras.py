"""Judge and date of each judgment, where the input has columns for them, and lists of the ids that exist."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..engines.ids import text_id
from ..engines.judgments import load_columns
from ..engines.local.scan import read_part
from ..engines.workspace import Workspace
from ..errors import InputError, NdcgError
from ..readers import read
from ..readers.delimited import header_fields
from ..readers.lines import numbered
from ..readers.source import Part, Role, Scanned, Source
from ..readers.sql import name as quoted
from .rows import declared_columns

DATES = frozenset(
    (
        *("date", "day", "time", "timestamp", "datetime", "created", "createdat", "updated", "updatedat", "modified"),
        *("judged", "judgedat", "judgedon", "judgmentdate", "judgementdate", "rated", "ratedat", "ratedon"),
    )
)
"""Spellings of a date column, hyphen, underscore, blank and case being equal."""

ID_KEYS = ("_id", "doc_id", "docno", "docid", "document_id", "product_id", "id")
"""Keys of a document's id in a corpus of JSON Lines."""


class Extra(NamedTuple):
    """A table (query, doc, number, judge, moment) of the judgments, and which of the two last hold anything."""

    table: str
    judges: bool
    dates: bool
    unread: int


def load_extra(workspace: Workspace, source: Source, date_column: str | None) -> Extra | None:
    """The judge and the date of every judgment; None where the input has neither.

    Raises InputError where `date_column` names a column that is not there.
    """
    if not isinstance(source, Scanned):
        if date_column is not None:
            raise _no_date(source, date_column)
        return None
    table = workspace.name("extra")
    columns = "query varchar, doc varchar, number double, judge varchar, moment timestamp, unread boolean"
    workspace.connection.execute(f"create temp table {table} ({columns})")
    judges = dates = False
    for part in source.parts:
        if part.judges is not None:
            select = f"select query, doc, grade as number, judge, null::timestamp, false from ({part.judges})"
            judges |= _insert(workspace, source, part, table, select)
            continue
        column = date_column or _date_column(workspace, source, part)
        if column is not None:
            dates |= _insert_dates(workspace, source, part, table, column)
    if date_column is not None and not dates:
        raise _no_date(source, date_column)
    if not judges and not dates:
        return None
    unread = int(workspace.connection.execute(f"select count(*) from {table} where unread").fetchall()[0][0])
    return Extra(table, judges, dates, unread)


def _no_date(source: Source, column: str) -> InputError:
    return InputError(
        f"{source.described.name}: no dates in a column {column!r}",
        code="missing_column",
        hint="name the column that holds the date of each judgment with date=",
    )


def _insert(workspace: Workspace, source: Scanned, part: Part, table: str, select: str) -> bool:
    """Add rows to the table; False where they cannot be read."""

    def copy(rows: str, parameters: tuple[object, ...]) -> bool:
        workspace.connection.execute(f"insert into {table} {rows}", list(parameters))
        return True

    try:
        return read_part(workspace, source, replace(part, select=select, careful=None), copy)
    except InputError:
        return False


def _insert_dates(workspace: Workspace, source: Scanned, part: Part, table: str, column: str) -> bool:
    """Add a part's rows with the moments of its date column, row by row."""
    moment = (
        "coalesce(try_cast(text as timestamp), "
        "case when regexp_full_match(text, '[0-9]{10}') then make_timestamp(text::bigint * 1000000) "
        "when regexp_full_match(text, '[0-9]{13}') then make_timestamp(text::bigint * 1000) "
        "when regexp_full_match(text, '[0-9]{4}') then make_timestamp(text::bigint, 1, 1, 0, 0, 0) end)"
    )
    dated = _texts(workspace, source, part, column)
    if dated is None:
        return False
    rows, texts = dated
    connection = workspace.connection
    connection.execute(
        f"insert into {table} select query, doc, number, null, {moment}, text is not null and {moment} is null "
        f"from {rows} join {texts} using (place) where not fault order by place"
    )
    known = connection.execute(f"select count(*) from {table} where moment is not null").fetchall()[0][0]
    return bool(known)


def _texts(workspace: Workspace, source: Scanned, part: Part, column: str) -> tuple[str, str] | None:
    """Two tables of a part with a place per row: its rows, and the texts of one of its columns."""
    rows, texts = workspace.name("dated_rows"), workspace.name("date_texts")
    fetched = "row_number() over () as place, query, doc, number, fault"
    if not _keep(workspace, source, part, rows, fetched):
        return None
    if part.tables or source.described.format == "parquet":
        table = next((quoted(label) for label in part.tables), "read_parquet(?)")
        other = replace(part, select=f"select {quoted(column)}::varchar as text from {table}", careful=None)
        found = _keep(workspace, source, other, texts, "row_number() over () as place, text")
    else:
        # The reader is asked to take the column for the document: rows come in the order of the file either way.
        columns = {**declared_columns(source.described.layout, Role.JUDGMENTS), "doc": column}
        try:
            again = read(str(part.path), Role.JUDGMENTS, format=source.described.format.split(",")[0], columns=columns)
        except NdcgError:
            return None
        if not isinstance(again, Scanned):
            return None
        found = _keep(workspace, again, again.parts[0], texts, "row_number() over () as place, doc as text")
    return (rows, texts) if found else None


def _keep(workspace: Workspace, source: Scanned, part: Part, table: str, columns: str) -> bool:
    """Make a table of all rows of a part, faulty ones included; False where they cannot be read."""

    def copy(rows: str, parameters: tuple[object, ...]) -> bool:
        workspace.connection.execute(
            f"create or replace temp table {table} as select {columns} from ({rows})", list(parameters)
        )
        return True

    try:
        return read_part(workspace, source, part, copy)
    except InputError:
        return False


def _date_column(workspace: Workspace, source: Scanned, part: Part) -> str | None:
    """The name of the first column that is spelt like a date."""
    names = _column_names(workspace, source, part)
    return next((name for name in names if re.sub(r"[-_\s]", "", name).lower() in DATES), None)


def _column_names(workspace: Workspace, source: Scanned, part: Part) -> list[str]:
    format = source.described.format.split(",")[0]
    if part.tables or format == "parquet":
        table = next((quoted(label) for label in part.tables), "read_parquet(?)")
        names: list[str] = []

        def describe(rows: str, parameters: tuple[object, ...]) -> bool:
            names.extend(row[0] for row in workspace.connection.execute(rows, list(parameters)).fetchall())
            return True

        other = replace(part, select=f"select column_name from (describe select * from {table})", careful=None)
        try:
            read_part(workspace, source, other, describe)
        except InputError:
            return []
        return names
    if part.path is None or format not in ("csv", "tsv", "jsonl"):
        return []
    first = next((line for _, line in numbered(part.path) if line.strip()), b"").decode("utf-8", "replace")
    if format != "jsonl":
        return header_fields(first, "," if format == "csv" else "\t")
    try:
        record = json.loads(first)
    except ValueError:
        return []
    return list(record) if isinstance(record, dict) else []


def load_ids(workspace: Workspace, corpus: object) -> str:
    """A table (doc) of the ids of a corpus: a path with an id per line or JSON Lines, or a collection of ids.

    Raises InputError for a file that is not there or holds no id.
    """
    table = workspace.name("corpus")
    if isinstance(corpus, str | os.PathLike):
        ids: Iterable[str] = _ids_of(os.fspath(corpus))
    elif isinstance(corpus, Iterable):
        ids = (text_id(identifier, "document", where="corpus") for identifier in corpus)
    else:
        raise InputError("corpus= is a path or a collection of document ids", code="corpus")
    listed = list(dict.fromkeys(ids))
    if not listed:
        raise InputError(f"{corpus if isinstance(corpus, str) else 'corpus'} holds no document id", code="empty")
    column = np.empty(len(listed), dtype=object)
    column[:] = listed
    load_columns(workspace, table, doc=column)
    return table


def _ids_of(path: str) -> list[str]:
    try:
        lines = [line.decode("utf-8", "replace") for _, line in numbered(path)]
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}", code="missing_file") from None
    lines = [line for line in lines if line.strip()]
    take: Callable[[str], str] = str
    if lines and lines[0].lstrip().startswith("{"):
        take = _id_in
    return [identifier for line in lines if (identifier := take(line))]


def _id_in(line: str) -> str:
    """The id in a line of JSON, '' where it has none."""
    try:
        record = json.loads(line)
    except ValueError:
        return ""
    key = next((key for key in ID_KEYS if isinstance(record, dict) and key in record), None)
    return str(record[key]) if key is not None else ""
