"""TREC run: six columns, `query Q0 document rank score tag`."""

from __future__ import annotations

from .context import Context, Piece
from .source import Role
from .trec_lines import RUN
from .trec_text import read_part

DESCRIPTION = "TREC run: query, unused, document, rank, score, tag, separated by blanks or tabs"


def read(path: str, context: Context) -> Piece:
    """Read one file; the engine gets score and rank. For a pool only query and document count."""
    part, layout, notes = read_part(path, RUN, name=path, comments=context.comments, several_tags=context.several_tags)
    if context.role is Role.POOL:
        part = context.without_numbers(part)
    return Piece("trec_run", part, layout, notes)
