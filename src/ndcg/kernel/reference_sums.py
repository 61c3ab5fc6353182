"""The discounted sum of the slow definition, and how tools round what comes of it.

The form of the arithmetic is part of the definition: `gain / divisor`, one division, added left to right from 0.0.
Another form gives other bits.
"""

import math
from collections.abc import Iterable
from fractions import Fraction

Discount = str | tuple[str, float]


def divisor(rank: int, discount: Discount) -> float:
    """What the gain at a rank, counted from 1, is divided by."""
    if isinstance(discount, tuple):
        base = discount[1]
        return 1.0 if rank < base else math.log2(rank) / math.log2(base)
    if discount == "log2":
        return math.log2(rank + 1)
    return float(rank) if discount == "reciprocal" else 1.0


def discounted_sum(gains: Iterable[float], discount: Discount, floor: int | None = None) -> float:
    """DCG = sum over ranks r of gain(r) / divisor(r), left to right (Järvelin & Kekäläinen 2002)."""
    return placed_sum(enumerate(gains, start=1), discount, floor)


def placed_sum(placed: Iterable[tuple[int, float]], discount: Discount, floor: int | None = None) -> float:
    """The same over (rank, gain) pairs. `floor` cuts each term down to so many decimals."""
    total = 0.0
    for position, gain in placed:
        term = gain / divisor(position, discount)
        total += term if floor is None else floored(term, floor)
    return total


def floored(value: float, places: int) -> float:
    """The largest number with so many decimals that is not above the value."""
    return float(math.floor(Fraction(value) * 10**places) / Fraction(10**places)) if math.isfinite(value) else value


def rounded(value: float, rule: str, places: int) -> float:
    """A value as a tool rounds it: like printf, halves upwards, or cut down."""
    if rule == "nearest":
        return round(value, places)
    if rule == "half_up":
        scaled = value * 10.0**places + 0.5
        return math.floor(scaled) / 10.0**places if math.isfinite(scaled) else value
    return floored(value, places)
