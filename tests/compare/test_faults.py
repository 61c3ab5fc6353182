"""What other tools get wrong when they compare, each with the right value."""

from __future__ import annotations

import copy

import pytest

import ndcg
from ndcg.errors import UsageError

from .building import BASE, JUDGED, NEW, TEXTBOOK, VALUE, systems


def test_queries_are_paired_by_id_not_by_place():
    judged = {"q1": {"a": 1}, "q2": {"b": 1}}
    base = {"q1": {"a": 1.0, "b": 0.5}, "q2": {"b": 1.0, "a": 0.5}}
    new = {"q2": {"b": 1.0, "a": 0.5}, "q1": {"a": 1.0, "b": 0.5}}
    pair = ndcg.compare(judged, {"base": base, "new": new}).pair()
    assert pair.side.base == pair.side.new == 1.0 and pair.verdict.word == "identical"


def test_two_runs_of_one_name_are_an_error_not_one_row():
    with pytest.raises(UsageError, match="two runs have the same name"):
        ndcg.compare(JUDGED, {"1": BASE, 1: NEW})


@pytest.mark.parametrize("tests", ["sign_flip", "t", "wilcoxon", "sign"])
def test_identical_runs_have_difference_0_and_p_1(tests):
    pair = ndcg.compare(JUDGED, {"base": BASE, "new": copy.deepcopy(BASE)}, tests=tests).pair()
    assert pair.difference == 0 and pair.p_value == 1.0 and pair.adjusted == 1.0
    assert (pair.interval.low, pair.interval.high) == (0.0, 0.0)
    assert pair.side.outcome.ties == pair.side.queries == 4
    assert pair.verdict.word == "identical" and pair.overlap.identical == pair.overlap.queries
    assert pair.drivers.needed is None and pair.gains == pair.losses == ()


def test_p_is_never_0_and_the_same_for_the_same_seed():
    judged, runs = systems({"base": [0.0] * 60, "new": [0.5 + at / 1000 for at in range(60)]})
    first, again = (ndcg.compare(judged, runs, VALUE, seed=42, flips=5_000).pair() for _ in range(2))
    assert first.p_value == 1 / 5_001 and first == again


def test_inputs_are_left_as_they_were():
    judged, base, new = copy.deepcopy((JUDGED, BASE, NEW))
    ndcg.compare(judged, {"base": base, "new": new})
    assert (judged, base, new) == (JUDGED, BASE, NEW)


def test_rounding_does_not_change_the_exact_p():
    """0.1 * [-3, -3, -3, 2, 1, 2]: the exact p is 0.625; comparing floats without a tolerance gives 0.4375."""
    base = [0.3, 0.3, 0.3, 0.0, 0.0, 0.0]
    new = [base[at] + 0.1 * step for at, step in enumerate([-3, -3, -3, 2, 1, 2])]
    new = [max(0.0, value) for value in new]
    judged, runs = systems({"base": base, "new": new})
    assert ndcg.compare(judged, runs, VALUE).pair().p_value == 0.625


def test_one_query_has_no_interval_not_one_of_width_0():
    judged, runs = systems({"base": [0.2], "new": [0.4]})
    pair = ndcg.compare(judged, runs, VALUE).pair()
    assert pair.interval.low is None and "needs two" in pair.interval.reason
    assert pair.difference == 0.2 and pair.p_value == 1.0


def test_a_run_that_never_ran_is_flagged_before_any_score():
    """An arm whose searches all failed is no system that scores 0."""
    failed = dict.fromkeys(JUDGED)
    found = ndcg.compare(JUDGED, {"base": BASE, "failed": failed})
    (change,) = (one for one in found.shares["failed"] if one.status == "failed")
    assert (change.base, change.new, change.new_share) == (0, 5, 1.0)
    pair = found.pair()
    assert pair.difference is None and pair.verdict.word == "undefined" and pair.tests == ()
    assert str(found).startswith("traffic")


def test_an_unpaired_test_would_miss_what_the_paired_one_finds():
    """Queries differ far more than systems: pairing is the point."""
    base = [at / 10 for at in range(1, 13)]
    judged, runs = systems({"base": base, "new": [value + 0.01 for value in base]})
    pair = ndcg.compare(judged, runs, VALUE, tests="t").pair()
    assert pair.p_value < 1e-6 and pair.verdict.word == "higher"


def test_more_runs_than_letters():
    values = {f"run{at:02}": [at / 100, at / 100 + 0.1, at / 100 + 0.3] for at in range(30)}
    judged, runs = systems(values)
    found = ndcg.compare(judged, runs, VALUE, pairs="all", resamples=500)
    assert len(found.leaderboards[0].standings) == 30
    for text in (str(found), found.to_markdown(), found.to_latex(), found.to_csv()):
        assert all(f"run{at:02}" in text for at in range(30))


def test_what_is_not_in_common_is_listed():
    pair = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}).pair()
    (left,) = pair.unmatched
    assert (left.base_status, left.new_status, left.queries, left.in_union) == ("scored", "missing", ("q4",), True)


def test_a_relative_change_of_means_is_never_told():
    found = ndcg.compare(*systems(TEXTBOOK), VALUE)
    assert "relative" not in found.to_json() and "% better" not in str(found)
