"""pytrec_eval (trec_eval 9.0.8 inside) on the same dicts: its numbers to the last bit, where it has the measure."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ndcg
from ndcg.measures import trec_names
from ndcg.measures.registry import family_named

pytrec_eval = pytest.importorskip("pytrec_eval")

HABITS = {"ties": "docid_desc", "empty": "zero", "missing": "exclude", "score_type": "float32"}
SPECIAL = {"runid", "relstring", "num_q"}
NEAR = {"rbp_resid"}

docs = st.sampled_from(["a", "b", "c", "10", "9", "é", "z", "d1", "d2", "d3"])
qrels = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(docs, st.sampled_from([0, 0, 1, 1, 2, 3]), min_size=1, max_size=8),
    min_size=1,
)
scored = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q9"]),
    st.dictionaries(docs, st.sampled_from([0.0, 1.0, 1.0, 2.0, 0.5, 0.9, 16777216.0, 16777217.0]), min_size=1),
    min_size=1,
)


def theirs(judged, results, level, skip):
    names = set(pytrec_eval.supported_measures)
    evaluator = pytrec_eval.RelevanceEvaluator(judged, names, relevance_level=level, judged_docs_only_flag=skip)
    return evaluator.evaluate(results)


def ours(judged, results, level, skip):
    made = {}
    for base in sorted(set(pytrec_eval.supported_measures) - SPECIAL):
        for name, family, cutoff, given_options in trec_names.expand(trec_names.MEASURES[base], version=9):
            taken = {option.name for option in family_named(family).options}
            if "rel" in taken and base not in ("num_ret", "num_rel"):
                given_options = {**given_options, "rel": level}
            habits = {**HABITS, "unjudged": "skip" if skip else "zero"}
            made[name] = family_named(family)(cutoff, **given_options).with_conventions(habits)
    result = ndcg.evaluate(judged, results, list(made.values()))
    table = {(row.measure, row.query): row.value for row in result.per_query}
    return {
        query: {name: table[str(measure), query] for name, measure in made.items()}
        for query in results
        if query in judged
    }


@given(qrels, scored, st.sampled_from([1, 1, 2]), st.booleans())
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_bits(judged, results, level, skip):
    if not any(query in judged for query in results):
        return
    expected, found = theirs(judged, results, level, skip), ours(judged, results, level, skip)
    assert set(expected) == set(found)
    for query, values in found.items():
        for name, value in values.items():
            there = expected[query][name]
            if name.startswith("gm_"):
                continue
            if math.isnan(there):
                # trec_eval divides by the number of documents, of which condensing may leave none.
                assert skip and value == 0.0 and not any(doc in judged[query] for doc in results[query])
                continue
            assert value == there, (name, query, value, there, judged, results, level, skip)
