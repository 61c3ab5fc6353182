"""How many queries, from data: the command's numbers, and what few queries are told."""

import csv
import io
import json
import math

import numpy as np
import pytest

import ndcg
from ndcg.comparison import (
    detectable_difference,
    plan_queries,
    power_of_paired_t,
    queries_needed,
    queries_needed_for_anova,
    reliability,
    sd_limits,
    sign_flip_test,
)
from ndcg.demo import JUDGMENTS, runs
from ndcg.reports.power import RENDERED, power_csv, power_markdown


@pytest.fixture(scope="module")
def report():
    return ndcg.power(JUDGMENTS, runs(), ["nDCG@10", "AP"], differences=[0.05, 0.1])


def test_every_number_is_that_of_the_plain_functions(report):
    result = ndcg.evaluate(JUDGMENTS, runs(), "nDCG@10")
    matrix = np.column_stack([entry.rows.value[entry.rows.counted] for entry in result.entries])
    plan = report.plan("nDCG@10")
    assert (plan.queries, plan.left_out, len(plan.pairs)) == (len(matrix), 0, 6)
    assert list(plan.means) == [entry.value for entry in result.entries]
    differences = matrix[:, 0] - matrix[:, 1]
    pair = plan.pairs[0]
    sd = differences.std(ddof=1)
    assert (pair.sd, pair.difference) == (pytest.approx(sd), pytest.approx(differences.mean()))
    assert pair.detectable == pytest.approx(detectable_difference(len(matrix), sd).difference)
    assert [needed.queries for needed in pair.needed] == [queries_needed(size, sd).queries for size in (0.05, 0.1)]
    assert [needed.low for needed in pair.needed] == [queries_needed(d, pair.sd_low).queries for d in (0.05, 0.1)]
    assert all(needed.low < needed.queries < needed.high for needed in pair.needed)
    assert pair.changed == np.count_nonzero(differences)
    assert power_of_paired_t(len(matrix), pair.detectable, sd).power == pytest.approx(0.8)
    one_way, blocked = plan.systems
    assert one_way.variance == pytest.approx(matrix.var(axis=0, ddof=1).mean())
    rest = matrix - matrix.mean(axis=1, keepdims=True) - matrix.mean(axis=0) + matrix.mean()
    assert blocked.variance == pytest.approx((rest**2).sum() / (60 * 3))
    assert one_way.needed[0].queries == queries_needed_for_anova(0.05, variance=one_way.variance, systems=4).queries
    assert blocked.needed[1].queries == (
        queries_needed_for_anova(0.1, variance=blocked.variance, systems=4, blocked=True).queries
    )
    assert plan.reliability == reliability(matrix)


def test_two_systems_have_no_analysis_of_variance_of_their_own():
    plan = plan_queries(np.random.default_rng(0).random((30, 2)))
    assert plan.systems == () and plan.reliability is not None and len(plan.pairs) == 1


def test_limits_of_a_standard_deviation_hold_it():
    samples = np.random.default_rng(31).normal(0, 2.0, (1000, 12))
    held = [low <= 2.0 <= high for low, high in (sd_limits(values.std(ddof=1), 12) for values in samples)]
    assert 930 <= sum(held) <= 970


def test_one_run_is_planned_against_an_independent_one():
    values = np.random.default_rng(32).random(40)
    plan = plan_queries(values[:, None], runs=["bm25"])
    (pair,) = plan.pairs
    assert pair.assumed and (pair.second, pair.difference, pair.least_p) == ("another", None, None)
    assert pair.sd == pytest.approx(math.sqrt(2) * values.std(ddof=1))
    assert "one run shows no differences" in plan.notes[0] and plan.reliability is None


def test_a_dozen_queries_are_told_so():
    draw = np.random.default_rng(33)
    plan = plan_queries(draw.random((12, 2)), differences=[0.05])
    assert any("12 queries give a rough standard deviation" in note for note in plan.notes)
    needed = plan.pairs[0].needed[0]
    assert needed.high > 4 * needed.low
    matrix = np.full((12, 2), 0.5)
    matrix[:4, 1] = 0.7, 0.9, 0.8, 0.6
    plan = plan_queries(matrix)
    assert plan.pairs[0].least_p == sign_flip_test(matrix[:, 1] - matrix[:, 0]).p_value == 2 / 16
    assert any("differ on 4 queries only" in note and "below 0.125" in note for note in plan.notes)
    assert any("above 1 means" in note for note in plan_queries([[0, 1], [1, 0.5], [0.2, 0]]).notes)


@pytest.mark.parametrize("n", [0, 1])
def test_no_variance_no_plan(n):
    plan = plan_queries([[0.2, 0.5]] * n, runs=["a", "b"], differences=[0.1])
    assert [needed.queries for needed in plan.pairs[0].needed] == [None] and plan.reliability is None
    assert "no variance, so nothing can be planned" in plan.notes[0]


def test_equal_runs_have_no_plan():
    plan = plan_queries([[0.2, 0.2], [0.8, 0.8], [0.4, 0.4]], runs=["a", "b"])
    assert plan.pairs[0].detectable is None and plan.pairs[0].needed[0].queries is None
    assert "a and b are equal on every query: there is no variance to plan with" in plan.notes


def test_only_queries_in_common_and_the_others_counted():
    judged = {f"q{n}": {"A": 1, "B": 2} for n in range(6)}
    one = {query: {"A": 1.0} for query in judged}
    other = {query: {"A": 1.0, "B": float(n)} for n, query in enumerate(judged) if n < 4}
    plan = ndcg.power(judged, {"one": one, "other": other}, missing="exclude").plan()
    assert (plan.queries, plan.left_out) == (4, 2)
    assert "2 with one in some runs only left out" in str(ndcg.power(judged, {"a": one, "b": other}, missing="exclude"))
    assert ndcg.power(judged, {"one": one, "other": other}).plan().queries == 6


def test_a_result_is_taken_as_it_is(report):
    again = ndcg.power(report.result, differences=[0.05, 0.1])
    assert again.plans == report.plans
    with pytest.raises(ValueError, match="a Result is scored already"):
        ndcg.power(report.result, ties="average")
    with pytest.raises(ValueError, match="2 plans match"):
        report.plan()


def test_measures_that_are_no_mean_are_refused():
    with pytest.raises(ValueError, match="GMAP is no mean over queries"):
        ndcg.power(JUDGMENTS, runs(), "GMAP")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"differences": [0]}, "difference=0 is not a number above 0"),
        ({"differences": []}, "differences= is empty"),
        ({"power": 0.01}, "power=0.01 is not above alpha=0.05"),
        ({"alpha": 5}, "alpha=5 is not a number between 0 and 1"),
        ({"target": 1}, "target=1 is not"),
    ],
)
def test_questions_that_make_no_sense(options, words):
    with pytest.raises(ValueError, match=words):
        plan_queries([[0.1, 0.2], [0.5, 0.4]], **options)


def test_every_rendering_says_the_same(report):
    document = json.loads(report.to_json())
    assert document["plans"][0]["pairs"][0]["needed"][0]["queries"] == report.plans[0].pairs[0].needed[0].queries
    rows = list(csv.DictReader(io.StringIO(power_csv(report))))
    assert len(rows) == 2 * (6 + 2) * 2
    assert float(rows[0]["sd"]) == report.plans[0].pairs[0].sd
    text, markdown = str(report), power_markdown(report)
    for pair in report.plans[1].pairs:
        for shown in (text, markdown):
            assert f"{pair.detectable:.4f}" in shown and f"{pair.needed[0].queries:,}" in shown
    assert set(RENDERED) == {"table", "json", "csv", "md"}


def test_many_pairs_are_shown_by_their_spread():
    plan = plan_queries(np.random.default_rng(34).random((25, 6)))
    from ndcg.reports.power import pair_table, pairs_shown

    shown = pairs_shown(plan)
    spreads = sorted(pair.sd for pair in plan.pairs)
    assert len(shown) == 5 and [shown[0].sd, shown[-1].sd] == [spreads[0], spreads[-1]]
    assert "5 of 15 pairs" in pair_table(plan)[2]


def test_one_run_of_equal_values_says_why_there_is_no_plan():
    plan = plan_queries([[1.0]] * 25)
    assert plan.pairs[0].detectable is None
    assert any("has the same value on every query" in note for note in plan.notes)


@pytest.mark.parametrize("differences", [0.1, "0.1"])
def test_differences_are_a_list(differences):
    with pytest.raises(ndcg.UsageError, match="differences= is a list of numbers"):
        plan_queries([[0.1, 0.2], [0.3, 0.1]], differences=differences)
