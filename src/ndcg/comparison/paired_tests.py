"""The other paired tests: Student's t, Wilcoxon's signed ranks, the sign test and the bootstrap test."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction

import numpy as np

from ..counted import counted_noun
from ..errors import choose
from .draws import bootstrap_sums
from .intervals import centre_of
from .numbers import (
    TOLERANCE,
    Numbers,
    as_values,
    checked_alternative,
    checked_count,
    checked_width,
    mean_of,
    needed,
    special,
    stats,
)
from .outcomes import Test

ONE_DIFFERENCE = "one difference has no spread"
ONE_CLUSTER = "all differences are in one cluster"
NO_SPREAD = "the differences do not vary"
NO_DIFFERENCE = "all differences are 0"


def alone(differences: int) -> str:
    """Why a single unit, a difference or a cluster of them, says nothing."""
    return ONE_DIFFERENCE if differences < 2 else ONE_CLUSTER


def t_test(differences: Numbers, *, alternative: str = "two-sided", clusters: Sequence[Hashable] | None = None) -> Test:
    """Student's paired t test: t = mean / (sd / sqrt(n)), n - 1 degrees of freedom. Needs SciPy.

    With `clusters` (one label per difference) the standard error is that of whole clusters, as in `t_interval`.
    With one difference, or none that is not 0, p is 1 and `reason` says why; equal differences other than 0 have an
    infinite t, given as None, and p is 0 or 1 by their direction.

    >>> round(t_test([10, 41, -24, 0, 25, 70, 60, -2, 9, 25], alternative="greater").p_value, 5)
    0.02249
    """
    checked_alternative(alternative)
    found = as_values(differences, "differences")
    needed(found, "differences")
    n = len(found)
    mean, error, freedom = centre_of(found, clusters)
    method = f"Student's t with {counted_noun(freedom, 'degree')} of freedom"
    if clusters is not None:
        method += f", over {counted_noun(freedom + 1, 'cluster')}"
    if error == 0.0:
        reason = alone(n) if freedom < 1 else (NO_SPREAD if mean else NO_DIFFERENCE)
        agrees = {"two-sided": True, "greater": mean > 0, "less": mean < 0}[alternative]
        p_value = 0.0 if freedom and mean and agrees else 1.0
        return Test("t", p_value, None if mean else 0.0, n, n, alternative, method, reason=reason)
    t = mean / error
    below = special("a t test").stdtr
    if alternative == "two-sided":
        p_value = 2.0 * float(below(freedom, -abs(t)))
    else:
        p_value = float(below(freedom, -t if alternative == "greater" else t))
    return Test("t", min(p_value, 1.0), t, n, n, alternative, method)


def wilcoxon_test(differences: Numbers, *, alternative: str = "two-sided", exact: bool | None = None) -> Test:
    """Wilcoxon's signed-rank test. Needs SciPy.

    Differences of 0 are dropped and `used` says how many are left. As in R's wilcox.test, the exact distribution is
    used for fewer than 50 differences without zeros and ties, otherwise the normal approximation with tie and
    continuity corrections; `exact=True` or `False` asks for one (with ties, the exact one is only near). The statistic
    is the sum of the signed ranks. Sizes are ties only where they are the same float, as in R (digits.rank = Inf), so
    rounding may rank 0.8 - 0.7 above 0.5 - 0.4: round differences that lie on a grid first. The test is about the
    symmetry of differences around 0, not about their mean.

    >>> wilcoxon_test([10, 41, -24, 0, 25, 70, 60, -2, 9, 25]).statistic
    35.0
    """
    checked_alternative(alternative)
    found = as_values(differences, "differences")
    needed(found, "differences")
    used = found[found != 0]
    if not len(used):
        return Test("Wilcoxon", 1.0, 0.0, len(found), 0, alternative, "no ranks", reason=NO_DIFFERENCE)
    sizes = np.abs(used)
    simple = len(found) < 50 and len(used) == len(found) and len(np.unique(sizes)) == len(sizes)
    counted = simple if exact is None else exact
    test = stats("a Wilcoxon test").wilcoxon
    p_value = float(
        test(used, alternative=alternative, method="exact" if counted else "approx", correction=not counted).pvalue
    )
    signed = float(np.sum(stats("a Wilcoxon test").rankdata(sizes) * np.sign(used)))
    method = "exact distribution" if counted else "normal approximation, tie and continuity corrections"
    return Test("Wilcoxon", min(p_value, 1.0), signed, len(found), len(used), alternative, method, counted)


ZEROS = ("drop", "keep")


def sign_test(
    differences: Numbers, *, tie_width: float = 0.0, alternative: str = "two-sided", zeros: str = "drop"
) -> Test:
    """The sign test: are wins and losses a fair coin? Exact binomial.

    Differences of at most `tie_width` in size are ties: dropped, or with `zeros="keep"` counted among the queries that
    were not won (or not lost), which changes p. The statistic is the number of wins (differences above `tie_width`).

    >>> round(sign_test([10, 41, -24, 0, 25, 70, 60, -2, 9, 25], alternative="greater").p_value, 4)
    0.0898
    """
    checked_alternative(alternative)
    if zeros not in ZEROS:
        raise choose("zeros", zeros, ZEROS)
    checked_width(tie_width)
    found = as_values(differences, "differences")
    needed(found, "differences")
    wins = int(np.count_nonzero(found > tie_width))
    losses = int(np.count_nonzero(found < -tie_width))
    used = len(found) if zeros == "keep" else wins + losses
    if alternative == "two-sided":
        p_value = min(1.0, 2.0 * binomial_tail(max(wins, losses), used))
    else:
        p_value = binomial_tail(wins if alternative == "greater" else losses, used)
    return Test(
        "sign",
        p_value,
        float(wins),
        len(found),
        used,
        alternative,
        f"binomial, {wins} wins and {losses} losses of {used}",
        True,
        reason=None if wins + losses else "all queries are ties",
    )


def binomial_tail(least: int, n: int) -> float:
    """The probability of at least so many heads in n throws of a fair coin, from whole numbers."""
    ways = 0
    now = math.comb(n, least) if least <= n else 0
    for heads in range(least, n + 1):
        ways += now
        now = now * (n - heads) // (heads + 1)
    return float(Fraction(ways, 2**n))


def bootstrap_test(
    differences: Numbers, *, alternative: str = "two-sided", resamples: int = 100_000, seed: int = 0
) -> Test:
    """The bootstrap test of a mean difference: resample differences that were shifted to a mean of 0.

    p = (b + 1) / (resamples + 1), b the resamples whose mean is as large as the one seen. It rejects a little too often
    for few queries. Draws: see `ndcg.comparison.draws`. Source: Smucker, Allan & Carterette 2007.

    >>> bootstrap_test([0.1, 0.1, 0.1], resamples=999).p_value
    0.001
    """
    checked_alternative(alternative)
    checked_count("resamples", resamples)
    checked_count("seed", seed, 0)
    found = as_values(differences, "differences")
    needed(found, "differences")
    mean = mean_of(found)
    slack = TOLERANCE * math.fsum(np.abs(found).tolist()) / len(found)
    if len(found) < 2:
        return Test("bootstrap", 1.0, mean, 1, 1, alternative, "nothing drawn", reason=ONE_DIFFERENCE)
    means = bootstrap_sums((found - mean).reshape(-1, 1), resamples, seed)[:, 0] / len(found)
    sign = -1.0 if alternative == "less" else 1.0
    seen = abs(mean) if alternative == "two-sided" else sign * mean
    means = np.abs(means) if alternative == "two-sided" else means * sign
    count = int(np.count_nonzero(means >= seen - slack))
    p_value = (count + 1) / (resamples + 1)
    return Test(
        "bootstrap",
        p_value,
        mean,
        len(found),
        len(found),
        alternative,
        f"{resamples:,} resamples drawn",
        False,
        resamples,
        seed,
        math.sqrt(p_value * (1 - p_value) / resamples),
        None if found.any() else NO_DIFFERENCE,
    )
