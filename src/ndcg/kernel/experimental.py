"""trec_eval's experimental measures of gain: G, binG, nDCG averaged over R levels and over relevant documents."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from .batch import Floats, Ints, Judged, Ranked
from .ideal import ideal_sum
from .order import place
from .relevance import added, ratio, relevant_ranks
from .sums import discounted_sum, divisor, divisors

Run = list[tuple[int, float]]


def binary_g(ranked: Ranked, relevant: Floats, found: Ints, queries: int, *, ties: str) -> Floats:
    """Per query, the mean over all relevant documents of 1 / log2(2 + documents above that are not relevant)."""
    query, rank, number = relevant_ranks(ranked, relevant, ties)
    if not len(rank):
        return np.zeros(queries)
    worth = 1.0 / divisors("log2", None, int(rank.max()) + 1)[rank - number + 1]
    return ratio(added(query, worth, queries), found)


def _by_query(
    judged: Judged, judged_gain: Floats, ranked: Ranked, gain: Floats, ties: str
) -> Iterator[tuple[int, list[float], Run]]:
    """Per query, the positive gains in descending order and the (rank, gain) of the ranking's gains."""
    positive = judged_gain > 0
    query, ideal = judged.query[positive], judged_gain[positive]
    order = np.lexsort((-ideal, query))
    query, ideal = query[order], ideal[order]
    bounds = np.searchsorted(query, np.arange(judged.queries + 1))
    placed_query, rank, worth = place(ranked, gain, ties, None)
    kept = worth > 0
    placed_query, rank, worth = placed_query[kept], rank[kept], worth[kept]
    places = np.searchsorted(placed_query, np.arange(judged.queries + 1))
    for code in np.unique(query).tolist():
        first, last = int(places[code]), int(places[code + 1])
        yield (
            code,
            ideal[bounds[code] : bounds[code + 1]].tolist(),
            list(zip(rank[first:last].tolist(), worth[first:last].tolist(), strict=True)),
        )


def normalised_g(judged: Judged, judged_gain: Floats, ranked: Ranked, gain: Floats, *, ties: str) -> Floats:
    """G: the sum of gain / log2(2 + cost so far - gain so far), over the sum of all gains.

    The cost of a rank is the ideal gain there, at least 1.
    """
    value = np.zeros(judged.queries)
    for code, ideal, run in _by_query(judged, judged_gain, ranked, gain, ties):
        costs = list(accumulate((max(worth, 1.0) for worth in ideal), initial=0.0))
        total = collected = 0.0
        for rank, worth in run:
            collected += worth
            cost = costs[rank] if rank < len(costs) else costs[-1] + (rank - len(costs) + 1)
            total += worth / math.log2(2 + cost - collected)
        value[code] = total / sum(ideal)
    return value


def relevant_ndcg(judged: Judged, judged_gain: Floats, ranked: Ranked, gain: Floats, *, ties: str) -> Floats:
    """nDCG at the rank of each relevant document, averaged; a missed one counts nDCG of the whole list."""
    value = np.zeros(judged.queries)
    for code, ideal, run in _by_query(judged, judged_gain, ranked, gain, ties):
        best = list(accumulate(worth / divisor(rank, "log2", None) for rank, worth in enumerate(ideal, 1)))
        total = dcg = 0.0
        for rank, worth in run:
            dcg += worth / divisor(rank, "log2", None)
            total += dcg / best[min(rank, len(best)) - 1]
        total += (len(ideal) - len(run)) * dcg / best[-1]
        value[code] = total / len(ideal)
    return value


def level_ndcg(
    judged: Judged, judged_gain: Floats, ranked: Ranked, gain: Floats, documents: Ints, *, ties: str
) -> Floats:
    """nDCG at the number of documents of each gain or more, and at the end of the list, averaged.

    The end counts where the list goes on for at least two ranks after the last of these points (trec_eval's Rndcg).
    """
    queries = judged.queries
    query, rank, worth = place(ranked, gain, ties, None)
    total, points = np.zeros(queries), np.zeros(queries, dtype=np.int64)
    positive = np.bincount(judged.query[judged_gain > 0], minlength=queries)
    for level in np.unique(judged_gain[judged_gain > 0])[::-1].tolist():
        cut = np.bincount(judged.query[judged_gain >= level], minlength=queries)
        here = np.bincount(judged.query[judged_gain == level], minlength=queries) > 0
        kept = rank <= cut[query]
        dcg = _dcg(query[kept], rank[kept], worth[kept], queries)
        above = judged_gain >= level
        best = _ideal(judged.query[above], judged_gain[above], queries)
        total[here] += ratio(dcg, best)[here]
        points[here] += 1
    longer = (documents > positive + 1) & (positive > 0)
    whole = ratio(_dcg(query, rank, worth, queries), _ideal(judged.query, judged_gain, queries))
    total[longer] += whole[longer]
    points[longer] += 1
    return ratio(total, points)


def _dcg(query: Ints, rank: Ints, gain: Floats, queries: int) -> Floats:
    return discounted_sum(query, rank, gain, queries, discount="log2", base=None, k=None)


def _ideal(query: Ints, gain: Floats, queries: int) -> Floats:
    return ideal_sum(query, gain, queries, discount="log2", base=None, k=None)
