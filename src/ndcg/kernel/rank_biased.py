"""Rank-biased precision and its residual."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .batch import Floats, Ranked
from .order import place
from .relevance import added, at_least


@lru_cache(maxsize=16)
def _powers(p: float, size: int) -> Floats:
    table = [1.0, 1.0]
    while len(table) < size:
        table.append(table[-1] * p)
    powers = np.array(table, dtype=np.float64)
    powers.flags.writeable = False
    return powers


def powers(p: float, ranks: int) -> Floats:
    """p^(rank - 1) by rank (index 0 is not used), by repeated multiplication."""
    return _powers(p, 1 << max(6, (ranks + 1).bit_length()))


def biased_sum(ranked: Ranked, worth: Floats, queries: int, *, p: float, ties: str, k: int | None) -> Floats:
    """Per query, (1 - p) x the sum over ranks of worth x p^(rank - 1)."""
    query, rank, gain = place(ranked, worth, ties, k)
    if k is not None:
        kept = rank <= k
        query, rank, gain = query[kept], rank[kept], gain[kept]
    if not len(rank):
        return np.zeros(queries)
    weights = gain * powers(p, int(rank.max()))[rank]
    return (1.0 - p) * added(query, weights, queries)


def residual(ranked: Ranked, queries: int, *, p: float, judged_from: float | None, ties: str, k: int | None) -> Floats:
    """What is unknown of RBP: the weight of every unjudged rank and of all ranks below the list.

    p^n + (1 - p) x sum over unjudged ranks of p^(rank - 1) is 1 - (1 - p) x sum over judged ranks of p^(rank - 1).
    """
    known = at_least(ranked.grade, -np.inf if judged_from is None else judged_from)
    return np.maximum(0.0, 1.0 - biased_sum(ranked, known, queries, p=p, ties=ties, k=k))
