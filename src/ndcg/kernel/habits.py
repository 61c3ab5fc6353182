"""What other tools do to rankings and ideals beside the default way. Pure NumPy, never on the default path."""

from __future__ import annotations

import math

import numpy as np

from .batch import Bools, Floats, Ints, Marks, Ranked
from .sums import discounted_sum, floored


def without(ranked: Ranked, removed: Bools, queries: int) -> Ranked:
    """A whole ranking without some of its rows: everything below moves up, tied groups shrink."""
    if not removed.any():
        return ranked
    query, start = ranked.query, ranked.group_start
    above: Ints = np.cumsum(removed) - removed
    first_of_query = _firsts(query[1:] != query[:-1], len(query))
    first_of_group = _firsts((query[1:] != query[:-1]) | (start[1:] != start[:-1]), len(query))
    before_query: Ints = above[first_of_query]
    in_group = np.bincount(first_of_group[removed], minlength=len(query))[first_of_group]
    kept = ~removed
    return Ranked(
        query[kept],
        ranked.grade[kept],
        (ranked.rank - (above - before_query))[kept],
        (start - (above[first_of_group] - before_query))[kept],
        (ranked.group_size - in_group)[kept],
        ranked.returned - np.bincount(query[removed], minlength=queries),
        ranked.depth,
        ranked.marks.of(kept) if ranked.marks is not None else None,
    )


def _firsts(changes: Bools, rows: int) -> Ints:
    """For each row the place of the first row of its block, blocks beginning where `changes` says so."""
    begins = np.r_[True, changes][:rows]
    return np.asarray(np.maximum.accumulate(np.where(begins, np.arange(rows), 0)), dtype=np.int64)


def with_unjudged(ranked: Ranked, gain: Floats, worth: float, listed: Ints, k: int | None) -> tuple[Ranked, Floats]:
    """A whole ranking with a row for every rank: documents without a judgment gain `worth`.

    `listed` documents per query. Rows below rank `k` are left out, up to the end of the tied group that it cuts.
    """
    length = listed if k is None else np.minimum(listed, k)
    ends = ranked.group_start + ranked.group_size - 1
    reached = np.flatnonzero(ranked.group_start <= length[ranked.query])
    length = length.copy()
    np.maximum.at(length, ranked.query[reached], ends[reached])
    width = int(length.max(initial=0)) + 2
    query = np.repeat(np.arange(len(length)), length)
    rank = np.arange(len(query)) - np.repeat(np.cumsum(length) - length, length) + 1
    slot = query * width + rank
    inside = ranked.rank <= length[ranked.query]
    place = np.searchsorted(slot, (ranked.query * width + ranked.rank)[inside])
    grade, gains = np.zeros(len(slot)), np.full(len(slot), worth)
    grade[place], gains[place] = ranked.grade[inside], gain[inside]
    # An unjudged row belongs to the tied group of the nearest judged row above or below, if that group reaches it.
    start, size = rank.copy(), np.ones(len(slot), dtype=np.int64)
    groups = ranked.query * width + ranked.group_start
    if len(groups):
        nearest = np.searchsorted(groups, slot, "right") - 1
        known = np.maximum(nearest, 0)
        belongs = (nearest >= 0) & (ranked.query[known] == query) & (rank <= ends[known])
        start = np.where(belongs, ranked.group_start[known], start)
        size = np.where(belongs, ranked.group_size[known], size)
    return Ranked(query, grade, rank, start, size, ranked.returned, ranked.depth), gains


def repeats_of_pool(
    ranked: Ranked, gain: Floats, marks: Marks, k: int | None, *, joined: bool
) -> tuple[Ints, Floats, Floats]:
    """(query, gain, grade) of what repeats add to an ideal pool that holds every document once.

    Each occurrence is there; `joined`, each one in the first k ranks as often as the whole list holds the document.
    """
    more = marks.again.astype(np.int64)
    if joined:
        inside = np.ones(len(gain), dtype=np.bool_) if k is None else ranked.rank <= k
        more = np.where(inside, marks.times - ~marks.again, 0)
    return np.repeat(ranked.query, more), np.repeat(gain, more), np.repeat(ranked.grade, more)


def cut(query: Ints, rank: Ints, lengths: Ints) -> Bools:
    """The rows whose rank is at most the length of their query."""
    return np.asarray(rank <= lengths[query])


def signed_ideal(query: Ints, gain: Floats, zeros: Ints, key: Floats) -> tuple[Ints, Ints, Floats]:
    """(query, rank, gain) with the largest `key` first, the gain or the grade, losses included.

    `zeros` documents per query have key 0, gain nothing and have no row: they stand above everything negative.
    """
    order = np.lexsort((-key, query))
    query, gain, key = query[order], gain[order], key[order]
    rows = np.bincount(query, minlength=len(zeros))
    rank = np.arange(len(query)) - (np.cumsum(rows) - rows)[query] + 1
    return query, rank + np.where(key < 0, zeros[query], 0), gain


def given_ideal(query: Ints, gain: Floats, queries: int) -> tuple[Ints, Ints, Floats]:
    """(query, rank, gain) in the order of the rows."""
    rows = np.bincount(query, minlength=queries)
    rank = np.arange(len(query)) - (np.cumsum(rows) - rows)[query] + 1
    return query, rank, gain


def hits_ideal(lengths: Ints) -> tuple[Ints, Ints, Floats]:
    """(query, rank, gain) of a document of gain 1 at every rank."""
    query = np.repeat(np.arange(len(lengths)), lengths)
    rank = np.arange(len(query)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + 1
    return query, rank, np.ones(len(query))


def ideal_value(
    rows: tuple[Ints, Ints, Floats],
    lengths: Ints | None,
    queries: int,
    *,
    discount: str,
    base: float | None,
    floor: int | None,
) -> Floats:
    """The discounted sum of an ideal ranking, cut at `lengths` documents per query."""
    query, rank, gain = rows
    if lengths is not None:
        kept = cut(query, rank, lengths)
        query, rank, gain = query[kept], rank[kept], gain[kept]
    return discounted_sum(query, rank, gain, queries, discount=discount, base=base, k=None, floor=floor)


def rounded(value: float, rule: str, places: int) -> float:
    """A value rounded as a tool prints it: `nearest` like printf, `half_up` like JavaScript and Java, or `floor`."""
    if rule == "nearest":
        return round(value, places)
    if rule == "floor":
        return floored(value, places)
    scale = 10.0**places
    scaled = float(value) * scale + 0.5
    # A number so large that it cannot be scaled has no decimals.
    return math.floor(scaled) / scale if math.isfinite(scaled) else value
