"""The paired randomisation test: how often would turning signs at random give a mean difference as large?"""

from __future__ import annotations

import math

import numpy as np

from ..errors import UsageError
from .draws import sign_flip_sums
from .numbers import TOLERANCE, Floats, Numbers, as_values, checked_alternative, checked_count, mean_of, needed
from .outcomes import Test

COUNTED = 30
"""Up to so many differences that are not 0, all arrangements are counted; drawn above."""

MOST_COUNTED = 44
"""More than this cannot be counted on demand either."""


def sign_flip_test(
    differences: Numbers,
    *,
    alternative: str = "two-sided",
    exact: bool | None = None,
    resamples: int = 100_000,
    seed: int = 0,
) -> Test:
    """Fisher's paired randomisation test of per-query differences against a mean of 0.

    If the systems were exchangeable, each difference could as well have the other sign. p is the share of the 2**n ways
    to turn signs whose mean is as large as the one seen: in size ('two-sided'), or in direction ('greater', 'less').
    Queries with difference 0 change nothing. All ways are counted while at most 30 differences are not 0
    (`exact=True` for up to 44); otherwise `resamples` ways are drawn and p = (b + 1) / (resamples + 1), never 0.
    Means that differ by rounding are equal. The statistic is the mean difference. Source: Smucker, Allan & Carterette
    2007.

    >>> sign_flip_test([10, 41, -24, 0, 25, 70, 60, -2, 9, 25]).p_value == 48 / 1024
    True
    """
    checked_alternative(alternative)
    checked_count("resamples", resamples)
    checked_count("seed", seed, 0)
    found = as_values(differences, "differences")
    needed(found, "differences")
    used = found[found != 0]
    counted = len(used) <= COUNTED if exact is None else exact
    if counted and len(used) > MOST_COUNTED:
        raise UsageError(
            f"exact=True: 2**{len(used)} arrangements of signs cannot be counted",
            code="too_many",
            hint=f"exact counting ends at {MOST_COUNTED} differences; leave exact out to draw them",
        )
    mean = mean_of(found)
    if not len(used):
        p_value = 1.0
    elif counted:
        p_value = counted_extremes(used, alternative) / 2 ** len(used)
    else:
        p_value = (drawn_extremes(used, alternative, resamples, seed) + 1) / (resamples + 1)
    return Test(
        "sign flip",
        p_value,
        mean,
        len(found),
        len(used),
        alternative,
        _method(len(used), counted, resamples),
        counted,
        None if counted else resamples,
        None if counted else seed,
        None if counted else math.sqrt(p_value * (1 - p_value) / resamples),
        None if len(used) else "all differences are 0",
    )


def _method(used: int, counted: bool, resamples: int) -> str:
    if not used:
        return "no sign to turn"
    return f"all {2**used:,} arrangements counted" if counted else f"{resamples:,} arrangements drawn"


def bar(used: Floats, alternative: str) -> tuple[float, float]:
    """(sign, least): an arrangement is as extreme when sign x its sum is at least `least` (two-sided: its size)."""
    total = math.fsum(used.tolist())
    slack = TOLERANCE * math.fsum(np.abs(used).tolist())
    if alternative == "two-sided":
        return 1.0, abs(total) - slack
    sign = 1.0 if alternative == "greater" else -1.0
    return sign, sign * total - slack


def drawn_extremes(used: Floats, alternative: str, resamples: int, seed: int) -> int:
    """How many of the drawn arrangements are as extreme as the one seen."""
    sums = sign_flip_sums(used.reshape(-1, 1), resamples, seed)[:, 0]
    sign, least = bar(used, alternative)
    sums = np.abs(sums) if alternative == "two-sided" else sums * sign
    return int(np.count_nonzero(sums >= least))


def counted_extremes(used: Floats, alternative: str) -> int:
    """How many of all arrangements are as extreme: the sums of two halves are met in the middle."""
    sign, least = bar(used, alternative)
    if alternative == "two-sided" and least <= 0:
        return 1 << len(used)
    half = len(used) // 2
    first = np.sort(_sums(used[:half]))
    second = _sums(used[half:])
    # first + second >= least, counted by where least - second falls among the sorted first.
    above = len(first) * len(second) - int(np.searchsorted(first, least - sign * second, side="left").sum())
    # Turning every sign turns the sum, so both tails hold the same number.
    return 2 * above if alternative == "two-sided" else above


def _sums(part: Floats) -> Floats:
    """The sums of all arrangements of signs."""
    sums = np.zeros(1)
    for number in part.tolist():
        sums = np.concatenate([sums - number, sums + number])
    return sums
