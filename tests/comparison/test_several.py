"""Several systems: Tukey's tests, maxT, pairs of paired tests, and letter groups."""

import math
from itertools import permutations, product

import numpy as np
import pytest
import scipy.stats

from ndcg.comparison import (
    compact_letters,
    draws,
    friedman_test,
    indistinguishable_groups,
    max_t,
    pairwise_tests,
    randomised_tukey_hsd,
    sign_flip_test,
    t_test,
    tukey_hsd,
)
from ndcg.comparison.draws import permuted_sums


def below(tests, alpha=0.05):
    return sum(p_value < alpha for p_value in tests.adjusted)


def test_561_pairs_of_trec_web_2013(web2013):
    """nDCG@20 of 34 runs on 50 topics: how many pairs each method finds at .05."""
    blocked = tukey_hsd(web2013)
    assert (blocked.family, below(blocked)) == (561, 71)
    assert sum(abs(difference) > blocked.critical_difference for difference in blocked.differences) == 71
    randomised = randomised_tukey_hsd(web2013)
    assert below(randomised) == 64 and (randomised.resamples, randomised.seed) == (10_000, 0)
    assert sum(abs(d) > randomised.critical_difference for d in randomised.differences) == 64
    assert [below(pairwise_tests(web2013, test="t", adjustment=how)) for how in ("none", "holm", "bh")] == [
        220,
        57,
        162,
    ]


def test_tukey_for_independent_samples_finds_far_less(web2013):
    """What `scipy.stats.tukey_hsd` tests, by its critical difference: 39 of the 561 pairs."""
    n, systems = web2013.shape
    within = web2013.var(axis=0, ddof=1).mean()
    critical = scipy.stats.studentized_range.ppf(0.95, systems, systems * (n - 1)) * math.sqrt(within / n)
    means = web2013.mean(axis=0)
    assert int((np.abs(means[:, None] - means)[np.triu_indices(systems, 1)] > critical).sum()) == 39


def test_two_systems_are_the_paired_tests():
    for seed in range(5):
        pair = np.random.default_rng(seed).random((8, 2))
        differences = pair[:, 0] - pair[:, 1]
        assert tukey_hsd(pair).adjusted[0] == pytest.approx(t_test(differences).p_value, rel=1e-9)
        assert randomised_tukey_hsd(pair).exact
        assert randomised_tukey_hsd(pair).adjusted[0] == sign_flip_test(differences).p_value
        assert max_t(differences[:, None]).adjusted[0] == sign_flip_test(differences).p_value


def test_counted_and_drawn_permutations():
    scores = np.random.default_rng(4).integers(0, 5, (4, 3)) / 4
    ranges = []
    for arrangement in product(permutations(range(3)), repeat=4):
        means = [sum(scores[q, order[s]] for q, order in enumerate(arrangement)) for s in range(3)]
        ranges.append(max(means) - min(means))
    assert len(ranges) == 1296
    means = scores.sum(axis=0)
    expected = [sum(r >= abs(means[i] - means[j]) for r in ranges) / 1296 for i, j in ((0, 1), (0, 2), (1, 2))]
    counted = randomised_tukey_hsd(scores)
    assert counted.exact and list(counted.adjusted) == pytest.approx(expected, abs=1e-15)
    drawn = randomised_tukey_hsd(scores, exact=False, resamples=20_000)
    assert list(drawn.adjusted) == pytest.approx(expected, abs=5 * math.sqrt(0.25 / 20_000))


def test_permuted_draws_do_not_depend_on_blocks():
    numbers = np.arange(60).reshape(12, 5) ** 2
    whole = np.concatenate(list(permuted_sums(numbers, 37, 3)))
    for block in (1, 100, 333):
        assert np.array_equal(np.concatenate(list(permuted_sums(numbers, 37, 3, block=block))), whole)
    assert np.array_equal(whole, documented(numbers, 37, 3))


def documented(numbers, resamples, seed):
    """The draws as `ndcg.comparison.draws` describes them: 256 resamples of each stream, the last cut short."""
    groups = []
    for group in range(math.ceil(resamples / 256)):
        stream = np.random.Generator(np.random.PCG64([seed, group]))
        places = stream.permuted(np.broadcast_to(np.arange(numbers.shape[1]), (256, *numbers.shape)), axis=2)
        groups.append(np.take_along_axis(np.broadcast_to(numbers, places.shape), places, axis=2).sum(axis=1))
    return np.concatenate(groups)[:resamples]


@pytest.mark.parametrize(("resamples", "systems"), [(256, 5), (257, 5), (700, 5), (1000, 200)])
def test_permuted_draws_are_groups_of_256_however_many_threads_draw_them(resamples, systems, monkeypatch):
    numbers = np.arange(12 * systems).reshape(12, systems) ** 2
    expected = documented(numbers, resamples, 7)
    assert len({tuple(row) for row in expected.tolist()}) == resamples
    for least in (1, 10**9):
        monkeypatch.setattr(draws, "WORTH_THREADS", least)
        for block in (1, draws.CACHED, 10**7):
            assert np.array_equal(np.concatenate(list(permuted_sums(numbers, resamples, 7, block=block))), expected)


def test_permutations_that_are_drawn_by_threads_find_what_counting_finds():
    scores = np.random.default_rng(6).integers(0, 5, (4, 3)) / 4
    expected = randomised_tukey_hsd(scores)
    drawn = randomised_tukey_hsd(scores, exact=False, resamples=200_000)
    assert 200_000 * scores.size > draws.WORTH_THREADS and expected.exact and not drawn.exact
    assert list(drawn.adjusted) == pytest.approx(expected.adjusted, abs=5 * math.sqrt(0.25 / 200_000))


def by_definition(differences, steps):
    """maxT from t statistics of every arrangement of signs, in plain numbers."""
    n, comparisons = differences.shape

    def t(columns):
        return np.abs(columns.mean(axis=0)) / (columns.std(axis=0, ddof=1) / math.sqrt(n))

    seen = t(differences)
    tables = np.array([t(differences * np.array(signs)[:, None]) for signs in product((-1, 1), repeat=n)])
    order = np.argsort(-seen)
    adjusted = np.zeros(comparisons)
    largest = 0.0
    for place, column in enumerate(order):
        family = order[place:] if steps == "step-down" else order
        share = (tables[:, family].max(axis=1) >= seen[column] - 1e-9).mean()
        largest = max(largest, share)
        adjusted[column] = largest
    return adjusted


@pytest.mark.parametrize("steps", ["step-down", "single-step"])
def test_max_t_by_its_definition(steps):
    differences = np.random.default_rng(7).normal(0.4, 1.0, (8, 4)) * np.array([1.0, 3.0, 0.1, 1.0])
    found = max_t(differences, steps=steps)
    assert found.exact and list(found.adjusted) == pytest.approx(by_definition(differences, steps), abs=1e-12)
    assert list(found.statistics) == pytest.approx([t_test(column).statistic for column in differences.T], rel=1e-9)
    assert list(found.p_values) == [sign_flip_test(column).p_value for column in differences.T]
    drawn = max_t(differences, steps=steps, exact=False, resamples=20_000)
    assert list(drawn.adjusted) == pytest.approx(found.adjusted, abs=0.02)


def test_max_t_of_correlated_systems_beats_holm(web2013):
    differences = web2013[:, 1:] - web2013[:, :1]
    stepped = max_t(differences, resamples=5_000)
    single = max_t(differences, resamples=5_000, steps="single-step")
    assert all(a <= b for a, b in zip(stepped.adjusted, single.adjusted, strict=True))
    assert all(raw <= one for raw, one in zip(stepped.p_values, stepped.adjusted, strict=True))
    assert min(stepped.adjusted) == 1 / 5_001
    greater = max_t(differences, resamples=5_000, alternative="greater")
    less = max_t(-differences, resamples=5_000, alternative="less")
    assert greater.adjusted == less.adjusted
    assert greater.adjusted != stepped.adjusted


def test_a_copy_of_a_system_changes_nothing_for_itself():
    scores = np.random.default_rng(2).random((9, 3))
    copied = np.column_stack([scores, scores[:, 0]])
    for test in (tukey_hsd, randomised_tukey_hsd, pairwise_tests):
        assert test(copied).p_value(0, 3) == test(copied).p_value(3, 0) == 1.0
    raw = [pairwise_tests(table, adjustment="none") for table in (scores, copied)]
    adjusted = [pairwise_tests(table) for table in (scores, copied)]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert raw[0].p_value(one, other) == raw[1].p_value(one, other)
        assert adjusted[0].p_value(one, other) <= adjusted[1].p_value(one, other)
    assert max_t(copied[:, 1:] - copied[:, :1]).adjusted[-1] == 1.0


def test_nothing_varies():
    same = [[0.3, 0.3], [0.7, 0.7]]
    shifted = [[0.3, 0.4], [0.7, 0.8]]
    assert tukey_hsd(same).adjusted == randomised_tukey_hsd(same).adjusted == (1.0,)
    assert tukey_hsd(shifted).adjusted == (0.0,) and tukey_hsd(shifted).reason == "no residual variance"
    assert tukey_hsd([[0.3, 0.4]]).adjusted == (1.0,) and tukey_hsd([[0.3, 0.4]]).reason
    assert max_t([[0.0, 0.0]]).adjusted == (1.0, 1.0)
    assert friedman_test([[0.1, 0.1, 0.1]] * 4).p_value == 1.0


def test_friedman_is_scipys(web2013):
    assert friedman_test(web2013[:, :5]).p_value == scipy.stats.friedmanchisquare(*web2013[:, :5].T).pvalue


def test_letters_say_what_the_p_values_say(web2013):
    for method in ("randomised_tukey", "sign_flip+holm", "t+bh"):
        found = indistinguishable_groups(web2013, method=method)
        for (one, other), p_value in zip(found.tests.pairs, found.tests.adjusted, strict=True):
            shared = set(found.letters[one]) & set(found.letters[other])
            assert bool(shared) == (p_value > 0.05)
        assert "a" in found.letters[found.order[0]]
        assert list(found.means) == pytest.approx(web2013.mean(axis=0), rel=1e-12)
        assert all(found.letters)
    assert [round(found.means[at], 4) for at in found.order[:3]] == [0.3100, 0.2820, 0.2594]


def test_letters_of_small_tables():
    assert compact_letters([[1.0]]) == ((0,),)
    assert compact_letters([[1, 0.01], [0.01, 1]], order=[1, 0]) == ((1,), (0,))
    assert compact_letters([[1, 0.05], [0.05, 1]]) == ((0,), (1,))
    assert compact_letters([[1, 0.051], [0.051, 1]]) == ((0, 1),)
    only = indistinguishable_groups([[0.4], [0.6]])
    assert only.letters == ("a",) and only.as_dict()["tests"]["family"] == 0


def test_what_cannot_be_counted():
    many = np.random.default_rng(0).random((60, 4))
    for call in (lambda: randomised_tukey_hsd(many, exact=True), lambda: max_t(many, exact=True)):
        with pytest.raises(ValueError, match="leave exact out to draw them"):
            call()
    with pytest.raises(ValueError, match=r"2\*\*60 arrangements of signs cannot be counted"):
        sign_flip_test(many[:, 0], exact=True)
    for call in (lambda: max_t(many, steps="stepdown"), lambda: pairwise_tests(many, test="tt")):
        with pytest.raises(ValueError, match="is not known; choose from"):
            call()
