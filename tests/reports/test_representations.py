"""What an object shows of itself in a console: one short line, whatever it holds."""

from __future__ import annotations

import pytest

import ndcg

QRELS = {f"q{at}": {"a": 2, "b": 1, "c": 0} for at in range(12)}
ONE = {query: {"a": 3.0, "b": 2.0, f"x{query}": 1.0} for query in QRELS}
TWO = {query: {"b": 3.0, "c": 2.0, "a": 1.0} for query in QRELS}


def objects(tmp_path):
    result = ndcg.evaluate(QRELS, {"one": ONE, "two": TWO}, ["nDCG@10", "AP"])
    explanation = ndcg.explain(QRELS, ONE, query="q1")
    comparison = ndcg.compare(QRELS, {"one": ONE, "two": TWO}, "nDCG@2", resamples=100)
    tuning = ndcg.tune(QRELS, {"one": ONE, "two": TWO}, "nDCG@2")
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("query,doc,grade\nq1,z,1\n")
    return {
        "result": (result, "<Result <one nDCG@10: 1.0000, 12 counted>; <one AP: 1.0000"),
        "entry": (result.entries[0], "<one nDCG@10: 1.0000, 12 counted>"),
        "rows": (result.per_query, "<48 per-query rows>"),
        "result.plot": (result.plot, "<charts: .slices(), .distribution(), .over_k()>"),
        "explanation": (explanation, "<Explanation of query 'q1' in run, nDCG@10: 1.0000, scored>"),
        "explanation.plot": (explanation.plot, "<charts: .gain_by_rank()>"),
        "comparison": (comparison, "<Comparison "),
        "comparison.plot": (comparison.plot, "<charts: .differences(), .distribution(), "),
        "tuning": (tuning, "<Tuning of one and two, nDCG@2: alpha 0"),
        "tuning.plot": (tuning.plot, "<charts: "),
        "check": (ndcg.check(QRELS, {"one": ONE}), "<CheckReport of judgments with one: "),
        "dialects": (ndcg.dialects(QRELS, ONE, k=2), "<DialectTable of run: "),
        "bounds": (ndcg.unjudged_bounds(QRELS, ONE), "<UnjudgedBounds of nDCG@10: run between "),
        "next": (ndcg.judge_next(QRELS, ONE), "<JudgeNext: "),
        "agreement": (ndcg.judge_agreement({"a": QRELS, "b": QRELS}), "<Agreement of 2 judges on 36 pairs: alpha"),
        "merged": (ndcg.judge_merge(QRELS, sheet), "<Merged: 37 judgments, 1 new>"),
    }


def test_representations_are_short(tmp_path):
    for name, (thing, start) in objects(tmp_path).items():
        shown = repr(thing)
        assert shown.startswith(start) and len(shown) < 300 and "\n" not in shown, (name, shown)


def test_charts_of_all_pairs_say_what_is_missing():
    everything = ndcg.compare(QRELS, {"one": ONE, "two": TWO}, "nDCG@2", pairs="all", resamples=100)
    for chart in (everything.plot.differences, everything.plot.distribution, everything.plot.scores):
        with pytest.raises(ndcg.UsageError, match=r"all pairs of runs were compared.*with a baseline"):
            chart()
