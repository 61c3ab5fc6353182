"""Whole columns of any table, for what is said of queries and documents: attributes, weights, clusters.

Rows are (line, id, values): one id column, chosen by its usual spellings, and the columns that the caller names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from ..errors import DataTypeError, Fault, InputError, UsageError, of_originals, unreadable
from .columns import SPELLINGS, role_of
from .delimited import Table, header_fields, quotation, records
from .inputs import _files, table_kind
from .json_values import loads, text
from .lines import numbered
from .streams import BOM, head

HEAD = 1 << 16
WORDS = {"query": "query", "doc": "document"}

Row = tuple[int | None, object, tuple[object, ...]]
"""The line (None in memory), the id, and the values of the columns asked for."""


class Columns(NamedTuple):
    """Some columns of one table. `role` says whether the ids are of queries ('query') or documents ('doc')."""

    where: str
    format: str
    role: str
    id_column: str
    names: tuple[str, ...]
    rows: Iterator[Row]

    @property
    def layout(self) -> str:
        """How the table was read, for people."""
        word = WORDS[self.role]
        return f"{word}={self.id_column}" if self.id_column != word else f"by {word}"


def read_columns(
    source: object, names: Sequence[str] | None, *, role: str | None, given: Mapping[str, str], what: str
) -> Columns:
    """Columns of a path, a frame, an Arrow table or a DuckDB relation; all but the id column where `names` is None.

    `role` is 'query', 'doc', or None to be told by the columns themselves. `given` names id columns by role. `what` is
    the argument, for messages. Raises InputError for a missing or doubtful column, naming those that are there.
    """
    kind = table_kind(source)
    if kind is not None:
        header, rows = _in_memory(source, kind)
        return _chosen(what, kind, header, rows, names, role, given)
    tables = [_file(path) for path in _files(source)]
    parts = [_chosen(path, form, header, rows, names, role, given) for path, form, header, rows in tables]
    first = parts[0]
    other = next((part for part in parts if part[1:5] != first[1:5]), None)
    if other is not None:
        raise InputError(f"{first.where} and {other.where} have different columns", code="layout")
    name = of_originals(first.where if len(parts) == 1 else f"{first.where} and {len(parts) - 1} more")
    return first._replace(where=name, rows=chain.from_iterable(part.rows for part in parts))


def header_of(path: str) -> list[str]:
    """The column names of a file."""
    return _file(path)[2]


def _chosen(
    where: str,
    form: str,
    header: list[str],
    rows: Iterator[tuple[int | None, Sequence[object]]],
    names: Sequence[str] | None,
    role: str | None,
    given: Mapping[str, str],
) -> Columns:
    listed = ", ".join(map(repr, header))
    wanted = tuple(names) if names is not None else None
    for name in wanted or ():
        if name not in header:
            near = _near(name, header)
            raise InputError(f"{where}: no column {name!r}; the columns are {listed}", code="missing_column", hint=near)
        if header.count(name) > 1:
            raise InputError(f"{where}: column {name!r} is there more than once", code="ambiguous_column")
    found = {key: _id_column(key, header, wanted or (), given, where) for key in WORDS}
    if role is None:
        there = [key for key in WORDS if found[key] is not None]
        if len(there) > 1:
            raise InputError(
                f"{where} has a query column {found['query']!r} and a document column {found['doc']!r}",
                code="ambiguous_column",
                hint="say what the column tells of: by_documents= (--by-documents) for documents, or give a table with "
                "one of the two columns",
            )
        role = there[0] if there else "query"
    id_column = found[role]
    if id_column is None:
        raise InputError(
            f"{where}: no {WORDS[role]} column; the columns are {listed}",
            code="missing_column",
            hint=f"name it with columns={{'{role}': ...}} (--columns {role}=NAME); usual: {', '.join(SPELLINGS[role])}",
        )
    if wanted is None:
        wanted = tuple(name for name in header if name not in (id_column, *found.values()))
        if not wanted:
            raise InputError(f"{where} has no column beside {id_column!r}", code="missing_column")
    at, places = header.index(id_column), [header.index(name) for name in wanted]
    made = ((line, row[at], tuple(row[place] for place in places)) for line, row in rows)
    return Columns(where, form, role, id_column, wanted, made)


def _near(name: str, header: Sequence[str]) -> str | None:
    from difflib import get_close_matches

    near = get_close_matches(name, header, n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else None


def _id_column(
    key: str, header: Sequence[str], wanted: Sequence[str], given: Mapping[str, str], where: str
) -> str | None:
    if key in given and given[key] in header:
        return given[key]
    fits = [name for name in header if role_of(name) == key and name not in wanted]
    if len(fits) > 1:
        ids = [name for name in fits if name.lower().endswith(("id", "docno"))]
        if len(ids) != 1:
            raise InputError(
                f"{where}: {' and '.join(map(repr, ids or fits))} could each be the {WORDS[key]} column",
                code="ambiguous_column",
                hint=f"say which with columns={{'{key}': ...}} (--columns {key}=NAME)",
            )
        return ids[0]
    return fits[0] if fits else None


def _in_memory(table: Any, kind: str) -> tuple[list[str], Iterator[tuple[int | None, Sequence[object]]]]:
    """Header and rows of a table, without importing its library."""
    if kind == "polars":
        table = table.collect() if hasattr(table, "collect") else table
        return list(table.columns), ((None, row) for row in table.iter_rows())
    if kind == "arrow":
        table = table.read_all() if hasattr(table, "read_all") else table
        names = list(table.schema.names)
        columns = [table.column(at).to_pylist() for at in range(len(names))]
        return names, ((None, row) for row in zip(*columns, strict=True))
    if kind == "duckdb":
        return list(table.columns), ((None, row) for row in table.fetchall())
    frame = table
    if not any(role_of(str(name)) in WORDS for name in frame.columns) and frame.index.name is not None:
        frame = frame.reset_index()
    names = [str(name) for name in frame.columns]
    columns = [frame.iloc[:, at].tolist() for at in range(len(names))]
    return names, ((None, row) for row in zip(*columns, strict=True))


def _file(path: str) -> tuple[str, str, list[str], Iterator[tuple[int | None, Sequence[object]]]]:
    """Path, format, header and rows of a file, its format told by its content."""
    try:
        data, _ = head(path, HEAD)
        if data.startswith(b"PAR1"):
            return path, "parquet", *_parquet(path)
        start = data.removeprefix(BOM).lstrip()
        if not start:
            raise InputError(f"{path} is empty", code="empty", hint="expected a header line and rows")
        if start[:1] in (b"{", b"["):
            return path, "json", *_json(path)
        return path, *_delimited(path)
    except OSError as error:
        raise unreadable(error, path) from None


def _delimited(path: str) -> tuple[str, list[str], Iterator[tuple[int | None, Sequence[object]]]]:
    first = next(line for _, line in numbered(path))
    try:
        line = first.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text", code="encoding", faults=[], hint="save it as UTF-8") from None
    delimiter = "\t" if "\t" in line else ";" if ";" in line and "," not in line else ","
    names = header_fields(line, delimiter)
    table = Table(path, delimiter, quotation(path, delimiter), True, len(names), 0, 0, None, None, "")

    def rows() -> Iterator[tuple[int | None, Sequence[object]]]:
        _refuse_other_encodings(path)
        for number, fields, shown in records(table):
            if number == 1:
                continue
            if fields is None or len(fields) != table.width:
                found = "quotation marks do not match" if fields is None else f"found {len(fields)}"
                problem = f"expected {table.width} fields, {found}"
                raise InputError(problem, code="layout", faults=[Fault(problem, path, number, text=shown)])
            yield number, fields

    return "tsv" if delimiter == "\t" else "csv", names, rows()


def _refuse_other_encodings(path: str) -> None:
    for number, line in numbered(path):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            problem = f"byte 0x{line[error.start]:02X} at offset {error.start} of the line is not valid UTF-8"
            raise InputError(problem, code="encoding", faults=[Fault(problem, path, number)]) from None


def _json(path: str) -> tuple[list[str], Iterator[tuple[int | None, Sequence[object]]]]:
    """Rows as objects: JSON Lines, a list of objects, `{id: {column: value}}`, or an OpenSearch query set."""
    objects: list[tuple[int | None, dict[str, Any]]] = []
    try:
        whole = loads(text(path))
    except ValueError:
        whole = None
    if isinstance(whole, dict) and isinstance(whole.get("querySetQueries"), list):
        whole = whole["querySetQueries"]
    if isinstance(whole, dict) and whole and all(isinstance(value, dict) for value in whole.values()):
        objects = [(None, {"query": key, **value}) for key, value in whole.items()]
    elif isinstance(whole, list):
        objects = [(None, value) for value in whole]
    elif isinstance(whole, dict):
        objects = [(1, whole)]
    else:
        for number, line in numbered(path):
            if line.strip():
                objects.append((number, _line(path, number, line)))
    bad = next((pair for pair in objects if not isinstance(pair[1], dict)), None)
    if bad is not None or not objects:
        problem = 'expected rows as objects such as {"query": ..., "language": ...}'
        raise InputError(problem, code="layout", faults=[Fault(problem, path, bad[0] if bad else None)])
    objects = [(number, _with_query(row)) for number, row in objects]
    names = list(dict.fromkeys(key for _, row in objects for key in row))
    return names, ((number, [row.get(name) for name in names]) for number, row in objects)


def _with_query(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose query has its usual name: an OpenSearch query set calls it `queryText`."""
    if "queryText" not in row or "query" in row:
        return row
    return {"query" if key == "queryText" else key: value for key, value in row.items()}


def _line(path: str, number: int, line: bytes) -> Any:
    try:
        return loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        problem = f"not valid JSON: {error.msg}" if isinstance(error, json.JSONDecodeError) else f"not valid: {error}"
        raise InputError(problem, code="layout", faults=[Fault(problem, path, number)]) from None


def _parquet(path: str) -> tuple[list[str], Iterator[tuple[int | None, Sequence[object]]]]:
    from .duck import duckdb
    from .sql import escaped

    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        try:
            found = connection.execute("SELECT * FROM read_parquet(?)", [escaped(path)])
            names = [str(column[0]) for column in found.description or ()]
            rows = found.fetchall()
        except duckdb.Error as error:
            problem = f"not readable as Parquet: {str(error).splitlines()[0]}"
            raise InputError(problem, code="damaged", faults=[Fault(problem, path)]) from None
    return names, ((None, row) for row in rows)


def file_and_columns(text: str, what: str) -> tuple[str, list[str]]:
    """`FILE:COLUMN` taken apart, `FILE:A*B` into two columns; UsageError where the column is missing.

    >>> file_and_columns("queries.csv:language", "by=")
    ('queries.csv', ['language'])
    """
    path, colon, column = text.rpartition(":")
    if not colon or not path or not column:
        raise UsageError(
            f"{what} {text!r} is not of the form FILE:COLUMN", code="usage", hint="such as queries.csv:language"
        )
    return path, column.split("*")


def refuse_bytes(value: object, what: str, where: str, identifier: str) -> None:
    """DataTypeError for values that have no text of their own."""
    if isinstance(value, bytes | bytearray | Mapping):
        raise DataTypeError(
            f"{where}: the {what} of {identifier!r} is a {type(value).__name__}, not text or a number",
            code="value_type",
        )
