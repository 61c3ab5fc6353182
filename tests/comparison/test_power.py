"""Power, needed queries and reliability against published values."""

import math
from itertools import pairwise

import numpy as np
import pytest
import scipy.stats

from ndcg.comparison import (
    Components,
    detectable_difference,
    detectable_difference_of_anova,
    power_of_anova,
    power_of_paired_t,
    queries_needed,
    queries_needed_for_anova,
    reliability,
    reliability_from_mean_squares,
)
from ndcg.comparison.power import _anova, _paired


def test_paired_t_as_statsmodels_has_it():
    """TTestPower of statsmodels: 33.367, 198.151 and 14.303 queries, rounded up; power(33) and power(34)."""
    assert [queries_needed(effect).queries for effect in (0.5, 0.2, 0.8)] == [34, 199, 15]
    assert round(power_of_paired_t(33, 0.5).power, 4) == 0.7954
    assert round(power_of_paired_t(34, 0.5).power, 4) == 0.8078
    assert queries_needed(0.1, sd=0.2) == queries_needed(0.1, 0.2) and queries_needed(0.1, 0.2).queries == 34
    assert queries_needed(-0.5).queries == 34


def test_the_fractions_of_queries_that_statsmodels_has():
    """TTestPower, TTestIndPower and FTestAnovaPower solve for a number that is not whole: the power there is .8."""
    for n, effect in ((33.367, 0.5), (198.151, 0.2), (14.303, 0.8)):
        assert _paired(n, effect, 1.0, 0.05, "two-sided").power == pytest.approx(0.8, abs=1e-5)
    for n, difference, variance, systems in ((63.77, 0.5, 1.0, 2), (157.35, 0.10, 0.05, 10)):
        assert _anova(n, difference, variance, systems, False, 0.05).power == pytest.approx(0.8, abs=1e-4)


def test_sakais_anova_design():
    """alpha .05, power .8: minD .10 and variance .05 for 2, 10 and 100 systems; minD .05 for two."""
    needed = [queries_needed_for_anova(0.10, variance=0.05, systems=m).queries for m in (2, 10, 100)]
    assert needed == [80, 158, 405]
    assert queries_needed_for_anova(0.05, variance=0.05, systems=2).queries == 315


def test_two_independent_samples():
    """statsmodels' TTestIndPower, d = .5: 63.77 queries each."""
    assert queries_needed_for_anova(0.5, variance=1.0, systems=2).queries == 64


def test_the_far_tail_is_no_trap():
    """scipy.stats.nct.cdf(-1.96, 781.3, 14.0) is NaN; the power there is 1."""
    for n in (300, 400, 500, 780, 5000, 10**6):
        assert power_of_paired_t(n, 0.5).power == pytest.approx(1.0, abs=1e-9)
    for design in (
        lambda n, effect: power_of_paired_t(n, effect),
        lambda n, effect: power_of_anova(n, effect, variance=1.0, systems=2),
        lambda n, effect: power_of_anova(n, effect, variance=1.0, systems=10),
        lambda n, effect: power_of_anova(n, effect, variance=1.0, systems=10, blocked=True),
    ):
        for n in (2, 3, 12, 100, 1000):
            powers = [design(n, effect).power for effect in np.linspace(0.001, 12, 200)]
            assert all(math.isfinite(power) and 0 <= power <= 1 for power in powers)
            assert all(a <= b + 1e-9 for a, b in pairwise(powers))


def test_power_by_simulation():
    draw = np.random.default_rng(13)
    n, effect = 12, 0.7
    samples = draw.normal(effect, 1.0, (20_000, n))
    t = samples.mean(axis=1) / (samples.std(axis=1, ddof=1) / math.sqrt(n))
    share = float((np.abs(t) > scipy.stats.t.ppf(0.975, n - 1)).mean())
    assert power_of_paired_t(n, effect).power == pytest.approx(share, abs=0.015)
    one = float((t > scipy.stats.t.ppf(0.95, n - 1)).mean())
    assert power_of_paired_t(n, effect, alternative="greater").power == pytest.approx(one, abs=0.015)
    assert (
        power_of_paired_t(n, -effect, alternative="less").power
        == power_of_paired_t(n, effect, alternative="greater").power
    )


def test_power_without_an_effect_is_alpha():
    assert power_of_paired_t(20, 0.0).power == pytest.approx(0.05, abs=1e-12)
    assert power_of_paired_t(20, 0.0, alternative="less", alpha=0.01).power == pytest.approx(0.01, abs=1e-12)
    assert power_of_anova(20, 0.0, variance=1.0, systems=3).power == pytest.approx(0.05, abs=1e-12)
    assert power_of_paired_t(1, 5.0).power == power_of_anova(1, 5.0, variance=1.0, systems=3).power == 0.0


@pytest.mark.parametrize("n", [2, 12, 50, 1000])
def test_detectable_is_needed_turned_round(n):
    design = detectable_difference(n, 0.2)
    assert design.power == pytest.approx(0.8, abs=1e-9)
    assert queries_needed(design.difference * 1.000001, 0.2).queries == n
    assert detectable_difference(n, 0.4).difference == pytest.approx(2 * design.difference, rel=1e-9)
    anova = detectable_difference_of_anova(n, variance=0.04, systems=5)
    assert queries_needed_for_anova(anova.difference * 1.000001, variance=0.04, systems=5).queries == n


def test_two_blocked_systems_are_the_paired_t_test():
    """The residual variance of two systems is half the variance of their differences."""
    for n in (5, 20, 100):
        blocked = power_of_anova(n, 0.1, variance=0.3**2 / 2, systems=2, blocked=True)
        assert blocked.power == pytest.approx(power_of_paired_t(n, 0.1, 0.3).power, abs=1e-9)


def test_what_no_number_of_queries_can_do():
    with pytest.raises(ValueError, match="queries would be needed"):
        queries_needed(1e-6)
    with pytest.raises(ValueError, match="its direction is against the alternative"):
        queries_needed(-0.5, alternative="greater")
    with pytest.raises(ValueError, match="already has that power"):
        queries_needed(0.5, power=0.05)
    with pytest.raises(ValueError, match="queries=1 is not a whole number of at least 2"):
        detectable_difference(1)
    with pytest.raises(ValueError, match="difference=0 is not a number above 0"):
        queries_needed(0)


def test_gt4ireval():
    """gt4ireval on TREC-3 ad hoc, 30 systems and 50 queries: Erho2, Phi, needed queries, limits of Erho2."""
    shown = {
        50: (0.93265, 0.78613, 0.89311, 0.96287),
        100: (0.96515, 0.88026, 0.94354, 0.98109),
        150: (0.97649, 0.91686, 0.96164, 0.98731),
    }
    for queries, (erho2, phi, low, high) in shown.items():
        found = reliability_from_mean_squares(
            0.15074, 0.85296, 0.010152, observed_systems=30, observed_queries=50, queries=queries
        )
        values = (found.erho2.value, found.phi.value, found.erho2.low, found.erho2.high)
        assert values == pytest.approx((erho2, phi, low, high), abs=2e-5)
        assert (found.needed_for_erho2, found.needed_for_phi) == (69, 259)
        assert found.phi.low < found.phi.value < found.phi.high


def test_brennan_2001():
    """Tables 6.2 and 6.5: variance components of synthetic data set 4, coefficients and their 80 % limits."""
    components = Components(systems=0.6258, queries=0.8840, residual=2.7872)
    assert (round(components.erho2(12), 3), round(components.phi(12), 3)) == (0.729, 0.672)
    found = reliability_from_mean_squares(
        2.7872 + 12 * 0.6258,
        2.7872 + 10 * 0.8840,
        2.7872,
        observed_systems=10,
        observed_queries=12,
        level=0.8,
    )
    assert (found.components.systems, found.components.queries) == pytest.approx((0.6258, 0.8840))
    limits = (found.erho2.low, found.erho2.high, found.phi.low, found.phi.high)
    assert limits == pytest.approx((0.541, 0.876, 0.457, 0.845), abs=6e-4)


def test_components_from_a_matrix():
    """Mean squares by their definition on a table made of known effects."""
    draw = np.random.default_rng(14)
    scores = draw.normal(0, 0.1, 6) + draw.normal(0, 0.3, (40, 1)) + draw.normal(0, 0.2, (40, 6))
    found = reliability(scores)
    rows, columns, grand = scores.mean(axis=1), scores.mean(axis=0), scores.mean()
    squares = (
        40 * ((columns - grand) ** 2).sum() / 5,
        6 * ((rows - grand) ** 2).sum() / 39,
        ((scores - rows[:, None] - columns + grand) ** 2).sum() / (5 * 39),
    )
    assert found.mean_squares == pytest.approx(squares, rel=1e-10)
    assert found.components.residual == pytest.approx(0.04, rel=0.2)
    again = reliability_from_mean_squares(*squares, observed_systems=6, observed_queries=40, queries=80)
    assert again.erho2.value > found.erho2.value and again.as_dict()["queries"] == 80
    needed = found.needed_for_erho2
    assert found.components.erho2(needed) >= 0.95 > found.components.erho2(needed - 1)


def test_systems_that_do_not_differ():
    same = reliability([[0.2, 0.2], [0.9, 0.9], [0.5, 0.5]])
    assert same.erho2 == same.erho2.__class__(None, None, None)
    assert (same.phi.value, same.needed_for_erho2, same.needed_for_phi) == (0.0, None, None)
    noise = reliability([[0.2, 0.3], [0.3, 0.2], [0.4, 0.5], [0.5, 0.4]])
    assert noise.components.systems == 0.0 and "systems was estimated below 0" in noise.reason
    assert noise.erho2.value == noise.erho2.low == 0.0 and noise.needed_for_phi is None
    with pytest.raises(ValueError, match="at least 1 query and 2 system"):
        reliability([[0.2], [0.3]])
    with pytest.raises(ValueError, match="at least 2 queries"):
        reliability([[0.2, 0.3]])
