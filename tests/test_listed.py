"""Functions for lists in hand."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import ndcg


def test_worked_list():
    assert ndcg.ndcg_at_k([3, 1, 0, 2], k=4) == pytest.approx(0.9500, abs=5e-5)
    assert ndcg.ndcg_at_k([3, 1, 0, 2], k=4, judged=[3, 1, 0, 2, 3]) == pytest.approx(0.6685, abs=5e-5)
    assert ndcg.ndcg_at_k([3, 1, 0, 2], k=4, judged=[3, 1, 0, 2, 3], gain="linear") == pytest.approx(0.7104, abs=5e-5)
    assert ndcg.dcg_at_k([3, 1, 0, 2], k=4) == pytest.approx(8.9230, abs=5e-5)
    assert ndcg.ideal_dcg_at_k([3, 1, 0, 2, 3], k=4) == pytest.approx(13.3472, abs=5e-5)
    assert ndcg.ndcg_at_k([3, 2, 1]) == 1.0


@pytest.mark.parametrize("empty", [[0, 0], [], [None, None], [0, None]])
def test_undefined_is_none(empty):
    assert ndcg.ndcg_at_k(empty, k=2) is None
    assert ndcg.dcg_at_k(empty, k=2) == 0.0


def test_empty_policy_gives_a_value():
    assert ndcg.ndcg_at_k([0, 0], k=2, empty="zero") == 0.0
    assert ndcg.ndcg_at_k([0, 0], k=2, empty="one") == 1.0
    with pytest.raises(ValueError, match="positive gain"):
        ndcg.ndcg_at_k([0, 0], k=2, empty="error")


def test_missing_policy_of_an_empty_list():
    assert ndcg.ndcg_at_k([], k=2, judged=[1]) == 0.0
    assert ndcg.ndcg_at_k([], k=2, judged=[1], missing="exclude") is None
    assert ndcg.ndcg_at_k([], k=2, judged=[0], missing="error") is None
    with pytest.raises(ValueError, match="list is empty"):
        ndcg.ndcg_at_k([], k=2, judged=[1], missing="error")


def test_missed_everything_is_zero_not_none():
    assert ndcg.ndcg_at_k([0, 0], k=2, judged=[0, 0, 3]) == 0.0


@pytest.mark.parametrize(
    "arguments, text",
    [
        ({"grades": [1], "k": 0}, "k=0"),
        ({"grades": [1], "k": -3}, "k=-3"),
        ({"grades": [1], "k": 2.0}, r"k=2\.0"),
        ({"grades": [1], "k": True}, "k=True"),
        ({"grades": [1, -1]}, "-1"),
        ({"grades": [1], "judged": [1, -2]}, "-2"),
        ({"grades": [1, "2"]}, "'2'"),
        ({"grades": [1, b"2"]}, "b'2'"),
        ({"grades": [1, True]}, "True"),
        ({"grades": [1, math.nan]}, "nan"),
        ({"grades": [1, math.inf]}, "inf"),
        ({"grades": [3, 1], "judged": [1, 0]}, "3"),
        ({"grades": [1, 1], "judged": [1, 0]}, "1"),
        ({"grades": [1], "judged": [1, None]}, "None"),
        ({"grades": [2000]}, "2000"),
    ],
)
def test_refused_with_the_value(arguments, text):
    grades = arguments.pop("grades")
    with pytest.raises(ValueError, match=text):
        ndcg.ndcg_at_k(grades, **arguments)


@pytest.mark.parametrize("shape", ["301", 3, {"a": 1}])
def test_a_list_is_a_list(shape):
    with pytest.raises(TypeError):
        ndcg.ndcg_at_k(shape)


def test_unknown_option_is_a_type_error():
    with pytest.raises(TypeError, match="did you mean 'gain'"):
        ndcg.ndcg_at_k([1], gian="linear")


def test_negative_policies():
    assert ndcg.ndcg_at_k([-1, 2], k=2, negative="clamp") == pytest.approx(0.6309, abs=5e-5)
    kept = ndcg.ndcg_at_k([2], k=2, judged=[2, -1], negative="keep", gain="linear")
    assert kept == 1.0
    assert ndcg.ndcg_at_k([-1, 2], k=1, negative="keep", gain="linear") == pytest.approx(-0.5)


def test_unjudged_is_none_and_may_be_skipped():
    assert ndcg.ndcg_at_k([None, 1], k=2) == pytest.approx(0.6309, abs=5e-5)
    assert ndcg.ndcg_at_k([None, 1], k=2, unjudged="skip") == 1.0
    with pytest.raises(ValueError, match="rank 1"):
        ndcg.ndcg_at_k([None, 1], k=2, unjudged="error")


@pytest.mark.parametrize("number", [np.float32(1), np.int64(1), Decimal(1), Fraction(1), 1.0])
def test_any_real_number(number):
    assert ndcg.ndcg_at_k([0, number], k=2) == pytest.approx(0.6309, abs=5e-5)


def test_arrays_and_tuples():
    assert ndcg.ndcg_at_k(np.array([3, 1, 0, 2]), k=4) == ndcg.ndcg_at_k((3, 1, 0, 2), k=4)


def test_several_lists():
    result = ndcg.evaluate_lists({"pump-47": [1, 3, 0, 2], "valve-62": [2, 0, 1]}, "nDCG@3")
    values = {row.query: row.value for row in result.per_query}
    assert values == {
        "pump-47": pytest.approx(0.5767, abs=5e-5),
        "valve-62": pytest.approx(0.9639, abs=5e-5),
    }
    assert result.value == pytest.approx(0.7703, abs=5e-5)
    assert any("hides missed" in warning for entry in result.entries for warning in entry.warnings)


def test_several_lists_with_judged():
    result = ndcg.evaluate_lists(
        {"a": [3, 1, 0, 2], "stray": [1]}, "nDCG@4", judged={"a": [3, 1, 0, 2, 3], "gone": [1], "none": [0]}
    )
    rows = {row.query: (row.status, row.value) for row in result.per_query}
    assert rows["a"] == ("scored", pytest.approx(0.6685, abs=5e-5))
    assert rows["gone"] == ("missing", 0.0)
    assert rows["none"] == ("empty", None)
    assert rows["stray"] == ("unjudged", None)


def test_several_lists_agree_with_one():
    lists = {"a": [3, 0, None, 1], "b": [0, 0], "c": [1, 2, 3]}
    rows = {row.query: row.value for row in ndcg.evaluate_lists(lists, "nDCG@3").per_query}
    assert rows == {query: ndcg.ndcg_at_k(grades, k=3) for query, grades in lists.items()}


def test_negative_in_several_lists():
    with pytest.raises(ValueError, match="-1"):
        ndcg.evaluate_lists({"a": [1, -1]}, "nDCG@3")
    assert ndcg.evaluate_lists({"a": [1, -1]}, "nDCG(negative='clamp')@3").value == 1.0
    assert ndcg.evaluate_lists({"a": [1, -1]}, "nDCG@3", negative="clamp").value == 1.0


def test_several_lists_refuse_a_single_list():
    with pytest.raises(TypeError):
        ndcg.evaluate_lists([1, 2, 3], "nDCG@3")
    with pytest.raises(ValueError):
        ndcg.evaluate_lists({}, "nDCG@3")


@pytest.mark.parametrize("what", ["grades", "judged"])
@pytest.mark.parametrize("values", [[[3, 1], [0, 2]], np.array([[3, 1], [0, 2]]), np.array([[3.0]]), {3, 1}])
def test_what_is_no_list_of_numbers(what, values):
    lists = {"grades": [1], "judged": [1], what: values}
    with pytest.raises(TypeError, match=what):
        ndcg.ndcg_at_k(lists["grades"], k=2, judged=lists["judged"])
    with pytest.raises(TypeError, match=what):
        ndcg.evaluate_lists({"a": lists["grades"]}, "nDCG@2", judged={"a": lists["judged"]})


@pytest.mark.parametrize("grade", [10**400, -(10**400), 10**5000], ids=["above", "below", "long"])
def test_a_whole_number_beyond_a_float_is_no_grade(grade):
    for grades in ([grade], [None, grade]):
        with pytest.raises(ndcg.InputError, match="not a finite number"):
            ndcg.ndcg_at_k(grades, k=2)


def test_losses_add_up_without_a_gain():
    assert ndcg.dcg_at_k([-1, -2], k=2, gain="linear", negative="keep") == -1 + -2 / math.log2(3)
    assert ndcg.ndcg_at_k([-1, -2], k=2, gain="linear", negative="keep") is None
    assert ndcg.ideal_dcg_at_k([-1, -2], k=2, gain="linear", negative="keep") == 0.0


def test_the_ideal_of_all_judged_grades():
    everything = [3, 1, 0, 2, 3]
    assert ndcg.ideal_dcg_at_k([3, 1, 0, 2], k=4, judged=everything) == ndcg.ideal_dcg_at_k(everything, k=4)
    with pytest.raises(ValueError, match="grade 3 stands once in the list but not in judged"):
        ndcg.ideal_dcg_at_k([3], k=4, judged=[1])
