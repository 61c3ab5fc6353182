"""The completions of one query's judgments under which a ratio of discounted gains is largest or smallest.

An uncertain document may take any of a few gains (levels). The ratio is (fixed + sum of weight x gain) / ideal DCG, and
the ideal moves with the gains, so "all nothing" and "all the most" are not its bounds.

Cut the gains into layers between neighbouring levels and let n be the number of uncertain documents that reach a
layer. For a given n the numerator is largest when the documents of greatest weight reach it, whatever the other layers
do, and the ideal of the layer is the sum of the first (known + n) discounts, for a sum of sorted gains is the sum of
its layers. So for a given t, numerator - t x ideal is a sum of one term per layer, with the n falling from layer to
layer: dynamic programming finds its largest value exactly. Raising t to the ratio found until nothing exceeds it
(Dinkelbach 1967) ends at the largest ratio. No completion is left out and none is sampled: levels x documents numbers
are looked at per step, where trying all multisets would take (documents + levels - 1 over levels - 1).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from .batch import Floats, Ints

STEPS = 200
"""Steps after which a search gives up: each strictly raises the ratio, and a handful suffices."""


class Ratio(NamedTuple):
    """A ratio with uncertain gains.

    `fixed` is what the known gains add to the numerator, `weights` what each uncertain document keeps of its gain there
    (any sign: a difference of two rankings has negative ones). `pool` are the known gains of the ideal pool, `levels`
    the gains that an uncertain document may take, ascending, and `discounts` those of the ranks of the ideal, not
    rising, as many as the ideal has ranks at most.
    """

    fixed: float
    weights: Floats
    pool: Floats
    levels: Floats
    discounts: Floats


def largest(ratio: Ratio) -> Ints | None:
    """The level (its position) of each uncertain document where the ratio is largest; None if the ideal is always 0.

    Completions whose ideal is 0 have no ratio and are passed over.
    """
    count, top = len(ratio.weights), len(ratio.levels) - 1
    pool = np.sort(ratio.pool[ratio.pool > 0])
    if not len(pool) and (not count or ratio.levels[top] <= 0):
        return None
    order = np.argsort(-ratio.weights, kind="stable")
    gained, ideal = _layers(ratio, ratio.weights[order], pool)
    base_gain, base_ideal = _base(ratio, pool)
    needed = None
    if not len(pool) and ratio.levels[0] <= 0:
        needed = int(np.flatnonzero(ratio.levels > 0)[0]) - 1
    reach = np.full(top, count if not len(pool) else 0)
    best, at = reach, -math.inf
    for _ in range(STEPS):
        layers = np.arange(top)
        numerator = base_gain + float(gained[layers, reach].sum())
        denominator = base_ideal + float(ideal[layers, reach].sum())
        if not numerator / denominator > at:
            break
        best, at = reach, numerator / denominator
        reach = _falling(gained - at * ideal, needed)
    levels = np.zeros(count, dtype=np.int64)
    for reached in best.tolist():
        levels[order[:reached]] += 1
    return levels


def smallest(ratio: Ratio) -> Ints | None:
    """The level of each uncertain document where the ratio is smallest; None if the ideal is always 0."""
    return largest(ratio._replace(fixed=-ratio.fixed, weights=-ratio.weights))


def _layers(ratio: Ratio, weights: Floats, pool: Floats) -> tuple[Floats, Floats]:
    """What a layer adds to numerator and ideal where n documents reach it: rows are layers, columns n = 0..count."""
    count, levels = len(weights), ratio.levels
    summed = np.concatenate([[0.0], np.cumsum(weights)])
    sums, ranks = _summed(ratio.discounts)
    gained = np.diff(levels)[:, None] * summed[None, :]
    ideal = np.zeros((len(levels) - 1, count + 1))
    reached = np.arange(count + 1)
    for layer in range(len(levels) - 1):
        for above, width in _steps(pool, float(levels[layer]), float(levels[layer + 1])):
            ideal[layer] += width * sums[np.minimum(above + reached, ranks)]
    return gained, ideal


def _base(ratio: Ratio, pool: Floats) -> tuple[float, float]:
    """Numerator and ideal where every uncertain document has the lowest level."""
    lowest, highest = float(ratio.levels[0]), float(ratio.levels[-1])
    sums, ranks = _summed(ratio.discounts)
    count = len(ratio.weights)
    ideal = sum(width * sums[min(above + count, ranks)] for above, width in _steps(pool, 0.0, lowest))
    ideal += sum(width * sums[min(above, ranks)] for above, width in _steps(pool, highest, math.inf))
    return ratio.fixed + lowest * float(ratio.weights.sum()), float(ideal)


def _summed(discounts: Floats) -> tuple[Floats, int]:
    """Sums of the first 0, 1, ... discounts, and how many discounts there are."""
    return np.concatenate([[0.0], np.cumsum(discounts)]), len(discounts)


def _steps(pool: Floats, low: float, high: float) -> Iterator[tuple[int, float]]:
    """(known gains that reach it, its width) for the parts of the gains from low to high, and above 0."""
    at = max(low, 0.0)
    for edge in (*np.unique(pool[(pool > at) & (pool < high)]).tolist(), high):
        above = int(np.count_nonzero(pool >= edge))
        if edge > at and not math.isinf(edge):
            yield above, edge - at
        at = max(at, edge)


def _falling(worth: Floats, needed: int | None) -> Ints:
    """How many documents reach each layer where the sum of worth is largest and the numbers fall.

    At least one must reach the layer `needed`.
    """
    if needed is not None:
        worth = worth.copy()
        worth[needed, 0] = -math.inf
    below = np.zeros(worth.shape[1])
    choices = []
    for layer in range(len(worth) - 1, -1, -1):
        total = worth[layer] + below
        below = np.maximum.accumulate(total)
        rising = np.concatenate([[True], total[1:] > below[:-1]])
        choices.append(np.maximum.accumulate(np.where(rising, np.arange(len(total)), 0)))
    reach, limit = [], worth.shape[1] - 1
    for choice in reversed(choices):
        limit = int(choice[limit])
        reach.append(limit)
    return np.array(reach, dtype=np.int64)


def how_many(alike: Sequence[int], levels: int) -> int:
    """How many completions differ where so many documents of each kind are alike.

    >>> how_many([10], 4), how_many([1, 2], 3)
    (286, 18)
    """
    return math.prod(math.comb(count + levels - 1, levels - 1) for count in alike)


def completions(alike: Sequence[int], levels: int) -> Ints:
    """Every completion as a row of levels, documents kind by kind; alike documents in every multiset once."""
    rows = np.zeros((1, 0), dtype=np.int64)
    for count in alike:
        own = np.array(list(combinations_with_replacement(range(levels), count)), dtype=np.int64).reshape(-1, count)
        rows = np.hstack([np.repeat(rows, len(own), axis=0), np.tile(own, (len(rows), 1))])
    return rows
