"""Making rankings from the rows that a plan fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ...kernel.batch import Bools, Floats, Ints, Marks
from ..contract import Cutoff, Looked, Request, RunFacts
from ..groups import ranks_and_groups, starts


class TopRows(NamedTuple):
    """The first rows of each query, best first, unjudged ones and repeats included.

    `given` is the rank that the input gives (NaN where it gives none), `own` marks documents with the query's own id,
    `again` documents that stand higher up already.
    """

    query: Ints
    score: Floats
    given: Floats
    grade: Floats
    own: Bools
    again: Bools

    def without_repeats(self) -> TopRows:
        """The rows that keep a rank."""
        if not self.again.any():
            return self
        kept = ~self.again
        return TopRows(*(getattr(self, name)[kept] for name in self._fields))

    def ranked(self, request: Request) -> TopRows:
        """The rows that keep a rank under a request."""
        return self if request.repeats_stay else self.without_repeats()

    def dropped(self, request: Request, queries: int) -> Ints:
        """Per query, the rows that lose their rank."""
        if request.repeats_stay:
            return np.zeros(queries, np.int64)
        return np.bincount(self.query[self.again], minlength=queries)

    def of(self, queries: Bools) -> TopRows:
        """The rows of some queries."""
        kept = queries[self.query]
        return TopRows(*(getattr(self, name)[kept] for name in self._fields))

    def between(self, first: int, last: int) -> TopRows:
        """The rows of the queries from `first` up to, but not including, `last`, counted from 0."""
        start, end = np.searchsorted(self.query, [first, last])
        columns = {name: getattr(self, name)[start:end] for name in self._fields}
        return TopRows(**columns | {"query": columns["query"] - first})


class Placed(NamedTuple):
    """The rows that keep a rank, with it, the first rank of their tied group, and its size among these rows."""

    rows: TopRows
    rank: Ints
    start: Ints
    size: Ints


def placed(rows: TopRows, request: Request) -> Placed:
    """First rows with their ranks under a request."""
    unique = rows.ranked(request)
    return Placed(unique, *ranks_and_groups(unique.query, unique.score))


class Kept(NamedTuple):
    """What one scan of several runs kept of one of them: answers to `requests`.

    `rows_of_run` is an SQL relation of its kept rows, `top` its first rows and how many rows each query starts from,
    by the number of the request and whether they are judged ones only.
    """

    requests: tuple[Request, ...]
    rows_of_run: str
    facts: RunFacts
    top: Mapping[tuple[int, bool], tuple[TopRows, Ints]]


class WholeRows(NamedTuple):
    """Judged documents of complete rankings, sorted by query and rank, and what was seen per cutoff."""

    query: Ints
    grade: Floats
    rank: Ints
    start: Ints
    size: Ints
    rows: Ints
    looked: dict[Cutoff, Looked]
    marks: Marks | None = None


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
