"""MS MARCO files that no other reader takes: runs of four columns, and the passages handed out for reranking.

Its other files are read as what they are: judgments as TREC, runs of query, document, rank as `ranked`.
"""

from __future__ import annotations

from . import numbers
from .context import Context, Piece
from .delimited import Table, part
from .source import Role


def is_run(rows: list[bytes]) -> bool:
    """Whether the first lines are query, document, rank, score: ranks count from 1 (or 0) where a query goes on."""
    reached: dict[str, int] = {}
    longest = 0
    for row in rows:
        fields = row.decode("utf-8", "replace").split("\t")
        if len(fields) != 4 or not (fields[2].isascii() and fields[2].isdigit()) or not numbers.is_number(fields[3]):
            return False
        rank = int(fields[2])
        if rank != reached[fields[0]] + 1 if fields[0] in reached else rank not in (0, 1):
            return False
        longest = max(longest, rank - (0 if fields[0] in reached else rank))
        reached[fields[0]] = rank
    return longest > 0


def is_top(rows: list[bytes]) -> bool:
    """Whether every line is query, document, text, text, separated by tabs."""
    return all(row.count(b"\t") == 3 and all(row.split(b"\t")[:2]) for row in rows)


def read_run(path: str, context: Context) -> Piece:
    """Query, document, rank, score, separated by tabs: the score orders, the rank is compared with it."""
    places: tuple[int | None, int | None] = (None, None) if context.role is Role.POOL else (3, 2)
    table = Table(path, "\t", "", False, 4, 0, 1, *places, "score")
    return Piece("msmarco_run", part(table, path), "no header, query, document, rank, score, separated by tabs")


def read_top(path: str, context: Context) -> Piece:
    """Query, document, wording, passage, separated by tabs: a candidate pool."""
    table = Table(path, "\t", "", False, 4, 0, 1, None, None, "score")
    return Piece("msmarco_top", part(table, path), "no header, query, document, two texts, separated by tabs")
