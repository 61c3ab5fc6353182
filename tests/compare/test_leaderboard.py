"""Many systems: standings, groups, and several comparisons with one baseline."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ndcg
from ndcg.comparison import adjust, max_t, sign_flip_test

from .building import VALUE, systems


def noisy(count, queries, seed=1):
    """Systems whose values differ in level by tenths, with noise shared by all."""
    rng = random.Random(seed)
    topic = [rng.random() for _ in range(queries)]
    return {
        f"s{at}": [round(0.2 * (at // 2) + 0.3 * level + 0.05 * rng.random(), 6) for level in topic]
        for at in range(count)
    }


def test_two_systems_share_a_letter_exactly_when_they_are_not_told_apart():
    judged, runs = systems(noisy(6, 25))
    board = ndcg.compare(judged, runs, VALUE, pairs="all", resamples=2_000).leaderboards[0]
    letters = {standing.run: set(standing.letters) for standing in board.standings}
    for pair in board.pairs():
        assert bool(letters[pair.better] & letters[pair.worse]) == (pair.p_value > 0.05)
        assert pair.difference >= 0 and board.p_value(pair.worse, pair.better) == pair.p_value
    assert len(board.pairs()) == 15 and [set(group) for group in board.groups] == [
        {"s4", "s5"},
        {"s2", "s3"},
        {"s0", "s1"},
    ]


def test_standings_are_by_mean_and_equal_means_share_a_place():
    judged, runs = systems({"low": [0.1, 0.2], "twin": [0.5, 0.6], "top": [0.9, 0.8], "other twin": [0.6, 0.5]})
    board = ndcg.compare(judged, runs, VALUE, pairs="all").leaderboards[0]
    assert [(standing.place, standing.run) for standing in board.standings] == [
        (1, "top"),
        (2, "twin"),
        (2, "other twin"),
        (4, "low"),
    ]
    assert board.standings[3].best == pytest.approx(0.15 - 0.85)


def test_a_leaderboard_counts_what_all_have_in_common_under_exclude():
    judged, runs = systems({"one": [0.1, 0.2, 0.9], "two": [0.5, 0.6, 0.1]})
    del runs["two"]["q2"]
    union = ndcg.compare(judged, runs, VALUE, pairs="all").leaderboards[0]
    common = ndcg.compare(judged, runs, VALUE.replace(")", ", missing=exclude)"), pairs="all").leaderboards[0]
    assert (union.over, union.queries, common.over, common.queries) == ("union", 3, "common", 2)
    assert [standing.run for standing in common.standings] == ["two", "one"]


def test_adjustment_is_over_every_comparison_of_the_call():
    judged, runs = systems(noisy(4, 12))
    found = ndcg.compare(judged, runs, VALUE)
    raw = [pair.p_value for pair in found.pairs]
    assert [pair.adjusted for pair in found.pairs] == list(adjust(raw, "holm").adjusted)
    assert found.adjusted.family == 3 and "Holm, 3 comparisons" in found.pair("s1").verdict.sentence
    plain = ndcg.compare(judged, runs, VALUE, adjust="none")
    assert [pair.adjusted for pair in plain.pairs] == raw
    bh = ndcg.compare(judged, runs, VALUE, adjust="bh")
    assert [pair.adjusted for pair in bh.pairs] == list(adjust(raw, "bh").adjusted)


def test_max_t_uses_all_comparisons_together():
    values = noisy(4, 12)
    judged, runs = systems(values)
    found = ndcg.compare(judged, runs, VALUE, adjust="max_t")
    columns = np.column_stack([np.subtract(values[name], values["s0"]) for name in ("s1", "s2", "s3")])
    assert [pair.adjusted for pair in found.pairs] == list(max_t(columns).adjusted)


def test_the_first_test_decides_and_all_are_told():
    values = noisy(2, 12)
    judged, runs = systems(values)
    pair = ndcg.compare(judged, runs, VALUE, tests=["t", "sign_flip"]).pair()
    assert pair.adjusted == pair.tests[0].p_value != pair.tests[1].p_value
    assert pair.tests[1] == sign_flip_test(np.subtract(values["s1"], values["s0"]))


def test_equivalence_and_non_inferiority():
    judged, runs = systems({"base": [0.5] * 8, "new": [0.5, 0.51, 0.5, 0.49, 0.5, 0.5, 0.51, 0.5]})
    found = ndcg.compare(judged, runs, VALUE, margin=0.02)
    assert found.pair().equivalence.verdict == "equivalent"
    assert found.pair().non_inferiority.verdict == "non-inferior"
    assert "equivalence with margin 0.02: equivalent" in str(found)
    assert ndcg.compare(judged, runs, VALUE).pair().equivalence is None


def test_latex_has_no_raw_specials():
    judged, runs = systems({"a_b&c": [0.1, 0.2], "50%": [0.5, 0.6]})
    for options in ({}, {"pairs": "all"}):
        text = ndcg.compare(judged, runs, VALUE, **options).to_latex()
        assert r"a\_b\&c" in text and r"50\%" in text
        assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1
        assert len({line.count("&") - line.count(r"\&") for line in text.splitlines() if line.endswith(r"\\")}) == 1


def test_many_runs_against_a_baseline_say_what_is_left_out():
    values = {f"s{at:02}": [at / 100, at / 100 + 0.1, at / 100 + 0.3] for at in range(14)}
    judged, runs = systems(values)
    found = ndcg.compare(judged, runs, VALUE, resamples=100)
    assert len(found.pairs) == 13 and found.pair("s01").overlap is None
    assert any("up to 12 systems" in warning for warning in found.warnings)
    assert found.pair("s01").pools.kind == "unknown" and "s13" in str(found)


def test_no_query_with_a_value_says_what_helps():
    empty = {"q1": {"a": 0}}
    runs = {"one": {"q1": {"a": 1.0}}, "two": {"q1": {"b": 1.0}}}
    with pytest.raises(ndcg.UsageError, match=r"no query has a value for all 2 systems; .*ndcg evaluate"):
        ndcg.compare(empty, runs, pairs="all")
    apart = {"q1": {"a": 1}, "q2": {"a": 1}}
    with pytest.raises(ndcg.UsageError, match="declare missing='zero'"):
        ndcg.compare(apart, {"one": {"q1": {"a": 1.0}}, "two": {"q2": {"a": 1.0}}}, pairs="all", missing="exclude")
