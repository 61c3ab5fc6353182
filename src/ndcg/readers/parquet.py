"""Parquet: columns by name, ids text or integers, numbers numbers or text."""

from __future__ import annotations

from ..errors import COPIES, Fault, InputError
from .context import Context, Piece
from .sql import escaped
from .streams import chunks, compression
from .tabular import piece
from .temporary import copy


def read(path: str, context: Context) -> Piece:
    """Read one file. A file that is not intact Parquet, or has no rows, is an InputError."""
    if compression(path) is None:
        return from_parquet(path, context, "parquet", path, in_memory=False)
    # DuckDB reads columns from anywhere in the file: a compressed one is unpacked first.
    unpacked = str(copy(chunks(path), ".parquet"))
    COPIES[unpacked] = path
    return from_parquet(unpacked, context, "parquet", path, in_memory=False)


def from_parquet(path: str, context: Context, format: str, where: str, *, in_memory: bool = True) -> Piece:
    """The Piece over a Parquet file, which may stand for a table in memory."""
    from .duck import duckdb

    with duckdb.connect() as connection:
        try:
            found = connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [escaped(path)]).fetchall()
            counted = connection.execute("SELECT count(*) FROM read_parquet(?)", [escaped(path)]).fetchone()
        except duckdb.Error as error:
            first = str(error).splitlines()[0]
            fault = Fault(f"not readable as Parquet: {first}", where=where)
            raise InputError(fault.problem, code="damaged", faults=[fault]) from None
    if not counted or not counted[0]:
        raise InputError(f"{where} has no rows", code="empty")
    types = {str(row[0]): str(row[1]) for row in found}
    return piece(
        "read_parquet(?)",
        types,
        context,
        format=format,
        where=where,
        parameters=(escaped(path),),
        in_memory=in_memory,
        path=None if in_memory else path,
    )
