"""Judgments of the corpus: one set shaped like MS MARCO dev, one graded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

COLLECTION = 8_841_823
"""Documents of MS MARCO's passage collection."""

GRADED = 20
"""Judged documents per query in the graded variant."""

GRADES = (0.45, 0.30, 0.17, 0.08)
"""Shares of the grades 0 to 3 in it."""


@dataclass(frozen=True)
class Judgments:
    """Queries and their judged documents: row i of `docs` and `grades` belongs to `queries[i]`.

    The first document of a row is the one that dev judges relevant; `second` marks the queries where dev judges the
    next one relevant too. Judged documents have odd ids and all others even ones, so no draw has to be repeated.
    """

    queries: NDArray[np.int64]
    docs: NDArray[np.int64]
    grades: NDArray[np.int64]
    second: NDArray[np.bool_]

    def dev(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """(query, document, grade) rows with about 1.06 relevant documents per query, all of grade 1."""
        query = np.repeat(self.queries, 1 + self.second)
        docs = np.stack([self.docs[:, 0], np.where(self.second, self.docs[:, 1], -1)], axis=1).ravel()
        return query, docs[docs >= 0], np.ones(len(query), np.int64)

    def graded(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """(query, document, grade) rows with 20 judged documents per query, grades 0 to 3."""
        return np.repeat(self.queries, GRADED), self.docs.ravel(), self.grades.ravel()


def judge(queries: int, seed: int) -> Judgments:
    """Judgments for a number of queries. Fewer queries are the first ones of more."""
    docs = np.empty((queries, GRADED), np.int64)
    grades = np.empty((queries, GRADED), np.int64)
    second = np.empty(queries, np.bool_)
    ids = np.random.default_rng([seed, 0]).choice(1_100_000, 1_000_000, replace=False)[:queries]
    for row in range(queries):
        random = np.random.default_rng([seed, 1, row])
        docs[row] = random.choice(COLLECTION // 2, GRADED, replace=False) * 2 + 1
        grades[row] = random.choice(len(GRADES), GRADED, p=GRADES)
        second[row] = random.random() < 0.06
    grades[:, 0] = 3
    return Judgments(ids.astype(np.int64), docs, grades, second)
