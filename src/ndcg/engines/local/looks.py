"""What kept rows show: whether they settle the first ranks, and what stands within a cutoff."""

from __future__ import annotations

import numpy as np

from ...kernel.batch import Bools, Ints
from ..contract import Cutoff, Looked, Request
from ..groups import count_to, starts, tied_at
from .rows import Placed, TopRows


def unsettled(request: Request, places: Placed, rows: TopRows, starting: Ints) -> Bools:
    """Queries whose kept rows do not settle the first k ranks and the tied group that the cutoff cuts."""
    queries = len(starting)
    fetched = np.bincount(rows.query, minlength=queries)
    cut = starting > fetched
    if not cut.any():
        return np.zeros(queries, np.bool_)
    unique, _, start, _ = places
    distinct = np.bincount(unique.query, minlength=queries)
    short = cut & (distinct <= request.depth)
    if request.order == "given" and not request.groups:
        return short
    last_start = np.zeros(queries, np.int64)
    np.maximum.at(last_start, unique.query, start)
    return np.asarray(short | (cut & (last_start <= request.depth)))


def looks(request: Request, places: Placed, rows: TopRows, returned: Ints) -> dict[Cutoff, Looked]:
    """What the kept rows show at each cutoff."""
    queries = len(returned)
    unique, rank, start, size = places
    dropped = rows.dropped(request, queries)
    looked: dict[Cutoff, Looked] = {}
    for k in request.cutoffs:
        assert k is not None
        judged_rows = ~np.isnan(unique.grade)
        judged = count_to(unique.query[judged_rows], rank[judged_rows], k, queries)
        tied = (
            np.zeros(queries, np.int64)
            if request.order == "given"
            else tied_at(unique.query, rank, start, size, k, queries)
        )
        own = int(np.count_nonzero(np.bincount(unique.query[unique.own & (rank <= k)])))
        ranks = np.minimum(returned - dropped, k)
        again = int(np.count_nonzero(rows.again & (rank <= k))) if request.repeats_stay else repeats(rows, k)
        looked[k] = Looked(judged, ranks, tied, again, own, disagreements(unique, rank, k))
    return looked


def disagreements(rows: TopRows, rank: Ints, k: int | None) -> int:
    """Neighbours in the first k ranks whose scores say one order and whose given ranks say the other."""
    if len(rank) < 2:
        return 0
    same_query = ~starts(rows.query)[1:]
    wrong = same_query & (rows.score[1:] < rows.score[:-1]) & (rows.given[1:] < rows.given[:-1])
    if k is not None:
        wrong &= rank[1:] <= k
    return int(np.count_nonzero(wrong))


def repeats(rows: TopRows, k: int | None) -> int:
    """Repeats that stand above the k-th different document of their query."""
    if not rows.again.any():
        return 0
    new = np.cumsum(~rows.again)
    first = np.flatnonzero(starts(rows.query))
    before = np.repeat(np.r_[0, new[first[1:] - 1]], np.diff(np.r_[first, len(new)]))
    different = new - before
    return int(np.count_nonzero(rows.again if k is None else rows.again & (different < k)))


def added(one: Looked, other: Looked) -> Looked:
    """Two sights of different queries as one; `other` decides where it saw a query."""
    seen = other.ranks > 0
    return Looked(
        np.where(seen, other.judged, one.judged),
        np.where(seen, other.ranks, one.ranks),
        np.where(seen, other.tied, one.tied),
        one.repeats + other.repeats,
        one.own + other.own,
        one.disagreements + other.disagreements,
    )
