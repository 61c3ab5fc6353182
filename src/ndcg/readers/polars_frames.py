"""polars DataFrames and LazyFrames."""

from __future__ import annotations

from typing import Any

from .context import Context, Piece
from .parquet import from_parquet
from .temporary import new


def read(frame: Any, context: Context, where: str) -> Piece:
    """The frame as a table to scan: through Arrow where pyarrow is there, otherwise through a temporary file."""
    import polars

    if isinstance(frame, polars.LazyFrame):
        frame = frame.collect()
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        path = new(".parquet")
        frame.write_parquet(path, compression="uncompressed")
        return from_parquet(str(path), context, "polars", where)
    from .arrow_tables import from_table

    return from_table(frame.to_arrow(), context, "polars", where)
