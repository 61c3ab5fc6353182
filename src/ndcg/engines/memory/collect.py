"""Gathers the rows of one request over all queries into the arrays of the contract."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...kernel.batch import Ints, Marks, Ranked
from ..contract import Cutoff, Looked, Ranking, Request
from ..groups import count_to, ranks_and_groups, tied_again
from .query import Hits, QueryRanking


class Collector:
    """The growing answer to one request."""

    def __init__(self, request: Request, queries: int) -> None:
        self.request = request
        self.every = request.repeats_stay
        self.queries = queries
        self.returned = np.zeros(queries, np.int64)
        self.ranked = np.zeros(queries, np.int64)
        self.codes: list[int] = []
        self.ranks: list[int] = []
        self.starts: list[int] = []
        self.sizes: list[int] = []
        self.grades: list[float] = []
        self.marks: list[tuple[int, bool, bool]] = []
        self.tied = {k: np.zeros(queries, np.int64) for k in request.cutoffs}
        self.repeats: dict[Cutoff, int] = dict.fromkeys(request.cutoffs, 0)
        self.own: dict[Cutoff, int] = dict.fromkeys(request.cutoffs, 0)

    def add(self, code: int, query: str, ranking: QueryRanking, hits: Hits, grades: Mapping[str, float]) -> None:
        """One query's ranking under this request; queries come in ascending order."""
        request = self.request
        order = request.order
        self.codes += [code] * len(hits.documents)
        self.ranks += ranking.ranks(hits, order)
        self.starts += hits.starts
        self.sizes += hits.sizes
        self.grades += map(grades.__getitem__, hits.documents)
        self.returned[code] = ranking.returned
        self.ranked[code] = len(ranking.listed) if not ranking.every else ranking.returned
        if request.marks:
            self.marks += ranking.marks(hits)
        own = ranking.rank_of(query, order) if query in ranking.listed else None
        for k in request.cutoffs:
            if k is not None and order != "given" and not request.condense:
                self.tied[k][code] = ranking.tied(k)
            if ranking.raw is not None:
                self.repeats[k] += ranking.repeats(k)
            if own is not None and (k is None or own <= k):
                self.own[k] += 1

    def finish(self) -> Ranking:
        """The answer."""
        request, queries = self.request, self.queries
        code: Ints = np.array(self.codes, dtype=np.int64)
        rank: Ints = np.array(self.ranks, dtype=np.int64)
        by_rank = np.lexsort((rank, code))
        code, rank = code[by_rank], rank[by_rank]
        start, size = (np.array(column, dtype=np.int64)[by_rank] for column in (self.starts, self.sizes))
        grade = np.array(self.grades, dtype=np.float64)[by_rank]
        judged = {k: count_to(code, rank, k, queries) for k in request.cutoffs}
        kept = self.returned
        looked = {
            k: Looked(
                judged[k],
                self.ranked if k is None else np.minimum(self.ranked, k),
                self.tied[k],
                self.repeats[k],
                self.own[k],
                0,
            )
            for k in request.cutoffs
        }
        if request.condense:
            rank, start, size = ranks_and_groups(code, start)
            kept = count_to(code, rank, None, queries)
            looked = tied_again(request, looked, code, rank, start, size)
        marks = None
        if request.marks:
            table = np.array(self.marks, dtype=np.int64).reshape(-1, 3)[by_rank]
            marks = Marks(table[:, 0], table[:, 1] > 0, table[:, 2] > 0)
        return Ranking(Ranked(code, grade, rank, start, size, kept, marks=marks), self.returned, looked)
