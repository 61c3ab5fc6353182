"""Discounted sums, bit for bit the plain loop `for rank in 1..k: total += gain / divisor(rank)`.

`numpy.bincount` adds its weights one after the other in the order of the rows, so it gives the bits of that loop
whatever the batch size; `sum(axis=1)`, `reduceat` and matrix products do not.
"""

from __future__ import annotations

import math
from decimal import ROUND_FLOOR, Context, Decimal
from functools import lru_cache

import numpy as np

from .batch import Floats, Ints


def divisor(rank: int, discount: str, base: float | None) -> float:
    """What the gain at a rank is divided by; the discount is 1 / divisor.

    `log2`: log2(rank + 1). `jarvelin`: 1 below `base`, else log_base(rank). `reciprocal`: rank. `none`: 1.
    """
    if discount == "log2":
        return math.log2(rank + 1)
    if discount == "reciprocal":
        return float(rank)
    if discount == "jarvelin" and base is not None and rank >= base:
        return math.log2(rank) / math.log2(base)
    return 1.0


_WIDE = Context(prec=400)
"""Digits enough for every float and its decimals."""


@lru_cache(maxsize=32)
def _divisors(discount: str, base: float | None, size: int) -> Floats:
    table = np.array([1.0] + [divisor(rank, discount, base) for rank in range(1, size)], dtype=np.float64)
    table.flags.writeable = False
    return table


def divisors(discount: str, base: float | None, ranks: int) -> Floats:
    """Divisors by rank, for ranks 1..ranks (index 0 is not used), from a table made by scalar Python."""
    size = 1 << max(6, ranks.bit_length())
    return _divisors(discount, base, size)


def discounted_sum(
    query: Ints,
    rank: Ints,
    gain: Floats,
    queries: int,
    *,
    discount: str,
    base: float | None,
    k: int | None,
    floor: int | None = None,
) -> Floats:
    """Per query, the sum of gain / divisor(rank) over ranks 1..k, added from rank 1 downwards.

    Rows must be sorted by query and rank; ranks that are absent gain nothing. `floor` cuts every term down to so many
    decimals.
    """
    if k is not None:
        kept = rank <= k
        query, rank, gain = query[kept], rank[kept], gain[kept]
    if not len(rank):
        return np.zeros(queries)
    weights = gain / divisors(discount, base, int(rank.max()))[rank]
    if floor is not None:
        weights = np.array([floored(weight, floor) for weight in weights.tolist()], dtype=np.float64)
    return np.asarray(np.bincount(query, weights=weights, minlength=queries), dtype=np.float64)


def floored(value: float, places: int) -> float:
    """A number cut down to so many decimals, exactly: the largest such decimal that is not above it."""
    if not math.isfinite(value):
        return value
    return float(Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_FLOOR, _WIDE))
