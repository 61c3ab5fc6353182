"""Effect sizes, equivalence and non-inferiority."""

import math

import numpy as np
import pytest
import scipy.stats

from ndcg.comparison import effect_size, equivalence_test, non_inferiority_test, t_interval, t_test

DIFFERENCES = np.random.default_rng(12).normal(0.01, 0.05, 25)


def test_effect_of_ten_queries():
    found = effect_size([10, 41, -24, 0, 25, 70, 60, -2, 9, 25])
    assert (found.mean, round(found.sd, 3)) == (21.4, 29.083)
    assert found.dz == pytest.approx(2.3269 / math.sqrt(10), abs=1e-4)
    assert (found.wins, found.ties, found.losses) == (7, 1, 2)
    assert found.probability_of_superiority == 0.75
    wide = effect_size([10, 41, -24, 0, 25, 70, 60, -2, 9, 25], tie_width=10)
    assert (wide.wins, wide.ties, wide.losses, wide.tie_width) == (5, 4, 1, 10.0)


def test_hedges_correction():
    """The exact factor: 0.9228 for 9 degrees of freedom is near Hedges' 1 - 3 / (4 * 9 - 1) = 0.9143."""
    found = effect_size(DIFFERENCES)
    assert found.hedges / found.dz == pytest.approx(1 - 3 / (4 * 24 - 1), abs=5e-4)
    ten = effect_size(DIFFERENCES[:10])
    exact = math.gamma(4.5) / (math.sqrt(4.5) * math.gamma(4.0))
    assert ten.hedges / ten.dz == pytest.approx(exact, rel=1e-12)


def test_no_effect_size_without_spread():
    for values in ([0.0, 0.0, 0.0], [0.1, 0.1, 0.1], [0.4]):
        found = effect_size(values)
        assert (found.sd, found.dz, found.hedges) == (0.0, None, None)
    assert effect_size([0.1, 0.3]).hedges is None and effect_size([0.1, 0.3]).dz is not None
    assert effect_size([0.0] * 4).probability_of_superiority == 0.5


def test_differences_that_are_equal_on_paper_have_no_spread():
    """0.3 - 0.2, 0.4 - 0.3 and 0.5 - 0.4 differ in their last bits: a dz of 3e15 would be rounding, no effect."""
    values = [0.3 - 0.2, 0.4 - 0.3, 0.5 - 0.4]
    assert len(set(values)) > 1
    found = effect_size(values)
    assert (found.sd, found.dz, found.hedges) == (0.0, None, None)
    t = t_test(values)
    assert (t.p_value, t.statistic, t.reason) == (0.0, None, "the differences do not vary")
    for test in (equivalence_test, non_inferiority_test):
        assert test(values, margin=0.2).p_value == 0.0 and test(values, margin=0.2).reason == t.reason
    assert effect_size([0.1, 0.1 + 1e-9]).dz is not None


def one_sided(values, bound, alternative):
    return scipy.stats.ttest_1samp(values, bound, alternative=alternative).pvalue


@pytest.mark.parametrize("margin", [0.01, 0.03, 0.08])
def test_margins_are_one_sided_t_tests(margin):
    lower, upper = one_sided(DIFFERENCES, -margin, "greater"), one_sided(DIFFERENCES, margin, "less")
    same = equivalence_test(DIFFERENCES, margin=margin)
    assert same.p_value == pytest.approx(max(lower, upper), rel=1e-10)
    assert non_inferiority_test(DIFFERENCES, margin=margin).p_value == pytest.approx(lower, rel=1e-10)
    inside = -margin < same.interval.low and same.interval.high < margin
    assert (same.verdict == "equivalent") == inside == (same.p_value < 0.05)
    assert same.interval.level == pytest.approx(0.9) and same.level == 0.95


def test_verdicts():
    worse, better = DIFFERENCES - 0.2, DIFFERENCES + 0.2
    assert [equivalence_test(values, margin=0.05).verdict for values in (DIFFERENCES, worse, better)] == [
        "equivalent",
        "not equivalent",
        "not equivalent",
    ]
    assert [non_inferiority_test(values, margin=0.05).verdict for values in (DIFFERENCES, worse, better)] == [
        "non-inferior",
        "inferior",
        "non-inferior",
    ]
    for test in (equivalence_test, non_inferiority_test):
        noisy = test(DIFFERENCES[:3] * 10, margin=0.05)
        assert noisy.verdict == "inconclusive" and noisy.p_value > 0.05
        one = test([0.0], margin=0.05)
        assert (one.verdict, one.p_value, one.reason) == ("inconclusive", 1.0, "one difference has no spread")
        assert one.interval.low is None


def test_identical_runs_are_equivalent():
    assert equivalence_test([0.0] * 5, margin=0.01).verdict == "equivalent"
    assert non_inferiority_test([0.0] * 5, margin=0.01).verdict == "non-inferior"
    assert equivalence_test([0.02] * 5, margin=0.01).verdict == "not equivalent"
    assert non_inferiority_test([-0.02] * 5, margin=0.01).verdict == "inferior"


@pytest.mark.parametrize("margin", [0, -0.1, math.nan, math.inf, True, None, "0.1"])
def test_a_margin_is_declared_and_above_zero(margin):
    with pytest.raises(ValueError, match=r"margin=.* is not a number above 0"):
        equivalence_test(DIFFERENCES, margin=margin)


LABELS = [label for label in "abcdefghij" for _ in range(3)][:25]


def test_clusters_are_the_units_of_t_tests():
    """Clusters of one are no clusters, copies tell nothing new, and p is below .05 where the interval leaves out 0."""
    for test in (t_test, lambda values, **options: equivalence_test(values, margin=0.02, **options)):
        alone = test(DIFFERENCES, clusters=range(25))
        assert alone.p_value == pytest.approx(test(DIFFERENCES).p_value, rel=1e-9)
        copied = test(np.repeat(DIFFERENCES, 4), clusters=np.repeat(np.arange(25), 4).tolist())
        assert copied.p_value == pytest.approx(alone.p_value, rel=1e-9)
        assert test(np.repeat(DIFFERENCES, 4)).p_value < alone.p_value
        assert test(DIFFERENCES, clusters=["one"] * 25).reason == "all differences are in one cluster"
        assert test(DIFFERENCES, clusters=["one"] * 25).p_value == 1.0
    for shift in np.linspace(-0.05, 0.05, 21):
        found = t_interval(DIFFERENCES + shift, clusters=LABELS)
        outside = found.low > 0 or found.high < 0
        assert (t_test(DIFFERENCES + shift, clusters=LABELS).p_value < 0.05) == outside
        same = equivalence_test(DIFFERENCES + shift, margin=0.03, clusters=LABELS)
        assert (same.verdict == "equivalent") == (same.interval.low > -0.03 and same.interval.high < 0.03)
    with pytest.raises(ValueError, match="clusters: 25 labels were expected, found 2"):
        t_test(DIFFERENCES, clusters=["a", "b"])
