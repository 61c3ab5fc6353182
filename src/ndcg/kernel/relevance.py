"""What all measures of relevance levels share: which rows are relevant, and what the first ranks hold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .batch import Floats, Ints, Judged, Ranked
from .order import place


def at_least(grade: Floats, level: float) -> Floats:
    """1.0 for each grade of at least `level`, else 0.0."""
    return (grade >= level).astype(np.float64)


def count_at_least(judged: Judged, level: float) -> Ints:
    """Judged documents of at least this grade, per query."""
    return np.bincount(judged.query[judged.grade >= level], minlength=judged.queries).astype(np.int64)


def count_gaining(judged: Judged) -> Ints:
    """Judged documents of a positive grade, per query: what is relevant where a measure has no level."""
    return np.bincount(judged.query[judged.grade > 0], minlength=judged.queries).astype(np.int64)


def added(query: Ints, weights: Floats, queries: int) -> Floats:
    """Per query, the weights of its rows, added one after the other."""
    return np.asarray(np.bincount(query, weights=weights, minlength=queries), dtype=np.float64)


def ratio(above: Floats | Ints, below: Floats | Ints | int) -> Floats:
    """above / below, 0 where below is 0."""
    top = np.asarray(above, dtype=np.float64)
    bottom = np.broadcast_to(np.asarray(below, dtype=np.float64), top.shape)
    return np.divide(top, bottom, out=np.zeros(top.shape), where=bottom != 0)


def total_to(ranked: Ranked, worth: Floats, ties: str, queries: int, limit: int | Ints | None) -> Floats:
    """Per query, the worths of the first `limit` ranks, added from rank 1 downwards.

    `limit` is one rank for all queries, one per query, or None for the whole list. Worths are not negative.
    """
    query, rank, gain = place(ranked, worth, ties, limit if isinstance(limit, int) else None)
    if limit is not None:
        kept = rank <= (limit if isinstance(limit, int) else limit[query])
        query, gain = query[kept], gain[kept]
    return added(query, gain, queries)


def numbered(query: Ints) -> Ints:
    """1, 2, 3, ... within each query, for rows sorted by query."""
    if not len(query):
        return np.zeros(0, dtype=np.int64)
    first = np.flatnonzero(np.r_[True, query[1:] != query[:-1]])
    lengths = np.diff(np.r_[first, len(query)])
    return np.arange(len(query)) - np.repeat(first, lengths) + 1


def relevant_ranks(ranked: Ranked, relevant: Floats, ties: str) -> tuple[Ints, Ints, Ints]:
    """(query, rank, how many relevant documents stand at or above it) of each relevant document, by rank."""
    query, rank, gain = place(ranked, relevant, ties, None)
    kept = gain > 0
    query, rank = query[kept], rank[kept]
    return query, rank, numbered(query)


class TiedGroups(NamedTuple):
    """The tied groups that hold a relevant document, in the order of the ranking.

    `start` is the first rank of a group, `size` its documents, `relevant` how many of them are relevant and `above`
    how many relevant documents stand in higher groups.
    """

    query: Ints
    start: Ints
    size: Ints
    relevant: Ints
    above: Ints


def tied_groups(ranked: Ranked, relevant: Floats) -> TiedGroups:
    """Tied groups with at least one relevant document."""
    kept = np.flatnonzero(relevant > 0)
    query, start, size = ranked.query[kept], ranked.group_start[kept], ranked.group_size[kept]
    if not len(query):
        return TiedGroups(query, start, size, query, query)
    order = np.lexsort((start, query))
    query, start, size = query[order], start[order], size[order]
    first = np.flatnonzero(np.r_[True, (query[1:] != query[:-1]) | (start[1:] != start[:-1])])
    count = np.diff(np.r_[first, len(query)])
    above = numbered(query)[first] - 1
    return TiedGroups(query[first], start[first], size[first], count, above)
