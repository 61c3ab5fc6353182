"""Making rankings from the rows that a plan fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ...kernel.batch import Bools, Floats, Ints, Marks
from ..contract import Cutoff, Looked, Request, RunFacts
from ..groups import ranks_and_groups


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
        return self._where(~self.again)

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
        return self._where(queries[self.query])

    def _where(self, kept: Bools | slice) -> TopRows:
        return TopRows(*(getattr(self, name)[kept] for name in self._fields))

    def between(self, first: int, last: int) -> TopRows:
        """The rows of the queries from `first` up to, but not including, `last`, counted from 0."""
        start, end = np.searchsorted(self.query, [first, last])
        rows = self._where(slice(start, end))
        return rows._replace(query=rows.query - first)


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
