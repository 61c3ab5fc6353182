"""Gathers the rows of one request over all queries into the arrays of the contract."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...kernel.batch import Ints, Ranked
from ..contract import Cutoff, Looked, Ranking, Request
from ..groups import count_to, ranks_and_groups, tied_at
from .query import Hit, Placed, QueryRanking


class Collector:
    """The growing answer to one request."""

    def __init__(self, request: Request, queries: int) -> None:
        self.request = request
        self.queries = queries
        self.returned = np.zeros(queries, np.int64)
        self.distinct = np.zeros(queries, np.int64)
        self.codes: list[int] = []
        self.placed: list[Placed] = []
        self.tied = {k: np.zeros(queries, np.int64) for k in request.cutoffs}
        self.repeats: dict[Cutoff, int] = dict.fromkeys(request.cutoffs, 0)
        self.own: dict[Cutoff, int] = dict.fromkeys(request.cutoffs, 0)

    def add(self, code: int, query: str, ranking: QueryRanking, hits: list[Hit], grades: Mapping[str, float]) -> None:
        """One query's ranking under this request."""
        request = self.request
        order = request.order
        placed = [Placed(ranking.rank_of(hit, order), hit.start, hit.size, grades[hit.document]) for hit in hits]
        if len(placed) > 1:
            placed.sort()
        self.codes += [code] * len(placed)
        self.placed += placed
        self.returned[code] = ranking.returned
        self.distinct[code] = len(ranking.listed)
        own = ranking.look_up([query])[0] if query in ranking.listed else None
        for k in request.cutoffs:
            if k is not None and order != "given" and not request.condense:
                self.tied[k][code] = ranking.tied(k)
            if ranking.raw is not None:
                self.repeats[k] += ranking.repeats(k)
            if own is not None and (k is None or ranking.rank_of(own, order) <= k):
                self.own[k] += 1

    def finish(self) -> Ranking:
        """The answer."""
        request, queries = self.request, self.queries
        code: Ints = np.array(self.codes, dtype=np.int64)
        columns: Ints = np.array([row[:3] for row in self.placed], dtype=np.int64).reshape(-1, 3)
        grade = np.array([row.grade for row in self.placed], dtype=np.float64)
        rank, start, size = (columns[:, at].copy() for at in range(3))
        judged = {k: count_to(code, rank, k, queries) for k in request.cutoffs}
        kept = self.returned
        if request.condense:
            rank, start, size = ranks_and_groups(code, start)
            kept = count_to(code, rank, None, queries)
            if request.order != "given":
                self.tied = {
                    k: tied_at(code, rank, start, size, k, queries) if k is not None else np.zeros(queries, np.int64)
                    for k in request.cutoffs
                }
        looked = {
            k: Looked(
                judged[k],
                self.distinct if k is None else np.minimum(self.distinct, k),
                self.tied[k],
                self.repeats[k],
                self.own[k],
                0,
            )
            for k in request.cutoffs
        }
        return Ranking(Ranked(code, grade, rank, start, size, kept), self.returned, looked)
