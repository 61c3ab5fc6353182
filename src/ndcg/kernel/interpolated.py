"""Interpolated precision at levels of recall."""

from __future__ import annotations

import math

import numpy as np

from .batch import Floats, Ints, Ranked
from .relevance import relevant_ranks


def wanted(share: float, count: int, needed: str) -> int:
    """How many of `count` relevant documents a share of them is.

    `up`: floor(share x count + 0.9), which is the next whole number but for errors of the last digit. `nearest`:
    halves away from zero.
    """
    exact = share * count
    if needed == "up":
        return int(exact + 0.9)
    below = math.floor(exact)
    return below + 1 if exact - below >= 0.5 else below


def counts_wanted(share: float, found: Ints, needed: str) -> Ints:
    """`wanted` for each query."""
    table = {count: wanted(share, count, needed) for count in np.unique(found).tolist()}
    return np.array([table[count] for count in found.tolist()], dtype=np.int64)


class PrecisionCurve:
    """Precision at each relevant document of a ranking, from which all recall levels are read."""

    def __init__(self, ranked: Ranked, relevant: Floats, queries: int, *, ties: str) -> None:
        self.queries = queries
        self.query, rank, self.number = relevant_ranks(ranked, relevant, ties)
        self.precision = self.number / np.maximum(rank, 1)

    def at(self, needed: Ints) -> Floats:
        """Per query, the largest precision from the `needed`-th relevant document on, 0 if it is not returned.

        Between relevant documents precision only falls, so these are all the ranks there are to look at.
        """
        value = np.zeros(self.queries)
        kept = self.number >= needed[self.query]
        np.maximum.at(value, self.query[kept], self.precision[kept])
        return value
