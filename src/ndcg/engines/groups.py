"""Ranks and tied groups of sorted rows, for all engines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernel.batch import Bools, Ints
from .contract import Looked, Request


def starts(*keys: NDArray[Any]) -> Bools:
    """True at each row whose keys differ from the row before."""
    first = np.ones(len(keys[0]), dtype=bool)
    if len(first):
        first[1:] = False
        for key in keys:
            first[1:] |= key[1:] != key[:-1]
    return first


def ranks_and_groups(query: Ints, key: NDArray[Any]) -> tuple[Ints, Ints, Ints]:
    """(rank, first rank of the tied group, size of it) of rows sorted by query and rank; equal keys tie."""
    rows = np.arange(len(query))
    query_first = np.flatnonzero(starts(query))
    rank = rows - np.repeat(query_first, np.diff(np.r_[query_first, len(query)])) + 1
    group_first = np.flatnonzero(starts(query, key))
    size = np.diff(np.r_[group_first, len(query)])
    return rank, np.repeat(rank[group_first], size), np.repeat(size, size)


def tied_at(query: Ints, rank: Ints, start: Ints, size: Ints, k: int, queries: int) -> Ints:
    """Per query, the size of the tied group that the cutoff k cuts, 0 if it cuts none; every document is a row."""
    tied = np.zeros(queries, dtype=np.int64)
    cut = (rank == k) & (start + size - 1 > k)
    tied[query[cut]] = size[cut]
    return tied


def count_to(query: Ints, rank: Ints, k: int | None, queries: int) -> Ints:
    """Rows per query up to rank k."""
    kept = query if k is None else query[rank <= k]
    return np.bincount(kept, minlength=queries).astype(np.int64)


def tied_again(
    request: Request, looked: Mapping[int | None, Looked], query: Ints, rank: Ints, start: Ints, size: Ints
) -> dict[int | None, Looked]:
    """What was seen at each cutoff, with the tied groups as they are after condensing.

    Everything else that is counted speaks of the list before unjudged documents left it.
    """
    if request.order == "given":
        return dict(looked)
    return {
        k: seen if k is None else seen._replace(tied=tied_at(query, rank, start, size, k, len(seen.tied)))
        for k, seen in looked.items()
    }
