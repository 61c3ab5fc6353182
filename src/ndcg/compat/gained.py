"""nDCG and trec_eval's other measures of gain on shared parts: gains once, the ideal sorted once, sums by rank."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..kernel.batch import Batch, Floats, Ints
from ..kernel.relevance import numbered, ratio
from ..kernel.sums import divisors

WHOLE = float(1 << 53)
"""Up to here sums of whole numbers are exact in any order."""


def running_sums(weights: Floats, number: Ints) -> Floats:
    """The sum of each row and all rows of its query before it, added one after the other.

    `number` counts the rows of each query from 1. Works through the n-th row of every query at once.
    """
    if not len(number):
        return np.zeros(0)
    total = weights.copy()
    order = np.argsort(number, kind="stable")
    ends = np.cumsum(np.bincount(number)[1:]).tolist()
    for begin, end in pairwise(ends):
        rows = order[begin:end]
        total[rows] = total[rows - 1] + weights[rows]
    return total


class Gains:
    """Positive gains by query and rank, with what each is worth at its rank."""

    def __init__(self, query: Ints, rank: Ints, gain: Floats, queries: int) -> None:
        self.query, self.rank, self.gain, self.queries = query, rank, gain, queries
        deepest = int(rank.max()) if len(rank) else 1
        self.weights: Floats = gain / divisors("log2", None, deepest)[rank]
        self._sums: dict[int | None, Floats] = {}
        self.count: Ints = np.bincount(query, minlength=queries).astype(np.int64)
        self.last: Ints = np.cumsum(self.count) - 1

    def to(self, k: int | None) -> Floats:
        """Per query, the weights of the first k ranks, added."""
        if k not in self._sums:
            query, weights = self.query, self.weights
            if k is not None:
                kept = self.rank <= k
                query, weights = query[kept], weights[kept]
            self._sums[k] = np.asarray(np.bincount(query, weights=weights, minlength=self.queries), dtype=np.float64)
        return self._sums[k]

    def within(self, limit: Ints) -> Floats:
        """Per query, the weights of its first ranks, as many as `limit` says."""
        kept = self.rank <= limit[self.query]
        weights = np.bincount(self.query[kept], weights=self.weights[kept], minlength=self.queries)
        return np.asarray(weights, dtype=np.float64)

    @cached_property
    def running(self) -> Floats:
        """The sum of weights down to each row."""
        return running_sums(self.weights, numbered(self.query))


class Gained:
    """The gains of a ranking and of the ideal, each grade being its own gain and negative ones nothing."""

    def __init__(self, ranked: Gains, ideal: Gains) -> None:
        self.ranked, self.ideal = ranked, ideal
        self.queries = ideal.queries

    @classmethod
    def of(cls, batch: Batch) -> Gained:
        """Of a batch; the ideal is made once for all rankings of the same judgments."""
        ranked, judged = batch.ranked, batch.judged
        kept = ranked.grade > 0
        made = Gains(ranked.query[kept], ranked.rank[kept], ranked.grade[kept], batch.queries)
        kept = judged.grade > 0
        query, gain = judged.query[kept], judged.grade[kept]
        order = _descending(query, gain)
        query, gain = query[order], gain[order]
        return cls(made, Gains(query, numbered(query), gain, batch.queries))

    def ndcg(self, k: int | None) -> Floats:
        """DCG@k / ideal DCG@k."""
        return ratio(self.ranked.to(k), self.ideal.to(k))

    def at_relevant(self) -> Floats:
        """nDCG at the rank of each document with gain, averaged; a missed one counts nDCG of the whole list."""
        ranked, ideal = self.ranked, self.ideal
        if not len(ideal.query):
            return np.zeros(self.queries)
        first = ideal.last - ideal.count + 1
        best = ideal.running[first[ranked.query] + np.minimum(ranked.rank, ideal.count[ranked.query]) - 1]
        shares = ranked.running / best
        total = np.bincount(ranked.query, weights=shares, minlength=self.queries)
        there = ideal.count > 0
        end: Floats = np.ones(self.queries)
        end[there] = ideal.running[ideal.last[there]]
        return ratio(total + (ideal.count - ranked.count) * ranked.to(None) / end, ideal.count)

    def at_levels(self, listed: Ints) -> Floats:
        """nDCG where the gains of each level end in the ideal, and at the end of a longer list, averaged."""
        ideal = self.ideal
        total: Floats = np.zeros(self.queries)
        points: Ints = np.zeros(self.queries, dtype=np.int64)
        cut = points.copy()
        first = ideal.last - ideal.count + 1
        for level in np.unique(ideal.gain)[::-1].tolist():
            here = np.bincount(ideal.query[ideal.gain == level], minlength=self.queries)
            cut += here
            there = np.flatnonzero(here)
            best = ideal.running[first[there] + cut[there] - 1]
            total[there] += self.ranked.within(cut)[there] / best
            points[there] += 1
        longer = (listed > ideal.count + 1) & (ideal.count > 0)
        total[longer] += ratio(self.ranked.to(None), ideal.to(None))[longer]
        points[longer] += 1
        return ratio(total, points)

    def normalised(self) -> Floats | None:
        """trec_eval's G; None where gains are not whole numbers whose sums are exact in any order."""
        ranked, ideal = self.ranked, self.ideal
        if (ideal.gain != np.floor(ideal.gain)).any() or ideal.gain.sum() >= WHOLE:
            return None
        if not len(ranked.query):
            return np.zeros(self.queries)
        sums = np.r_[0.0, np.cumsum(ideal.gain)]
        first, end = ideal.last - ideal.count + 1, ideal.last + 1
        inside = np.minimum(ranked.rank, ideal.count[ranked.query])
        begin = first[ranked.query]
        cost = sums[begin + inside] - sums[begin] + (ranked.rank - inside)
        collected = np.cumsum(ranked.gain)
        before = np.r_[0.0, collected][ranked.last - ranked.count + 1]
        distinct, position = np.unique(2 + cost - (collected - before[ranked.query]), return_inverse=True)
        logarithms = np.array([math.log2(one) for one in distinct.tolist()])
        total = np.bincount(ranked.query, weights=ranked.gain / logarithms[position], minlength=self.queries)
        return ratio(total, sums[end] - sums[first])


def _descending(query: Ints, gain: Floats) -> Ints:
    """The order by query, then gain descending; whole gains of up to 31 bits are sorted as one number with it."""
    whole = gain.astype(np.int64) if len(gain) and gain.max() < 1 << 31 else None
    if whole is None or (whole != gain).any():
        return np.lexsort((-gain, query))
    return np.argsort((query << 31) | ((1 << 31) - 1 - whole))
