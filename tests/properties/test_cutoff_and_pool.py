"""Properties of the cutoff, of unjudged documents and of the pool."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ndcg
from properties.cases import cases, score

FEW = settings(max_examples=150, deadline=None)
GRADES = st.lists(st.one_of(st.integers(0, 3), st.none()), min_size=1, max_size=8)
CUT = st.integers(1, 8)


def judged_of(grades):
    return [grade for grade in grades if grade is not None]


@given(GRADES, CUT, st.lists(st.integers(0, 3), max_size=4), st.data())
@FEW
def test_below_the_cut_nothing_counts(grades, k, missed, data):
    judged = [*judged_of(grades), *missed]
    value = ndcg.ndcg_at_k(grades, k=k, judged=judged)
    below = data.draw(st.permutations(grades[k:]))
    assert ndcg.ndcg_at_k([*grades[:k], *below], k=k, judged=judged) == value
    assert ndcg.ndcg_at_k(grades[:k], k=k, judged=judged) == value
    assert ndcg.ndcg_at_k([*grades[:k], *[None] * (k - len(grades)), None, None], k=k, judged=judged) == value


@given(GRADES, CUT, st.integers(0, 3))
@FEW
def test_appending_never_lowers(grades, k, more):
    judged = [*judged_of(grades), more]
    before, after = (ndcg.ndcg_at_k(listed, k=k, judged=judged) for listed in (grades, [*grades, more]))
    if before is not None:
        assert after >= before
        if more == 0 or len(grades) >= k:
            assert after == before


@given(GRADES, st.lists(st.integers(0, 3), max_size=4))
@FEW
def test_saturation(grades, missed):
    judged = [*judged_of(grades), *missed]
    start = max(len(grades), sum(grade > 0 for grade in judged), 1)
    assert len({ndcg.ndcg_at_k(grades, k=k, judged=judged) for k in (start, start + 1, start + 9, None)}) == 1


@given(GRADES)
@FEW
def test_dcg_and_ideal_grow_with_k(grades):
    for function in (ndcg.dcg_at_k, lambda listed, k: ndcg.ideal_dcg_at_k(judged_of(listed), k=k)):
        values = [function(grades, k=k) for k in range(1, 10)]
        assert values == sorted(values)


@given(GRADES, st.lists(st.integers(0, 3), max_size=4))
@FEW
def test_at_one_the_discount_is_nothing(grades, missed):
    judged = [*judged_of(grades), *missed]
    assume(any(judged))
    values = {
        ndcg.ndcg_at_k(grades, k=1, judged=judged, discount=discount)
        for discount in ("log2", "reciprocal", "none", "jarvelin(2)")
    }
    assert values == {(2.0 ** (grades[0] or 0) - 1) / (2.0 ** max(judged) - 1)}


@given(GRADES, CUT, st.integers(0, 7), st.lists(st.integers(0, 3), max_size=3))
@FEW
def test_an_unjudged_document_pushes_the_others_down(grades, k, at, missed):
    judged = [*judged_of(grades), *missed]
    at = min(at, len(grades))
    pushed = [*grades[:at], None, *grades[at:]]
    before, after = (ndcg.ndcg_at_k(listed, k=k, judged=judged) for listed in (grades, pushed))
    if before is not None:
        strictly = any(grade for grade in grades[at:k])
        assert (after < before) if strictly else (after == before)
        condensed = [ndcg.ndcg_at_k(listed, k=k, judged=judged, unjudged="skip") for listed in (grades, pushed)]
        assert condensed[0] == condensed[1] >= before


@given(GRADES, CUT, st.lists(st.integers(0, 3), max_size=3), st.integers(1, 4))
@FEW
def test_judging_a_document_that_was_not_returned(grades, k, missed, grade):
    judged = [*judged_of(grades), *missed]
    before = ndcg.ndcg_at_k(grades, k=k, judged=judged)
    assert ndcg.ndcg_at_k(grades, k=k, judged=[*judged, 0]) == before
    if before is None:
        return
    after = ndcg.ndcg_at_k(grades, k=k, judged=[*judged, grade])
    ideal = sorted((g for g in judged if g > 0), reverse=True)
    last = ideal[k - 1] if len(ideal) >= k else 0
    assert (after < before) if grade > last and before > 0 else (after == before)


@given(GRADES, CUT)
@FEW
def test_judging_a_returned_document_as_zero(grades, k):
    as_zero = [0 if grade is None else grade for grade in grades]
    assert ndcg.ndcg_at_k(grades, k=k, judged=judged_of(grades)) == ndcg.ndcg_at_k(as_zero, k=k, judged=as_zero)


@given(cases(), CUT)
@FEW
def test_ideal_of_the_returned_is_never_lower(case, k):
    judged, run = case
    by_judged, by_returned = (score(judged, run, ndcg.nDCG(k=k, ideal=ideal)) for ideal in ("judged", "returned"))
    for query, value in by_judged.items():
        if value:
            assert by_returned[query] >= value


@given(GRADES, CUT)
@FEW
def test_scaled_gains(grades, k):
    judged = judged_of(grades)
    assume(any(judged))
    tables = [{grade: factor * (2.0**grade - 1) for grade in range(4)} for factor in (1, 4, 0.125, 3)]
    values = [ndcg.ndcg_at_k(grades, k=k, judged=judged, gain=table) for table in tables]
    assert values[0] == values[1] == values[2] == ndcg.ndcg_at_k(grades, k=k, judged=judged)
    assert values[3] == pytest.approx(values[0], rel=1e-12)


@given(st.lists(st.integers(0, 1), min_size=1, max_size=8), CUT)
@FEW
def test_binary_grades_make_gains_equal(grades, k):
    assert ndcg.ndcg_at_k(grades, k=k, gain="linear") == ndcg.ndcg_at_k(grades, k=k, gain="exp2")


@given(st.lists(st.integers(0, 3), min_size=1, max_size=8), st.lists(st.integers(0, 3), min_size=1, max_size=8), CUT)
@FEW
def test_dcg_is_additive_and_the_ideal_sub_additive(first, second, k):
    size = min(len(first), len(second))
    first, second = first[:size], second[:size]
    both = [a + b for a, b in zip(first, second, strict=True)]
    linear = {"k": k, "gain": "linear"}
    assert ndcg.dcg_at_k(both, **linear) == pytest.approx(
        ndcg.dcg_at_k(first, **linear) + ndcg.dcg_at_k(second, **linear)
    )
    ideals = [ndcg.ideal_dcg_at_k(grades, **linear) for grades in (both, first, second)]
    assert ideals[0] <= ideals[1] + ideals[2] + 1e-12


@given(GRADES, CUT, st.lists(st.integers(0, 3), max_size=4))
@FEW
def test_range(grades, k, missed):
    value = ndcg.ndcg_at_k(grades, k=k, judged=[*judged_of(grades), *missed])
    assert value is None or 0 <= value <= 1


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([1.0, 2.0])), min_size=1, max_size=6), CUT)
@FEW
def test_expected_value_is_the_mean_over_all_orders(rows, k):
    judged = {"q": {f"d{n}": grade for n, (grade, _) in enumerate(rows)}}
    assume(any(judged["q"].values()))
    run = {"q": {f"d{n}": level for n, (_, level) in enumerate(rows)}}
    groups = [[doc for doc, level in run["q"].items() if level == wanted] for wanted in (2.0, 1.0)]
    orders = [
        [*first, *second] for first in itertools.permutations(groups[0]) for second in itertools.permutations(groups[1])
    ]
    values = [ndcg.evaluate(judged, {"q": order}, ndcg.nDCG(k=k)).value for order in orders[:240]]
    value = {ties: ndcg.evaluate(judged, run, ndcg.nDCG(k=k, ties=ties)).value for ties in ("average", "best", "worst")}
    if len(orders) <= 240:
        assert value["average"] == pytest.approx(math.fsum(values) / len(values), abs=1e-9)
        assert (value["worst"], value["best"]) == (pytest.approx(min(values)), pytest.approx(max(values)))
    assert value["worst"] - 1e-12 <= value["average"] <= value["best"] + 1e-12


@given(st.lists(st.integers(0, 3), min_size=1, max_size=7), CUT)
@FEW
def test_everything_tied(grades, k):
    run = {"q": dict.fromkeys(map(str, range(len(grades))), 1.0)}
    judged = {"q": {str(n): grade for n, grade in enumerate(grades)}}
    value = ndcg.evaluate(judged, run, ndcg.DCG(k=k, ties="average", empty="zero")).value
    mean = math.fsum(2.0**grade - 1 for grade in grades) / len(grades)
    assert value == pytest.approx(mean * sum(1 / math.log2(r + 1) for r in range(1, min(k, len(grades)) + 1)))


@given(st.integers(0, 3), st.integers(1, 6), st.integers(1, 6))
@FEW
def test_one_grade_or_below_the_cut_all_rules_agree(grade, size, k):
    judged = {"q": {"top": 2, **{f"d{n}": grade for n in range(size)}}}
    run = {"q": {"top": 2.0, **{f"d{n}": 1.0 for n in range(size)}}}
    values = [
        score(judged, run, ndcg.nDCG(k=k, ties=ties))["q"]
        for ties in ("docid", "docid_desc", "average", "best", "worst")
    ]
    assert values == [pytest.approx(values[0], abs=4e-16)] * 5


def test_not_properties():
    """Looks true, is not: the value may fall with k, and with a better grade."""
    judged = [3, 3, 2, 2, 2, 1]
    ranked = [2, 1, 2, 2, 3, 3]
    first, second = (ndcg.ndcg_at_k(ranked, k=k, judged=judged, gain="linear") for k in (1, 2))
    assert (first, second) == (pytest.approx(0.6667, abs=5e-5), pytest.approx(0.5377, abs=5e-5))
    before = ndcg.ndcg_at_k([2, 3, 0, 0, 2, 0], k=5, judged=[2, 3, 0, 0, 2, 0, 1], gain="linear")
    after = ndcg.ndcg_at_k([2, 3, 0, 0, 3, 0], k=5, judged=[2, 3, 0, 0, 3, 0, 1], gain="linear")
    assert (before, after) == (pytest.approx(0.8198, abs=5e-5), pytest.approx(0.7991, abs=5e-5))
