"""The slow definition of the bounds of nDCG under unjudged documents: every completion is tried.

A ranking is a list of tied groups from the top; a document is its gain, or a number of an uncertain one as `("?", n)`.
Uncertain documents may take every one of `levels`. Documents that nobody returned are given by their gains
(`unreturned`) or counted (`outside`, uncertain ones). Exponential: for tests on small cases only.
"""

import math
from collections.abc import Callable, Sequence
from itertools import permutations, product

Document = float | tuple[str, int]
Groups = Sequence[Sequence[Document]]


def filled(document: Document, chosen: Sequence[float]) -> float:
    """The gain of a document under a completion."""
    return chosen[document[1]] if isinstance(document, tuple) else document


def discounted(groups: Sequence[Sequence[float]], ties: str, k: int | None, discount: Callable[[int], float]) -> float:
    """The discounted sum of groups of gains; groups of two or more are averaged over all their orders, or sorted."""
    total, rank = 0.0, 1
    for group in groups:
        orders = list(permutations(group)) if ties == "average" else [sorted(group, reverse=ties == "best")]
        found = [
            sum(gain * discount(rank + at) for at, gain in enumerate(order) if k is None or rank + at <= k)
            for order in orders
        ]
        total += math.fsum(found) / len(found)
        rank += len(group)
    return total


def ideal(gains: Sequence[float], k: int | None, discount: Callable[[int], float]) -> float:
    """The largest sum of any order."""
    best = sorted((gain for gain in gains if gain > 0), reverse=True)[:k]
    return sum(gain * discount(rank) for rank, gain in enumerate(best, 1))


def bounds(
    runs: Sequence[Groups],
    unreturned: Sequence[float],
    outside: int,
    levels: Sequence[float],
    k: int | None,
    ties: str,
    discount: Callable[[int], float],
    uncertain: int,
) -> tuple[float, float] | None:
    """(smallest, largest) of the ratio of one run, or of the difference of the ratios of two.

    The runs rank the same uncertain documents, of which there are `uncertain`; every judged document that a run does
    not return stands in `unreturned` for one run, and for two both must return the same judged documents. None if no
    completion has anything to gain.
    """
    values = []
    for chosen in product(levels, repeat=uncertain + outside):
        returned = [document for group in runs[0] for document in group]
        known = [document for document in returned if not isinstance(document, tuple)]
        best = ideal([*known, *unreturned, *chosen], k, discount)
        if best <= 0:
            continue
        ratios = [
            discounted([[filled(document, chosen) for document in group] for group in run], ties, k, discount) / best
            for run in runs
        ]
        values.append(ratios[0] - ratios[1] if len(ratios) == 2 else ratios[0])
    return (min(values), max(values)) if values else None
