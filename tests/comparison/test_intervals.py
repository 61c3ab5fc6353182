"""Intervals against SciPy and plain resampling, and what must always hold."""

import math
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg.comparison import bootstrap_interval, bootstrap_intervals, effective_number, interval, t_interval
from ndcg.comparison.draws import bootstrap_sums

SKEWED = np.random.default_rng(8).exponential(0.2, 40)
GRID = np.round(SKEWED * 10) / 8
THREE = np.array([0.25, 0.5, 1.0])
"""Eighths have no rounding of their own, so that equal means are equal in every library."""


def generator(seed):
    return np.random.Generator(np.random.PCG64(seed))


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize("values", [SKEWED, THREE, GRID], ids=["skewed", "three", "grid"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_the_bootstrap_is_scipys(values, method, level):
    """The same draws from the same seed, so the same limits up to rounding."""
    expected = scipy.stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=999,
        confidence_level=level,
        method={"bca": "BCa"}.get(method, method),
        rng=generator(5),
    ).confidence_interval
    found = bootstrap_interval(values, method=method, level=level, resamples=999, seed=5)
    assert (found.low, found.high) == pytest.approx(tuple(expected), rel=1e-12)
    assert (found.method, found.level, found.resamples, found.seed, found.n) == (method, level, 999, 5, len(values))
    assert found.estimate == math.fsum(values) / len(values)


def test_means_that_are_equal_on_paper_are_ties():
    """Tenths are eighths scaled: without a tolerance rounding would move the ends of a BCa interval."""
    for values in (GRID, THREE):
        eighths = bootstrap_interval(values, resamples=999)
        tenths = bootstrap_interval(values * 0.8, resamples=999)
        assert (tenths.low, tenths.high) == pytest.approx((0.8 * eighths.low, 0.8 * eighths.high), rel=1e-12)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_the_t_interval_is_scipys(level):
    expected = scipy.stats.ttest_1samp(SKEWED, 0.0).confidence_interval(level)
    found = t_interval(SKEWED, level=level)
    assert (found.low, found.high) == pytest.approx(tuple(expected), rel=1e-12)
    assert (found.method, found.resamples, found.seed) == ("t", None, None)
    assert interval(SKEWED, level=level) == found == bootstrap_interval(SKEWED, method="t", level=level)


def test_resampled_sums_are_correctly_rounded_whatever_the_block():
    """Each sum is what math.fsum gives, so no order of additions, thread count or library can change it."""
    columns = np.random.default_rng(9).random((23, 3)) * np.array([1.0, 1e-9, 1e6])
    columns[:, 1] -= 5e-10
    sums = bootstrap_sums(columns, 50, 4)
    places = generator(4).integers(0, 23, size=(50, 23))
    expected = [[math.fsum(columns[row, column].tolist()) for column in range(3)] for row in places]
    assert sums.tolist() == expected
    for block in (1, 100, 500):
        assert bootstrap_sums(columns, 50, 4, block=block).tobytes() == sums.tobytes()


def test_many_systems_at_once_are_each_on_its_own():
    matrix = np.random.default_rng(10).random((30, 4))
    for method in ("bca", "percentile", "t"):
        together = bootstrap_intervals(matrix, method=method, resamples=500, seed=2)
        alone = tuple(bootstrap_interval(column, method=method, resamples=500, seed=2) for column in matrix.T)
        assert together == alone


def by_hand(values, weights, clusters, resamples, seed):
    """Resampled ratio estimates in plain Python."""
    labels = list(dict.fromkeys(clusters))
    members = [[at for at, label in enumerate(clusters) if label == one] for one in labels]
    means = []
    for row in generator(seed).integers(0, len(labels), size=(resamples, len(labels))):
        drawn = [at for cluster in row for at in members[cluster]]
        top = sum(Fraction(weights[at]) * Fraction(values[at]) for at in drawn)
        means.append(float(top / sum(Fraction(weights[at]) for at in drawn)))
    return means


WEIGHTS = [5.0, 1.0, 1.0, 2.0, 8.0, 1.0, 3.0, 1.0, 1.0]
LABELS = ["a", "b", "a", "c", "d", "c", "a", "e", "e"]
VALUES = [0.2, 0.9, 0.4, 0.4, 0.8, 0.0, 0.1, 1.0, 0.7]


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("clusters", [None, LABELS], ids=["queries", "clusters"])
def test_weights_and_clusters_are_resampled_together(weights, clusters):
    given_weights = weights or [1.0] * 9
    means = by_hand(VALUES, given_weights, clusters or list(range(9)), 300, 6)
    found = bootstrap_interval(VALUES, method="percentile", resamples=300, seed=6, weights=weights, clusters=clusters)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), rel=1e-12)
    expected = sum(w * v for w, v in zip(given_weights, VALUES, strict=True)) / sum(given_weights)
    assert found.estimate == pytest.approx(expected, rel=1e-15)
    assert found.clusters == (5 if clusters else None)
    assert found.effective == (pytest.approx(23**2 / 107) if weights else None)


def test_clusters_of_one_are_no_clusters_and_equal_weights_no_weights():
    plain = {method: interval(SKEWED, method=method, resamples=500) for method in ("t", "percentile", "bca")}
    for method, expected in plain.items():
        clustered = interval(SKEWED, method=method, resamples=500, clusters=range(40))
        weighted = interval(SKEWED, method=method, resamples=500, weights=[0.1] * 40)
        for found in (clustered, weighted):
            assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9)
        assert (clustered.clusters, weighted.effective) == (40, pytest.approx(40))


def test_clusters_of_copies_widen_the_interval():
    repeated = [value for value in SKEWED for _ in range(5)]
    labels = [at for at in range(40) for _ in range(5)]
    for method in ("t", "percentile", "bca"):
        naive, clustered = interval(repeated, method=method), interval(repeated, method=method, clusters=labels)
        single = interval(SKEWED, method=method)
        assert clustered.high - clustered.low > 2 * (naive.high - naive.low)
        assert (clustered.low, clustered.high) == pytest.approx((single.low, single.high), rel=1e-9)


def test_a_weight_of_zero_is_left_out():
    weights = [1.0] * 40 + [0.0]
    for method in ("t", "percentile", "bca"):
        without, with_it = (
            interval(values, method=method, resamples=400, weights=w)
            for values, w in ((SKEWED, weights[:40]), ([*SKEWED, 1e9], weights))
        )
        assert without == with_it and with_it.n == 40


def test_kish():
    assert effective_number([1, 1, 1, 1]) == 4.0
    assert effective_number([3, 0, 0]) == 1.0
    assert effective_number([2, 1]) == pytest.approx(9 / 5)
    assert effective_number([7, 3, 5]) == pytest.approx(effective_number([70, 30, 50]))


@pytest.mark.parametrize("method", ["t", "percentile", "bca"])
def test_no_interval_from_one_value(method):
    found = interval([0.4], method=method)
    assert (found.low, found.high, found.estimate, found.n) == (None, None, 0.4, 1)
    assert found.reason == "one value has no spread: an interval needs two"
    nothing = interval([], method=method)
    assert (nothing.low, nothing.estimate, nothing.reason) == (None, None, "there are no values")
    one_cluster = interval([0.4, 0.6], method=method, clusters=["a", "a"])
    assert (one_cluster.low, one_cluster.clusters) == (None, 1) and "one cluster" in one_cluster.reason
    assert interval([0.4, 0.6], method=method, weights=[1, 0]).reason == found.reason


@pytest.mark.parametrize("method", ["t", "percentile", "bca"])
def test_identical_values_have_an_interval_of_no_width(method):
    found = interval([0.3] * 7, method=method, resamples=100)
    assert found.low == found.estimate == found.high
    same = interval([0.0] * 7, method=method, resamples=100)
    assert (same.low, same.high) == (0.0, 0.0)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-8, 8), min_size=2, max_size=12), st.integers(-3, 3), st.sampled_from([-4, -1, 2]))
def test_shifting_and_scaling_moves_the_interval_along(whole, shift, scale):
    for method in ("t", "percentile"):
        plain = interval(whole, method=method, resamples=200)
        moved = interval([scale * value + shift for value in whole], method=method, resamples=200)
        expected = sorted(scale * limit + shift for limit in (plain.low, plain.high))
        assert [moved.low, moved.high] == pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert plain.low - 1e-12 <= plain.estimate <= plain.high + 1e-12


def test_more_queries_give_a_narrower_interval():
    widths = [found.high - found.low for n in (10, 20, 40) for found in [interval(np.tile(SKEWED[:10], n // 10))]]
    assert widths == sorted(widths, reverse=True)


def test_everything_travels_with_the_interval():
    found = bootstrap_interval(VALUES, level=0.9, resamples=50, seed=9, weights=WEIGHTS, clusters=LABELS).as_dict()
    assert {name: found[name] for name in ("level", "method", "resamples", "seed", "n", "clusters")} == {
        "level": 0.9,
        "method": "bca",
        "resamples": 50,
        "seed": 9,
        "n": 9,
        "clusters": 5,
    }


PROGRAM = """
import hashlib
import numpy as np
from ndcg.comparison.draws import bootstrap_sums, sign_flip_sums
scores = np.random.default_rng(1).random((2000, 10))
made = [bootstrap_sums(scores, 500, 3), bootstrap_sums(scores, 500, 3, block=70_001), sign_flip_sums(scores, 500, 3)]
print(hashlib.sha256(b"".join(table.tobytes() for table in made)).hexdigest())
"""


def test_neither_threads_nor_the_processor_change_a_bit():
    seen = set()
    for threads, processor in (("1", {}), ("2", {}), ("2", {"OPENBLAS_CORETYPE": "Nehalem"})):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, **processor}
        done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, env=environment, check=True)
        seen.add(done.stdout)
    assert len(seen) == 1


def test_tails_that_hold_no_resample_give_no_interval():
    found = bootstrap_interval(VALUES, level=0.999, resamples=1_999, method="percentile")
    assert found.low is None and found.high is None and "takes 2,000" in str(found.reason)
    assert bootstrap_interval(VALUES, level=0.999, resamples=2_000, method="percentile").low is not None
    assert bootstrap_interval(VALUES, level=0.95, resamples=40).low is not None
