"""Intervals for a mean over queries: Student's t, and the bootstrap over queries or clusters of queries.

Queries are resampled, never rows of documents. A weighted mean, and a mean under clusters, is a ratio of two sums;
(value, weight) pairs are resampled together and the ratio is computed anew.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from ..errors import InputError, choose
from .draws import bootstrap_sums
from .numbers import (
    TOLERANCE,
    Floats,
    Matrix,
    Numbers,
    as_matrix,
    as_values,
    checked_count,
    checked_share,
    mean_of,
    special,
    spread_of,
)
from .outcomes import Interval

METHODS = ("t", "percentile", "bca")
"""Methods of `interval`."""

NORMAL = NormalDist()

FAINTEST = 1e-15
"""A weight below this share of the largest is lost where both are added."""


@dataclass(frozen=True, slots=True)
class Units:
    """What is resampled: for each unit a numerator per system and one denominator; a mean is a ratio of their sums.

    `plain` is whether all denominators are 1 by design. `n` values of positive weight stand in `clusters` clusters.
    """

    numerators: Floats
    denominators: Floats
    plain: bool
    n: int
    clusters: int | None
    effective: float | None

    def __len__(self) -> int:
        return len(self.denominators)

    @property
    def estimates(self) -> list[float]:
        """The mean of each system."""
        total = math.fsum(self.denominators.tolist())
        return [math.fsum(column) / total for column in self.numerators.T.tolist()]


def units_of(matrix: Floats, weights: Numbers | None = None, clusters: Sequence[Hashable] | None = None) -> Units:
    """Values as units to be resampled; values of weight 0 are left out."""
    n = len(matrix)
    given = np.ones(n) if weights is None else _scaled(checked_weights(weights, n))
    if clusters is not None and len(clusters) != n:
        raise InputError(f"clusters: {n} labels were expected, found {len(clusters)}", code="shape")
    kept = given > 0
    there = given[kept]
    numerators = matrix[kept] * there[:, None]
    effective = None if weights is None else effective_number(there)
    if clusters is None:
        return Units(numerators, there, weights is None, len(there), None, effective)
    places: dict[Hashable, int] = {}
    labels = [label for label, keep in zip(clusters, kept.tolist(), strict=True) if keep]
    at = np.array([places.setdefault(label, len(places)) for label in labels], dtype=np.intp)
    sums = np.zeros((len(places), matrix.shape[1]))
    np.add.at(sums, at, numerators)
    totals = np.zeros(len(places))
    np.add.at(totals, at, there)
    return Units(sums, totals, False, len(there), len(places), effective)


def _scaled(weights: Floats) -> Floats:
    """Weights by a power of two, the largest from 0.5 to 1: no sum or square overflows, and no bit of a ratio moves."""
    _, exponent = np.frexp(weights.max(initial=0.0))
    scaled: Floats = np.ldexp(weights, -exponent)
    return scaled


def checked_weights(weights: Numbers, n: int) -> Floats:
    """Weights as numbers: as many as values, none below 0, not all 0."""
    given = as_values(weights, "weights")
    if len(given) != n:
        raise InputError(f"weights: {n} numbers were expected, found {len(given)}", code="shape")
    if (given < 0).any():
        at = int(np.flatnonzero(given < 0)[0])
        raise InputError(f"weights: number {at + 1} is {given[at]}, and a weight is at least 0", code="weight")
    return given


def effective_number(weights: Numbers) -> float:
    """Kish's effective number of queries: sum(w)**2 / sum(w**2).

    As many equally weighted queries would give a mean as precise as this one, if all queries vary alike.

    >>> effective_number([1, 1, 1, 1]), effective_number([97, 1, 1, 1])
    (4.0, 1.062473438164046)
    """
    given = _scaled(checked_weights(weights, len(weights)))
    squares = math.fsum((given**2).tolist())
    return math.fsum(given.tolist()) ** 2 / squares if squares else 0.0


def interval(
    values: Numbers,
    *,
    method: str = "t",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    weights: Numbers | None = None,
    clusters: Sequence[Hashable] | None = None,
) -> Interval:
    """An interval for the mean of one number per query, by 't', 'percentile' or 'bca'.

    `weights` (one per value, at least 0) make it an interval for the weighted mean, `clusters` (one label per value)
    treat whole clusters as the unit. Fewer than two units give no interval, and `reason` says so.

    >>> found = interval([0.2, 0.4, 0.9, 0.5])
    >>> round(found.low, 4), found.estimate, round(found.high, 4)
    (0.0316, 0.5, 0.9684)
    """
    if method not in METHODS:
        raise choose("method", method, METHODS)
    if method == "t":
        return t_interval(values, level=level, weights=weights, clusters=clusters)
    return bootstrap_interval(
        values, method=method, level=level, resamples=resamples, seed=seed, weights=weights, clusters=clusters
    )


def t_interval(
    values: Numbers,
    *,
    level: float = 0.95,
    weights: Numbers | None = None,
    clusters: Sequence[Hashable] | None = None,
) -> Interval:
    """Student's t interval for the mean: mean +- t(n - 1) sd / sqrt(n). Needs SciPy.

    With weights or clusters the standard error is that of a ratio estimator (linearised), with units - 1 degrees of
    freedom; equal weights give the plain interval.

    >>> t_interval([0.5]).reason
    'one value has no spread: an interval needs two'
    """
    checked_share("level", level)
    units = units_of(as_values(values).reshape(-1, 1), weights, clusters)
    if len(units) < 2:
        return _without(units, level, "t", None, None)[0]
    estimate = units.estimates[0]
    half = float(special("a t interval").stdtrit(len(units) - 1, 0.5 + level / 2)) * standard_error(units, estimate)
    return Interval(
        estimate - half,
        estimate + half,
        level,
        "t",
        None,
        None,
        units.n,
        estimate,
        units.clusters,
        units.effective,
    )


def standard_error(units: Units, estimate: float) -> float:
    """The standard error of the mean of the first system over at least two units: linearised, where it is a ratio."""
    errors = units.numerators[:, 0] - estimate * units.denominators
    if units.plain and bool((errors == errors[0]).all()):
        return 0.0
    count = len(units)
    total = math.fsum(units.denominators.tolist())
    return math.sqrt(count / (count - 1) * math.fsum((errors**2).tolist())) / total


class Centre(NamedTuple):
    """A mean with its standard error and degrees of freedom; the error is exactly 0 where nothing varies."""

    mean: float
    error: float
    freedom: int


def centre_of(values: Floats, clusters: Sequence[Hashable] | None = None) -> Centre:
    """The mean of values as Student's t takes it: over values, or over whole clusters of them."""
    mean = mean_of(values)
    if clusters is None:
        return Centre(mean, spread_of(values) / math.sqrt(len(values)), len(values) - 1)
    units = units_of(values.reshape(-1, 1), None, clusters)
    error = standard_error(units, mean) if len(units) > 1 else 0.0
    return Centre(mean, error if error > TOLERANCE * float(np.abs(values).max()) else 0.0, len(units) - 1)


def bootstrap_interval(
    values: Numbers,
    *,
    method: str = "bca",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    weights: Numbers | None = None,
    clusters: Sequence[Hashable] | None = None,
) -> Interval:
    """A bootstrap interval for the mean: 'bca' (bias-corrected and accelerated) or 'percentile'.

    Whole queries are drawn with replacement, or whole clusters of them. `ndcg.comparison.draws` says what is drawn;
    the same seed gives the same interval to the bit, whatever the number of threads. With fewer than about 100 queries
    both are too short, where the t interval is not: `ndcg.comparison.coverage` has the measured shares. With fewer than
    2 / (1 - level) resamples a tail holds none of them, and there is no interval. Source: Efron & Tibshirani 1993,
    chapters 13 and 14. 't' is taken too and is `t_interval`.

    >>> found = bootstrap_interval([0.2, 0.4, 0.9, 0.5], method="percentile")
    >>> (round(found.low, 2), round(found.high, 2), found.resamples, found.seed)
    (0.28, 0.78, 10000, 0)
    """
    matrix = as_values(values).reshape(-1, 1)
    return _intervals(matrix, method, level, resamples, seed, weights, clusters)[0]


def bootstrap_intervals(
    matrix: Matrix,
    *,
    method: str = "bca",
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
    weights: Numbers | None = None,
    clusters: Sequence[Hashable] | None = None,
) -> tuple[Interval, ...]:
    """An interval for the mean of each column of a queries x systems matrix.

    The systems are resampled together, and each interval is the one that `bootstrap_interval` gives for its column.

    >>> [found.estimate for found in bootstrap_intervals([[0.0, 1.0], [0.5, 0.5]], resamples=100)]
    [0.25, 0.75]
    """
    return _intervals(as_matrix(matrix), method, level, resamples, seed, weights, clusters)


def _intervals(
    matrix: Floats,
    method: str,
    level: float,
    resamples: int,
    seed: int,
    weights: Numbers | None,
    clusters: Sequence[Hashable] | None,
) -> tuple[Interval, ...]:
    if method not in METHODS:
        raise choose("method", method, METHODS)
    if method == "t":
        return tuple(t_interval(column, level=level, weights=weights, clusters=clusters) for column in matrix.T)
    checked_share("level", level)
    checked_count("resamples", resamples)
    checked_count("seed", seed, 0)
    units = units_of(matrix, weights, clusters)
    least = math.ceil(2 / (1 - level) * (1 - TOLERANCE))
    if len(units) < 2 or _too_far_apart(units) or resamples < least:
        return _without(units, level, method, resamples, seed, least)
    means = resampled_means(units, resamples, seed)
    made = []
    for at, estimate in enumerate(units.estimates):
        tails = (0.5 - level / 2, 0.5 + level / 2)
        if method == "bca":
            size = math.fsum(np.abs(units.numerators[:, at]).tolist()) / math.fsum(units.denominators.tolist())
            tails = bca_tails(means[:, at], estimate, TOLERANCE * size, acceleration(units, at), tails)
        low, high = np.quantile(means[:, at], tails).tolist()
        made.append(
            Interval(low, high, level, method, resamples, seed, units.n, estimate, units.clusters, units.effective)
        )
    return tuple(made)


def resampled_means(units: Units, resamples: int, seed: int) -> Floats:
    """The mean of each system in each resample: (resamples, systems)."""
    if units.plain:
        sums = bootstrap_sums(units.numerators, resamples, seed)
        return np.divide(sums, len(units), out=sums)
    sums = bootstrap_sums(np.column_stack([units.numerators, units.denominators]), resamples, seed)
    means: Floats = sums[:, :-1] / sums[:, -1:]
    return means


def acceleration(units: Units, at: int) -> float:
    """The acceleration of a BCa interval, from the means with one unit left out."""
    numerators, denominators = units.numerators[:, at], units.denominators
    left_out = (math.fsum(numerators.tolist()) - numerators) / (math.fsum(denominators.tolist()) - denominators)
    centred = math.fsum(left_out.tolist()) / len(left_out) - left_out
    squares = math.fsum((centred**2).tolist())
    return math.fsum((centred**3).tolist()) / (6.0 * squares**1.5) if squares > 0 else 0.0


def bca_tails(
    means: Floats, estimate: float, slack: float, bend: float, tails: tuple[float, float]
) -> tuple[float, float]:
    """The shares of the resampled means at which a BCa interval ends.

    Means that equal the estimate count half; on a grid of few grades those are many, and rounding must not split them.
    """
    below = (np.count_nonzero(means < estimate - slack) + np.count_nonzero(means <= estimate + slack)) / 2
    # A share of 0 or 1 has no normal quantile: half a resample is the least that is seen.
    share = min(max(below, 0.5), len(means) - 0.5) / len(means)
    bias = NORMAL.inv_cdf(share)

    def moved(tail: float) -> float:
        shifted = bias + NORMAL.inv_cdf(tail)
        room = 1.0 - bend * shifted
        if room <= 0.0:
            return 1.0 if shifted > 0 else 0.0
        return NORMAL.cdf(bias + shifted / room)

    return moved(tails[0]), moved(tails[1])


def _too_far_apart(units: Units) -> bool:
    """Whether the lightest unit is lost beside the heaviest, so that a resample without that one has no mean."""
    return float(units.denominators.min()) < FAINTEST * float(units.denominators.max())


def _without(
    units: Units, level: float, method: str, resamples: int | None, seed: int | None, least: int = 0
) -> tuple[Interval, ...]:
    """No interval, with the reason."""
    if len(units) > 1 and resamples is not None and resamples < least:
        reason = f"{resamples:,} resamples have no tails of a level of {100 * level:.6g} %: that takes {least:,}"
    elif len(units) > 1:
        reason = "the weights are too far apart to be resampled: the largest is more than 1e15 times the smallest"
    elif units.clusters is not None and units.n > 1:
        reason = "all values are in one cluster: an interval needs two"
    elif units.n:
        reason = "one value has no spread: an interval needs two"
    else:
        reason = "there are no values"
    estimates: Sequence[float | None] = units.estimates if units.n else [None] * units.numerators.shape[1]
    return tuple(
        Interval(None, None, level, method, resamples, seed, units.n, estimate, units.clusters, units.effective, reason)
        for estimate in estimates
    )
