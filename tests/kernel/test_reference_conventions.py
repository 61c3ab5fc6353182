"""The slow definition, one convention at a time, and what it refuses."""

import math
from collections.abc import Mapping
from typing import Any

import pytest

from ndcg.kernel.reference import Row, evaluate, mean
from ndcg.kernel.reference_sums import divisor

from .one_query import AB, decimals, full, graded, listed, one, value

NAN = math.nan
INF = math.inf


def test_statuses_and_their_order() -> None:
    judgments: dict[str, dict[str, float]] = {"failed": AB, "empty": {"a": 0}, "missing": AB, "scored": AB}
    run: dict[str, list[tuple[str, float]] | None] = {
        "stray": listed("a"),
        "failed": None,
        "scored": listed("b a"),
        "failed stray": None,
        "missing": [],
    }
    rows = evaluate(judgments, run)
    assert {query: row.status for query, row in rows.items()} == {
        "failed": "failed",
        "empty": "empty",
        "missing": "missing",
        "scored": "scored",
        "stray": "unjudged",
        "failed stray": "failed",
    }
    assert list(rows) == ["failed", "empty", "missing", "scored", "stray", "failed stray"]
    assert (rows["failed"].dcg, rows["failed"].judged, rows["failed"].relevant) == (None, 2, 2)
    assert rows["failed"].ideal_dcg == decimals(3.6309, 4)
    for query in ("stray", "failed stray"):
        assert (rows[query].dcg, rows[query].ideal_dcg, rows[query].judged) == (None, None, 0)
    assert (rows["stray"].returned, rows["stray"].judged_at_k) == (1, None)


def test_policies_give_values() -> None:
    assert one({"a": 0}, "a", empty="one", measure="DCG").value == 1.0
    assert one({"a": 1}, [], missing="zero", measure="IDCG").value == 0.0
    assert one({"a": 1}, None, failed="zero").value == 0.0
    assert one({"a": 1}, None).value is None


def test_self() -> None:
    grades = {"q1": 1.0, "a": 1.0}
    assert value(grades, "q1 a") == 1.0
    row = one(grades, "q1 a", self="drop")
    assert (row.value, row.returned, row.judged) == (decimals(0.6131, 4), 1, 2)
    alone = one(grades, "q1", self="drop")
    assert (alone.status, alone.returned, alone.judged_at_k) == ("missing", 0, None)
    assert value(grades, [("q1", 3.0), ("q1", 2.0), ("a", 1.0)], self="drop", duplicates="error") is not None


def test_repeats_go_before_ranks_are_given() -> None:
    run = [("x", 3.0), ("x", 2.5), ("a", 2.0), ("x", 2.0), ("a", 1.0)]
    row = one({"a": 1}, run, k=2)
    assert (row.value, row.returned) == (decimals(0.6309, 4), 5)
    later_is_better = [("a", 1.0), ("b", 2.0), ("a", 2.0)]
    assert value({"b": 1}, later_is_better, ties="given") == 1.0
    assert value({"a": 1}, [("a", 2.0), ("b", 2.0), ("a", 2.0)], ties="given") == 1.0


def test_condensing_comes_before_the_cutoff_and_after_the_count() -> None:
    row = one({"a": 1}, "x y a", k=2, unjudged="skip")
    assert (row.value, row.judged_at_k, row.returned) == (1.0, 0.0, 3)
    nothing_left = one({"a": 1}, "x y", unjudged="skip")
    assert (nothing_left.status, nothing_left.value) == ("scored", 0.0)


def test_judged_at_k() -> None:
    assert one({"a": 1, "b": 0}, "a x b", k=2).judged_at_k == 0.5
    assert one({"a": 1, "b": 0}, "a x b y").judged_at_k == 0.5
    assert one({"a": 1}, "a", k=10).judged_at_k == 1.0
    tied = [("b", 1.0), ("a", 1.0)]
    assert [one({"a": 1}, tied, k=1, ties=ties).judged_at_k for ties in ("docid", "docid_desc", "given")] == [
        1.0,
        0.0,
        0.0,
    ]
    assert [one({"b": 1}, tied, k=1, ties=ties).judged_at_k for ties in ("average", "best", "worst")] == [
        0.0,
        0.0,
        0.0,
    ]


def test_tied_at_cutoff() -> None:
    run = [("a", 3.0), ("b", 2.0), ("c", 2.0), ("d", 2.0), ("e", 1.0)]
    sizes = [one({"a": 1}, run, k=k).tied_at_cutoff for k in (1, 2, 3, 4, 5, 6)]
    assert sizes == [0, 3, 3, 0, 0, 0]
    assert one({"a": 1}, run).tied_at_cutoff == 0
    assert one({"a": 1}, run, k=2, ties="given").tied_at_cutoff == 0
    assert one({"a": 1, "d": 0}, run, k=1, unjudged="skip").tied_at_cutoff == 0
    assert one({"b": 1, "d": 0}, run, k=1, unjudged="skip").tied_at_cutoff == 2
    assert one({"a": 1}, [("a", 0.0), ("b", -0.0)], k=1).tied_at_cutoff == 2


def test_candidates() -> None:
    pool = {"q1": ["a", "b", "x"]}
    row = one({"a": 1, "b": 1, "c": 3}, "x a", ideal="candidates", candidates=pool, gain="linear")
    assert row.ideal_dcg == decimals(1.6309, 4)
    none = one({"c": 3}, "x a", ideal="candidates", candidates=pool)
    assert (none.status, none.value) == ("scored", 0.0)
    missing = one({"c": 3}, [], ideal="candidates", candidates={})
    assert (missing.status, missing.ideal_dcg) == ("missing", 0.0)
    dropped = one({"q1": 1, "a": 1}, "q1 a", ideal="candidates", candidates=pool, self="drop")
    assert dropped.ideal_dcg == 1.0
    stray = evaluate({"q1": AB}, {"q1": listed("a"), "q9": listed("z")}, ideal="candidates", candidates=pool)
    assert stray["q9"].status == "unjudged"


def test_ideal_returned_is_chosen_from_the_whole_list() -> None:
    assert graded([0, 1, 3], k=1, ideal="returned").ideal_dcg == 7.0
    assert graded([0, 1], [3], k=1, ideal="returned").ideal_dcg == 1.0
    assert one({"q1": 3, "a": 1}, "q1 a", ideal="returned", self="drop").ideal_dcg == 1.0
    assert one(AB, None, ideal="returned").ideal_dcg == 0.0


def test_negative_and_min_grade_come_before_the_table() -> None:
    assert value({"a": -1, "b": 2}, "b a", gain={2: 1}) == 1.0
    assert value({"a": 1, "b": 2}, "b a", gain={2: 1}, min_grade=2) == 1.0
    loss = one({"a": -1, "b": 2}, "a b", gain="linear", negative="keep", min_grade=1)
    assert loss.value == decimals(0.6309, 4)
    assert value({"a": -1, "b": 2, "x": 0}, [("a", 1.0), ("b", 1.0)], gain="linear", negative="keep", k=1) == -0.5


@pytest.mark.parametrize("discount", ["log2", "reciprocal", "none", ("jarvelin", 2), ("jarvelin", 3.5)])
def test_ideal_order_is_exactly_one(discount: Any) -> None:
    assert graded([3, 3, 2, 2, 1, 1, 0], discount=discount).value == 1.0


def test_other_discounts() -> None:
    assert graded([1, 0, 1, 0], measure="DCG", discount="reciprocal").value == full(1.3333333333333333)
    assert graded([1, 0, 1, 0], measure="DCG", discount="none").value == 2.0
    assert [divisor(rank, ("jarvelin", 4)) for rank in (1, 3, 4, 16)] == [1.0, 1.0, 1.0, 2.0]


def test_one_division_added_from_the_left() -> None:
    """Times the reciprocal it would end in ...497, added from the right or exactly in ...498."""
    assert graded([1, 2, 2, 2, 3, 3], measure="DCG").value == 10.8862388953325


def test_the_mean_is_correctly_rounded() -> None:
    rows = [Row(str(number), "scored", 0.1, 0.1, 1.0, 1, 1, 1, 1.0, 0) for number in range(10)]
    assert mean(rows) == 0.1
    assert mean([*rows, Row("e", "empty", None, 0.0, 0.0, 1, 0, 1, 1.0, 0)]) == 0.1


# Errors


@pytest.mark.parametrize(
    ("grades", "run", "declared", "said"),
    [
        ({"a": NAN}, "a", {}, "query 'q1': document 'a': grade nan"),
        ({"a": INF}, "a", {}, "query 'q1': document 'a': grade inf"),
        ({"a": -INF}, "a", {}, "query 'q1': document 'a': grade -inf"),
        ({"a": 1}, [("b", NAN)], {}, "query 'q1': document 'b': the score is NaN"),
        ({"a": 1024}, "a", {}, "query 'q1': document 'a': grade 1024"),
        ({"a": 1100, "b": 2}, "b a", {}, "query 'q1': document 'a': grade 1100"),
        ({"a": 1}, "a", {"gain": {1: INF}}, "query 'q1': document 'a': grade 1"),
        ({"a": 3}, "a", {"gain": {1: 1}}, "query 'q1': document 'a': grade 3 is not in the gain table"),
        ({"a": 0, "b": 1}, "b", {"gain": {1: 1}}, "query 'q1': document 'a': grade 0 is not in the gain"),
        ({"a": -2}, "a", {"negative": "error"}, "query 'q1': document 'a': grade -2 is negative"),
        ({"a": 1}, "a x", {"unjudged": "error"}, "query 'q1': document 'x': returned but not judged"),
        ({"a": 1}, "a b b", {"duplicates": "error"}, "query 'q1': document 'b': returned more than once"),
        ({"a": 1}, "a z", {"ideal": "candidates", "candidates": {"q1": {"a"}}}, "query 'q1': document 'z'"),
        ({"a": 1}, "a", {"ideal": "candidates", "candidates": {}}, "query 'q1': document 'a'"),
        ({"a": 0}, "a", {"empty": "error"}, "query 'q1': status 'empty'"),
        ({"a": 1}, [], {"missing": "error"}, "query 'q1': status 'missing'"),
        ({"a": 1}, None, {"failed": "error"}, "query 'q1': status 'failed'"),
        ({"a": 1023.9, "b": 1023.9, "c": 1023.9}, "a b c", {"discount": "none"}, "query 'q1': DCG overflows"),
        ({"a": 1023.9, "b": 1023.9}, "x", {"discount": "none"}, "query 'q1': ideal DCG overflows"),
        (
            {"a": 1023.9, "b": 1023.9},
            [("a", 1.0), ("b", 1.0)],
            {"ties": "average", "discount": "none"},
            "query 'q1': DCG overflows a float .*1023.9",
        ),
        (
            {"a": -1e308, "b": 1e-308},
            "a b",
            {"gain": "linear", "negative": "keep"},
            "query 'q1': nDCG overflows",
        ),
    ],
)
def test_errors_name_query_document_and_value(
    grades: Mapping[str, float], run: Any, declared: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        one(grades, run, **declared)


def test_an_unjudged_query_can_be_an_error() -> None:
    with pytest.raises(ValueError, match="query 'q9': status 'unjudged'"):
        evaluate({"q1": AB}, {"q1": listed("a"), "q9": listed("a")}, unjudged_query="error")


def test_unjudged_error_looks_at_the_first_k_only() -> None:
    assert value({"a": 1}, "a x", k=1, unjudged="error") == 1.0
    assert evaluate({}, {"q9": listed("x")}, unjudged="error")["q9"].status == "unjudged"


def test_a_mean_that_overflows_is_an_error() -> None:
    with pytest.raises(ValueError, match="mean overflows"):
        mean([Row(query, "scored", 1.7e308, 1.7e308, 1.7e308, 1, 1, 1, 1.0, 0) for query in "ab"])


@pytest.mark.parametrize(
    "declared",
    [
        {"k": 0},
        {"k": -1},
        {"k": True},
        {"k": 2.5},
        {"k": "5"},
        {"gain": "exp"},
        {"discount": "log10"},
        {"discount": ("jarvelin", 1)},
        {"discount": ("jarvelin", NAN)},
        {"discount": ("burges", 2)},
        {"measure": "AP"},
        {"ideal": "candidates"},
        {"ideal": "retrieved"},
        {"ties": "random"},
        {"unjudged": "ignore"},
        {"negative": "keep"},
        {"negative": "keep", "gain": {1: 1}},
        {"empty": "skip"},
        {"missing": "one"},
        {"failed": "one"},
        {"unjudged_query": "skip"},
        {"gain": "graded"},
        {"ideal_cut": "5"},
        {"no_ideal": "skip"},
        {"grade_type": "float16"},
        {"duplicates": "last"},
        {"self": "yes"},
        {"score_type": "float16"},
        {"min_grade": NAN},
    ],
)
def test_a_convention_that_does_not_exist_is_an_error(declared: dict[str, Any]) -> None:
    name, stated = next(iter(declared.items()))
    with pytest.raises(ValueError, match=name) as caught:
        evaluate({}, {}, **declared)
    if not isinstance(stated, float):
        assert repr(stated) in str(caught.value)


def test_a_misspelled_option_is_an_error() -> None:
    with pytest.raises(TypeError):
        evaluate({}, {}, tie="docid")  # type: ignore[call-arg]
