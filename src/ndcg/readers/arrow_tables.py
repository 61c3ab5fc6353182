"""pyarrow Tables, RecordBatches and RecordBatchReaders."""

from __future__ import annotations

from typing import Any

from ..errors import InputError
from . import temporary
from .columns import refuse_repeated
from .context import Context, Piece
from .tabular import piece


def read(table: Any, context: Context, where: str) -> Piece:
    """The table to scan. A reader can be read only once: its batches are taken into memory first."""
    import pyarrow

    if isinstance(table, pyarrow.RecordBatchReader):
        table = table.read_all()
    elif isinstance(table, pyarrow.RecordBatch):
        table = pyarrow.Table.from_batches([table])
    return from_table(table, context, "arrow", where)


def from_table(table: Any, context: Context, format: str, where: str) -> Piece:
    """The Piece over a pyarrow Table."""
    from .duck import duckdb, register

    if not table.num_rows:
        raise InputError(f"{where} has no rows", code="empty")
    refuse_repeated(table.column_names, where)
    label = temporary.label("arrow")
    with duckdb.connect() as connection:
        register(connection, {label: table})
        found = connection.execute(f"DESCRIBE {label}").fetchall()
    types = {str(row[0]): str(row[1]) for row in found}
    return piece(label, types, context, format=format, where=where, tables={label: table})
