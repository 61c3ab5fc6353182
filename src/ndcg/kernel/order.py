"""Which gain stands at which rank, under each tie rule."""

from __future__ import annotations

import math

import numpy as np

from .batch import Floats, Ints, Ranked

Placed = tuple[Ints, Ints, Floats]
"""(query, rank, gain) rows, sorted by query and rank."""


def place(ranked: Ranked, gain: Floats, ties: str, k: int | None) -> Placed:
    """The gains of a ranking at their ranks.

    `average` puts the mean gain of a tied group at each of its ranks (McSherry & Najork 2008: the expected value
    over all orders); `best` and `worst` sort each group by gain; `given_reversed` turns each group round; `shared`
    puts a whole group at its mean rank, cut to a whole number; every other rule has already given its ranks.
    Rows beyond rank `k` may be left out.
    """
    if ties == "average":
        return _average(ranked, gain, k)
    if ties in ("best", "worst"):
        return _sorted_groups(ranked, gain, best=ties == "best")
    if ties == "given_reversed":
        rank = 2 * ranked.group_start + ranked.group_size - 1 - ranked.rank
        order = np.lexsort((rank, ranked.query))
        return ranked.query[order], rank[order], gain[order]
    if ties == "shared":
        return ranked.query, ranked.group_start + (ranked.group_size - 1) // 2, gain
    return ranked.query, ranked.rank, gain


def _average(ranked: Ranked, gain: Floats, k: int | None) -> Placed:
    """Every rank of a tied group holds the mean gain of the group, unjudged documents gaining 0."""
    kept = np.flatnonzero(gain if k is None else (gain != 0) & (ranked.group_start <= k))
    if not len(kept):
        return ranked.query[:0], ranked.rank[:0], gain[:0]
    query, start, size = ranked.query[kept], ranked.group_start[kept], ranked.group_size[kept]
    gains = gain[kept]
    firsts = np.flatnonzero(np.r_[True, (query[1:] != query[:-1]) | (start[1:] != start[:-1])])
    ends = np.r_[firsts[1:], len(kept)]
    means = np.array(
        [
            _sum(gains[first:end]) / count if count > 1 else gains[first]
            for first, end, count in zip(firsts.tolist(), ends.tolist(), size[firsts].tolist(), strict=True)
        ]
    )
    width = size[firsts] if k is None else np.minimum(size[firsts], k + 1 - start[firsts])
    inside = np.arange(int(width.sum())) - np.repeat(np.cumsum(width) - width, width)
    return np.repeat(query[firsts], width), np.repeat(start[firsts], width) + inside, np.repeat(means, width)


def _sum(gains: Floats) -> float:
    """The correctly rounded sum; infinite where it leaves the range of a float on the way, which is refused later."""
    try:
        return math.fsum(gains)
    except OverflowError:
        return math.inf


def _sorted_groups(ranked: Ranked, gain: Floats, *, best: bool) -> Placed:
    """Positive gains at the head of their tied group and negative ones at its tail, or the other way round."""
    query, start, size = ranked.query, ranked.group_start, ranked.group_size
    order = np.lexsort((-gain if best else gain, start, query))
    query, start, size, gain = query[order], start[order], size[order], gain[order]
    group = np.cumsum(np.r_[True, (query[1:] != query[:-1]) | (start[1:] != start[:-1])][: len(query)]) - 1
    rows = np.bincount(group)
    index = np.arange(len(query)) - (np.cumsum(rows) - rows)[group]
    at_head = gain > 0 if best else gain < 0
    rank = np.where(at_head, start + index, start + size - rows[group] + index)
    order = np.lexsort((rank, query))
    return query[order], rank[order], gain[order]
