"""p-values adjusted for several comparisons: Holm, Bonferroni, Benjamini and Hochberg."""

from __future__ import annotations

from ..errors import InputError, choose
from .numbers import Numbers, as_values
from .outcomes import Adjusted

ADJUSTMENTS = ("holm", "bonferroni", "benjamini_hochberg", "none")
"""Methods of `adjust`."""


def adjust(p_values: Numbers, method: str = "holm") -> Adjusted:
    """p-values adjusted by 'holm', 'bonferroni' or 'benjamini_hochberg' (short: 'bh'), or as they are by 'none'.

    >>> adjust([0.01, 0.04, 0.03, 0.005], "bonferroni").adjusted
    (0.04, 0.16, 0.12, 0.02)
    """
    known = {"holm": holm, "bonferroni": bonferroni, "benjamini_hochberg": benjamini_hochberg, "bh": benjamini_hochberg}
    if method == "none":
        given = _given(p_values)
        return Adjusted("none", given, given, "nothing: each p-value stands alone")
    if method not in known:
        raise choose("adjustment", method, ADJUSTMENTS)
    return known[method](p_values)


def holm(p_values: Numbers) -> Adjusted:
    """Holm's step-down adjustment: the chance of even one false rejection stays below the level.

    The i-th smallest of m becomes the largest of (m - j + 1) p(j) up to it, at most 1. Source: Holm 1979.

    >>> holm([0.01, 0.04, 0.03, 0.005]).adjusted
    (0.03, 0.06, 0.06, 0.02)
    """
    given = _given(p_values)
    made = [0.0] * len(given)
    largest = 0.0
    for place, at in enumerate(sorted(range(len(given)), key=given.__getitem__)):
        largest = max(largest, min(1.0, (len(given) - place) * given[at]))
        made[at] = largest
    return Adjusted("holm", given, tuple(made), "family-wise error")


def bonferroni(p_values: Numbers) -> Adjusted:
    """Bonferroni's adjustment: each p-value times their number, at most 1. Holm's is never larger.

    >>> bonferroni([0.2, 0.6]).adjusted
    (0.4, 1.0)
    """
    given = _given(p_values)
    made = tuple(min(1.0, len(given) * p_value) for p_value in given)
    return Adjusted("bonferroni", given, made, "family-wise error")


def benjamini_hochberg(p_values: Numbers) -> Adjusted:
    """Benjamini and Hochberg's adjustment: the expected share of false ones among the rejected stays below the level.

    The i-th smallest of m becomes the least of m p(j) / j from it upwards. It controls less than Holm's. Source:
    Benjamini & Hochberg 1995.

    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.005]).adjusted
    (0.02, 0.04, 0.04, 0.02)
    """
    given = _given(p_values)
    made = [0.0] * len(given)
    least = 1.0
    order = sorted(range(len(given)), key=given.__getitem__)
    for place in range(len(order), 0, -1):
        at = order[place - 1]
        # p times m by m may fall below p in its last digit.
        least = min(least, max(given[at], given[at] * len(given) / place))
        made[at] = least
    return Adjusted("benjamini_hochberg", given, tuple(made), "false discovery rate")


def _given(p_values: Numbers) -> tuple[float, ...]:
    given = as_values(p_values, "p_values")
    for at, p_value in enumerate(given.tolist()):
        if not 0.0 <= p_value <= 1.0:
            raise InputError(f"p_values: number {at + 1} is {p_value}, and a p-value is from 0 to 1", code="p_value")
    return tuple(given.tolist())
