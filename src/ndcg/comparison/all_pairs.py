"""All pairs of systems: Tukey's test with queries as blocks, its randomised form, and any paired test adjusted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import combinations, permutations

import numpy as np

from ..errors import UsageError, choose
from .draws import permuted_sums
from .exact_sums import whole
from .multiplicity import adjust
from .numbers import TOLERANCE, Floats, Integers, Matrix, as_matrix, checked_count, checked_share, mean_of, stats
from .outcomes import PairTests, Test
from .paired_tests import bootstrap_test, sign_test, t_test, wilcoxon_test
from .sign_flips import sign_flip_test

COUNTED = 200_000
"""Up to so many arrangements are counted rather than drawn."""

TESTS = ("sign_flip", "t", "wilcoxon", "sign", "bootstrap")
"""Paired tests by name, for `pairwise_tests`."""


def tukey_hsd(matrix: Matrix, *, level: float = 0.95) -> PairTests:
    """Tukey's HSD with queries as blocks, for all pairs of columns of a queries x systems matrix. Needs SciPy.

    q = |difference of means| / sqrt(MSE / n), MSE the residual mean square of the two-way analysis of variance, against
    the studentised range of m systems and (n - 1)(m - 1) degrees of freedom. This is not `scipy.stats.tukey_hsd`, which
    takes systems for independent samples and finds much less. With two systems it is the paired t test.

    >>> tukey_hsd([[0.2, 0.4, 0.9], [0.1, 0.5, 0.8], [0.3, 0.2, 0.7]]).pairs
    ((0, 1), (0, 2), (1, 2))
    """
    checked_share("level", level)
    found = as_matrix(matrix, columns=2)
    n, systems = found.shape
    pairs, differences = _differences(found)
    freedom = (n - 1) * (systems - 1)
    method = "Tukey's HSD, queries as blocks"
    if n < 2:
        ones = (1.0,) * len(pairs)
        return PairTests(
            method, systems, n, pairs, differences, ones, level, None, reason="one query has no residual variance"
        )
    error = math.sqrt(residual_mean_square(found) / n)
    studentised = stats("Tukey's test").studentized_range
    sizes = np.abs(np.array(differences))
    if error <= TOLERANCE * float(np.abs(found).max(initial=0.0)):
        adjusted = np.where(sizes > TOLERANCE, 0.0, 1.0)
        return PairTests(
            method, systems, n, pairs, differences, tuple(adjusted.tolist()), level, 0.0, reason="no residual variance"
        )
    # Two systems that are the same number for number need no integral.
    asked, back = np.unique(sizes / error, return_inverse=True)
    p_values = np.clip(studentised.sf(asked, systems, freedom), 0.0, 1.0)
    p_values[asked == 0] = 1.0
    critical = _studentised_quantile(level, systems, freedom) * error
    return PairTests(method, systems, n, pairs, differences, tuple(p_values[back].tolist()), level, critical)


def randomised_tukey_hsd(
    matrix: Matrix, *, level: float = 0.95, exact: bool | None = None, resamples: int = 10_000, seed: int = 0
) -> PairTests:
    """Randomised Tukey HSD for all pairs of columns of a queries x systems matrix.

    If all systems were exchangeable, their values could be permuted inside each query. Each difference of means is
    compared with the range (largest minus smallest mean) of every arrangement. All (m!)**n arrangements are counted
    where there are at most 200,000 that differ, otherwise p = (b + 1) / (resamples + 1), never 0. With two systems it
    is the sign-flip test. Differences above `critical_difference` have p of at most 1 - level. Sources: Carterette
    2012; Sakai 2018.

    >>> randomised_tukey_hsd([[0.2, 0.4], [0.1, 0.5], [0.3, 0.2]]).adjusted
    (0.5,)
    """
    checked_share("level", level)
    checked_count("resamples", resamples)
    checked_count("seed", seed, 0)
    found = as_matrix(matrix, columns=2)
    n, systems = found.shape
    pairs, differences = _differences(found)
    # Renaming the systems in all queries at once changes no range, so the first query may stay as it is.
    arrangements = math.factorial(systems) ** (n - 1)
    counted = arrangements <= COUNTED if exact is None else exact
    if counted and arrangements > 50 * COUNTED:
        raise UsageError(
            f"exact=True: {systems} systems on {n} queries have too many arrangements to count",
            code="too_many",
            hint="leave exact out to draw them",
        )
    numbers, unit = whole(found, n)
    sums = numbers.sum(axis=0)
    blocks = counted_sums(numbers) if counted else permuted_sums(numbers, resamples, seed)
    ranges = np.sort(np.concatenate([block.max(axis=1) - block.min(axis=1) for block in blocks]))
    slack = math.ceil(TOLERANCE * n * float(np.abs(numbers).max(initial=0)))
    seen = np.array([abs(int(sums[one] - sums[other])) for one, other in pairs], dtype=np.int64)
    reached = len(ranges) - np.searchsorted(ranges, seen - slack, side="left")
    more = 0 if counted else 1
    p_values = (reached + more) / (len(ranges) + more)
    kept = math.floor((1 - level) * (len(ranges) + more) * (1 + TOLERANCE)) - more
    critical = float(ranges[len(ranges) - 1 - kept]) * unit / n if kept >= 0 else None
    return PairTests(
        "randomised Tukey HSD",
        systems,
        n,
        pairs,
        differences,
        tuple(p_values.tolist()),
        level,
        critical,
        counted,
        None if counted else resamples,
        None if counted else seed,
    )


def pairwise_tests(
    matrix: Matrix,
    *,
    test: str = "sign_flip",
    adjustment: str = "holm",
    level: float = 0.95,
    resamples: int = 100_000,
    seed: int = 0,
    tie_width: float = 0.0,
) -> PairTests:
    """A paired test for every pair of columns of a queries x systems matrix, adjusted for their number.

    `test` is 'sign_flip', 't', 'wilcoxon', 'sign' or 'bootstrap'; `adjustment` one of `adjust`. `resamples` and `seed`
    are for tests that draw, `tie_width` is for the sign test.

    >>> pairwise_tests([[0.2, 0.4], [0.1, 0.5], [0.3, 0.2]]).adjusted
    (0.5,)
    """
    checked_share("level", level)
    if test not in TESTS:
        raise choose("test", test, TESTS)
    found = as_matrix(matrix, columns=2)
    pairs, differences = _differences(found)
    made: dict[str, Callable[[Floats], Test]] = {
        "sign_flip": partial(sign_flip_test, resamples=resamples, seed=seed),
        "t": t_test,
        "wilcoxon": wilcoxon_test,
        "sign": partial(sign_test, tie_width=tie_width),
        "bootstrap": partial(bootstrap_test, resamples=resamples, seed=seed),
    }
    outcomes = [made[test](found[:, one] - found[:, other]) for one, other in pairs]
    adjusted = adjust([outcome.p_value for outcome in outcomes], adjustment)
    first = outcomes[0]
    return PairTests(
        f"{first.name}, {adjusted.method}",
        found.shape[1],
        len(found),
        pairs,
        differences,
        adjusted.adjusted,
        level,
        None,
        None if first.exact is None else all(bool(outcome.exact) for outcome in outcomes),
        next((outcome.resamples for outcome in outcomes if outcome.resamples is not None), None),
        next((outcome.seed for outcome in outcomes if outcome.seed is not None), None),
    )


def friedman_test(matrix: Matrix) -> Test:
    """Friedman's test that no system of a queries x systems matrix ranks differently. Needs SciPy and three systems.

    >>> round(friedman_test([[0.2, 0.4, 0.9], [0.1, 0.5, 0.8], [0.3, 0.2, 0.7]]).p_value, 4)
    0.097
    """
    found = as_matrix(matrix, columns=3)
    n, systems = found.shape
    method = f"chi-squared with {systems - 1} degrees of freedom"
    if bool((found == found[:, :1]).all()):
        return Test("Friedman", 1.0, 0.0, n, n, "two-sided", method, reason="all systems are equal on every query")
    statistic, p_value = stats("Friedman's test").friedmanchisquare(*found.T)
    return Test("Friedman", float(p_value), float(statistic), n, n, "two-sided", method)


def residual_mean_square(found: Floats) -> float:
    """The mean square that is left when means of queries and systems are taken out of a queries x systems table."""
    n, systems = found.shape
    rest = found - found.mean(axis=1, keepdims=True) - found.mean(axis=0, keepdims=True) + found.mean()
    squares: list[float] = (rest**2).ravel().tolist()
    return math.fsum(squares) / float((n - 1) * (systems - 1))


def counted_sums(numbers: Integers) -> Iterator[Integers]:
    """The column sums of all arrangements that differ: every row but the first permuted in every way."""
    sums = numbers[:1]
    orders = np.array(list(permutations(range(numbers.shape[1]))))
    for row in numbers[1:]:
        sums = (sums[:, None, :] + row[orders][None, :, :]).reshape(-1, numbers.shape[1])
    yield sums


@cache
def _studentised_quantile(level: float, systems: int, freedom: int) -> float:
    """The quantile of the studentised range: a tenth of a second, and the same for every slice of a leaderboard."""
    return float(stats("Tukey's test").studentized_range.ppf(level, systems, freedom))


def _differences(found: Floats) -> tuple[tuple[tuple[int, int], ...], tuple[float, ...]]:
    """All pairs of columns, and the mean difference of each."""
    pairs = tuple(combinations(range(found.shape[1]), 2))
    return pairs, tuple(mean_of(found[:, one] - found[:, other]) for one, other in pairs)
