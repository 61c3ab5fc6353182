"""Average precision, its expectation over tied orders, and inferred average precision."""

from __future__ import annotations

import math

import numpy as np

from .batch import Bools, Floats, Ints, Ranked
from .order import place
from .relevance import added, numbered, ratio, relevant_ranks, tied_groups

EPSILON = 0.00001
"""The smoothing of inferred AP (trec_eval's INFAP_EPSILON)."""


def average_precision(
    ranked: Ranked, relevant: Floats, found: Ints, queries: int, *, ties: str, k: int | None
) -> Floats:
    """Per query, precision at each relevant document up to rank k, summed, over all `found` relevant ones."""
    if ties == "average":
        return ratio(_expected(ranked, relevant, queries, k), found)
    query, rank, number = relevant_ranks(ranked, relevant, ties)
    if k is not None:
        kept = rank <= k
        query, rank, number = query[kept], rank[kept], number[kept]
    return ratio(added(query, number / rank, queries), found)


def _expected(ranked: Ranked, relevant: Floats, queries: int, k: int | None) -> Floats:
    """The expected sum of precisions over all orders of each tied group (McSherry & Najork 2008)."""
    groups = tied_groups(ranked, relevant)
    worth = (groups.above + 1) / np.maximum(groups.start, 1)
    if k is not None:
        worth[groups.start > k] = 0.0
    for at in np.flatnonzero(groups.size > 1).tolist():
        worth[at] = expected_precisions(
            int(groups.start[at]),
            int(groups.size[at]),
            int(groups.relevant[at]),
            int(groups.above[at]),
            k,
        )
    return added(groups.query, worth, queries)


def expected_precisions(start: int, size: int, relevant: int, above: int, k: int | None) -> float:
    """The expected sum of precisions at the relevant documents of one tied group.

    A rank of the group holds a relevant document with probability relevant / size; then each of the group's other
    size - 1 documents is relevant with probability (relevant - 1) / (size - 1).
    """
    last = start + size - 1 if k is None else min(start + size - 1, k)
    share = relevant / size
    others = (relevant - 1) / (size - 1) if size > 1 else 0.0
    return math.fsum(share * (above + 1 + (rank - start) * others) / rank for rank in range(start, last + 1))


def inferred_average_precision(
    ranked: Ranked, level: float, judged_from: float, found: Ints, queries: int, *, ties: str
) -> Floats:
    """Inferred AP (Yilmaz & Aslam 2006): grades below `judged_from` are in the pool, but unjudged.

    Precision at a relevant document is estimated from the judged documents above it; documents outside the pool
    count as not relevant.
    """
    query, rank, grade = place(ranked, ranked.grade, ties, None)
    relevant, judged = grade >= level, grade >= judged_from
    first = numbered(query) == 1
    relevant_above = _before(relevant, first)
    pooled_above = numbered(query) - 1
    plain_above = _before(judged & ~relevant, first)
    query, rank = query[relevant], rank[relevant]
    above = (rank - 1).astype(np.float64)
    seen = relevant_above[relevant].astype(np.float64)
    pooled, plain = pooled_above[relevant], plain_above[relevant]
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = 1.0 / (above + 1.0) + (
            (above / (above + 1.0)) * (pooled / above) * ((seen + EPSILON) / (seen + plain + 2 * EPSILON))
        )
    worth[rank == 1] = 1.0
    return ratio(added(query, worth, queries), found)


def _before(flag: Bools, first: Bools) -> Ints:
    """How many earlier rows of the same query are flagged."""
    total: Ints = np.cumsum(flag) - flag
    starts = np.flatnonzero(first)
    lengths = np.diff(np.r_[starts, len(flag)])
    return np.asarray(total - np.repeat(total[starts], lengths), dtype=np.int64)
