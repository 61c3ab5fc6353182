"""Reciprocal rank and success, and their expectations over tied orders."""

from __future__ import annotations

import math

import numpy as np

from .batch import Floats, Ranked
from .relevance import relevant_ranks, tied_groups


def reciprocal_rank(ranked: Ranked, relevant: Floats, queries: int, *, ties: str, k: int | None) -> Floats:
    """Per query, 1 / rank of the first relevant document, 0 if there is none up to rank k."""
    value = np.zeros(queries)
    if ties != "average":
        query, rank, number = relevant_ranks(ranked, relevant, ties)
        first = number == 1 if k is None else (number == 1) & (rank <= k)
        value[query[first]] = 1.0 / rank[first]
        return value
    groups = tied_groups(ranked, relevant)
    first = groups.above == 0
    for query, start, size, count in zip(
        groups.query[first].tolist(),
        groups.start[first].tolist(),
        groups.size[first].tolist(),
        groups.relevant[first].tolist(),
        strict=True,
    ):
        value[query] = expected_reciprocal(start, size, count, k)
    return value


def expected_reciprocal(start: int, size: int, relevant: int, k: int | None) -> float:
    """The expected 1 / rank of the first relevant document of one tied group, 0 beyond rank k.

    The first relevant document stands at place j (counted from 0) with probability
    C(size - j - 1, relevant - 1) / C(size, relevant); each probability follows from the one before.
    """
    probability = relevant / size
    terms = []
    for place in range(size - relevant + 1):
        rank = start + place
        if k is not None and rank > k:
            break
        terms.append(probability / rank)
        if place < size - relevant:
            probability = probability * (size - relevant - place) / (size - place - 1)
    return math.fsum(terms)


def success(ranked: Ranked, relevant: Floats, queries: int, *, ties: str, k: int) -> Floats:
    """Per query, 1 if a relevant document is among the first k, else 0; under `average` the probability of it."""
    value = np.zeros(queries)
    if ties != "average":
        query, rank, _ = relevant_ranks(ranked, relevant, ties)
        value[query[rank <= k]] = 1.0
        return value
    groups = tied_groups(ranked, relevant)
    first = (groups.above == 0) & (groups.start <= k)
    inside = first & (groups.start + groups.size - 1 <= k)
    value[groups.query[inside]] = 1.0
    for at in np.flatnonzero(first & ~inside).tolist():
        value[groups.query[at]] = chance_of_any(
            int(groups.size[at]), int(groups.relevant[at]), k + 1 - int(groups.start[at])
        )
    return value


def chance_of_any(size: int, relevant: int, drawn: int) -> float:
    """The probability that `drawn` of `size` documents hold one of the `relevant` ones."""
    orders = math.comb(size, drawn)
    return (orders - math.comb(size - relevant, drawn)) / orders
