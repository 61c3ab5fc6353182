"""How many queries a test set needs, from its own values: pairs of systems, all systems together, and reliability."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ..counted import counted_noun
from ..errors import UsageError
from .all_pairs import residual_mean_square
from .generalizability import Reliability, reliability
from .numbers import (
    Floats,
    Matrix,
    as_matrix,
    checked_count,
    checked_positive,
    checked_share,
    mean_of,
    plain,
    special,
    spread_of,
)
from .power import (
    PURPOSE,
    detectable_difference,
    detectable_difference_of_anova,
    queries_needed,
    queries_needed_for_anova,
)

DIFFERENCES = (0.01, 0.02, 0.05, 0.1)
"""Differences of means that are asked about where none are given."""

FEW = 20
"""With fewer queries than this, variances are too rough for a plan to be more than a first guess."""


@dataclass(frozen=True, slots=True)
class Needed:
    """The queries that detect a difference with the power asked for.

    `low` and `high` are the same for the lower and upper limit of the standard deviation, which is itself only known
    from few queries. None where more than a billion would be needed, or where nothing varies.
    """

    difference: float
    queries: int | None
    low: int | None = None
    high: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(plain(self))


@dataclass(frozen=True, slots=True)
class PairPlan:
    """Two systems on the same queries, by the paired t test.

    `difference` is mean(first) - mean(second) and `sd` the standard deviation of the per-query differences, with its
    limits `sd_low` and `sd_high`; None where there are fewer than two queries. `changed` queries have a difference at
    all. `detectable` is the least true difference that the queries there are detect with the power asked for, and
    `least_p` the least p-value that a sign-flip test of them can give. `assumed` is whether there was only one system,
    and the other was assumed to vary as much and independently: an upper bound for most pairs of systems.
    """

    first: str
    second: str
    difference: float | None
    sd: float | None
    sd_low: float | None
    sd_high: float | None
    changed: int | None
    least_p: float | None
    detectable: float | None
    needed: tuple[Needed, ...]
    assumed: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(plain(self))


@dataclass(frozen=True, slots=True)
class SystemsPlan:
    """All systems together, by an analysis of variance: is the best really different from the worst?

    `test` is 'one-way ANOVA' (Sakai's design; `variance` within systems) or 'ANOVA, queries as blocks' (residual).
    """

    test: str
    systems: int
    variance: float
    detectable: float | None
    needed: tuple[Needed, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(plain(self))


@dataclass(frozen=True, slots=True)
class Plan:
    """What the values of one measure say about the number of queries.

    `queries` are those with a value for every system, `left_out` those with a value for some only. `means` go by
    system. `reliability` is None for one system or fewer than two queries. `notes` are sentences for people.
    """

    measure: str
    runs: tuple[str, ...]
    means: tuple[float | None, ...]
    queries: int
    left_out: int
    pairs: tuple[PairPlan, ...]
    systems: tuple[SystemsPlan, ...]
    reliability: Reliability | None
    power: float
    alpha: float
    level: float
    target: float
    differences: tuple[float, ...]
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(plain(self))


def plan_queries(
    matrix: Matrix,
    *,
    runs: Sequence[str] | None = None,
    measure: str = "",
    left_out: int = 0,
    differences: Sequence[float] | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    level: float = 0.95,
    target: float = 0.95,
) -> Plan:
    """Detectable difference, needed queries and reliability from a queries x systems matrix of observed values.

    Every answer comes from the variances in the matrix, so it is as rough as they are: limits of the standard
    deviation (at `level`, for nearly normal differences) give limits of the needed queries. `target` is the Erho2 and
    Phi that queries are counted for. Needs SciPy.

    >>> plan = plan_queries([[0.2, 0.4], [0.1, 0.5], [0.3, 0.2], [0.6, 0.9]], differences=[0.1])
    >>> plan.pairs[0].needed[0].queries, round(plan.pairs[0].detectable, 2)
    (39, 0.46)
    """
    found = as_matrix(matrix) if len(matrix) else np.zeros((0, max(1, len(runs or ()))))
    names = tuple(f"system {at + 1}" for at in range(found.shape[1])) if runs is None else tuple(runs)
    if differences is not None and (isinstance(differences, str) or not isinstance(differences, Iterable)):
        raise UsageError(
            f"differences= is a list of numbers, found {differences!r}", code="differences", hint="differences=[0.05]"
        )
    asked = tuple(checked_positive("difference", one) for one in (DIFFERENCES if differences is None else differences))
    if not asked:
        raise UsageError("differences= is empty", code="differences", hint="leave it out for 0.01, 0.02, 0.05 and 0.1")
    for name, value in (("power", power), ("alpha", alpha), ("level", level), ("target", target)):
        checked_share(name, value)
    if power <= alpha:
        raise UsageError(f"power={power} is not above alpha={alpha}", code="power")
    question = _Question(asked, power, alpha, level)
    n, systems = found.shape
    if systems == 1:
        pairs: tuple[PairPlan, ...] = (_assumed(found[:, 0], names[0], question),)
    else:
        pairs = tuple(
            _pair(found[:, one] - found[:, other], names[one], names[other], question)
            for one, other in combinations(range(systems), 2)
        )
    return Plan(
        measure,
        names,
        tuple(mean_of(column) if n else None for column in found.T),
        n,
        checked_count("left_out", left_out, 0),
        pairs,
        _systems(found, question) if systems > 2 and n > 1 else (),
        reliability(found, target=target, level=level) if systems > 1 and n > 1 else None,
        power,
        alpha,
        level,
        target,
        asked,
        tuple(_notes(found, pairs, question)),
    )


@dataclass(frozen=True, slots=True)
class _Question:
    differences: tuple[float, ...]
    power: float
    alpha: float
    level: float


def sd_limits(sd: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Limits of a standard deviation from n nearly normal values, by the chi-squared distribution. Needs SciPy.

    >>> [round(limit, 3) for limit in sd_limits(1.0, 12)]
    [0.708, 1.698]
    """
    checked_count("n", n, 2)
    checked_share("level", level)
    quantile = special(PURPOSE).gammaincinv
    half = (n - 1) / 2
    low, high = (float(quantile(half, share)) for share in (0.5 + level / 2, 0.5 - level / 2))
    return sd * math.sqrt(half / low), sd * math.sqrt(half / high)


def _pair(values: Floats, first: str, second: str, question: _Question) -> PairPlan:
    n = len(values)
    if n < 2:
        nothing = tuple(Needed(difference, None) for difference in question.differences)
        mean = mean_of(values) if n else None
        return PairPlan(first, second, mean, None, None, None, int(np.count_nonzero(values)), None, None, nothing)
    changed = int(np.count_nonzero(values))
    sd = spread_of(values)
    return _planned(first, second, mean_of(values), sd, n, changed, question)


def _assumed(values: Floats, name: str, question: _Question) -> PairPlan:
    n = len(values)
    sd = math.sqrt(2.0) * spread_of(values) if n > 1 else None
    if sd is None:
        nothing = tuple(Needed(difference, None) for difference in question.differences)
        return PairPlan(name, "another", None, None, None, None, None, None, None, nothing, True)
    return _planned(name, "another", None, sd, n, None, question)


def _planned(
    first: str, second: str, mean: float | None, sd: float, n: int, changed: int | None, question: _Question
) -> PairPlan:
    low, high = sd_limits(sd, n, question.level)
    detectable = detectable_difference(n, sd, power=question.power, alpha=question.alpha).difference if sd > 0 else None
    return PairPlan(
        first,
        second,
        mean,
        sd,
        low,
        high,
        changed,
        None if changed is None else min(1.0, 2.0 ** (1 - changed)),
        detectable,
        tuple(
            Needed(difference, *(_needed(difference, spread, question) for spread in (sd, low, high)))
            for difference in question.differences
        ),
        changed is None,
    )


def _needed(difference: float, sd: float, question: _Question) -> int | None:
    """The queries needed, None where nothing varies or too many would be."""
    if sd <= 0:
        return None
    try:
        return queries_needed(difference, sd, power=question.power, alpha=question.alpha).queries
    except UsageError:
        return None


def _systems(found: Floats, question: _Question) -> tuple[SystemsPlan, ...]:
    n, systems = found.shape
    within = math.fsum(spread_of(column) ** 2 for column in found.T) / systems
    made = []
    for blocked, variance in ((False, within), (True, residual_mean_square(found))):
        test = "ANOVA, queries as blocks" if blocked else "one-way ANOVA"
        if variance <= 1e-24:
            made.append(
                SystemsPlan(test, systems, variance, None, tuple(Needed(d, None) for d in question.differences))
            )
            continue
        detectable = detectable_difference_of_anova(
            n, variance=variance, systems=systems, blocked=blocked, power=question.power, alpha=question.alpha
        )
        needed = []
        for difference in question.differences:
            try:
                count: int | None = queries_needed_for_anova(
                    difference,
                    variance=variance,
                    systems=systems,
                    blocked=blocked,
                    power=question.power,
                    alpha=question.alpha,
                ).queries
            except UsageError:
                count = None
            needed.append(Needed(difference, count))
        made.append(SystemsPlan(test, systems, variance, detectable.difference, tuple(needed)))
    return tuple(made)


def _notes(found: Floats, pairs: Sequence[PairPlan], question: _Question) -> list[str]:
    """What must be known to believe the numbers."""
    n, systems = found.shape
    if n < 2:
        return [f"{n} {'query has' if n == 1 else 'queries have'} a value: no variance, so nothing can be planned"]
    notes = []
    if systems == 1:
        notes.append(
            "one run shows no differences: the other run was assumed to vary as much and independently, which gives "
            "more queries than most pairs of real systems need; name a second run for a better answer"
        )
    if n < FEW:
        notes.append(
            f"{counted_noun(n, 'query gives', 'queries give')} a rough standard deviation: believe the "
            "range, not the number, and plan again when "
            "there are more"
        )
    if bool(((found >= 0) & (found <= 1)).all()) and any((pair.detectable or 0.0) > 1 for pair in pairs):
        notes.append(
            f"a detectable difference above 1 means that {counted_noun(n, 'query', 'queries')} cannot show "
            "any difference of values from 0 to 1 "
            "with that power"
        )
    if len(pairs) > 1:
        first = question.alpha / len(pairs)
        notes.append(
            f"each pair is planned alone; when all {len(pairs):,} are tested together, the first needs p below "
            f"{first:.2g} (Holm), and alpha {first:.2g} plans for that"
        )
    if systems == 1 and pairs[0].sd == 0:
        notes.append(f"{pairs[0].first} has the same value on every query: there is no variance to plan with")
    same = [pair for pair in pairs if pair.sd == 0 and not pair.assumed]
    for pair in same[:3]:
        how = "are equal" if pair.difference == 0 else "differ by the same amount"
        notes.append(f"{pair.first} and {pair.second} {how} on every query: there is no variance to plan with")
    blind = [pair for pair in pairs if pair.least_p is not None and pair.sd and pair.least_p > question.alpha]
    for pair in blind[:3]:
        notes.append(
            f"{pair.first} and {pair.second} differ on {pair.changed} {'query' if pair.changed == 1 else 'queries'} "
            f"only: no sign-flip test of them can give a p-value below {pair.least_p:.3g}"
        )
    if len(same) > 3 or len(blind) > 3:
        notes.append(f"the same holds of {counted_noun(max(len(same) - 3, 0) + max(len(blind) - 3, 0), 'more pair')}")
    return notes
