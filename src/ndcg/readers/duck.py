"""DuckDB as scoring needs it: its engine alone, which loads in a sixth of the time of the whole `duckdb` package.

`duckdb` imports its Python relation classes and reads its own metadata when it loads; the engine underneath, with
`connect` and the exceptions, is a module of its own and the very same objects.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb
else:
    try:
        import _duckdb as duckdb

        duckdb.connect, duckdb.Error, duckdb.OutOfMemoryException  # noqa: B018
    except (ImportError, AttributeError):
        import duckdb

__all__ = ["duckdb", "register"]


def register(connection: duckdb.DuckDBPyConnection, tables: Mapping[str, object]) -> None:
    """Make tables in memory known to a connection by name; only the whole package knows frames and Arrow tables."""
    if tables:
        import_module("duckdb")
    for name, table in tables.items():
        connection.register(name, table)
