"""Each habit alone, in the notation, against a value made with paper and pencil."""

from __future__ import annotations

import math

import duckdb
import pytest

import ndcg
from ndcg import parse
from ndcg.errors import InputError, UsageError

JUDGED = {"q": {"a": 3, "b": 1, "c": 2, "n": -1}}
L3, L4, L5 = math.log2(3), 2.0, math.log2(5)


def value(measure, judged=JUDGED, run=("a", "x", "n", "b")):
    """`run` is a ranked list, or rows with scores."""
    run = run if isinstance(run, dict) else list(run)
    return ndcg.evaluate(judged, {"q": run}, parse(measure)).value


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("nDCG(gain=linear)@4", (3 + 1 / L5) / (3 + 2 / L3 + 1 / 2)),
        ("nDCG(gain=binary)@4", (1 + 1 / L5) / (1 + 1 / L3 + 1 / 2)),
        ("nDCG(gain=binary, min_grade=2)@4", 1 / (1 + 1 / L3)),
        ("nDCG(gain=judged)@4", (1 + 1 / L4 + 1 / L5) / (1 + 1 / L3 + 1 / L4 + 1 / L5)),
        ("nDCG(gain=linear, ideal_cut=none)@1", 3 / (3 + 2 / L3 + 1 / 2)),
        ("nDCG(gain=linear, ideal=hits)@2", 3 / (1 + 1 / L3)),
        ("nDCG(gain=linear, ideal=given)@4", (3 + 1 / L5) / (3 + 1 / L3 + 2 / L4)),
        ("nDCG(gain=linear, negative=signed)@4", (3 - 1 / L4 + 1 / L5) / (3 + 2 / L3 + 1 / L4 - 1 / L5)),
        ("nDCG(negative=signed)@3", (7 - 0.5 / L4) / (7 + 3 / L3 + 1 / L4)),
        ("nDCG(gain=linear, negative=remove)@4", (3 + 1 / L4) / (3 + 2 / L3 + 1 / 2)),
        ("nDCG(gain=linear, negative=padding)@4", (3 + 1 / L4) / (3 + 2 / L3 + 1 / 2)),
        ("nDCG(gain=linear, unjudged_grade=2)@4", (3 + 2 / L3 + 1 / L5) / (3 + 2 / L3 + 1 / 2)),
        ("nDCG(gain=linear, terms=floor(1))@4", (3 + 0.4) / (3 + 1.2 + 0.5)),
        ("nDCG(gain={3: 5}, off_table=zero)@4", 1.0),
        ("nDCG(gain={3: 5}, off_table=grade)@4", (5 + 1 / L5) / (5 + 2 / L3 + 1 / 2)),
        ("nDCG(gain=linear, short_list=zero)@5", 0.0),
    ],
)
def test_alone(measure, expected):
    assert value(measure) == pytest.approx(expected, rel=1e-14)
    assert parse(str(parse(measure))) == parse(measure)


def test_the_ideal_is_cut_at_the_number_returned():
    assert value("nDCG(ideal_cut=returned)@10", run=("a",)) == 1.0
    assert value("nDCG@10", run=("a",)) < 1.0


def test_removed_documents_move_the_others_up_inside_tied_groups_too():
    run = {"a": 5.0, "n": 2.0, "b": 2.0, "c": 2.0}
    expected = (3 + 1.5 / L3 + 1.5 / 2) / (3 + 2 / L3 + 1 / 2)
    assert value("nDCG(gain=linear, negative=remove, ties=average)@4", run=run) == pytest.approx(expected, rel=1e-14)


def test_ties_in_reverse_input_order_and_with_a_shared_rank():
    judged = {"q": {"a": 1, "b": 0, "c": 1}}
    run = {"a": 1.0, "b": 1.0, "c": 1.0}
    assert value("nDCG(ties=given_reversed)@1", judged, run) == 1.0
    assert value("nDCG(ties=given)@1", judged, {"b": 1.0, "a": 1.0}) == 0.0
    # Three at mean rank 2: both relevant ones stand there.
    assert value("nDCG(ties=shared)@2", judged, run) == pytest.approx(2 / L3 / (1 + 1 / L3), rel=1e-14)
    assert value("nDCG(ties=shared)@1", judged, run) == 0.0


def test_grades_are_cut_to_whole_numbers():
    judged = {"q": {"a": 1.9, "b": 0.9, "c": -0.5}}
    assert value("nDCG(gain=linear, grade_type=int)@3", judged, ("b", "a", "c")) == pytest.approx(1 / L3, rel=1e-14)


@pytest.mark.parametrize(
    ("rule", "expected"), [("nearest(2)", 0.63), ("half_up(1)", 0.6), ("floor(1)", 0.6), ("floor(3)", 0.63)]
)
def test_each_query_is_rounded(rule, expected):
    assert value(f"nDCG(rounding={rule})@2", {"q": {"a": 1}}, ("x", "a")) == expected


@pytest.mark.parametrize("policy", ["zero", "one", "exclude", "error"])
def test_a_list_without_gain(policy):
    measure = f"nDCG(ideal=returned, no_ideal={policy})@3"
    if policy == "error":
        with pytest.raises(InputError, match="chosen ideal is 0"):
            value(measure, run=("x", "y"))
    else:
        assert value(measure, run=("x", "y")) == {"zero": 0.0, "one": 1.0, "exclude": None}[policy]


def test_a_list_whose_grades_add_up_to_nothing():
    judged = {"q": {"a": 1, "n": -1}}
    base = "gain=linear, negative=signed, ideal=returned, empty=compute"
    assert value(f"nDCG({base}, no_ideal_by=sum, no_ideal=one)@2", judged, ("n", "a")) == 1.0
    assert value(f"nDCG({base})@2", judged, ("n", "a")) == pytest.approx(-1.0, rel=1e-14)


def test_what_becomes_of_queries():
    judged = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 0}, "4": {"d": -1}}
    run = {"1": {"a": 1.0}, "2": {}, "4": {"d": 1.0}, "9": {"x": 1.0}}

    def counted(**given):
        rows = ndcg.evaluate(judged, run, ndcg.nDCG(k=2, **given)).per_query
        return {row.query: row.value for row in rows if row.value is not None}

    assert counted() == {"1": 1.0, "2": 0.0}
    assert counted(missing="exclude") == {"1": 1.0}
    assert counted(missing="exclude", empty_list="zero") == {"1": 1.0, "2": 0.0}
    assert counted(empty="zero", missing="exclude") == {"1": 1.0, "3": 0.0, "4": 0.0}
    assert counted(empty="zero", missing="exclude", empty_missing="missing") == {"1": 1.0, "4": 0.0}
    assert counted(unjudged_query="zero", missing="exclude") == {"1": 1.0, "9": 0.0}
    assert counted(unjudged_query="one", missing="exclude") == {"1": 1.0, "9": 1.0}
    assert counted(negative="signed", empty="compute") == {"1": 1.0, "2": 0.0, "3": 0.0, "4": 1.0}
    assert counted(negative="signed", empty="compute", no_ideal="exclude") == {"1": 1.0, "2": 0.0, "4": 1.0}


@pytest.mark.parametrize(
    "measure",
    ["nDCG(rounding=nearest)@3", "nDCG(rounding=floor(1.5))@3", "nDCG(terms=floor(-1))@3", "nDCG(ideal_cut=10)@3"],
)
def test_values_that_do_not_exist(measure):
    with pytest.raises(UsageError):
        parse(measure)


REPEATED = ("a", "x", "a", "b")


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("nDCG(gain=linear)@3", (3 + 1 / L4) / (3 + 2 / L3 + 1 / L4)),
        ("nDCG(gain=linear, duplicates=count)@3", (3 + 3 / L4) / (3 + 2 / L3 + 1 / L4)),
        ("nDCG(gain=linear, duplicates=count, ideal=returned)@3", (3 + 3 / L4) / (3 + 3 / L3 + 1 / L4)),
        ("nDCG(gain=linear, duplicates=count, unjudged=skip)@2", (3 + 3 / L3) / (3 + 2 / L3)),
        ("nDCG(gain=linear, duplicates=merged)@3", (3 + 3 / L4) / (3 + 3 / L3 + 2 / L4)),
        # The list holds `a` twice, so it gains 6 at each of its two ranks, and stands in the ideal four times.
        ("nDCG(gain=linear, duplicates=joined)@3", (6 + 6 / L4) / (3 + 3 / L3 + 3 / L4)),
        ("nDCG(gain=linear, duplicates=joined)@1", 6 / 3),
        (
            "nDCG(gain=linear, duplicates=joined)",
            (6 + 6 / L4 + 1 / L5) / (3 + 3 / L3 + 3 / L4 + 3 / L5 + 2 / math.log2(6) + 1 / math.log2(7)),
        ),
    ],
)
def test_repeats(measure, expected):
    assert value(measure, run=REPEATED) == pytest.approx(expected, rel=1e-14)
    assert parse(str(parse(measure))) == parse(measure)


def test_repeats_in_a_tied_group_are_averaged_as_rows():
    connection = duckdb.connect()
    run = connection.sql(
        "select * from (values ('q', 'a', 1.0), ('q', 'a', 1.0), ('q', 'x', 1.0)) t(query, doc, score)"
    )
    result = ndcg.evaluate(JUDGED, run, parse("nDCG(gain=linear, duplicates=count, ties=average)@2"))
    assert result.value == pytest.approx((2 + 2 / L3) / (3 + 2 / L3), rel=1e-14)


def test_repeats_that_stay_are_said_to_stay():
    text = str(ndcg.evaluate(JUDGED, {"q": list(REPEATED)}, parse("nDCG(duplicates=count)@4")))
    assert "1 repeated document counted again (duplicates='count')" in text


def test_other_measures_have_each_document_once():
    with pytest.raises(UsageError, match="not defined under duplicates='count'"):
        parse("P(duplicates=count)@5")
    assert parse("P(dialect=quepid)@5").conventions["duplicates"] == "best"


def test_explain_follows_repeats_that_are_not_there():
    measure = parse("nDCG(dialect=sentence_transformers)@4")
    assert ndcg.explain(JUDGED, {"q": ["a", "x", "b"]}, "q", measure).value == value(str(measure), run=("a", "x", "b"))
    with pytest.raises(UsageError, match="returns a document twice"):
        ndcg.explain(JUDGED, {"q": list(REPEATED)}, "q", measure)


@pytest.mark.parametrize(
    "measure",
    [
        "nDCG(duplicates=joined, ties=average)@3",
        "nDCG(duplicates=joined, unjudged_grade=1)@3",
        "nDCG(duplicates=merged, ideal=returned)@3",
    ],
)
def test_repeats_in_a_pool_need_one(measure):
    with pytest.raises(UsageError, match="is not defined with"):
        parse(measure)


def test_evidently_at_the_last_cutoff_that_it_has():
    """At cutoff 2 the tool ends in a KeyError, since both rows share rank 1; the probe holds the value at cutoff 1."""
    connection = duckdb.connect()
    run = connection.sql("select * from (values ('q', 'a', 3.0), ('q', 'a', 3.0)) t(query, doc, score)")
    assert ndcg.evaluate({"q": {"a": 1}}, run, parse("nDCG(dialect=evidently)@1")).value == 2.0


def test_a_run_without_rows_misses_every_query_where_that_is_declared(tmp_path):
    (tmp_path / "empty.run").write_text("")
    frame = duckdb.connect().sql("select 'q' as query, 'a' as doc, 1.0 as score where false")
    for run in ({}, str(tmp_path / "empty.run"), frame):
        result = ndcg.evaluate(JUDGED, run, parse("nDCG(empty_run=missing)@3"))
        assert result.value == 0.0 and [row.status for row in result.per_query] == ["missing"]
        assert any("holds no row" in warning for warning in result.warnings)
        assert ndcg.evaluate(JUDGED, run, parse("nDCG(empty_run=missing, missing=exclude)@3")).value is None
        for measures in ("nDCG@3", ["nDCG(empty_run=missing)@3", "P@3"]):
            with pytest.raises(InputError):
                ndcg.evaluate(JUDGED, run, measures)


def test_a_run_of_other_queries_is_no_run_without_rows():
    with pytest.raises(InputError, match="no query in common"):
        ndcg.evaluate(JUDGED, {"z": {"a": 1.0}}, parse("nDCG(empty_run=missing)@3"))


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("nDCG(cutoff_zero=nothing)@0", 0.0),
        ("nDCG(cutoff_zero=nothing, no_ideal=one)@0", 1.0),
        ("nDCG(cutoff_zero=nothing, no_ideal=exclude)@0", None),
        ("nDCG(gain=linear, cutoff_zero=nothing, ideal_cut=none)@0", 0.0),
        ("nDCG(gain=linear, cutoff_zero=whole)@0", (3 + 1 / L5) / (3 + 2 / L3 + 1 / 2)),
        ("DCG(cutoff_zero=nothing)@0", 0.0),
    ],
)
def test_a_cutoff_of_0(measure, expected):
    found = value(measure)
    assert found is expected is None or found == pytest.approx(expected, rel=1e-14)
    assert parse(str(parse(measure))) == parse(measure)


@pytest.mark.parametrize(
    "measure", ["nDCG@0", "nDCG(cutoff_zero=whole)@-1", "P(dialect=ranx)@0", "nDCG(dialect=sklearn)@0"]
)
def test_a_cutoff_of_0_is_an_error_otherwise(measure):
    with pytest.raises(UsageError):
        parse(measure)


@pytest.mark.parametrize(
    ("measure", "judged", "run", "expected"),
    [
        ("nDCG(gain=exp2_int64)@2", {"a": 100, "b": 1}, "ba", 1 - 1 / L3),
        ("nDCG(gain=exp2_int64, ideal_order=grade)@2", {"a": 100, "b": 1}, "ba", -1.0),
        ("DCG(gain=exp2_int64)@1", {"a": 63}, "a", 2.0**63),
        ("DCG(gain=exp2_int64)@1", {"a": 62}, "a", 2.0**62 - 1),
        ("DCG(gain=exp2_int64)@1", {"a": 0.5}, "a", 2.0**0.5 - 1),
        ("DCG(gain=exp2_to_30)@1", {"a": 30}, "a", 2.0**30 - 1),
        ("nDCG(gain=exp2_to_30, negative=clamp)@2", {"a": 3, "b": -1}, "ba", 1 / L3),
        ("nDCG(gain={1: 5, 2: 1}, ideal_order=grade)@1", {"a": 2, "b": 1}, "b", 5.0),
        ("nDCG(gain=linear, negative=signed, ideal_order=grade)@2", {"a": 1, "b": -1}, "ba", -1.0),
        ("nDCG(overflow=zero)@2", {"a": 1100, "b": 1}, "ba", 0.0),
        ("nDCG(overflow=zero)@2", {"a": 3, "b": 1}, "ab", 1.0),
        ("DCG(gain=linear, gain_type=float32)@1", {"a": 16777217}, "a", 16777216.0),
    ],
)
def test_gains_that_do_not_fit(measure, judged, run, expected):
    assert value(measure, {"q": judged}, tuple(run)) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("measure", "grade", "message"),
    [
        ("nDCG(gain_type=float32)@2", 128, "beyond the range of a single-precision float"),
        ("nDCG(gain=exp2_int64, negative=signed)@2", -1, "no negative powers"),
        ("nDCG(gain=exp2_to_30)@2", 31, "grade 31 is not a whole number from 0 to 30"),
        ("nDCG(gain=exp2_to_30, negative=signed)@2", -1, "not a whole number from 0 to 30"),
        ("nDCG(dialect=lightgbm)@2", 31, "not a whole number from 0 to 30.*gain='exp2'"),
        ("nDCG(dialect=lightgbm)@2", 0.5, "grade 0.5 is not a whole number from 0 to 30"),
        ("nDCG(dialect=lightgbm)@2", -1, "grade -1 is negative"),
        (
            "nDCG(gain=linear, discount=none, negative=signed, overflow=zero, gain_type=float32)@2",
            -1e300,
            "beyond the range",
        ),
    ],
)
def test_gains_that_are_refused(measure, grade, message):
    with pytest.raises(InputError, match=message):
        value(measure, {"q": {"a": grade, "b": 1}}, ("a", "b"))


def test_queries_that_count_0_by_overflow_are_not_said_to_be_without_gain():
    result = ndcg.evaluate({"q": {"a": 1100}}, {"q": ["a"]}, parse("nDCG(overflow=zero)@2"))
    (row,) = result.per_query
    assert (row.value, row.dcg, row.ideal_dcg, row.status) == (0.0, 0.0, 0.0, "scored")
    assert "without gain" not in str(result)


def test_minus_infinity_is_not_retrieved():
    judged, run = {"q": {"a": 1, "b": 2, "c": 1}}, {"q": {"b": -math.inf, "a": math.inf, "c": 0.0}}
    ideal = 3 + 1 / L3 + 1 / L4
    assert value("nDCG@3", judged, run) == pytest.approx((1 + 1 / L3 + 3 / L4) / ideal, rel=1e-14)
    assert value("nDCG(minus_infinity=unretrieved)@3", judged, run) == pytest.approx((1 + 1 / L3) / ideal, rel=1e-14)
    with pytest.raises(UsageError, match="unjudged_grade"):
        parse("nDCG(minus_infinity=unretrieved, unjudged_grade=1)")
