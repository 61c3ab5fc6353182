"""The order of the input moves no number, and no option is taken without being looked at."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ndcg
from ndcg.comparison import interval, pairwise_tests, sign_flip_test
from ndcg.comparison.several import max_t

from .building import VALUE, systems


def noisy(queries=40, names=("a", "b", "c"), seed=3):
    rng = random.Random(seed)
    return systems({name: [round(rng.random(), 3) for _ in range(queries)] for name in names})


def shuffled(judged, seed=1):
    order = list(judged)
    random.Random(seed).shuffle(order)
    return {query: judged[query] for query in order}


def test_the_order_of_the_judgments_moves_no_bit():
    judged, runs = noisy()
    weights = {query: 1 + at % 3 for at, query in enumerate(judged)}
    clusters = {query: str(at % 13) for at, query in enumerate(judged)}
    for options in ({}, {"clusters": clusters}, {"weights": weights}, {"adjust": "max_t"}):
        one = ndcg.compare(judged, runs, VALUE, resamples=500, flips=2_000, **options)
        other = ndcg.compare(shuffled(judged), runs, VALUE, resamples=500, flips=2_000, **options)
        for first, second in zip(one.pairs, other.pairs, strict=True):
            assert first.union == second.union and first.weighted == second.weighted
            assert first.tests == second.tests and first.adjusted == second.adjusted
    boards = [
        ndcg.compare(given, runs, VALUE, pairs="all", resamples=500).leaderboards[0].as_dict()
        for given in (judged, shuffled(judged))
    ]
    assert boards[0] == boards[1]


def test_the_interval_against_nothing_is_that_of_evaluate():
    judged, runs = noisy(names=("a",))
    runs["nothing"] = {query: {"unjudged": 1.0} for query in judged}
    found = ndcg.compare(judged, {"nothing": runs["nothing"], "a": runs["a"]}, VALUE, resamples=500).interval
    alone = ndcg.evaluate(judged, runs["a"], VALUE, interval={"method": "bca", "resamples": 500}).entries[0].interval
    assert (found.low, found.high) == (alone["low"], alone["high"])


def test_max_t_turns_the_signs_of_whole_clusters():
    judged, runs = noisy(24)
    clusters = {query: str(at % 8) for at, query in enumerate(judged)}
    found = ndcg.compare(judged, runs, VALUE, adjust="max_t", cluster=clusters)
    assert ndcg.compare(judged, runs, VALUE, adjust="max_t", clusters=clusters).as_dict() == found.as_dict()
    with pytest.raises(ndcg.UsageError, match="two names of one option"):
        ndcg.compare(judged, runs, VALUE, cluster=clusters, clusters=clusters)
    values = {name: [judged[query][name] for query in judged] for name in runs}
    sums = np.zeros((8, 2))
    for at in range(24):
        sums[at % 8] += [values["b"][at] - values["a"][at], values["c"][at] - values["a"][at]]
    assert [pair.adjusted for pair in found.pairs] == list(max_t(sums).adjusted)
    for at, pair in enumerate(found.pairs):
        assert pair.p_value == pytest.approx(sign_flip_test(sums[:, at]).p_value)
        assert pair.adjusted >= pair.p_value - 1e-12


def test_max_t_says_when_it_looks_at_fewer_queries():
    judged, runs = noisy(12)
    del runs["c"]["q0"]
    found = ndcg.compare(judged, runs, VALUE.replace(")", ", missing=exclude)"), adjust="max_t")
    told = "the adjusted p-value is of the 11 queries that all systems share"
    assert told in found.pair("b").notes and told not in found.pair("c").notes


def test_pairwise_tests_draw_as_often_and_from_the_seed_that_was_asked_for():
    judged, runs = noisy(names=("a", "b"))
    boards = [
        ndcg.compare(judged, runs, VALUE, pairs="all", adjust="holm", flips=700, seed=seed).leaderboards[0]
        for seed in (1, 2)
    ]
    assert [(board.tests.resamples, board.tests.seed) for board in boards] == [(700, 1), (700, 2)]
    assert boards[0].tests.adjusted != boards[1].tests.adjusted
    table = [[0.5, 0.4], [0.9, 0.2], [0.7, 0.6], [0.1, 0.3], [0.8, 0.1], [0.9, 0.3]]
    assert pairwise_tests(table, test="sign").adjusted != pairwise_tests(table, test="sign", tie_width=0.25).adjusted


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"pairs": "all", "clusters": {"q0": "x"}}, "cluster= is for comparisons with a baseline"),
        ({"pairs": "all", "margin": 0.1}, "margin= is for comparisons with a baseline"),
        ({"adjust": "max_t", "tests": ["wilcoxon", "sign_flip"]}, "made of sign flips"),
        ({"margin": 0.1, "level": 0.4}, "a level above 0.5"),
        ({"weights": {f"q{at}": 0 for at in range(40)}}, "every judged query weighs 0"),
    ],
)
def test_options_that_nothing_would_look_at_are_refused(options, told):
    judged, runs = noisy()
    with pytest.raises(ndcg.NdcgError, match=told):
        ndcg.compare(judged, runs, VALUE, **options)


def test_a_leaderboard_says_what_it_does_not_look_at():
    judged, runs = noisy()
    found = ndcg.compare(judged, runs, VALUE, pairs="all", tests="t", weights=dict.fromkeys(judged, 2.0), resamples=100)
    text = " ".join(str(found).split())
    assert "places and groups are by the macro mean" in text and "t was asked for and not made" in text
    assert "weighted difference" not in text


def test_weights_of_any_size_give_an_interval_or_say_why_not():
    values = [0.1, 0.9, 0.4]
    plain = interval(values, weights=[1, 2, 4], method="bca", resamples=200)
    for scale in (2.0**1000, 2.0**-1000):
        scaled = interval(values, weights=[scale, 2 * scale, 4 * scale], method="bca", resamples=200)
        assert (scaled.low, scaled.high, scaled.effective) == (plain.low, plain.high, plain.effective)
    found = interval(values, weights=[1.0, 1e-30, 1.0], method="percentile", resamples=200)
    assert found.low is None and found.high is None and "too far apart" in str(found.reason)


def test_power_refuses_options_that_a_plan_does_not_look_at():
    judged, runs = noisy()
    for options in ({"weights": dict.fromkeys(judged, 1.0)}, {"interval": True}, {"worst": 3}):
        with pytest.raises(ndcg.UsageError, match=f"{next(iter(options))}= has no effect"):
            ndcg.power(judged, runs, VALUE, **options)
