"""Comma-separated values with a header line."""

from __future__ import annotations

from .context import Context, Piece
from .delimited import read_headed


def read(path: str, context: Context) -> Piece:
    """Read one file; columns are found by their usual spellings or by `context.columns`."""
    return read_headed(path, context, ",", "csv")
