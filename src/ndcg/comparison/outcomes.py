"""What the statistics return: small frozen objects that carry how they were computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from .numbers import plain


@dataclass(frozen=True, slots=True)
class Test:
    """The outcome of one test of differences against 0.

    `name` is the test, `statistic` its statistic (None where it is infinite or there is none), `n` the number of
    differences given and `used` how many of them the test used. `method` says in words how p was found. `exact` is
    whether every arrangement was counted; otherwise `resamples` and `seed` are those of the draws, None where nothing
    was drawn. `monte_carlo_error` is the standard error that drawing adds to p. `reason` says why p says less than
    usual, or is None.
    """

    __test__: ClassVar[bool] = False

    name: str
    p_value: float
    statistic: float | None
    n: int
    used: int
    alternative: str
    method: str
    exact: bool | None = None
    resamples: int | None = None
    seed: int | None = None
    monte_carlo_error: float | None = None
    reason: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(plain(self))


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval for a mean over queries, and how it was computed.

    `low` and `high` are None where there is no interval; `reason` then says why. `level` is the coverage asked for,
    such as 0.95; `method` is 't', 'percentile' or 'bca'. `n` is the number of values with weight, `clusters` the number
    of clusters they fall into (None without clusters), `effective` Kish's effective number of queries (None without
    weights). `estimate` is the mean, or the weighted mean, None for no values. `resamples` and `seed` are None where
    nothing was drawn.
    """

    low: float | None
    high: float | None
    level: float
    method: str
    resamples: int | None
    seed: int | None
    n: int
    estimate: float | None
    clusters: int | None = None
    effective: float | None = None
    reason: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(plain(self))


@dataclass(frozen=True, slots=True)
class Adjusted:
    """p-values adjusted for several comparisons, in the order given.

    `p_values` are the raw ones; `family` is how many were adjusted together; `controls` is what is kept at the level:
    'family-wise error' or 'false discovery rate'.
    """

    method: str
    p_values: tuple[float, ...]
    adjusted: tuple[float, ...]
    controls: str

    @property
    def family(self) -> int:
        """How many comparisons were adjusted together."""
        return len(self.p_values)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**plain(self), "family": self.family}


@dataclass(frozen=True, slots=True)
class Effect:
    """How large a difference is, beside its mean.

    `mean` and `sd` (n - 1) of the differences; `dz` = mean / sd; `hedges` the same with Hedges' correction for small
    samples; both None where sd is 0. `wins`, `ties` and `losses` count differences above, within and below
    `tie_width`; `probability_of_superiority` = (wins + ties / 2) / n.
    """

    n: int
    mean: float
    sd: float
    dz: float | None
    hedges: float | None
    wins: int
    ties: int
    losses: int
    tie_width: float
    probability_of_superiority: float

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(plain(self))


@dataclass(frozen=True, slots=True)
class MarginTest:
    """A test of differences against a declared margin.

    `verdict` is 'equivalent', 'not equivalent', 'non-inferior', 'inferior' or 'inconclusive'. `interval` is the t
    interval that decides in the same way as p: of level 1 - 2 (1 - `level`).
    """

    name: str
    p_value: float
    margin: float
    level: float
    verdict: str
    interval: Interval
    n: int
    reason: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(plain(self))


@dataclass(frozen=True, slots=True)
class SeveralTests:
    """Several systems against one baseline, tested together.

    One number per comparison, in the order given: `statistics` (t), `p_values` raw, `adjusted` for the family.
    """

    method: str
    statistics: tuple[float | None, ...]
    p_values: tuple[float, ...]
    adjusted: tuple[float, ...]
    alternative: str
    n: int
    exact: bool
    resamples: int
    seed: int | None

    @property
    def family(self) -> int:
        """How many comparisons were adjusted together."""
        return len(self.p_values)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**plain(self), "family": self.family}


@dataclass(frozen=True, slots=True)
class PairTests:
    """All pairs of systems, tested together.

    `pairs` are (i, j) with i < j, columns counted from 0; `differences` are mean(i) - mean(j), `adjusted` the p-values
    for the family of all pairs. `critical_difference` is the least absolute difference with p below 1 - `level`, where
    the method has one.
    """

    method: str
    systems: int
    n: int
    pairs: tuple[tuple[int, int], ...]
    differences: tuple[float, ...]
    adjusted: tuple[float, ...]
    level: float
    critical_difference: float | None
    exact: bool | None = None
    resamples: int | None = None
    seed: int | None = None
    reason: str | None = None

    @property
    def family(self) -> int:
        """How many pairs were tested together."""
        return len(self.pairs)

    def p_value(self, one: int, other: int) -> float:
        """The adjusted p-value of two columns, 1.0 for a column and itself."""
        if one == other:
            return 1.0
        return self.adjusted[self.pairs.index((min(one, other), max(one, other)))]

    def matrix(self) -> list[list[float]]:
        """The adjusted p-values as systems x systems."""
        return square(self.systems, self.pairs, self.adjusted)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**plain(self), "family": self.family}


def square(systems: int, pairs: tuple[tuple[int, int], ...], p_values: tuple[float, ...]) -> list[list[float]]:
    """p-values of pairs as a symmetric matrix with 1 on the diagonal."""
    made = [[1.0] * systems for _ in range(systems)]
    for (one, other), p_value in zip(pairs, p_values, strict=True):
        made[one][other] = made[other][one] = p_value
    return made
