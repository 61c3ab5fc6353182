"""Queries that are empty and missing at once, and named but empty lists, under the dialects of tools: every measure.

The expected rows are what pytrec_eval 0.5.11 (trec_eval 9.0.8) answers: no row for a query that the run lacks, whatever
its judgments, and a row of zeros for one with an empty list.
"""

from __future__ import annotations

import pytest

import ndcg
from ndcg.errors import InputError

JUDGED = {"both": {"a": 0}, "found": {"a": 1, "b": 0}, "missed": {"a": 1}}
RUN = {"found": {"b": 2.0, "a": 1.0}}

MEASURES = [
    ("map", 0.5),
    ("map_cut_5", 0.5),
    ("P_5", 0.2),
    ("recall_5", 1.0),
    ("recip_rank", 0.5),
    ("Rprec", 0.0),
    ("success_1", 0.0),
    ("relative_P_5", 1.0),
    ("iprec_at_recall_0.10", 0.5),
    ("11pt_avg", 0.5),
    ("bpref", 0.0),
    ("set_F", 2 / 3),
    ("utility", 0.0),
    ("num_q", 1.0),
    ("num_ret", 2.0),
    ("num_rel", 1.0),
    ("num_rel_ret", 1.0),
    ("num_nonrel_judged_ret", 1.0),
    ("ndcg", 0.6309297535714575),
]
COUNTS = {"num_q": 1.0, "num_rel": {"both": 0.0, "missed": 1.0}}


def rows(measure: str, run: dict[str, dict[str, float]], **given: object) -> dict[str, float | None]:
    found = ndcg.evaluate(JUDGED, run, f"{measure}(dialect='pytrec_eval')", **given)
    return {row.query: row.value for row in found.per_query}


@pytest.mark.parametrize(("measure", "value"), MEASURES)
def test_an_empty_query_that_the_run_lacks_has_no_value(measure, value):
    assert rows(measure, RUN) == {"both": None, "found": pytest.approx(value, abs=1e-12), "missed": None}


@pytest.mark.parametrize(("measure", "value"), MEASURES)
def test_a_query_with_an_empty_list_counts(measure, value):
    found = rows(measure, {**RUN, "both": {}, "missed": {}})
    assert found["found"] == pytest.approx(value, abs=1e-12)
    for query in ("both", "missed"):
        expected = COUNTS.get(measure, 0.0)
        assert found[query] == (expected[query] if isinstance(expected, dict) else expected)


@pytest.mark.parametrize("measure", ["nDCG@5", "AP", "NumRet", "NumQ", "Judged@5"])
def test_a_missing_query_is_an_error_where_that_was_declared(measure):
    name, _, cutoff = measure.partition("@")
    for query in ("both", "missed"):
        judged = {"found": JUDGED["found"], query: JUDGED[query]}
        with pytest.raises(InputError, match=f"query '{query}': the run returned no document"):
            ndcg.evaluate(judged, RUN, f"{name}(dialect='trec_eval_10')" + (f"@{cutoff}" if cutoff else ""))


@pytest.mark.parametrize("measure", ["NumRet", "Judged@5", "RBPResidual(p=0.8)"])
def test_a_count_obeys_missing_error(measure):
    with pytest.raises(InputError, match="query 'missed'"):
        ndcg.evaluate({"found": {"a": 1}, "missed": {"a": 1}}, RUN, measure, missing="error")


def test_an_empty_missing_query_is_no_empty_one_where_it_is_treated_as_missing():
    judged = {"both": {"a": 0}, "found": {"a": 1}}
    given = {"empty": "error", "empty_missing": "missing", "missing": "zero"}
    assert ndcg.evaluate(judged, RUN, "nDCG@5", **given).value == 0.31546487678572877
    with pytest.raises(InputError, match="query 'both'"):
        ndcg.evaluate(judged, RUN, "nDCG@5", empty="error")
