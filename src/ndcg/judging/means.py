"""Means over queries of which some may enter."""

from __future__ import annotations

import math
from collections.abc import Sequence


def mean(values: Sequence[float]) -> float | None:
    """The correctly rounded mean; None for no values."""
    return math.fsum(values) / len(values) if values else None


def lowest_mean(counted: Sequence[float], entering: Sequence[float]) -> float | None:
    """The smallest mean over the counted values and any of the entering ones; None for no values.

    The values that enter are the smallest ones, as long as they are below the mean so far.

    >>> lowest_mean([0.5, 0.7], [0.9, 0.0]), lowest_mean([], [0.4, 0.2])
    (0.39999999999999997, 0.2)
    """
    taken = list(counted)
    for value in sorted(entering):
        if taken and value >= math.fsum(taken) / len(taken):
            break
        taken.append(value)
    return mean(taken)


def highest_mean(counted: Sequence[float], entering: Sequence[float]) -> float | None:
    """The largest mean over the counted values and any of the entering ones; None for no values."""
    found = lowest_mean([-value for value in counted], [-value for value in entering])
    return None if found is None else 0.0 - found
