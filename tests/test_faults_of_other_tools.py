"""Faults that other tools were seen to have, each as a small case with the right value."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest

import ndcg

LINEAR = "nDCG(gain='linear')@5"
AB = {"q1": {"a": 1, "b": 2}}


def value(judged, run, measure=LINEAR, **conventions):
    return ndcg.evaluate(judged, run, measure, **conventions).value


def ordered(text):
    """`a>b=c`: a above b, b tied with c."""
    scores, score = {}, 100.0
    for level in text.split(">"):
        for doc in level.split("="):
            scores[doc] = score
        score -= 1.0
    return {"q1": scores}


@pytest.mark.parametrize(
    "judged, run, measure, expected",
    [
        ({"a": 1, "b": 2}, "a>b", LINEAR, 0.8597186998521972),
        ({"a": 1, "b": 2}, "b>a", LINEAR, 1.0),
        ({"a": 1, "b": 2}, "a", LINEAR, 0.38009376671593426),
        ({"a": 1, "b": 2}, "a>x>b", LINEAR, 0.7601875334318685),
        ({"a": 1, "b": 2}, "x>a>b", LINEAR, 0.6199062332840657),
        ({"a": 1, "b": 2}, "x>b>a", LINEAR, 0.66967181649423),
        ({"a": 1, "b": 2}, "a=b", "nDCG(gain='linear', ties='average')@5", 0.9298593499260985),
        ({"a": 1, "b": 2}, "a>b", "nDCG@5", 0.7967075809905066),
        ({"a": 0.5, "b": 1.9}, "a>b", LINEAR, 0.7667765576362452),
        ({"a": 1, "b": 2}, "a>b", "nDCG(gain={1: 0.3, 2: 0.7})@5", 0.8339912323981489),
        ({"a": 1, "b": 1, "c": 1}, "a", LINEAR, 0.46927872602275644),
        ({"a": 1}, "x>a", LINEAR, 0.6309297535714575),
        ({"a": 1}, "x>y>a", LINEAR, 0.5),
        # a table of fractional gains is not truncated to whole numbers
        ({"a": 1, "b": 2}, "a>b", "nDCG(gain={1: 3, 2: 7})@5", 0.8339912323981489),
        # grades above 4 and text query ids with the exponential gain
        ({"a": 5, "b": 2}, "a>b", "nDCG@5", 1.0),
        ({"a": 5, "b": 2}, "b>a", "nDCG@5", 0.6858288052712634),
        # the least relevant grade is declared
        ({"a": 1, "b": 2}, "a>b", "nDCG(gain='linear', min_grade=2)@5", 0.6309297535714575),
        # negative grades gain nothing, and are judged: condensing keeps them
        ({"a": -1, "b": 2}, "a>b", LINEAR, 0.6309297535714575),
        # the ideal is made of all judged documents
        ({"a": 1, "b": 1}, "a", "nDCG(gain='linear')@10", 0.6131471927654584),
        # the condensed list
        ({"a": 1, "b": 2, "d": 0}, "x>b>a", "nDCG(gain='linear', unjudged='skip')@5", 1.0),
    ],
)
def test_values(judged, run, measure, expected):
    assert value({"q1": judged}, ordered(run), measure) == pytest.approx(expected, abs=1e-15)


def test_an_ideal_that_is_not_cut():
    """trec_eval -M 1: the run is cut, the ideal is not."""
    uncut = "nDCG(gain='linear', ideal_cut='none')@1"
    assert value(AB, ordered("b>a"), uncut) == pytest.approx(0.7601875334318685, abs=1e-15)
    assert value(AB, ordered("b>a"), "nDCG(gain='linear')@1") == 1.0


def test_scores_closer_than_single_precision_do_not_tie():
    run = {"q1": {"a": 0.900000002, "b": 0.900000001}}
    assert value(AB, run) == pytest.approx(0.8597186998521972, abs=1e-15)
    assert value(AB, run, score_type="float32", ties="docid_desc") == 1.0


def test_a_constant_scorer_is_scored_by_one_ranking():
    judged = {"q1": {"d1": 1}}
    for docs in itertools.permutations(["d1", "d2", "d3", "d4", "d5"]):
        run = {"q1": dict.fromkeys(docs, 1.0)}
        assert value(judged, run, ties="docid_desc") == pytest.approx(0.38685280723454163, abs=1e-15)
        assert value(judged, run, "RR", ties="docid_desc") == 0.2


@pytest.mark.parametrize("kind", [int, float, np.float32, np.float64, np.int64, np.int8])
def test_scores_of_any_number_type(kind):
    assert value(AB, {"q1": {"a": kind(2), "b": kind(1)}}) == pytest.approx(0.8597186998521972, abs=1e-15)


def test_missing_query_counts_zero_and_is_listed():
    result = ndcg.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}}, LINEAR)
    assert result.value == 0.5
    assert [(row.query, row.status, row.value) for row in result.per_query] == [
        ("q1", "scored", 1.0),
        ("q2", "missing", 0.0),
    ]
    common = ndcg.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}}, LINEAR, missing="exclude")
    assert (common.value, common.summary.queries.counted, common.summary.queries.judged) == (1.0, 1, 2)


def test_unjudged_query_does_not_lower_the_mean():
    result = ndcg.evaluate(AB, {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}}, LINEAR)
    assert result.value == pytest.approx(0.8597186998521972, abs=1e-15)
    assert list(result.entries[0].excluded()) == [("q2", "unjudged", "the query has no judgments")]


@pytest.mark.parametrize("order", list(itertools.permutations(["q1", "q2", "q3"])))
def test_empty_judgments_of_one_query_leave_the_others_alone(order):
    judged = {"q1": {"a": 1}, "q2": {}, "q3": {"a": 1, "b": 1}}
    run = {"q1": {"a": 1.0}, "q2": {"a": 1.0}, "q3": {"b": 2.0, "a": 1.0}}
    judged = {query: judged[query] for query in order}
    for _ in range(2):
        rows = {row.query: (row.status, row.value) for row in ndcg.evaluate(judged, run, LINEAR).per_query}
        assert rows == {"q1": ("scored", 1.0), "q2": ("empty", None), "q3": ("scored", 1.0)}


def test_three_policies_for_a_query_without_relevant_documents():
    judged, run = {**AB, "q2": {"a": 0}}, {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}}
    assert value(judged, run, empty="zero") == pytest.approx(0.8597186998521972 / 2, abs=1e-15)
    assert value(judged, run) == pytest.approx(0.8597186998521972, abs=1e-15)
    with pytest.raises(ValueError, match="'q2'"):
        value(judged, run, empty="error")


def test_trec_eval_counts_a_query_without_relevant_documents():
    result = ndcg.evaluate({"q1": {"a": 0, "b": 0}}, ordered("a>b"), "nDCG(dialect='trec_eval')")
    assert (result.value, result.summary.queries.counted) == (0.0, 1)


def test_an_empty_result_list_is_zero():
    result = ndcg.evaluate({"q1": {"a": 1}}, {"q1": {}}, LINEAR)
    assert (result.value, result.per_query[0].returned, result.per_query[0].status) == (0.0, 0, "missing")
    assert ndcg.evaluate({"q1": {"a": 1}}, {"q1": {}}, "Judged@5").value is None
    listed = ndcg.evaluate({"q1": {"a": 1}}, {"q1": []}, LINEAR)
    assert (listed.value, listed.per_query[0].status) == (0.0, "missing")


@pytest.mark.parametrize("judged, run", [({"q1": {"a": 1}}, {}), ({}, {"q1": {"a": 1.0}}), ({}, {})])
def test_empty_containers_are_refused(judged, run):
    with pytest.raises(ndcg.InputError):
        ndcg.evaluate(judged, run)


def test_no_common_query_names_ids_and_cause():
    with pytest.raises(ndcg.InputError, match=r"'001'.*'1'.*leading zeros"):
        ndcg.evaluate({"001": {"a": 1}, "002": {"a": 1}}, {"1": {"a": 1.0}, "2": {"a": 1.0}})


def test_partly_common_queries_are_both_listed():
    result = ndcg.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}, "q9": {"a": 1.0}})
    assert {row.query: row.status for row in result.per_query} == {
        "q1": "scored",
        "q2": "missing",
        "q9": "unjudged",
    }


def test_unknown_keyword_is_a_type_error():
    with pytest.raises(TypeError, match=r"mising.*did you mean 'missing'"):
        ndcg.evaluate(AB, ordered("a"), mising="zero")


def test_a_document_returned_twice_counts_once():
    result = ndcg.evaluate({"q1": {"a": 1}}, {"q1": ["a", "a", "a"]}, LINEAR)
    assert result.value == 1.0
    assert result.entries[0].counters.duplicates == 2
    with pytest.raises(ValueError, match="twice"):
        ndcg.evaluate({"q1": {"a": 1}}, {"q1": ["a", "a"]}, LINEAR, duplicates="error")


def test_ids_with_leading_zeros_are_different():
    judged = {"q1": {"007": 2, "7": 0}, "01": {"a": 1}, "1": {"a": 0, "b": 1}}
    result = ndcg.evaluate(judged, {"q1": {"007": 1.0}, "01": {"a": 1.0}, "1": {"a": 1.0}}, LINEAR)
    assert {row.query: row.value for row in result.per_query} == {"q1": 1.0, "01": 1.0, "1": 0.0}


@pytest.mark.parametrize(
    "identifier", ["1e5", "NA", "null", "nan", "None", "True", 'a"b', "a\0b", "", "a\u00a0b", "\u2028"]
)
def test_ids_are_text(identifier):
    other = {"1e5": "100000.0", "NA": "nan", "null": "None"}.get(identifier, identifier + "x")
    run = {"q1": {identifier: 2.0, other: 1.0}}
    assert value({"q1": {identifier: 1, other: 0}}, run) == 1.0


def test_half_a_surrogate_pair_is_an_id_or_a_clear_error(tmp_path):
    judged = {"q1": {"a": 1, "\ud800": 2}}
    assert value(judged, {"q1": {"a": 2.0, "\ud800": 1.0}}) == pytest.approx(0.8597186998521972)
    (tmp_path / "found.run").write_text("q1 Q0 a 1 1.0 t\n")
    with pytest.raises(ndcg.InputError, match=r"'\\ud800' holds half of a surrogate pair"):
        ndcg.evaluate(judged, tmp_path / "found.run")


def test_memory_does_not_follow_the_longest_id():
    """One id of 20,000 characters among 20,000: arrays of fixed width would take 400 MB for it."""
    run = {"q1": {f"d{at}": float(at) for at in range(20_000)} | {"x" * 20_000: -1.0}}
    tracemalloc.start()
    assert value({"q1": {"d19999": 1}}, run) == 1.0
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6


def test_a_frame_is_ranked_by_its_scores():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"query": ["q1", "q1"], "doc": ["a", "b"], "score": [1.0, 2.0]})
    assert value(AB, frame) == 1.0
    assert value(AB, frame.assign(score=-frame["score"])) == pytest.approx(0.8597186998521972)
    assert value(AB, frame.astype({"score": "float32"})) == value(AB, frame.astype({"score": "int64"})) == 1.0


def test_zero_bytes_do_not_merge_ids():
    assert value({"q1": {"a": 1, "a\0": 2}}, {"q1": {"a": 2.0, "a\0": 1.0}}) == pytest.approx(0.8597186998521972)


@pytest.mark.parametrize("k", [0, -1, 2.5, "5", True])
def test_a_bad_cutoff_is_an_error_and_nothing_else(k):
    with pytest.raises(ValueError):
        ndcg.nDCG(k=k)
    assert value(AB, ordered("b>a")) == 1.0


def test_equal_cutoffs_are_one_measure():
    assert len(ndcg.evaluate(AB, ordered("a>b"), ["nDCG@5", "nDCG@5", "nDCG(gain='burges')@5"]).entries) == 1


def test_every_order_of_measures_gives_the_same_numbers():
    judged = {"q1": {"a": 1, "b": 2}}
    measures = ["nDCG(gain={1: 5, 2: 5})@10", "nDCG@10", "nDCG@1", "DCG@2", "CG", "nDCG(ties='average')@2"]
    alone = {measure: value(judged, ordered("a=b"), measure) for measure in measures}
    for order in itertools.permutations(measures, 4):
        result = ndcg.evaluate(judged, ordered("a=b"), list(order))
        assert [entry.value for entry in result.entries] == [alone[measure] for measure in order]


def test_scoring_twice_and_alternately_gives_the_same():
    for _ in range(2):
        assert value(AB, ordered("a>b"), "nDCG(gain='linear')@1") == 0.5
        assert value(AB, ordered("a>b"), LINEAR) == pytest.approx(0.8597186998521972, abs=1e-15)


def test_queries_are_paired_by_id_not_by_position():
    judged = {"q1": {"a": 1}, "q2": {"b": 1}}
    run = {"q2": {"b": 1.0, "a": 0.5}, "q1": {"a": 1.0, "b": 0.5}}
    assert value(judged, run) == 1.0


def test_inputs_stay_as_they_are():
    judged, run = {"q1": {"a": 1, "q1": 1}, "q2": {"a": 1}}, {"q1": {"q1": 2, "a": 1.0}, "q9": {"a": 1.0}}
    before = repr((judged, run))
    ndcg.evaluate(judged, run, ["nDCG", "nDCG(self='drop')@2", "nDCG(unjudged='skip')@2"])
    assert repr((judged, run)) == before


@pytest.mark.parametrize("grade, expected", [(1100, 0.6320229134604737), (1e30, 0.6309297535714575), (-5, 1.0)])
def test_grades_out_of_range(grade, expected):
    judged = {"q1": {"a": grade, "b": 2}}
    assert value(judged, ordered("b>a")) == pytest.approx(expected, abs=1e-15)
    if grade > 0:
        with pytest.raises(ValueError, match=r"query 'q1', document 'a'.*range of a float"):
            value(judged, ordered("b>a"), "nDCG@5")


def test_all_grades_negative_is_empty():
    result = ndcg.evaluate({**AB, "q2": {"a": -5, "b": -1}}, {"q1": {"a": 1.0}, "q2": {"a": 1.0}}, LINEAR)
    assert result.per_query[1].status == "empty"


@pytest.mark.parametrize("score", ["1.5", b"1", True, None, np.bool_(True)])
def test_scores_that_are_not_numbers_name_the_document(score):
    with pytest.raises(TypeError, match="query 'q1', document 'a'"):
        ndcg.evaluate(AB, {"q1": {"b": 1.0, "a": score}})


@pytest.mark.parametrize("identifier", [b"a", True, 1.5, None, ("a",)])
def test_ids_that_are_not_text_are_refused(identifier):
    with pytest.raises(TypeError, match="q1"):
        ndcg.evaluate(AB, {"q1": {identifier: 1.0}})
    with pytest.raises(TypeError, match="q1"):
        ndcg.evaluate({"q1": {identifier: 1}}, ordered("a"))
    with pytest.raises(TypeError):
        ndcg.evaluate(AB, {identifier: {"a": 1.0}, "q1": {"a": 1.0}})


def test_integer_ids_are_their_decimal_text():
    assert value({1: {7: 1, 8: 2}}, {"1": {"7": 2.0, "8": 1.0}}) == pytest.approx(0.8597186998521972)
    assert value({"1": {"7": 1, "8": 2}}, {np.int64(1): {np.int64(7): 2.0, 8: 1.0}}) == pytest.approx(
        0.8597186998521972
    )


def test_nan_scores_are_refused_and_infinite_ones_rank():
    with pytest.raises(ValueError, match=r"query 'q1', document 'a'.*NaN"):
        ndcg.evaluate(AB, {"q1": {"a": float("nan"), "b": 1.0}})
    assert value(AB, {"q1": {"b": float("inf"), "x": 2.0, "a": float("-inf")}}) == pytest.approx(
        (2 + 0.5) / (2 + 0.6309297535714575)
    )


@pytest.mark.parametrize("grade", [float("nan"), float("inf"), "yes", True, None])
def test_bad_grades_are_refused(grade):
    with pytest.raises((ValueError, TypeError), match="query 'q1', document 'a'"):
        ndcg.evaluate({"q1": {"a": grade}}, ordered("a"))


def test_own_document():
    judged, run = {"q1": {"q1": 1, "a": 1}}, {"q1": {"q1": 2.0, "a": 1.0}}
    assert value(judged, run) == 1.0
    assert value(judged, run, self="drop") == pytest.approx(0.6131471927654584)
    assert "own id" in ndcg.evaluate(judged, run).entries[0].warnings[0]


def test_failed_is_never_missing():
    judged = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
    result = ndcg.evaluate(judged, {"q1": {"a": 1.0}, "q2": None, "q3": {}}, LINEAR)
    assert {row.query: (row.status, row.value) for row in result.per_query} == {
        "q1": ("scored", 1.0),
        "q2": ("failed", None),
        "q3": ("missing", 0.0),
    }
    assert value(judged, {"q1": {"a": 1.0}, "q2": None, "q3": {}}, failed="zero") == pytest.approx(1 / 3)


def test_bytes_order_of_ids():
    """Tied ids stand by their UTF-8 bytes: 10 before 9, B before a, z before é, U+FF5E before U+1F600."""
    for first, second in (("10", "9"), ("B", "a"), ("z", "é"), ("\uff5e", "\U0001f600")):
        run = {"q1": {second: 1.0, first: 1.0}}
        assert value({"q1": {first: 1}}, run) == 1.0
        assert value({"q1": {first: 1}}, run, ties="docid_desc") == pytest.approx(0.6309297535714575)
