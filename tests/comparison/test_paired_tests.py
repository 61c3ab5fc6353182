"""Paired tests against published values, counted arrangements and what must always hold."""

import math
import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from ndcg.comparison import bootstrap_test, sign_flip_test, sign_test, t_test, wilcoxon_test
from ndcg.comparison.draws import all_sign_flip_sums, sign_flip_sums

A = (25, 43, 39, 75, 43, 15, 20, 52, 49, 50)
B = (35, 84, 15, 75, 68, 85, 80, 50, 58, 75)
TEN = [b - a for a, b in zip(A, B, strict=True)]
"""The ten queries of Croft, Metzler and Strohman, chapter 8."""

ALL_TESTS = (sign_flip_test, t_test, wilcoxon_test, sign_test, bootstrap_test)


def enumerated(differences):
    """The exact two-sided p of the sign-flip test, from whole numbers."""
    seen = abs(sum(differences))
    sums = [abs(sum(s * d for s, d in zip(signs, differences, strict=True))) for signs in signs_of(len(differences))]
    return Fraction(sum(total >= seen for total in sums), len(sums))


def signs_of(n):
    return list(product((-1, 1), repeat=n))


def test_ten_queries_of_the_textbook():
    t = t_test(TEN, alternative="greater")
    assert (round(t.statistic, 4), round(t.p_value, 5)) == (2.3269, 0.02249)
    assert wilcoxon_test(TEN).statistic == 35.0
    assert round(sign_test(TEN, alternative="greater", zeros="keep").p_value, 4) == 0.1719
    assert round(sign_test(TEN, alternative="greater").p_value, 4) == 0.0898
    assert sign_flip_test(TEN).p_value == 48 / 1024
    assert sign_flip_test(TEN, alternative="greater").p_value == 24 / 1024
    assert enumerated(TEN) == Fraction(48, 1024)
    counted = scipy.stats.permutation_test((TEN,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert counted.pvalue == 48 / 1024


def test_trec8_to_the_last_printed_digit(trec8):
    """julian-urbano/sigir2019-statistical, README: systems 125 and 126, one-sided and two-sided."""
    shown = {
        t_test: ("0.0006596986", "0.0013193972"),
        wilcoxon_test: ("0.001722594", "0.003445188"),
    }
    for test, (one, two) in shown.items():
        assert f"{test(trec8, alternative='less').p_value:.{len(one) - 2}f}" == one
        assert f"{test(trec8).p_value:.{len(two) - 2}f}" == two
    # The exact distribution, SciPy's default, is another number.
    assert f"{wilcoxon_test(trec8, alternative='less', exact=True).p_value:.6f}" == "0.001448"
    signs = [sign_test(trec8, tie_width=0.01, alternative=side).p_value for side in ("less", "two-sided")]
    assert [f"{p_value:.9f}" for p_value in signs] == ["0.004779939", "0.009559879"]


def test_trec8_by_drawing(trec8):
    """The README's draws, 0.000603 and 0.001188, have no seed: ours must lie within four standard errors of both."""
    two = sign_flip_test(trec8, resamples=200_000)
    one = sign_flip_test(trec8, resamples=200_000, alternative="less")
    assert two.exact is False and (two.resamples, two.seed) == (200_000, 0)
    assert abs(two.p_value - 0.001188) < 4 * math.hypot(two.monte_carlo_error, math.sqrt(0.001188 / 1e6))
    assert abs(one.p_value - 0.000603) < 4 * math.hypot(one.monte_carlo_error, math.sqrt(0.000603 / 1e6))


def test_smuckers_sign_tests():
    """Smucker, Allan & Carterette 2007: 29 of 50 queries and 25 of 43."""
    assert round(sign_test([1] * 29 + [-1] * 21).p_value, 4) == 0.3222
    assert round(sign_test([1] * 25 + [-1] * 18).p_value, 4) == 0.3604


def test_sums_that_are_equal_on_paper_are_equal():
    six = [0.1 * d for d in (-3, -3, -3, 2, 1, 2)]
    assert sign_flip_test(six).p_value == 0.625
    assert enumerated(six) == 0.4375
    draw = random.Random(1)
    without_tolerance = 0
    for _ in range(300):
        whole = [draw.randint(-4, 4) for _ in range(draw.randint(2, 8))]
        tenths = [0.1 * d for d in whole]
        assert sign_flip_test(tenths).p_value == enumerated(whole)
        without_tolerance += enumerated(tenths) != enumerated(whole)
    assert without_tolerance == 54


def test_counting_and_drawing_agree_with_scipy():
    values = np.random.default_rng(3).normal(0.2, 1.0, 9)
    for alternative in ("two-sided", "greater", "less"):
        expected = scipy.stats.permutation_test(
            (values,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative=alternative
        ).pvalue
        assert sign_flip_test(values, alternative=alternative).p_value == pytest.approx(expected, abs=1e-15)
        drawn = sign_flip_test(values, alternative=alternative, exact=False)
        assert abs(drawn.p_value - expected) < 5 * drawn.monte_carlo_error


@pytest.mark.parametrize("n", [17, 30])
def test_halves_met_in_the_middle_are_all_arrangements(n):
    """Against the distribution of the sum of whole numbers, built by convolution."""
    draw = random.Random(n)
    whole = [draw.randint(1, 40) * draw.choice((-1, 1)) for _ in range(n)]
    ways = {0: 1}
    for number in whole:
        new = {}
        for total, count in ways.items():
            for sign in (-1, 1):
                new[total + sign * number] = new.get(total + sign * number, 0) + count
        ways = new
    seen = sum(whole)
    expected = Fraction(sum(count for total, count in ways.items() if abs(total) >= abs(seen)), 2**n)
    found = sign_flip_test(whole)
    assert found.exact and Fraction(found.p_value) == expected
    greater = Fraction(sum(count for total, count in ways.items() if total >= seen), 2**n)
    less = Fraction(sum(count for total, count in ways.items() if total <= seen), 2**n)
    assert Fraction(sign_flip_test(whole, alternative="greater").p_value) == greater
    assert Fraction(sign_flip_test(whole, alternative="less").p_value) == less


def test_drawn_signs_are_the_documented_bits():
    columns = np.random.default_rng(5).random((77, 2))
    words = np.random.PCG64(11).random_raw(20 * 2).reshape(20, 2)
    expected = [
        [sum(columns[i, c] * (1 if int(row[i // 64]) >> (i % 64) & 1 else -1) for i in range(77)) for c in range(2)]
        for row in words
    ]
    found = sign_flip_sums(columns, 20, 11)
    assert found == pytest.approx(np.array(expected), abs=1e-12)
    for block in (1, 17, 1000):
        assert sign_flip_sums(columns, 20, 11, block=block).tobytes() == found.tobytes()
    everything = np.concatenate(list(all_sign_flip_sums(columns[:9], block=33)))
    assert len(np.unique(everything[:, 0])) == 2**9


NUMBERS = st.lists(st.integers(-6, 6).map(lambda number: number / 8), min_size=1, max_size=12)


@settings(max_examples=60, deadline=None)
@given(NUMBERS, st.booleans())
def test_what_must_hold_of_every_sign_flip(differences, exact):
    found = sign_flip_test(differences, exact=exact, resamples=200)
    turned = sign_flip_test([-number for number in differences], exact=exact, resamples=200)
    assert turned.p_value == found.p_value and turned.statistic == -found.statistic
    assert sign_flip_test([4 * number for number in differences], exact=exact, resamples=200).p_value == found.p_value
    assert sign_flip_test([*differences, 0.0, 0.0], exact=exact, resamples=200).p_value == found.p_value
    used = sum(number != 0 for number in differences)
    assert 0 < found.p_value <= 1
    assert found.p_value >= (2 / 2**used if exact and used else 1 / 201)


@pytest.mark.parametrize("test", ALL_TESTS)
@pytest.mark.parametrize("n", [1, 2, 60])
def test_identical_runs(test, n):
    found = test([0.0] * n)
    assert found.p_value == 1.0 and found.statistic == 0.0 and found.n == n
    assert found.reason


@pytest.mark.parametrize("test", ALL_TESTS)
def test_one_difference_never_rejects(test):
    assert test([0.7]).p_value == 1.0


def test_equal_differences_have_no_spread():
    found = t_test([0.1] * 6)
    assert (found.p_value, found.statistic, found.reason) == (0.0, None, "the differences do not vary")
    assert t_test([0.1] * 6, alternative="less").p_value == 1.0
    assert sign_flip_test([0.1] * 6).p_value == 2 / 64
    assert found.as_dict()["statistic"] is None


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("n", [5, 49, 50])
def test_t_and_wilcoxon_as_scipy_and_r_have_them(alternative, n):
    values = np.random.default_rng(n).normal(0.1, 1.0, n)
    expected = scipy.stats.ttest_1samp(values, 0.0, alternative=alternative)
    found = t_test(values, alternative=alternative)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-12)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-12)
    ranks = wilcoxon_test(values, alternative=alternative)
    assert ranks.exact is (n < 50)
    method = {"method": "exact"} if n < 50 else {"method": "approx", "correction": True}
    assert ranks.p_value == scipy.stats.wilcoxon(values, alternative=alternative, **method).pvalue
    assert wilcoxon_test([*values, 0.0], alternative=alternative).exact is False


def test_bootstrap_test_agrees_with_t(trec8):
    assert bootstrap_test(trec8, resamples=20_000).p_value == pytest.approx(t_test(trec8).p_value, abs=0.002)
    less, greater = (bootstrap_test(trec8, resamples=2_000, alternative=side).p_value for side in ("less", "greater"))
    assert less < 0.01 and greater > 0.99


@pytest.mark.parametrize(("wins", "n"), [(0, 0), (3, 4), (700, 1300), (3600, 7000)])
def test_the_sign_test_is_binomial(wins, n):
    expected = scipy.stats.binomtest(wins, n).pvalue if n else 1.0
    found = sign_test([1.0] * wins + [-1.0] * (n - wins) + [0.0])
    assert found.p_value == pytest.approx(expected, rel=1e-9)
    assert (found.used, found.n) == (n, n + 1)
