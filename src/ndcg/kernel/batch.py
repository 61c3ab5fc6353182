"""The numbers that an engine hands to the kernel, and what comes back. No ids, no text.

Rows are flat arrays sorted by query; a query is its position 0..queries-1. Only judged documents have rows: an
unjudged document gains nothing, and where it stands follows from the ranks of the others and `returned`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Judged:
    """All judged documents: `query` and `grade` per row, and whether the row is in the candidate pool."""

    queries: int
    query: Ints
    grade: Floats
    in_pool: Bools | None = None
    ideals: dict[object, Floats] = field(default_factory=dict, compare=False)

    def counts(self) -> Ints:
        """Judged documents per query."""
        return np.bincount(self.query, minlength=self.queries).astype(np.int64)


class Marks(NamedTuple):
    """What a few habits want to know of each row of a whole ranking.

    `times` is how often the list holds the row's document, `again` says that the document stands higher up already,
    `lowest` that its score is minus infinity.
    """

    times: Ints
    again: Bools
    lowest: Bools

    def of(self, rows: Bools | Ints) -> Marks:
        """The marks of some rows."""
        return Marks(self.times[rows], self.again[rows], self.lowest[rows])


class Ranked(NamedTuple):
    """The judged documents of one ranking, sorted by query, then rank.

    `rank` counts from 1. `group_start` is the first rank of the row's tied group and `group_size` the number of
    documents in it, unjudged ones included. `returned` documents per query. A ranking cut at `depth` holds at least
    every judged document up to that rank and the rest of the tied group that it cuts; None is the whole list.
    `marks` are there where they were asked for.
    """

    query: Ints
    grade: Floats
    rank: Ints
    group_start: Ints
    group_size: Ints
    returned: Ints
    depth: int | None = None
    marks: Marks | None = None


class Batch(NamedTuple):
    """Judgments and one ranking of the same queries.

    `listed` documents per query, without dropped repeats and after condensing, where a measure asks for them.
    """

    judged: Judged
    ranked: Ranked
    listed: Ints | None = None

    @property
    def queries(self) -> int:
        """How many queries there are."""
        return self.judged.queries


class Computed(NamedTuple):
    """What a measure makes of a batch, per query. NaN never leaves the kernel: `value` is 0 where `relevant` is 0.

    `dcg` and `ideal` are the ingredients of a ratio (None for measures without them). `relevant` counts the judged
    documents with a positive gain. `without_gain` marks queries whose chosen ideal is 0 although a judged document
    has gain; `idle` those whose chosen ideal counts as 0 at all (None: the same queries).
    `defined` marks the queries for which a count has a value (None: all).
    """

    value: Floats
    relevant: Ints
    dcg: Floats | None = None
    ideal: Floats | None = None
    without_gain: Bools | None = None
    idle: Bools | None = None
    defined: Bools | None = None
