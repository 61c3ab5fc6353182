"""Where the order of equal scores can move a value: scored once more with every tied group at its worst and its best.

Only queries with a tied group that holds documents of different worth are scored again, so that most runs pay nothing.
"""

from __future__ import annotations

import math

import numpy as np

from .kernel.batch import Batch, Bools, Floats, Ints, Judged, Ranked
from .measures.measure import Measure
from .measures.ndcg import gains


def order_moves(batch: Batch, measure: Measure, order: str) -> Bools:
    """The queries whose value depends on the order inside groups of equal scores, whatever the tie rule makes of it.

    `order` is that of the engine's request: where it is the order of the input (given), nothing ties.
    """
    queries = batch.queries
    moved: Bools = np.zeros(queries, dtype=np.bool_)
    if order == "given":
        return moved
    asked = _queries_in_doubt(batch.ranked, measure, queries)
    if not asked.any():
        return moved
    some = _of(batch, asked)
    worth = _worth(some.ranked.grade, measure)
    # A share of judged documents is least where what nobody judged stands first, also before negative grades.
    by_gain = "gain" in measure.family.conventions
    lowest = [_unjudged_worth(measure)] if by_gain else [0.0, -math.inf]
    first, *others = (
        measure.family.compute(some._replace(ranked=_ordered(some.ranked, worth, least, ascending)), measure)
        for least in lowest
        for ascending in (True, False)
    )
    differs = np.zeros(some.queries, dtype=np.bool_)
    for other in others:
        differs |= first.value != other.value
        for one, another in ((first.relevant, other.relevant), (first.defined, other.defined)):
            if one is not None and another is not None:
                differs |= one != another
    moved[asked] = differs
    return moved


def _worth(grade: Floats, measure: Measure) -> Floats:
    """What puts documents of a tied group in their best order: gain where there is one, else the grade."""
    return gains(grade, measure) if "gain" in measure.family.conventions else grade


def _unjudged_worth(measure: Measure) -> float:
    """What an unjudged document is worth."""
    grade = measure.conventions["unjudged_grade"]
    if "gain" not in measure.family.conventions or not isinstance(grade, float):
        return 0.0
    return float(gains(np.array([grade]), measure)[0])


def _queries_in_doubt(ranked: Ranked, measure: Measure, queries: int) -> Bools:
    """The queries with a tied group in the scored ranks that holds documents of different worth."""
    asked: Bools = np.zeros(queries, dtype=np.bool_)
    rows = ranked.group_size > 1
    if measure.k is not None and not measure.family.whole_list:
        rows &= ranked.group_start <= measure.k
    if not rows.any():
        return asked
    query, start, size = ranked.query[rows], ranked.group_start[rows], ranked.group_size[rows]
    first = np.flatnonzero(np.r_[True, (query[1:] != query[:-1]) | (start[1:] != start[:-1])])
    unjudged = np.diff(np.r_[first, len(query)]) < size[first]
    worth = _worth(ranked.grade[rows], measure)
    lowest, highest = np.minimum.reduceat(worth, first), np.maximum.reduceat(worth, first)
    differ = (lowest != highest) | unjudged
    if "gain" in measure.family.conventions:
        # Other measures may tell an unjudged document from every grade; here it is worth what some grade is.
        least = _unjudged_worth(measure)
        differ = (lowest != highest) | (unjudged & (lowest != least))
    asked[query[first[differ]]] = True
    return asked


def _of(batch: Batch, asked: Bools) -> Batch:
    """The batch of some queries alone."""
    number: Ints = np.cumsum(asked) - 1
    judged, ranked = batch.judged, batch.ranked
    rows, kept = asked[judged.query], asked[ranked.query]
    return Batch(
        Judged(
            int(np.count_nonzero(asked)),
            number[judged.query[rows]],
            judged.grade[rows],
            judged.in_pool[rows] if judged.in_pool is not None else None,
        ),
        Ranked(
            number[ranked.query[kept]],
            ranked.grade[kept],
            ranked.rank[kept],
            ranked.group_start[kept],
            ranked.group_size[kept],
            ranked.returned[asked],
            ranked.depth,
            ranked.marks.of(kept) if ranked.marks is not None else None,
        ),
        batch.listed[asked] if batch.listed is not None else None,
    )


def _ordered(ranked: Ranked, worth: Floats, unjudged: float, ascending: bool) -> Ranked:
    """The ranking with the documents of each tied group in the order of their worth, each at a rank of its own.

    The documents of a group that have no row are worth `unjudged`; where worth ascends they stand before their equals.
    """
    query, start, size = ranked.query, ranked.group_start, ranked.group_size
    order = np.lexsort((worth, start, query))
    first = np.r_[True, (query[1:] != query[:-1]) | (start[1:] != start[:-1])][: len(query)]
    begin = np.maximum.accumulate(np.where(first, np.arange(len(query)), 0))
    rows = np.bincount(begin, minlength=len(query))[begin]
    place = np.arange(len(query)) - begin
    # Sorted by worth a row keeps its group, so `start` and `size` stay where they are.
    place = np.where(worth[order] < unjudged, place, place + size - rows)
    rank = start + (place if ascending else size - 1 - place)
    again = np.lexsort((rank, query))
    order, rank = order[again], rank[again]
    return Ranked(
        query,
        ranked.grade[order],
        rank,
        rank,
        np.ones(len(rank), dtype=np.int64),
        ranked.returned,
        ranked.depth,
        ranked.marks.of(order) if ranked.marks is not None else None,
    )
