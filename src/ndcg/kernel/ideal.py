"""The ideal ranking: the largest discounted sum that any order of the pool reaches."""

from __future__ import annotations

import numpy as np

from .batch import Floats, Ints
from .sums import discounted_sum


def ideal_sum(query: Ints, gain: Floats, queries: int, *, discount: str, base: float | None, k: int | None) -> Floats:
    """Per query, the discounted sum of the positive gains in descending order, cut at k.

    O(M log M) for M rows. The ideal stops where gains stop being positive, so a loss never enters it.
    """
    positive = gain > 0
    query, gain = query[positive], gain[positive]
    order = np.lexsort((-gain, query))
    query, gain = query[order], gain[order]
    rows = np.bincount(query, minlength=queries)
    rank = np.arange(len(query)) - (np.cumsum(rows) - rows)[query] + 1
    return discounted_sum(query, rank, gain, queries, discount=discount, base=base, k=k)
