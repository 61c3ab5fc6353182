"""Running a reader's SELECT: the fast reading first, the careful one where it stumbles, the error last."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ...counted import counted_noun
from ...errors import InputError, NdcgError
from ...readers.source import Part, Scanned
from ..workspace import Workspace

Answer = TypeVar("Answer")
Reading = Callable[[str, tuple[object, ...]], Answer]
"""Called with a SELECT of the part's rows and its parameters; raises `FaultyRows` if it met faulty rows."""


LARGE = 16_000_000
"""Bytes from which a file may need more than memory."""


class FaultyRows(Exception):
    """A reading met rows that must not be scored."""


def read_part(workspace: Workspace, source: Scanned, part: Part, reading: Reading[Answer]) -> Answer:
    """The answer of `reading` over the rows of a part.

    The fast reading is tried first; where it meets a fault or an engine error the careful one decides, and where that
    meets faults too, the input is read once more, slowly, for a message with lines. Raises InputError.
    """
    from ...readers.duck import duckdb, register

    connection = workspace.connection
    if part.path is None or Path(part.path).stat().st_size > LARGE:
        workspace.allow_spilling()
    register(connection, part.tables)
    problem: Exception | None = None
    try:
        for select, parameters in ((part.select, part.parameters), (part.careful, part.careful_parameters)):
            if select is None:
                continue
            try:
                return reading(select, parameters)
            except (duckdb.OutOfMemoryException, NdcgError):
                raise
            except (FaultyRows, duckdb.Error) as error:
                problem = error
    finally:
        for name in part.tables:
            connection.unregister(name)
    raise faulty(source, part, problem)


def faulty(source: Scanned, part: Part, problem: Exception | None) -> InputError:
    """The error that lists a part's first bad rows with their lines, and counts the rest."""
    from ...readers.duck import duckdb

    try:
        total, faults = part.faults(10)
    except duckdb.Error:  # a damaged Parquet file: the second look breaks at the same place
        total, faults = 0, []
    if not total:
        detail = str(problem).splitlines()[0] if problem is not None and str(problem) else "it cannot be read"
        return InputError(f"{part.name}: {detail}", code="unreadable", hint=f"it was read as {source.described.format}")
    from ...readers.inputs import TABLES
    from ...readers.labels import found_hint
    from ...readers.trec_lines import OTHER_TAG

    way_on = found_hint(part.labels(20))
    if way_on is None and all(fault.problem.startswith(OTHER_TAG) for fault in faults):
        way_on = "split_tags=True scores each tag as a run of its own; or give a file for each run"
    in_memory = source.described.format in TABLES
    if way_on is None and in_memory:
        way_on = "correct these rows, or leave them out"
    return InputError(
        f"{part.name}: {counted_noun(total, 'bad row' if in_memory else 'bad line')}",
        code="bad_lines",
        faults=faults,
        total=total,
        hint=way_on or f"it was read as {source.described.format}; correct the lines or name another format",
    )


def scan_into(workspace: Workspace, source: Scanned, table: str, columns: str) -> None:
    """Copy `columns` of all parts into a temporary table, in the order of the input; raises InputError."""
    connection = workspace.connection
    connection.execute(f"create temp table {table} as select {columns}, fault from ({NO_ROWS})")
    for part in source.parts:

        def copy(rows: str, parameters: tuple[object, ...]) -> None:
            insert(workspace, table, f"select {columns}, fault from ({rows})", parameters)

        read_part(workspace, source, part, copy)


def insert(workspace: Workspace, table: str, select: str, parameters: tuple[object, ...]) -> None:
    """Add rows to a table with a `fault` column: all of them, or none where one is faulty (FaultyRows)."""
    connection = workspace.connection
    connection.execute("begin")
    try:
        connection.execute(f"insert into {table} {select}", list(parameters))
        if connection.execute(f"select count(*) from {table} where fault").fetchall()[0][0]:
            raise FaultyRows
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise


NO_ROWS = (
    "select null::varchar as query, null::varchar as doc, null::double as number, null::double as rank, "
    "null::boolean as fault where false"
)
"""An empty set of rows of the readers' shape."""
