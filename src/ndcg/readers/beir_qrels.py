"""BEIR judgments: tab-separated, header `query-id corpus-id score`; the score is the grade."""

from __future__ import annotations

from .context import Context, Piece
from .delimited import read_headed


def read(path: str, context: Context) -> Piece:
    """Read one file."""
    return read_headed(path, context, "\t", "beir_qrels")
