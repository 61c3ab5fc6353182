"""The queries behind a difference: how few of them make most of it, and which gain and lose most."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..kernel.batch import Bools, Floats
from .pairing import Paired, status_word

SHARE = 0.8
"""The share of the difference whose queries are named."""

NAMED = 20
"""How many driving queries, gains and losses are kept."""


class Change(NamedTuple):
    """One query in both systems. `weighted` is the difference times the query's weight (1 without weights)."""

    query: str
    base: float
    new: float
    difference: float
    weight: float
    weighted: float
    base_status: str
    new_status: str


class Drivers(NamedTuple):
    """The fewest queries whose weighted differences add up to `share` of the whole difference.

    `needed` is their number out of `queries`, None where the difference is 0. They are those with the largest weighted
    differences in the direction of the whole; `first` are the largest of them. `against` counts the queries that move
    the other way.
    """

    share: float
    needed: int | None
    queries: int
    against: int
    first: tuple[Change, ...]


def weights_of(queries: Sequence[str], weights: Mapping[str, float] | None) -> Floats:
    """The weight of each query, 1 without weights and 0 for a query that has none."""
    if weights is None:
        return np.ones(len(queries))
    return np.fromiter((weights.get(query, 0.0) for query in queries), np.float64, len(queries))


def drivers(paired: Paired, chosen: Bools, weights: Mapping[str, float] | None = None, share: float = SHARE) -> Drivers:
    """The queries that drive a difference, over the chosen queries.

    Of the differences 0.5, 0.3, 0.1 and -0.1 (sum 0.8) the first two reach 80 % of the sum.
    """
    ids = paired.ids(chosen)
    parts = paired.differences(chosen) * weights_of(ids, weights)
    total = math.fsum(parts.tolist())
    if total == 0:
        return Drivers(share, None, len(ids), 0, ())
    toward = parts if total > 0 else -parts
    order = np.argsort(-toward, kind="stable")
    goal = share * abs(total)
    reached, needed = 0.0, 0
    # Within rounding of the goal counts as reaching it.
    while reached < goal * (1 - 1e-12) and needed < len(order):
        reached = math.fsum([reached, float(toward[order[needed]])])
        needed += 1
    against = int(np.count_nonzero(toward < 0))
    places = np.flatnonzero(chosen)[order[: min(needed, NAMED)]]
    return Drivers(share, needed, len(ids), against, changes(paired, places.tolist(), weights))


def changes(paired: Paired, places: Sequence[int], weights: Mapping[str, float] | None = None) -> tuple[Change, ...]:
    """Rows of a pairing as objects."""
    found = []
    for at in places:
        query, base, new = paired.queries[at], float(paired.base[at]), float(paired.new[at])
        weight = 1.0 if weights is None else weights.get(query, 0.0)
        found.append(
            Change(
                query=query,
                base=base,
                new=new,
                difference=new - base,
                weight=weight,
                weighted=(new - base) * weight,
                base_status=status_word(int(paired.base_status[at])),
                new_status=status_word(int(paired.new_status[at])),
            )
        )
    return tuple(found)


def gains_and_losses(
    paired: Paired, chosen: Bools, weights: Mapping[str, float] | None = None, count: int = NAMED
) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """The biggest gains and the biggest losses by weighted difference, largest first, over the chosen queries.

    Equal ones stand in the order of the judgments; queries without a difference, or without weight, are in neither.
    """
    places = np.flatnonzero(chosen)
    parts = paired.differences(chosen) * weights_of(paired.ids(chosen), weights)
    order = np.argsort(-parts, kind="stable")
    up = [int(places[at]) for at in order[:count].tolist() if parts[at] > 0]
    order = np.argsort(parts, kind="stable")
    down = [int(places[at]) for at in order[:count].tolist() if parts[at] < 0]
    return changes(paired, up, weights), changes(paired, down, weights)
