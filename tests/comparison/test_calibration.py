"""On data without a difference, tests reject as often as they say, and intervals hold the mean as often as they say.

Every limit is the binomial one that a right method leaves with probability below 1e-4; the seeds are fixed.
"""

import numpy as np
import pytest
import scipy.stats

from ndcg.comparison import (
    benjamini_hochberg,
    bootstrap_intervals,
    equivalence_test,
    holm,
    interval,
    max_t,
    non_inferiority_test,
    pairwise_tests,
    randomised_tukey_hsd,
    sign_flip_test,
    sign_test,
    t_test,
    tukey_hsd,
    wilcoxon_test,
)

TRIES = 1000


def most(tries=TRIES, share=0.05):
    """The largest number of rejections that chance allows."""
    return scipy.stats.binom.ppf(1 - 1e-4, tries, share)


def least(tries=TRIES, share=0.05):
    return scipy.stats.binom.ppf(1e-4, tries, share)


@pytest.fixture(scope="module")
def flipped(web2013):
    """Differences of real systems with the sign of every topic turned at random: exactly no difference."""
    draw = np.random.default_rng(21)
    pairs = [draw.choice(34, 2, replace=False) for _ in range(TRIES)]
    return [(web2013[:, a] - web2013[:, b]) * draw.choice((-1, 1), 50) for a, b in pairs]


@pytest.mark.parametrize("test", [t_test, wilcoxon_test, sign_test, sign_flip_test], ids=lambda test: test.__name__)
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_real_differences_turned_at_random(flipped, test, alternative):
    options = {"resamples": 999} if test is sign_flip_test else {}
    rejected = sum(test(values, alternative=alternative, **options).p_value <= 0.05 for values in flipped)
    # The sign test has few possible p-values and stays below its level.
    assert (10 if test is sign_test else least()) <= rejected <= most()


@pytest.mark.parametrize("n", [6, 12, 20])
@pytest.mark.parametrize("test", [t_test, sign_flip_test], ids=lambda test: test.__name__)
def test_few_queries(test, n):
    samples = np.random.default_rng(n).normal(0, 1, (TRIES, n))
    rejected = sum(test(values).p_value <= 0.05 for values in samples)
    assert least(share=0.03 if n == 6 else 0.05) <= rejected <= most()


def test_p_values_of_counted_sign_flips_are_uniform(flipped):
    p_values = [sign_flip_test(values[:12]).p_value for values in flipped]
    for level in (0.01, 0.1, 0.25, 0.5, 0.9):
        assert sum(p_value <= level for p_value in p_values) <= most(share=level)


@pytest.fixture(scope="module")
def families(web2013):
    """Five real systems whose values are permuted inside every topic: no system differs."""
    draw = np.random.default_rng(22)
    tables = []
    for _ in range(400):
        table = web2013[draw.choice(50, 15, replace=False)][:, draw.choice(34, 5, replace=False)]
        tables.append(draw.permuted(table, axis=1))
    return tables


@pytest.mark.parametrize(
    "smallest",
    [
        lambda table: min(randomised_tukey_hsd(table, resamples=499).adjusted),
        lambda table: min(max_t(table[:, 1:] - table[:, :1], resamples=499, exact=False).adjusted),
        lambda table: min(holm([t_test(table[:, 0] - table[:, at]).p_value for at in range(1, 5)]).adjusted),
        lambda table: min(
            benjamini_hochberg([t_test(table[:, 0] - table[:, at]).p_value for at in range(1, 5)]).adjusted
        ),
        lambda table: min(pairwise_tests(table, test="t").adjusted),
    ],
    ids=["randomised Tukey", "maxT", "Holm", "BH", "all pairs, Holm"],
)
def test_one_false_rejection_in_a_family_is_as_rare_as_one_test(families, smallest):
    rejected = sum(smallest(table) <= 0.05 for table in families)
    assert 2 <= rejected <= most(len(families))


def test_blocked_tukey_keeps_its_level():
    draw = np.random.default_rng(23)
    tables = draw.normal(0, 1, (100, 10, 3)) + draw.normal(0, 3, (100, 10, 1))
    rejected = sum(max(map(abs, found.differences)) > found.critical_difference for found in map(tukey_hsd, tables))
    assert least(100) <= rejected <= most(100)


def test_without_adjustment_a_family_rejects_too_often(families):
    """What the adjustments are for."""
    tests = [pairwise_tests(table, test="t", adjustment="none") for table in families]
    assert sum(min(found.adjusted) <= 0.05 for found in tests) > 2 * most(len(families))


@pytest.mark.parametrize("test", [equivalence_test, non_inferiority_test])
def test_a_difference_at_the_margin_is_rarely_called_inside(test):
    samples = np.random.default_rng(24).normal(-0.05, 0.08, (TRIES, 30))
    rejected = sum(test(values, margin=0.05).verdict in ("equivalent", "non-inferior") for values in samples)
    assert least() <= rejected <= most()


COLLECTIONS = ("web2010_ndcg20", "web2011_ndcg20", "web2012_ndcg20", "web2013_ndcg20", "adhoc8_ap")


def held_by(matrix_of, method, n, tries=600):
    """The share of intervals that hold the mean: topics drawn from five real collections, whose mean is the truth.

    Pairs are of the better three quarters of the systems, as studies of such data take them.
    """
    draw = np.random.default_rng(25)
    held = 0
    for scores in map(matrix_of, COLLECTIONS):
        better = np.argsort(-scores.mean(axis=0))[: scores.shape[1] * 3 // 4]
        for _ in range(tries):
            one, other = draw.choice(better, 2, replace=False)
            differences = scores[:, one] - scores[:, other]
            sample = differences[draw.integers(0, len(differences), n)]
            found = interval(sample, method=method, resamples=400)
            held += found.low - 1e-12 <= differences.mean() <= found.high + 1e-12
    return held / (tries * len(COLLECTIONS))


@pytest.mark.parametrize("n", [10, 20, 50, 100])
def test_t_intervals_of_real_differences_hold_the_mean(matrix_of, n):
    assert 0.93 <= held_by(matrix_of, "t", n) <= 0.97


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bootstrap_intervals_of_a_hundred_real_differences_hold_the_mean(matrix_of, method):
    assert 0.93 <= held_by(matrix_of, method, 100) <= 0.97


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bootstrap_intervals_of_few_queries_hold_less_than_they_say(matrix_of, method):
    """As the documentation says; a change here changes that sentence."""
    assert 0.88 <= held_by(matrix_of, method, 20, tries=300) <= 0.92
    assert 0.92 <= held_by(matrix_of, method, 50, tries=300) <= 0.94


def test_clustered_intervals_hold_the_mean_where_others_do_not():
    draw = np.random.default_rng(26)
    labels = np.repeat(np.arange(30), 4)
    held = {"clusters": 0, "queries": 0}
    for _ in range(400):
        values = np.repeat(draw.normal(0, 1, 30), 4) + draw.normal(0, 0.5, 120)
        for name, clusters in (("clusters", labels), ("queries", None)):
            found = interval(values, method="percentile", resamples=400, clusters=clusters)
            held[name] += found.low <= 0 <= found.high
    assert 0.90 * 400 <= held["clusters"] <= 0.97 * 400
    assert held["queries"] < 0.80 * 400


def test_t_tests_of_clusters_keep_their_level_where_others_do_not():
    draw = np.random.default_rng(29)
    labels = np.repeat(np.arange(20), 4).tolist()
    rejected = {"clusters": 0, "queries": 0, "inside": 0}
    for _ in range(TRIES):
        values = np.repeat(draw.normal(0, 1, 20), 4) + draw.normal(0, 0.5, 80)
        rejected["clusters"] += t_test(values, clusters=labels).p_value <= 0.05
        rejected["queries"] += t_test(values).p_value <= 0.05
        rejected["inside"] += non_inferiority_test(values - 0.5, margin=0.5, clusters=labels).verdict == "non-inferior"
    assert least() <= rejected["clusters"] <= most() and least() <= rejected["inside"] <= most()
    assert rejected["queries"] > 4 * most()


def test_weighted_intervals_hold_the_weighted_mean():
    """Traffic weights that go with the values: the ratio is resampled, not the values alone."""
    draw = np.random.default_rng(27)
    held = {"t": 0, "bca": 0}
    for _ in range(400):
        weights = draw.uniform(0.0, 2.0, 60)
        values = 0.3 * weights + draw.normal(0, 0.2, 60)
        truth = 0.3 * (1.0 + 4.0 / 12.0)
        for method in held:
            found = interval(values, method=method, resamples=400, weights=weights)
            held[method] += found.low <= truth <= found.high
    assert all(0.91 * 400 <= count <= 0.98 * 400 for count in held.values()), held


def test_many_systems_have_the_coverage_of_one():
    samples = np.random.default_rng(28).normal(0, 1, (30, TRIES))
    found = bootstrap_intervals(samples, resamples=1000)
    assert 0.91 * TRIES <= sum(one.low <= 0 <= one.high for one in found) <= 0.97 * TRIES
