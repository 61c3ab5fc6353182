"""Judge and date of each judgment, where the input has columns for them, and lists of the ids that exist."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..engines.ids import text_id
from ..engines.judgments import load_columns
from ..engines.local.scan import read_part
from ..engines.workspace import Workspace
from ..errors import InputError, NdcgError, unreadable
from ..readers import read
from ..readers.delimited import header_fields
from ..readers.lines import numbered
from ..readers.source import Part, Role, Scanned, Source
from ..readers.sql import escaped
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


def load_extra(workspace: Workspace, qrels: object, source: Source, date_column: str | None) -> Extra | None:
    """The judge and the date of every judgment; None where the input has neither.

    `qrels` is what the source was made from: frames are asked again, since their source holds only what is scored.

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
        file = _frame(qrels, source) if part.tables else File(source.described.format.split(",")[0], part.path)
        column = date_column or next((name for name in file.names() if folded(name) in DATES), None)
        if column is not None and column in file.names():
            dates |= _insert_dates(workspace, source, part, table, file, column)
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


def folded(name: str) -> str:
    """A column name without what spellings differ in."""
    return re.sub(r"[-_\s]", "", name).lower()


class File(NamedTuple):
    """A file whose columns can be asked by name: CSV, TSV, JSON Lines or Parquet; others have no names to ask."""

    format: str
    path: str | None

    def names(self) -> list[str]:
        """The names of all columns."""
        if self.path is None:
            return []
        if self.format == "parquet":
            return parquet_names(self.path)
        if self.format not in ("csv", "tsv", "jsonl"):
            return []
        first = next((line for _, line in numbered(self.path) if line.strip()), b"").decode("utf-8", "replace")
        if self.format != "jsonl":
            return header_fields(first, "," if self.format == "csv" else "\t")
        try:
            record = json.loads(first)
        except ValueError:
            return []
        return list(record) if isinstance(record, dict) else []


class Frame(NamedTuple):
    """A table in memory whose columns can be asked by name."""

    columns: Sequence[str]
    texts: Callable[[str], list[object]]

    def names(self) -> list[str]:
        """The names of all columns."""
        return [str(name) for name in self.columns]


def parquet_names(path: str) -> list[str]:
    """The column names of a Parquet file."""
    with Workspace() as workspace:
        rows = workspace.connection.execute("describe select * from read_parquet(?)", [escaped(path)]).fetchall()
    return [str(row[0]) for row in rows]


def _frame(qrels: Any, source: Scanned) -> Frame | File:
    """The frame that a source was made from."""
    kind = source.described.format
    if kind == "pandas":
        return Frame(list(qrels.columns), lambda name: list(qrels[name].astype(str)))
    if kind == "polars":
        frame = qrels.collect() if hasattr(qrels, "collect") else qrels
        return Frame(frame.columns, lambda name: list(frame.get_column(name).to_list()))
    if kind == "arrow" and hasattr(qrels, "column_names"):
        return Frame(qrels.column_names, lambda name: list(qrels.column(name).to_pylist()))
    if kind == "duckdb":
        return Frame(qrels.columns, lambda name: [row[0] for row in qrels.select(quoted(name)).fetchall()])
    return File("", None)


def _insert_dates(
    workspace: Workspace, source: Scanned, part: Part, table: str, file: File | Frame, column: str
) -> bool:
    """Add a part's rows with the moments of its date column, row by row; False where no date is understood."""
    moment = (
        "coalesce(try_cast(text as timestamp), "
        "case when regexp_full_match(text, '[0-9]{10}') then make_timestamp(text::bigint * 1000000) "
        "when regexp_full_match(text, '[0-9]{13}') then make_timestamp(text::bigint * 1000) "
        "when regexp_full_match(text, '[0-9]{4}') then make_timestamp(text::bigint, 1, 1, 0, 0, 0) end)"
    )
    rows, texts = workspace.name("dated_rows"), workspace.name("date_texts")
    fetched = "row_number() over () as place, query, doc, number, fault"
    if not _keep(workspace, source, part, rows, fetched) or not _texts(workspace, source, part, texts, file, column):
        return False
    connection = workspace.connection
    connection.execute(
        f"insert into {table} select query, doc, number, null, {moment}, text is not null and {moment} is null "
        f"from {rows} join {texts} using (place) where not fault order by place"
    )
    known = connection.execute(f"select count(*) from {table} where moment is not null").fetchall()[0][0]
    return bool(known)


def _texts(workspace: Workspace, source: Scanned, part: Part, table: str, file: File | Frame, column: str) -> bool:
    """Make a table (place, text) of one column of a file or frame; False where it cannot be read."""
    if isinstance(file, Frame):
        values = [None if value is None else str(value) for value in file.texts(column)]
        texts = np.empty(len(values), dtype=object)
        texts[:] = values
        load_columns(workspace, table, place=np.arange(1, len(values) + 1), text=texts)
        return True
    if file.format == "parquet":
        other = replace(part, select=f"select {quoted(column)}::varchar as text from read_parquet(?)", careful=None)
        return _keep(workspace, source, other, table, "row_number() over () as place, text")
    # The reader is asked to take the column for the document: rows come in the order of the file either way.
    columns = {**declared_columns(source.described.layout, Role.JUDGMENTS), "doc": column}
    try:
        again = read(str(file.path), Role.JUDGMENTS, format=file.format, columns=columns)
    except NdcgError:
        return False
    if not isinstance(again, Scanned):
        return False
    return _keep(workspace, again, again.parts[0], table, "row_number() over () as place, doc as text")


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
        raise unreadable(error, path) from None
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
