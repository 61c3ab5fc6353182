"""What the renderers say is what was computed, and names from outside break no table."""

from __future__ import annotations

import re

import ndcg
from ndcg.comparison import equivalence_test, non_inferiority_test, t_test

from .building import BASE, JUDGED, NEW, VALUE, systems


def test_markdown_holds_the_warnings_of_each_system():
    found = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, "nDCG(ideal='returned')@3", resamples=100)
    own = [warning for system in found.systems for warning in system.warnings]
    assert own
    text, markdown = " ".join(str(found).split()), found.to_markdown().replace("\\", "")
    for warning in own:
        assert warning in text and warning in markdown


def test_drivers_under_weights_are_those_of_the_weighted_difference():
    weights = {query: 1.0 + at for at, query in enumerate(JUDGED)}
    plain = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, "nDCG@3", resamples=100)
    weighted = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, "nDCG@3", resamples=100, weights=weights)
    assert "80 % of the difference" in " ".join(str(plain).split())
    assert "80 % of the weighted difference" in " ".join(str(weighted).split())


def test_equal_first_ranks_are_not_called_equal_lists():
    longer = {query: {**rows, "below": 0.5} for query, rows in BASE.items()}
    found = ndcg.compare(JUDGED, {"base": BASE, "new": longer}, "nDCG@2", query="q1", resamples=100)
    text = " ".join(str(found).split())
    assert "the first 2 ranks are identical" in text and "lists are identical" not in text
    nothing = {query: rows for query, rows in BASE.items() if query != "q1"}
    found = ndcg.compare(JUDGED, {"base": nothing, "new": dict(nothing)}, "nDCG@2", query="q1", resamples=100)
    assert "neither system returned anything" in " ".join(str(found).split())


def test_names_with_line_ends_and_signs_break_no_table():
    runs = {"a|b\nc": BASE, "[x] 100%_&": NEW}
    found = ndcg.compare(JUDGED, runs, "nDCG@3", query="q1", resamples=100)
    for part in found.to_markdown().split("\n\n"):
        rows = [line for line in part.splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in rows}) < 2, rows
    assert "a|b\nc" not in found.to_markdown()
    rows = [line for line in found.to_latex().splitlines() if line.endswith(r"\\")]
    assert rows[-1].startswith(r"{[}x] 100\%\_\& &") and not any(line.startswith("[") for line in rows)


def test_what_a_run_returned_is_called_no_candidate_pool():
    runs = {"base": BASE, "new": NEW}
    unknown = " ".join(str(ndcg.compare(JUDGED, runs, resamples=100)).split())
    assert "recall of what it returned" in unknown and "candidate recall" not in unknown
    declared = " ".join(str(ndcg.compare(JUDGED, runs, resamples=100, run_is_pool=True)).split())
    assert "candidate recall" in declared


def test_a_leaderboard_of_a_measure_that_is_no_mean_says_so():
    found = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, "GMAP", pairs="all", resamples=100)
    assert "the leaderboard holds means of per-query values" in " ".join(str(found).split())


def test_under_clusters_tests_take_clusters_for_their_units_or_say_that_they_do_not():
    judged, runs = systems({"base": [0.5] * 6, "new": [0.5, 0.75, 0.875, 0.25, 0.5, 1.0]})
    labels = ["one", "one", "two", "three", "three", "three"]
    options = {"clusters": dict(zip(judged, labels, strict=True)), "margin": 0.5, "tests": ["sign_flip", "t", "sign"]}
    found = ndcg.compare(judged, runs, VALUE, resamples=100, **options).pair()
    assert "the test sign takes queries for independent, whatever their clusters" in found.notes
    values = [0.0, 0.25, 0.375, -0.25, 0.0, 0.5]
    t = t_test(values, clusters=labels)
    assert found.tests[1] == t and t.method == "Student's t with 2 degrees of freedom, over 3 clusters"
    assert found.equivalence == equivalence_test(values, margin=0.5, clusters=labels)
    assert found.non_inferiority == non_inferiority_test(values, margin=0.5, clusters=labels)
    assert found.non_inferiority.p_value != non_inferiority_test(values, margin=0.5).p_value


def test_a_reranking_tells_the_ranking_quality_of_both():
    pool = {query: sorted({*BASE.get(query, ()), *NEW.get(query, ())}) for query in JUDGED}
    found = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}, resamples=100, candidates=pool)
    pools = found.pair().pools
    assert pools.kind == "reranking" and pools.base.quality != pools.new.quality
    told = f"ranking quality base {pools.base.quality:.4f}, new {pools.new.quality:.4f}"
    assert told in " ".join(str(found).split()) and told in found.to_markdown()


def test_two_lists_beside_each_other_say_what_their_columns_are():
    runs = {"base": BASE, "new": NEW}
    for measure, gap in (("nDCG@3", True), ("AP", False)):
        found = ndcg.compare(JUDGED, runs, measure, resamples=100, query="q1")
        for text in (" ".join(str(found).split()), found.to_markdown()):
            assert ("gap: discounted gain of this rank, new less base" in text) == gap
            assert "first difference; ^2 two ranks up" in text.replace("\\", "")


def test_queries_that_both_miss_are_told_in_one_word():
    few = {query: rows for query, rows in BASE.items() if query != "q4"}
    text = " ".join(str(ndcg.compare(JUDGED, {"base": few, "new": NEW}, resamples=100)).split())
    assert "1 missing in both (counted in the union): q4" in text
