"""Each habit alone, in the notation, against a value made with paper and pencil."""

from __future__ import annotations

import math

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
