"""Expected reciprocal rank: a reader who stops at a document with the probability that it satisfies."""

from __future__ import annotations

import numpy as np

from .batch import Floats, Ints
from .gains import GainError, GainRule
from .relevance import numbered


def stopping(highest: float) -> GainRule:
    """The probability that a document of a grade satisfies: (2^grade - 1) / 2^highest."""

    def rule(grade: float) -> float:
        if grade > highest:
            raise GainError(grade, f"is above the highest grade of the scale, {highest:g}")
        return float((2.0**grade - 1.0) / 2.0**highest)

    return rule


def cascade_sum(query: Ints, rank: Ints, chance: Floats, queries: int, k: int | None) -> Floats:
    """Per query, the sum over ranks of P(stops there) / rank, added from rank 1 downwards.

    Rows are sorted by query and rank. Works through the n-th row of every query at once.
    """
    kept = chance > 0 if k is None else (chance > 0) & (rank <= k)
    query, rank, chance = query[kept], rank[kept], chance[kept]
    value, reading = np.zeros(queries), np.ones(queries)
    number = numbered(query)
    order = np.argsort(number, kind="stable")
    ends = np.cumsum(np.bincount(number)[1:]) if len(number) else np.zeros(0, dtype=np.int64)
    begin = 0
    for end in ends.tolist():
        rows = order[begin:end]
        here = query[rows]
        value[here] += reading[here] * chance[rows] / rank[rows]
        reading[here] *= 1.0 - chance[rows]
        begin = end
    return value


def ideal_cascade(query: Ints, chance: Floats, queries: int, k: int | None) -> Floats:
    """The largest sum: probabilities in descending order."""
    order = np.lexsort((-chance, query))
    query, chance = query[order], chance[order]
    return cascade_sum(query, numbered(query), chance, queries, k)
