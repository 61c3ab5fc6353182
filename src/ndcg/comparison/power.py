"""How many queries? Power, detectable difference and needed queries of the paired t test and of m systems."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import UsageError
from .numbers import checked_alternative, checked_count, checked_positive, checked_share, plain, special

PURPOSE = "a power analysis"

FAR = 8.0
"""From this noncentrality on, the far tail of a two-sided t test is below 1e-15 and is left out.

The noncentral t distribution of SciPy is NaN there (from about 14), and would make a NaN of a power that is 1.
"""

MOST_QUERIES = 2**30
"""Designs that need more are refused."""


@dataclass(frozen=True, slots=True)
class Design:
    """A number of queries, the difference it is to detect, and the probability of detecting it.

    `difference` is the true difference of means that is assumed (of the best and the worst of `systems` systems);
    `variance` that of paired differences ('paired t'), within systems ('one-way ANOVA') or what queries and systems
    leave ('ANOVA, queries as blocks'). `effect` is difference / sqrt(variance). `power` is the probability of p below
    `alpha` when the difference is really so large.
    """

    test: str
    queries: int
    difference: float
    variance: float
    effect: float
    power: float
    alpha: float
    alternative: str
    systems: int

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(plain(self))


def power_of_paired_t(
    queries: int, difference: float, sd: float = 1.0, *, alpha: float = 0.05, alternative: str = "two-sided"
) -> Design:
    """The power of a paired t test with so many queries. Needs SciPy.

    `difference` is the true mean difference and `sd` the standard deviation of per-query differences; with `sd` left
    out, `difference` is the effect size dz. One query has no power beyond 0.

    >>> round(power_of_paired_t(33, 0.5).power, 4), round(power_of_paired_t(34, 0.5).power, 4)
    (0.7954, 0.8078)
    """
    checked_count("queries", queries)
    variance = checked_positive("sd", sd) ** 2
    return _paired(queries, float(difference), variance, checked_share("alpha", alpha), alternative)


def queries_needed(
    difference: float,
    sd: float = 1.0,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> Design:
    """The least number of queries with which a paired t test detects a difference with that power. Needs SciPy.

    >>> [queries_needed(effect).queries for effect in (0.2, 0.5, 0.8)]
    [199, 34, 15]
    """
    checked_positive("difference", abs(difference))
    variance = checked_positive("sd", sd) ** 2
    _reachable(power, alpha)
    return _least(lambda queries: _paired(queries, float(difference), variance, alpha, alternative), power)


def detectable_difference(
    queries: int,
    sd: float = 1.0,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> Design:
    """The least true difference that a paired t test with so many queries detects with that power. Needs SciPy.

    With `sd` left out the answer is an effect size dz. At least two queries are needed.

    >>> round(detectable_difference(50, 0.2).difference, 4)
    0.0808
    """
    checked_count("queries", queries, 2)
    variance = checked_positive("sd", sd) ** 2
    _reachable(power, alpha)
    sign = -1.0 if alternative == "less" else 1.0
    return _smallest(
        lambda size: _paired(queries, sign * size, variance, alpha, alternative), math.sqrt(variance), power
    )


def power_of_anova(
    queries: int, difference: float, *, variance: float, systems: int, blocked: bool = False, alpha: float = 0.05
) -> Design:
    """The power of an analysis of variance of m systems to see that not all are equal. Needs SciPy.

    `difference` is between the best and the worst system, the others in the middle: the least favourable case. The
    noncentrality is n difference**2 / (2 variance), with m - 1 and m (n - 1) degrees of freedom where every system had
    queries of its own, `variance` that within systems (Sakai's design: Information Retrieval Journal 19, 2016). With
    `blocked=True` all systems answer the same queries, `variance` is the residual one, and there are (m - 1)(n - 1)
    degrees of freedom: with two systems that is the paired t test.

    >>> round(power_of_anova(158, 0.10, variance=0.05, systems=10).power, 3)
    0.802
    """
    checked_count("queries", queries)
    checked_positive("variance", variance)
    checked_count("systems", systems, 2)
    return _anova(queries, float(difference), float(variance), systems, blocked, checked_share("alpha", alpha))


def queries_needed_for_anova(
    difference: float,
    *,
    variance: float,
    systems: int,
    blocked: bool = False,
    power: float = 0.8,
    alpha: float = 0.05,
) -> Design:
    """The least number of queries for `power_of_anova`. Needs SciPy.

    >>> [queries_needed_for_anova(0.10, variance=0.05, systems=m).queries for m in (2, 10, 100)]
    [80, 158, 405]
    """
    checked_positive("difference", abs(difference))
    checked_positive("variance", variance)
    checked_count("systems", systems, 2)
    _reachable(power, alpha)
    return _least(lambda queries: _anova(queries, float(difference), float(variance), systems, blocked, alpha), power)


def detectable_difference_of_anova(
    queries: int,
    *,
    variance: float,
    systems: int,
    blocked: bool = False,
    power: float = 0.8,
    alpha: float = 0.05,
) -> Design:
    """The least difference of best and worst that `power_of_anova` has that power for. Needs SciPy.

    >>> round(detectable_difference_of_anova(80, variance=0.05, systems=2).difference, 3)
    0.1
    """
    checked_count("queries", queries, 2)
    checked_positive("variance", variance)
    checked_count("systems", systems, 2)
    _reachable(power, alpha)
    return _smallest(
        lambda size: _anova(queries, size, float(variance), systems, blocked, alpha), math.sqrt(variance), power
    )


def _paired(queries: int, difference: float, variance: float, alpha: float, alternative: str) -> Design:
    checked_alternative(alternative)
    effect = difference / math.sqrt(variance)
    power = 0.0
    if queries > 1:
        functions = special(PURPOSE)
        freedom, noncentral = queries - 1, effect * math.sqrt(queries)
        if alternative == "two-sided":
            bar = -float(functions.stdtrit(freedom, alpha / 2))
            power = _above(functions, freedom, abs(noncentral), bar)
            if abs(noncentral) < FAR:
                power += _below(functions, freedom, abs(noncentral), -bar)
        else:
            bar = -float(functions.stdtrit(freedom, alpha))
            power = _above(functions, freedom, noncentral if alternative == "greater" else -noncentral, bar)
    return Design("paired t", queries, difference, variance, effect, power, alpha, alternative, 2)


def _above(functions: Any, freedom: int, noncentral: float, bar: float) -> float:
    """P(T > bar) of a noncentral t distribution."""
    return 1.0 - _below(functions, freedom, noncentral, bar)


def _below(functions: Any, freedom: int, noncentral: float, bar: float) -> float:
    """P(T < bar) of a noncentral t distribution; 0 or 1 where `bar` is so far out that SciPy has no number."""
    found = float(functions.nctdtr(freedom, noncentral, bar))
    if math.isfinite(found):
        return min(max(found, 0.0), 1.0)
    return 0.0 if bar < noncentral else 1.0


def _anova(queries: int, difference: float, variance: float, systems: int, blocked: bool, alpha: float) -> Design:
    power = 0.0
    if queries > 1:
        functions = special(PURPOSE)
        between = systems - 1
        within = (queries - 1) * (between if blocked else systems)
        noncentral = queries * difference**2 / (2 * variance)
        bar = float(functions.fdtri(between, within, 1 - alpha))
        # SciPy's noncentral F is no probability at noncentrality 0, and NaN where the power is 1 to the last digit.
        below = float(functions.ncfdtr(between, within, noncentral, bar)) if noncentral > 0 else 1 - alpha
        if not math.isfinite(below):
            below = 0.0 if noncentral > between * bar else 1.0
        power = min(max(1.0 - below, 0.0), 1.0)
    test = "ANOVA, queries as blocks" if blocked else "one-way ANOVA"
    effect = difference / math.sqrt(variance)
    return Design(test, queries, difference, variance, effect, power, alpha, "two-sided", systems)


def _reachable(power: float, alpha: float) -> None:
    checked_share("power", power)
    checked_share("alpha", alpha)
    if power <= alpha:
        raise UsageError(
            f"power={power}: without any difference a test at alpha={alpha} already has that power", code="power"
        )


def _least(design: Callable[[int], Design], power: float) -> Design:
    """The design of fewest queries with the power: doubled until there is enough, then halved in between."""
    high = 2
    while (found := design(high)).power < power:
        high *= 2
        if high > MOST_QUERIES:
            raise UsageError(
                f"more than {MOST_QUERIES:,} queries would be needed",
                code="too_many",
                hint="the difference is too small for its spread, or its direction is against the alternative",
            )
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        tried = design(middle)
        if tried.power >= power:
            high, found = middle, tried
        else:
            low = middle
    return found


def _smallest(design: Callable[[float], Design], scale: float, power: float) -> Design:
    """The design of the least difference with the power, to twelve digits."""
    high = scale
    while design(high).power < power:
        high *= 2
        if high > scale * 1e9:
            raise UsageError("no difference is large enough for that power", code="power")
    low = 0.0
    for _ in range(200):
        middle = (low + high) / 2
        if high - low <= 1e-12 * high:
            break
        if design(middle).power >= power:
            high = middle
        else:
            low = middle
    return design(high)
