"""A dense ranker (latent semantic analysis of character n-grams) fused with bm25 by reciprocal rank."""

import zlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from .collect import Document
from .rank_fts import Ranker, Ranking
from .words import telling, words

Matrix = npt.NDArray[np.float64]

BUCKETS = 8192
DIMENSIONS = 160
FUSION_CONSTANT = 60
FUSION_DEPTH = 100


def dense(documents: list[Document]) -> Ranker:
    """Cosine in the space of the strongest directions of the n-gram matrix."""
    ids = [each.id for each in documents]
    counts = np.vstack([hashed(f"{each.title} {each.text}") for each in documents])
    rarity = np.log((1 + len(ids)) / (1 + (counts > 0).sum(axis=0)))
    matrix = scaled(np.log1p(counts) * rarity)
    values, vectors = np.linalg.eigh(matrix @ matrix.T)
    strength = np.sqrt(values[-DIMENSIONS:])
    directions = vectors[:, -DIMENSIONS:]
    points = scaled(directions * strength)
    to_space = matrix.T @ (directions / strength)

    def ranked(query: str) -> Ranking:
        vector = np.log1p(hashed(" ".join(telling(words(query))))) * rarity
        scores = points @ scaled(vector[None, :] @ to_space)[0]
        rows = [(doc, round(float(score), 6)) for doc, score in zip(ids, scores, strict=True)]
        return sorted(rows, key=lambda row: (-row[1], row[0]))

    return ranked


def fused(*rankers: Ranker) -> Ranker:
    """The sum of reciprocal ranks over the rankers."""

    def ranked(query: str) -> Ranking:
        totals: dict[str, float] = {}
        for ranker in rankers:
            for place, (doc, _) in enumerate(ranker(query)[:FUSION_DEPTH], start=1):
                totals[doc] = totals.get(doc, 0.0) + 1 / (FUSION_CONSTANT + place)
        return sorted(totals.items(), key=lambda row: (-row[1], row[0]))

    return ranked


def hashed(text: str) -> Matrix:
    """Counts of the text's n-grams in a fixed number of buckets."""
    counts = np.zeros(BUCKETS)
    for gram in grams(text):
        counts[zlib.crc32(gram.encode()) % BUCKETS] += 1
    return counts


def grams(text: str) -> Iterator[str]:
    """Every word, and its pieces of three to five letters."""
    for word in words(text):
        padded = f" {word} "
        yield padded
        for length in (3, 4, 5):
            yield from (padded[at : at + length] for at in range(len(padded) - length + 1))


def scaled(rows: Matrix) -> Matrix:
    """Each row divided by its length."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths == 0, 1, lengths))
