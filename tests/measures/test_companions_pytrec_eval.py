"""pytrec_eval (trec_eval 9.0.8 inside) on the same dicts: its numbers to the last bit, where it has the measure."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import ndcg
from measures.trec_data import SHARED, judgments, needs_data, run
from ndcg.measures import trec_names
from ndcg.measures.registry import family_named

pytrec_eval = pytest.importorskip("pytrec_eval")

HABITS = {"ties": "docid_desc", "empty": "zero", "missing": "exclude", "score_type": "float32"}
SPECIAL = {"runid", "relstring", "num_q"}

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
            if "rel" in taken and base != "num_ret":
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
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
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
            if name == "Rndcg" and not any(grade >= level for grade in judged[query].values()):
                # trec_eval gives no value to a query without relevant documents, though grades below may gain.
                assert there == 0.0
                continue
            assert value == there, (name, query, value, there, judged, results, level, skip)


FILES = {
    "01_trec_eval/expected_pytrec_eval.json": "01_trec_eval",
    "01_trec_eval/expected_pytrec_eval.rel_level_l2.json": "01_trec_eval",
    "06_cwl/expected_pytrec_eval.json": "06_cwl",
    "15_web_clueweb/expected_pytrec_eval.wt12.json": "15_web_clueweb",
    "18_dbpedia_entity/expected_pytrec_eval.fold0.json": "18_dbpedia_entity",
    "16_clef_tar2017/expected_pytrec_eval.ship.json": "16_clef_tar2017",
}
NAMES = ["map", "recip_rank", "recall_100", "P_10", "ndcg_cut_10", "ndcg_cut_100"]


@needs_data
@pytest.mark.parametrize("file", FILES)
def test_recorded_values(file):
    """Values that pytrec_eval-terrier 0.5.11 gave for real runs, per query and in the mean."""
    recorded = json.loads((SHARED / file).read_text())
    folder = SHARED / FILES[file]
    judged = judgments(folder / recorded["qrels"])
    level = recorded["relevance_level"]
    for name, there in recorded["runs"].items():
        results = run(folder / name)
        made = {}
        for text in NAMES:
            measure = ndcg.parse(text)
            options = {**dict(measure.options), **({"rel": level} if "rel" in dict(measure.options) else {})}
            family = {} if measure.name != "nDCG" else {"gain": "linear"}
            made[text] = measure.family(measure.k, **options, **family, **HABITS)
        result = ndcg.evaluate(judged, results, list(made.values()))
        means = {entry.measure: entry.value for entry in result.entries}
        for text, measure in made.items():
            assert means[str(measure)] == pytest.approx(there["mean"][text], abs=1e-12), (name, text)
        per_query = {(row.measure, row.query): row.value for row in result.per_query}
        for query, values in there.get("per_query", {}).items():
            for text, measure in made.items():
                if text in values:
                    assert per_query[str(measure), query] == values[text], (name, query, text)
