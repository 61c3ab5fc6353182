"""Faults of other tools, as inputs: what a check must say about each (see the log of faults)."""

from __future__ import annotations

import pytest

import ndcg

from .conftest import codes, only, scored, values

JUDGED = {"q1": {"a": 1, "b": 2}}


def test_constant_scorer():
    """MRR 1.0 and nDCG 0 in one run of five equal scores."""
    run = {"q1": {f"d{at}": 1.0 for at in range(5)}}
    report = ndcg.check({"q1": {"d0": 1}}, run, "nDCG@5")
    finding = only(report, "constant_scores")
    assert values(finding)["ties=best"] == 1.0
    assert values(finding)["ties=worst"] == pytest.approx(0.38685280723454163)


def test_float_grades_are_truncated_elsewhere(write):
    qrels = write("q1 0 a 0.5\nq1 0 b 1.9\n", "qrels")
    finding = only(ndcg.check(qrels, {"q1": {"a": 2.0, "b": 1.0}}, "nDCG(gain='linear')@5"), "fractional_grades")
    assert finding.effect.base == pytest.approx(0.7667765576362452)
    assert values(finding) == {"grade_type=int": pytest.approx(0.6309297535714575)}


def test_missing_query_leaves_the_mean():
    report = ndcg.check({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}})
    assert report.runs[0].value == 0.5
    assert values(only(report, "missing_queries")) == {"missing=exclude": 1.0}


def test_an_empty_dict_is_a_query_without_judgments():
    report = ndcg.check({"q1": {"a": 1}, "q2": {}, "q3": {"a": 1, "b": 1}}, {"q1": {"a": 1.0}, "q2": {"a": 1.0}})
    assert [example.query for example in only(report, "queries_without_judgments").examples] == ["q2"]


def test_which_ids_do_not_match():
    report = ndcg.check({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}, "q9": {"a": 1.0}})
    assert only(report, "missing_queries").examples[0].query == "q2"
    assert only(report, "unjudged_queries").examples[0].query == "q9"


def test_conflicting_judgments_name_both_lines(write):
    finding = only(ndcg.check(write("q1 0 a 1\nq1 0 b 2\nq1 0 a 2\n", "qrels")), "conflicting_grades")
    assert [example.line for example in finding.examples] == [1, 3]


def test_a_document_twice_never_lifts_the_score():
    report = ndcg.check({"q1": {"a": 1}}, {"q1": ["a", "a"]})
    assert report.runs[0].value == 1.0 and only(report, "repeated_documents").count == 1


def test_leading_zeros(write):
    """A reader that takes ids for numbers makes 007 and 7 one document."""
    qrels = write("q1 0 007 2\nq1 0 7 0\n", "qrels")
    report = ndcg.check(qrels, write("q1 Q0 007 1 1.0 t\n", "run"))
    assert report.runs[0].value == 1.0 and "suspected_document_joins" not in codes(report)
    assert only(ndcg.check({"q1": {"007": 2, "x": 0}}, {"q1": {"7": 1.0}}), "suspected_document_joins").count == 1


def test_floats_as_ids():
    """An id column read as floating point."""
    report = ndcg.check({"q1": {"100000": 1, "7": 0}}, {"q1": {"100000.0": 2.0, "7.0": 1.0}})
    assert "floating point" in only(report, "suspected_document_joins").sentence


def test_a_byte_order_mark_is_no_part_of_a_query(write):
    qrels, run = write("\ufeffq1 0 a 1\nq1 0 b 0\n", "qrels"), write("\ufeffq1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\n", "run")
    assert not codes(ndcg.check(qrels, run)) & {"missing_queries", "unjudged_queries", "suspected_query_joins"}


def test_nan_and_none(write):
    run = write("q1 Q0 a 1 nan t\nq1 Q0 b 2 None t\nq1 Q0 c 3 inf t\nq1 Q0 d 4 1 t\n", "run")
    report = ndcg.check(JUDGED, run)
    assert [example.line for example in only(report, "bad_rows").examples] == [1, 2]
    assert report.runs[0].rows == 2


def test_negative_only_and_huge_grades():
    report = ndcg.check({"q1": {"a": 1}, "q2": {"b": -5, "c": -5}}, {"q1": {"a": 1.0}, "q2": {"b": 1.0}})
    assert only(report, "negative_grades").count == 2
    assert only(report, "queries_without_positives").count == 1


def test_gains_beyond_floats_stop_the_measure_and_not_the_page():
    qrels, run = {"q1": {"a": 2000, "b": 1}, "q2": {"q2": 1}}, {"q1": {"a": 1.0}, "q2": {"q2": 1.0, "x": 1.0}}
    report = ndcg.check(qrels, run)
    finding = report.findings[0]
    assert (finding.code, finding.weight) == ("measure_stops", "refused")
    assert values(finding) == {"gain=linear": scored(qrels, run, gain="linear")} and finding.effect.base is None
    assert "beyond" in report.problem or "overflow" in report.problem
    assert {"own_documents", "wide_scale"} <= codes(report)


def test_what_an_error_policy_refuses_is_a_finding():
    qrels, run = {"q1": {"a": 1, "b": -1}, "q2": {"c": 1}}, {"q1": {"x": 2.0, "a": 1.0}}
    policies = "unjudged='error', missing='error', negative='error', duplicates='error', empty='error'"
    report = ndcg.check(qrels, run, f"nDCG({policies})@10")
    assert report.runs[0].value == ndcg.evaluate(qrels, run, "nDCG@10").value
    assert {"unjudged_documents", "missing_queries", "negative_grades"} <= codes(report)
