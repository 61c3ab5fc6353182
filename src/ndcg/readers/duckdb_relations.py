"""DuckDB relations: they belong to their own connection, so their rows are written out once."""

from __future__ import annotations

from typing import Any

from .columns import refuse_repeated
from .context import Context, Piece
from .parquet import from_parquet
from .temporary import new


def read(relation: Any, context: Context, where: str) -> Piece:
    """The relation's rows, in their order, as a table to scan."""
    refuse_repeated(relation.columns, where)
    path = new(".parquet")
    relation.write_parquet(str(path), compression="snappy")
    return from_parquet(str(path), context, "duckdb", where)
