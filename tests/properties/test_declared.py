"""Properties of what is declared: ranks or scores, gains by a table, notation; and what looks like a property."""

from __future__ import annotations

import math

import pandas
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

import ndcg
import strategies
from properties.cases import DOCS, STANDARD, cases, score

FEW = settings(max_examples=60, deadline=None)


@given(cases(), st.sampled_from(STANDARD))
@FEW
def test_relabelled_documents_whose_order_stays(case, measure):
    """Ids that decide among equal scores may change as long as their order does not."""
    judged, run = case
    place = {doc: f"{number:02}é" for number, doc in enumerate(sorted(DOCS, key=str.encode))}

    def renamed(mapping):
        return {query: {place[doc]: number for doc, number in docs.items()} for query, docs in mapping.items()}

    assert score(judged, run, measure) == score(renamed(judged), renamed(run), measure)


@given(cases(), st.sampled_from(STANDARD), st.randoms(use_true_random=False))
@FEW
def test_relabelled_documents_of_distinct_scores(case, measure, random):
    judged, run = case
    names = [f"n{number}" for number in range(len(DOCS))]
    random.shuffle(names)
    place = dict(zip(DOCS, names, strict=True))
    distinct = {query: {doc: float(at) for at, doc in enumerate(docs)} for query, docs in run.items()}

    def renamed(mapping):
        return {query: {place[doc]: number for doc, number in docs.items()} for query, docs in mapping.items()}

    assert score(judged, distinct, measure) == score(renamed(judged), renamed(distinct), measure)


@given(st.permutations(["a", "b", "c", "d", "e"]), st.permutations([1, 2, 3, 4, 5]))
@settings(max_examples=15, deadline=None, phases=(Phase.explicit, Phase.generate))
def test_a_rank_counts_only_where_there_is_no_score(docs, ranks):
    judged = {"q": {"a": 3, "b": 1, "c": 2, "other": 2}}
    table = pandas.DataFrame({"query": "q", "doc": docs, "rank": ranks, "score": [5.0, 4.0, 3.0, 2.0, 1.0]})
    by_score = ndcg.evaluate(judged, table, "nDCG@5")
    assert by_score.value == ndcg.evaluate(judged, {"q": list(docs)}, "nDCG@5").value
    assert (by_score.entries[0].counters.disagreements == 0) == (list(ranks) == sorted(ranks))
    by_rank = ndcg.evaluate(judged, table.drop(columns="score"), "nDCG@5")
    ordered = [doc for _, doc in sorted(zip(ranks, docs, strict=True))]
    assert by_rank.value == ndcg.evaluate(judged, {"q": ordered}, "nDCG@5").value


@given(cases(), st.lists(st.sampled_from([0.0, 0.3, 1.0, 2.5, 7.0]), min_size=4, max_size=4), st.integers(1, 5))
@FEW
def test_a_gain_table_is_the_linear_gain_of_mapped_grades(case, gains, k):
    judged, run = case
    table = dict(enumerate(gains))
    mapped = {query: {doc: table[grade] for doc, grade in docs.items()} for query, docs in judged.items()}
    assert score(judged, run, ndcg.nDCG(k=k, gain=table)) == score(mapped, run, ndcg.nDCG(k=k, gain="linear"))


@given(
    st.lists(st.sampled_from([0, 0.5, 1, 2, 3, 7]), min_size=1, max_size=9),
    st.sampled_from(["exp2", "linear"]),
    st.sampled_from(["log2", "jarvelin(2)", "jarvelin(3)", "reciprocal", "none"]),
    st.one_of(st.none(), st.integers(1, 12)),
)
@FEW
def test_the_ideal_ranking_scores_exactly_1(grades, gain, discount, k):
    assume(any(grades))
    best = sorted(grades, reverse=True)
    assert ndcg.ndcg_at_k(best, k=k, judged=grades, gain=gain, discount=discount) == 1.0


@given(cases(), st.sampled_from(["nDCG@3", "nDCG(empty=zero)@2", "nDCG(missing=exclude)"]), st.data())
@FEW
def test_leaving_out_one_query_moves_the_mean_by_its_share(case, measure, data):
    judged, run = case
    whole = ndcg.evaluate(judged, run, measure)
    values = {row.query: row.value for row in whole.per_query if row.value is not None}
    assume(len(values) > 1)
    query = data.draw(st.sampled_from(sorted(values)))
    rest = {other: grades for other, grades in judged.items() if other != query}
    assume(any(other in run for other in rest))
    n, mean = len(values), whole.value
    assert ndcg.evaluate(rest, run, measure).value == pytest.approx((n * mean - values[query]) / (n - 1), abs=1e-12)


@given(strategies.conventions, strategies.habits, strategies.names, strategies.cutoffs)
@settings(max_examples=200, deadline=None)
def test_a_measure_prints_as_what_parses_back(chosen, foreign, name, k):
    for options in (chosen, strategies.with_habits(chosen, foreign)):
        try:
            measure = getattr(ndcg, name)(k=k, **options)
        except ndcg.NdcgError:
            continue  # a combination that the measure refuses
        text = str(measure)
        assert ndcg.parse(text) == measure and hash(ndcg.parse(text)) == hash(measure)
        assert str(ndcg.parse(text)) == text


@given(st.dictionaries(st.sampled_from(DOCS), st.floats(-9, 9), min_size=1), st.randoms(use_true_random=False))
@FEW
def test_the_fingerprint_of_a_pool_sees_no_scores_and_no_order(pool, random):
    judged = {"q": dict.fromkeys(pool, 1)}
    other = {doc: random.random() for doc in random.sample(list(pool), len(pool))}
    run = {"q": {next(iter(pool)): 1.0}}
    prints = [
        ndcg.evaluate(judged, run, candidates=shape).fingerprints["candidates"]
        for shape in ({"q": pool}, {"q": other}, {"q": list(pool)})
    ]
    assert len(set(prints)) == 1
    assert ndcg.evaluate(judged, run, candidates={"q": [*pool, "more"]}).fingerprints["candidates"] != prints[0]


def test_the_range_has_its_conditions():
    """A document that counts twice and a loss that is kept leave 0 to 1; both must be asked for."""
    twice = ndcg.evaluate({"q": {"a": 1}}, {"q": ["a", "a"]}, "nDCG(duplicates=count)@2")
    assert twice.value == pytest.approx(1 + 1 / math.log2(3))
    assert ndcg.evaluate({"q": {"a": 1}}, {"q": ["a", "a"]}, "nDCG@2").value == 1.0
    loss = {"q": {"a": -1, "b": 2}}, {"q": ["a", "b"]}
    assert ndcg.evaluate(*loss, "nDCG(gain=linear, negative=keep)@1").value == -0.5
    assert ndcg.evaluate(*loss, "nDCG(gain=linear)@1").value == 0.0


def test_the_base_of_jarvelin_does_not_cancel():
    values = {ndcg.ndcg_at_k([1, 3, 0, 2], discount=f"jarvelin({base})") for base in (2, 3, 4)}
    assert len(values) == 3


def test_a_shift_of_all_gains_is_not_allowed():
    plain, shifted = ({grade: grade + more for grade in range(4)} for more in (0, 1))
    assert ndcg.ndcg_at_k([1, 3, 0, 2], gain=plain) != ndcg.ndcg_at_k([1, 3, 0, 2], gain=shifted)
