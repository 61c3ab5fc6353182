"""Properties of order and identity: what must not change a bit, and what must change by an exact amount."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ndcg
from properties.cases import STANDARD, cases, per_query, score

FEW = settings(max_examples=120, deadline=None)


@given(cases(), st.sampled_from(STANDARD), st.randoms(use_true_random=False))
@FEW
def test_row_order_changes_no_bit(case, measure, random):
    judged, run = case

    def shuffled(mapping):
        queries = list(mapping.items())
        random.shuffle(queries)
        return {query: dict(random.sample(list(docs.items()), len(docs))) for query, docs in queries}

    first, second = ndcg.evaluate(judged, run, measure), ndcg.evaluate(shuffled(judged), shuffled(run), measure)
    assert per_query(first) == per_query(second)
    assert first.value == second.value


@given(cases(), st.sampled_from(STANDARD))
@FEW
def test_relabelled_queries(case, measure):
    judged, run = case
    label = {query: f"z{number}" for number, query in enumerate(sorted({*judged, *run}, reverse=True))}
    renamed = ndcg.evaluate(
        {label[query]: docs for query, docs in judged.items()},
        {label[query]: docs for query, docs in run.items()},
        measure,
    )
    original = ndcg.evaluate(judged, run, measure)
    assert {label[query]: row for query, row in per_query(original).items()} == per_query(renamed)
    assert original.value == renamed.value


@given(cases(), st.sampled_from(["average", "best", "worst"]), st.integers(1, 6))
@FEW
def test_relabelled_documents_under_rules_without_ids(case, ties, k):
    judged, run = case

    def renamed(mapping):
        return {query: {doc[::-1] + "x": number for doc, number in docs.items()} for query, docs in mapping.items()}

    measure = ndcg.nDCG(k=k, ties=ties)
    assert score(judged, run, measure) == score(renamed(judged), renamed(run), measure)


@given(cases(), st.sampled_from(STANDARD))
@FEW
def test_strictly_increasing_score_transform(case, measure):
    judged, run = case
    levels = sorted({number + 0.0 for docs in run.values() for number in docs.values()})
    place = {level: float(number) * 3 - 40 for number, level in enumerate(levels)}
    moved = {query: {doc: place[number + 0.0] for doc, number in docs.items()} for query, docs in run.items()}
    assert score(judged, run, measure) == score(judged, moved, measure)


def test_a_transform_that_merges_scores_may_change_the_value():
    judged, run = {"q": {"b": 1}}, {"q": {"b": 1 + 2**-52, "a": 1.0}}
    merged = {"q": {doc: number + 1e3 for doc, number in run["q"].items()}}
    assert (score(judged, run, "nDCG@1"), score(judged, merged, "nDCG@1")) == ({"q": 1.0}, {"q": 0.0})


@given(cases(), st.integers(1, 6))
@FEW
def test_scores_become_ranks(case, k):
    judged, run = case
    ordered = {query: sorted(docs, key=lambda doc: (-docs[doc], doc)) for query, docs in run.items()}
    ranks = {query: {doc: -place for place, doc in enumerate(docs)} for query, docs in ordered.items()}
    measure = ndcg.nDCG(k=k)
    assert score(judged, run, measure) == score(judged, ordered, measure) == score(judged, ranks, measure)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=8), st.integers(1, 8), st.data())
@FEW
def test_swapping_equal_grades_and_promoting(grades, k, data):
    assume(any(grades))
    i, j = sorted(data.draw(st.lists(st.integers(0, len(grades) - 1), min_size=2, max_size=2, unique=True)))
    swapped = list(grades)
    swapped[i], swapped[j] = swapped[j], swapped[i]
    before = ndcg.ndcg_at_k(grades, k=k, judged=grades)
    after = ndcg.ndcg_at_k(swapped, k=k, judged=grades)
    if grades[i] == grades[j]:
        assert before == after
        return
    if grades[j] < grades[i]:
        before, after, grades = after, before, swapped
    discount = [1 / math.log2(rank + 1) if rank <= k else 0.0 for rank in (i + 1, j + 1)]
    gains = [2.0 ** grades[at] - 1 for at in (i, j)]
    change = (gains[1] - gains[0]) * (discount[0] - discount[1]) / ndcg.ideal_dcg_at_k(grades, k=k)
    assert after - before == pytest.approx(change, abs=1e-12)
    assert (after > before) == (i + 1 <= k)


def test_swapping_the_first_two_ranks_under_jarvelin():
    assert ndcg.dcg_at_k([3, 1], discount="jarvelin(2)") == ndcg.dcg_at_k([1, 3], discount="jarvelin(2)")


@given(st.permutations([3, 2, 2, 1, 0, 0]), st.integers(1, 7))
@FEW
def test_ideal_is_the_maximum_and_its_reverse_the_minimum(grades, k):
    value = ndcg.ndcg_at_k(grades, k=k)
    best = ndcg.ndcg_at_k(sorted(grades, reverse=True), k=k)
    assert best == 1.0
    assert ndcg.ndcg_at_k(sorted(grades), k=k) <= value <= best


@given(cases(), st.sampled_from(STANDARD), st.integers(1, 4))
@FEW
def test_queries_in_parts(case, measure, cut):
    judged, run = case
    first = dict(list(judged.items())[:cut])
    second = dict(list(judged.items())[cut:])
    whole = ndcg.evaluate(judged, run, measure)
    parts = {}
    counted = []
    for part in (first, second):
        some = {query: run[query] for query in part if query in run}
        if some:
            result = ndcg.evaluate(part, some, measure)
            parts.update(per_query(result))
            counted += [row.value for row in result.per_query if row.value is not None]
        else:
            return
    assert {query: row for query, row in per_query(whole).items() if query in judged} == parts
    if counted:
        assert whole.value == math.fsum(counted) / len(counted)


@given(cases())
@FEW
def test_policies_for_empty_and_missing_queries(case):
    judged, run = case
    results = {
        (empty, missing): ndcg.evaluate(judged, run, ndcg.nDCG(k=3, empty=empty, missing=missing))
        for empty in ("exclude", "zero", "one")
        for missing in ("zero", "exclude")
    }
    queries = results["zero", "zero"].summary.queries
    total = len(judged)
    zero = results["zero", "zero"].value
    skipped = results["exclude", "zero"]
    if skipped.value is not None:
        assert total * zero == pytest.approx(skipped.summary.queries.counted * skipped.value, abs=1e-12)
    assert results["one", "zero"].value == pytest.approx(zero + queries.empty / total, abs=1e-12)
    common = results["exclude", "exclude"]
    if common.value is not None and skipped.value is not None:
        assert skipped.value * skipped.summary.queries.counted == pytest.approx(
            common.value * common.summary.queries.counted, abs=1e-12
        )
