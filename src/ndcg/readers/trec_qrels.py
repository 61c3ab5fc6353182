"""TREC judgments (qrels): four columns, `query 0 document grade`; grades may have decimals."""

from __future__ import annotations

from .context import Context, Piece
from .source import Role
from .trec_lines import QRELS
from .trec_text import read_part


def read(path: str, context: Context) -> Piece:
    """Read one file. For a pool only query and document count."""
    labels = context.labels if context.role is Role.JUDGMENTS else None
    found = read_part(path, QRELS, name=path, comments=context.comments, labels=labels)
    part = context.without_numbers(found.part) if context.role is Role.POOL else found.part
    return Piece("trec_qrels", part, found.layout, found.notes)
