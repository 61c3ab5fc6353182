"""Comma-separated values with a header line; semicolons where the header shows that they separate the columns."""

from __future__ import annotations

from .columns import names_columns
from .context import Context, Piece
from .delimited import header_fields, read_headed
from .lines import numbered


def read(path: str, context: Context) -> Piece:
    """Read one file; columns are found by their usual spellings or by `context.columns`."""
    return read_headed(path, context, _delimiter(path, context), "csv")


def _delimiter(path: str, context: Context) -> str:
    """The comma, or the semicolon that spreadsheets write where the comma stands in numbers."""
    line = next((line for _, line in numbered(path) if line.strip(b" \t")), b"").decode("utf-8", "replace")
    commas, semicolons = header_fields(line, ","), header_fields(line, ";")
    names = names_columns(semicolons, context.columns) and not names_columns(commas, context.columns)
    return ";" if names else ","
