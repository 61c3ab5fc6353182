"""Runs of the corpus, made in blocks of queries so that memory does not grow with the number of rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .judgments import COLLECTION, GRADED, Judgments

BLOCK_ROWS = 1_000_000
FOUND = 0.8
"""The chance that a judged document is in the run; its rank is log-uniform."""


@dataclass(frozen=True)
class Block:
    """Rows of some queries, best first."""

    query: NDArray[np.int64]
    doc: NDArray[np.int64]
    rank: NDArray[np.int64]
    score: NDArray[np.float64]


def blocks(judgments: Judgments, depth: int, seed: int) -> Iterator[Block]:
    """The run in blocks: `depth` documents per query, scores of six decimals, now and then equal."""
    step = max(1, BLOCK_ROWS // depth)
    for start in range(0, len(judgments.queries), step):
        stop = min(start + step, len(judgments.queries))
        docs = np.empty((stop - start, depth), np.int64)
        scores = np.empty((stop - start, depth))
        for row in range(start, stop):
            random = np.random.default_rng([seed, 2, depth, row])
            docs[row - start] = ranking(judgments.docs[row], depth, random)
            scores[row - start] = -np.sort(-random.normal(12, 4, depth))
        yield Block(
            np.repeat(judgments.queries[start:stop], depth),
            docs.ravel(),
            np.tile(np.arange(1, depth + 1), stop - start),
            np.round(scores, 6).ravel(),
        )


def ranking(judged: NDArray[np.int64], depth: int, random: np.random.Generator) -> NDArray[np.int64]:
    """One query's documents, best first."""
    docs = random.choice(COLLECTION // 2, depth, replace=False) * 2
    found = random.random(GRADED) < FOUND
    places = (depth ** random.random(GRADED)).astype(np.int64) - 1
    docs[places[found]] = judged[found]
    _, first = np.unique(docs, return_index=True)
    assert len(first) == depth
    return docs
