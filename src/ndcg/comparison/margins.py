"""Tests against a declared margin: is a system equivalent, or at least not worse by more than that?"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from .intervals import centre_of, t_interval
from .numbers import Numbers, as_values, checked_positive, checked_share, needed, special
from .outcomes import MarginTest
from .paired_tests import NO_SPREAD, alone


def equivalence_test(
    differences: Numbers, *, margin: float, level: float = 0.95, clusters: Sequence[Hashable] | None = None
) -> MarginTest:
    """Two one-sided t tests (TOST): is the mean difference inside -margin .. margin? Needs SciPy.

    p is the larger of both; below 1 - level, the verdict is 'equivalent', which is when the t interval of level
    1 - 2 (1 - level), 90 % for 0.95, lies inside the margins. It is 'not equivalent' when that interval lies outside
    them, otherwise 'inconclusive'. A large p of an ordinary test never shows equivalence. With `clusters` (one label
    per difference) whole clusters are the unit, as in `t_interval`. Source: Schuirmann 1987.

    >>> equivalence_test([0.01, -0.02, 0.0, 0.01, -0.01], margin=0.05).verdict
    'equivalent'
    """
    found, alpha = _checked(differences, margin, level)
    lower = beyond(found, -margin, clusters)
    upper = beyond([-number for number in found], -margin, clusters)
    p_value = max(lower, upper)
    shown = t_interval(found, level=1 - 2 * alpha, clusters=clusters)
    if p_value <= alpha:
        verdict = "equivalent"
    elif shown.low is not None and shown.high is not None and (shown.low > margin or shown.high < -margin):
        verdict = "not equivalent"
    else:
        verdict = "inconclusive"
    return MarginTest(
        "equivalence", p_value, float(margin), level, verdict, shown, len(found), _reason(found, clusters)
    )


def non_inferiority_test(
    differences: Numbers, *, margin: float, level: float = 0.95, clusters: Sequence[Hashable] | None = None
) -> MarginTest:
    """A one-sided t test: is the mean difference (new minus baseline) above -margin? Needs SciPy.

    'non-inferior' when p is below 1 - level; 'inferior' when the whole interval of level 1 - 2 (1 - level) lies below
    -margin; otherwise 'inconclusive'. `clusters` as in `equivalence_test`.

    >>> found = non_inferiority_test([0.02, 0.05, -0.01, 0.03], margin=0.02)
    >>> found.verdict, round(found.p_value, 4)
    ('non-inferior', 0.0212)
    """
    found, alpha = _checked(differences, margin, level)
    p_value = beyond(found, -margin, clusters)
    shown = t_interval(found, level=1 - 2 * alpha, clusters=clusters)
    if p_value <= alpha:
        verdict = "non-inferior"
    elif shown.high is not None and shown.high < -margin:
        verdict = "inferior"
    else:
        verdict = "inconclusive"
    return MarginTest(
        "non-inferiority", p_value, float(margin), level, verdict, shown, len(found), _reason(found, clusters)
    )


def _reason(differences: list[float], clusters: Sequence[Hashable] | None) -> str | None:
    """Why p is 0 or 1 and nothing between."""
    _, error, freedom = centre_of(as_values(differences), clusters)
    if freedom < 1:
        return alone(len(differences))
    return None if error else NO_SPREAD


def _checked(differences: Numbers, margin: float, level: float) -> tuple[list[float], float]:
    checked_positive("margin", margin)
    checked_share("level", level)
    checked_share("2 * level - 1", 2 * level - 1)
    found = as_values(differences, "differences")
    needed(found, "differences")
    return found.tolist(), 1 - level


def beyond(differences: list[float], bound: float, clusters: Sequence[Hashable] | None = None) -> float:
    """One-sided p of a mean above `bound`, by Student's t; 1 where one difference, or one cluster, says nothing."""
    mean, error, freedom = centre_of(as_values(differences), clusters)
    if freedom < 1:
        return 1.0
    if error == 0.0:
        return 0.0 if mean > bound else 1.0
    return float(special("a test against a margin").stdtr(freedom, -(mean - bound) / error))
