"""The slow definition against numbers that other people, or paper and pencil, arrived at.

Every expected value is a literal from the page that states it. A value printed with n decimals is compared at
half a unit of the last, one printed in full at 1e-14, an exact one with `==`.
"""

import ast
import itertools
import math
import random
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ndcg.kernel import reference
from ndcg.kernel.reference import Row, evaluate, mean
from ndcg.kernel.reference_sums import divisor

from .one_query import AB, QUICK, decimals, full, graded, listed, one, value

INF = math.inf


def test_the_definition_imports_itself_and_the_standard_library_only() -> None:
    for path in Path(reference.__file__).parent.glob("reference*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name.partition(".")[0] for alias in node.names} <= sys.stdlib_module_names
            elif isinstance(node, ast.ImportFrom):
                module = (node.module or "").partition(".")[0]
                assert module.startswith("reference") if node.level == 1 else module in sys.stdlib_module_names


# The worked values of the specification


@pytest.mark.parametrize(
    ("declared", "dcg", "ideal_dcg", "ndcg"),
    [
        ({"gain": "linear", "k": 4}, 4.4923, 6.3235, 0.7104),
        ({"k": 4}, 8.9230, 13.3472, 0.6685),
        ({"gain": "linear", "ideal": "returned", "k": 4}, 4.4923, 4.7619, 0.9434),
        ({"gain": "linear", "ideal": "returned", "k": 2}, 3.6309, 4.2619, 0.8520),
    ],
)
def test_worked_table(declared: dict[str, Any], dcg: float, ideal_dcg: float, ndcg: float) -> None:
    row = one(QUICK, "A B C D", **declared)
    assert row.status == "scored"
    assert row.dcg == decimals(dcg, 4)
    assert row.ideal_dcg == decimals(ideal_dcg, 4)
    assert row.value == decimals(ndcg, 4)
    assert value(QUICK, "A B C D", measure="DCG", **declared) == row.dcg
    assert value(QUICK, "A B C D", measure="IDCG", **declared) == row.ideal_dcg


def test_worked_lists() -> None:
    judgments = {"pump-47": {"a": 1, "b": 3, "c": 0, "d": 2}, "valve-62": {"a": 2, "b": 0, "c": 1}}
    rows = evaluate(judgments, {"pump-47": listed("a b c d"), "valve-62": listed("a b c")}, k=3)
    assert rows["pump-47"].value == decimals(0.5767, 4)
    assert rows["valve-62"].value == decimals(0.9639, 4)
    assert mean(rows) == mean(rows.values()) == decimals(0.7703, 4)
    assert graded([0, 0]).value is None
    assert graded([0, 0]).status == "empty"
    assert graded([3, 2, 1]).value == 1.0


def test_worked_cumulated_gain() -> None:
    assert graded([3, 1, 0, 2], measure="CG", gain="linear").value == 6.0
    assert graded([0, 0, 1, 1], measure="CG", gain="linear").value == 2.0
    assert graded([3, 1, 0, 2], measure="CG", gain="linear", discount="reciprocal", k=2).dcg == 4.0
    assert graded([3, 1, 0, 2], measure="CG").value == 11.0


@pytest.mark.parametrize(("rank", "kept"), [(1, 1.0), (2, 0.6309), (3, 0.5), (4, 0.4307), (10, 0.2891)])
def test_worked_discounts(rank: int, kept: float) -> None:
    assert 1.0 / divisor(rank, "log2") == decimals(kept, 4)
    assert graded([0] * (rank - 1) + [1], measure="DCG").value == decimals(kept, 4)


def test_edge_table_missing() -> None:
    rows = evaluate({"q1": {"A": 1}, "q2": {"A": 1}}, {"q1": listed("A")})
    assert [row.status for row in rows.values()] == ["scored", "missing"]
    assert mean(rows) == 0.5
    assert (rows["q2"].value, rows["q2"].dcg, rows["q2"].ideal_dcg) == (0.0, 0.0, 1.0)


def test_edge_table_empty_is_not_missing() -> None:
    rows = evaluate({"q1": {"A": 1}, "q2": {"A": 0}}, {"q1": listed("A")})
    assert [row.status for row in rows.values()] == ["scored", "empty"]
    assert mean(rows) == 1.0


def test_edge_table_ideal_pool_without_gain() -> None:
    judgments = {"q1": {"A": 1}, "q2": {"B": 1}}
    rows = evaluate(judgments, {"q1": listed("A"), "q2": listed("X")}, ideal="returned")
    assert mean(rows) == 0.5
    assert (rows["q2"].status, rows["q2"].value, rows["q2"].ideal_dcg) == ("scored", 0.0, 0.0)


def test_edge_table_numbers() -> None:
    assert value({"a": 1}, [("a", 1.0), ("b", 2.0)]) == decimals(0.6309, 4)
    assert value({"A": 2, "B": -1}, "A", negative="keep", gain="linear", k=2) == 1.0
    assert value({"A": 1, "B": 2}, "A X B", gain={1: 1, 2: 3}, k=3) == decimals(0.6885, 4)
    close = [("a", 0.900000002), ("b", 0.900000001)]
    assert value({"a": 1, "b": 2}, close, gain="linear") == decimals(0.8597, 4)
    assert value({"a": 1, "b": 2}, close, gain="linear", score_type="float32", ties="docid_desc") == 1.0


# Published examples

JK = (3, 2, 3, 0, 0, 1, 2, 2, 3, 0)
JK_NOT_RETURNED = (1, 1, 1)  # makes the paper's ideal: 3 3 3 2 2 2 1 1 1 1


def jk(**declared: Any) -> list[Row]:
    return [graded(JK, JK_NOT_RETURNED, k=k, **declared) for k in range(1, 11)]


def test_jarvelin_kekalainen_2002_as_printed() -> None:
    """The paper cuts digits instead of rounding them."""
    rows = jk(gain="linear", discount=("jarvelin", 2))
    gained = jk(gain="linear", measure="CG")
    assert [row.value for row in gained] == [3, 5, 8, 8, 8, 9, 11, 13, 16, 16]
    dcg = [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61]
    ideal = [3, 6, 7.89, 8.89, 9.75, 10.53, 10.88, 11.22, 11.53, 11.83]
    ndcg = [1, 0.83, 0.87, 0.78, 0.71, 0.69, 0.73, 0.77, 0.83, 0.81]
    assert [row.dcg for row in rows] == pytest.approx(dcg, rel=0, abs=0.01)
    assert [row.ideal_dcg for row in rows] == pytest.approx(ideal, rel=0, abs=0.01)
    assert [row.value for row in rows] == pytest.approx(ndcg, rel=0, abs=0.01)


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        (
            {"gain": "linear", "discount": ("jarvelin", 2)},
            "1 .833333 .873302 .775099 .706653 .691465 .734290 .771902 .832848 .811662",
        ),
        (
            {"gain": "linear"},
            "1 .871049 .901306 .794285 .717734 .699987 .747745 .789819 .858480 .833613",
        ),
        ({}, "1 .778941 .830810 .764584 .713496 .691463 .732457 .769936 .866670 .853938"),
    ],
)
def test_jarvelin_kekalainen_2002_to_six_decimals(declared: dict[str, Any], expected: str) -> None:
    assert [row.value for row in jk(**declared)] == [decimals(float(text), 6) for text in expected.split()]


@pytest.mark.parametrize(("discount", "places", "expected"), [(("jarvelin", 2), 7, 0.3380125), ("log2", 7, 0.2759895)])
def test_ntcireval_sample(discount: Any, places: int, expected: float) -> None:
    row = graded([0, 3, None, 2], [3, 3, 2, 2, 1, 1, 1, 1], k=1000, gain="linear", discount=discount)
    assert row.value == decimals(expected, places)


@pytest.mark.parametrize(
    ("ranked", "dcg", "ideal_dcg", "ndcg"),
    [
        ([3, 2, 3, 0, 1, 2], 13.848263629, 14.595390756, 0.9488107486),
        ([3, 2, 3, None, 1, None], 12.779642068, 13.347184833, 0.9574784666),
    ],
)
def test_elasticsearch(ranked: list[float | None], dcg: float, ideal_dcg: float, ndcg: float) -> None:
    row = graded(ranked)
    assert row.dcg == decimals(dcg, 9)
    assert row.ideal_dcg == decimals(ideal_dcg, 9)
    assert row.value == decimals(ndcg, 10)


def test_elasticsearch_four_hits() -> None:
    row = graded([3, 2, 3, None], [1])
    assert row.ideal_dcg == decimals(13.347184833, 9)
    assert row.value == decimals(0.9284946163, 10)


def test_wikipedia() -> None:
    alone = graded([3, 2, 3, 0, 1, 2], gain="linear")
    assert alone.dcg == decimals(6.861127, 6)
    assert alone.ideal_dcg == decimals(7.140995, 6)
    assert alone.value == decimals(0.960808, 6)
    wider = graded([3, 2, 3, 0, 1, 2], [3, 2], gain="linear", k=6)
    assert wider.dcg == alone.dcg
    assert wider.ideal_dcg == decimals(8.740262, 6)
    assert wider.value == decimals(0.785002, 6)


SKLEARN = {"a": 10.0, "b": 0.0, "c": 0.0, "d": 1.0, "e": 5.0}


@pytest.mark.parametrize(
    ("scores", "declared", "expected"),
    [
        ((0.1, 0.2, 0.3, 4, 70), {}, 0.6956940443813076),
        ((0.05, 1.1, 1.0, 0.5, 0.0), {}, 0.493680191377376),
        ((0.05, 1.1, 1.0, 0.5, 0.0), {"k": 4}, 0.3520241100634488),
        ((1, 0, 0, 0, 1), {"k": 1}, 0.75),
        ((1, 0, 0, 0, 1), {"k": 1, "ties": "docid_desc"}, 0.5),
        ((1, 1, 1, 1, 1), {}, 0.6909785334518438),
        ((1, 1, 1, 0.5, 0.5), {}, 0.6998120154499459),
    ],
)
def test_scikit_learn(scores: Sequence[float], declared: dict[str, Any], expected: float) -> None:
    entries = list(zip("abcde", scores, strict=True))
    row = one(SKLEARN, entries, **{"gain": "linear", "ties": "average", **declared})
    assert row.value == full(expected)


def test_scikit_learn_all_tied_dcg() -> None:
    row = one(SKLEARN, [(doc, 0.0) for doc in "abcde"], gain="linear", ties="average")
    assert row.dcg == full(9.435069180414054)


@pytest.mark.parametrize("seed", range(40))
def test_mcsherry_najork_2008_by_enumeration(seed: int) -> None:
    """`average` is the mean over all orders of the tied groups, `best` and `worst` are their ends."""
    draw = random.Random(seed)
    docs = [f"d{number}" for number in range(draw.randint(1, 6))]
    grades = {doc: float(draw.randint(0, 3)) for doc in docs if draw.random() < 0.8} | {"missed": 2.0}
    entries = [(doc, float(draw.randint(0, 2))) for doc in docs]
    k = draw.choice([None, 1, 2, 3, 5])
    orders = []
    for order in itertools.permutations(entries):
        ordered = sorted(order, key=lambda entry: -entry[1])
        orders.append(value(grades, " ".join(doc for doc, _ in ordered), k=k))
    assert all(order is not None for order in orders)
    exact = float(sum(Fraction(order or 0.0) for order in orders) / len(orders))
    assert value(grades, entries, k=k, ties="average") == pytest.approx(exact, rel=1e-14)
    assert value(grades, entries, k=k, ties="best") == max(order or 0.0 for order in orders)
    assert value(grades, entries, k=k, ties="worst") == min(order or 0.0 for order in orders)


# Faults of other tools


@pytest.mark.parametrize(
    ("grades", "run", "declared", "expected"),
    [
        (AB, "a b", {}, 0.8597186998521972),
        (AB, "b a", {}, 1.0),
        (AB, "a", {}, 0.38009376671593426),
        (AB, "a x b", {}, 0.7601875334318685),
        (AB, "x a b", {}, 0.6199062332840657),
        (AB, "x b a", {}, 0.66967181649423),
        (AB, [("a", 1.0), ("b", 1.0)], {"ties": "average"}, 0.9298593499260985),
        (AB, "a b", {"gain": "exp2"}, 0.7967075809905066),
        ({"a": 0.5, "b": 1.9}, "a b", {}, 0.7667765576362452),
        (AB, "a b", {"gain": {1: 0.3, 2: 0.7}}, 0.8339912323981489),
        ({"a": 1, "b": 1, "c": 1}, "a", {}, 0.46927872602275644),
        ({"a": 1}, "x a", {}, 0.6309297535714575),
        ({"a": 1}, "x y a", {}, 0.5),
        # the relevant document has the smallest of five tied ids
        ({"a": 1}, [(doc, 7.0) for doc in "abcde"], {"ties": "docid_desc"}, 0.38685280723454163),
        ({"a": 5, "b": 2}, "a b", {"gain": "exp2"}, 1.0),
        ({"a": 5, "b": 2}, "b a", {"gain": "exp2"}, 0.6858288052712634),
        (AB, "a b", {"min_grade": 2}, 0.6309297535714575),
        ({"a": -1, "b": 2}, "a b", {}, 0.6309297535714575),
        ({"a": 1, "b": 1}, "a", {"k": 10}, 0.6131471927654584),
        ({"a": 1}, [("a", 2.0), ("a", 1.0)], {}, 1.0),
        ({"007": 2, "7": 0}, "007", {}, 1.0),
        (AB, [("a", 16777217.0), ("b", 16777216.0)], {}, 0.8597186998521972),
        (AB, [("a", 16777217.0), ("b", 16777216.0)], {"score_type": "float32", "ties": "docid_desc"}, 1.0),
        (AB, "x b a", {"unjudged": "skip"}, 1.0),
        ({"a": 1}, "a a\0x", {}, 1.0),
        ({"1e5": 1}, [("b", 1.0), ("1e5", 2.0)], {}, 1.0),
    ],
)
def test_values_of_the_fault_collection(
    grades: Mapping[str, float], run: str | list[tuple[str, float]], declared: dict[str, Any], expected: float
) -> None:
    assert value(grades, run, **{"gain": "linear", "k": 5, **declared}) == full(expected)


def test_negative_gain_counts_only_where_it_is_asked_for() -> None:
    """The ideal holds no negative gain: with -1 in it as well the value would be 0.19127."""
    assert value({"a": -1, "b": 2}, "a b", gain="linear", negative="keep") == decimals(0.13093, 5)


@pytest.mark.parametrize(("order", "first"), [("docid", "10"), ("docid_desc", "9")])
def test_ids_order_as_text(order: str, first: str) -> None:
    assert value({first: 1}, [("9", 1.0), ("10", 1.0)], ties=order) == 1.0
    accented = "z" if order == "docid" else "é"
    assert value({accented: 1}, [("é", 1.0), ("z", 1.0)], ties=order) == 1.0
    # beyond the Basic Multilingual Plane code points, not UTF-16 units, decide
    beyond = "\uffee" if order == "docid" else "\U0001f600"
    assert value({beyond: 1}, [("\U0001f600", 1.0), ("\uffee", 1.0)], ties=order) == 1.0


def test_missing_and_unjudged_queries_in_the_mean() -> None:
    rows = evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": listed("a")})
    assert mean(rows) == 0.5
    excluded = evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": listed("a")}, missing="exclude")
    assert mean(excluded) == 1.0
    rows = evaluate({"q1": AB}, {"q1": listed("a b"), "q2": listed("a")}, gain="linear", k=5)
    assert mean(rows) == full(0.8597186998521972)
    assert (rows["q2"].status, rows["q2"].value) == ("unjudged", None)


@pytest.mark.parametrize("order", list(itertools.permutations(["q1", "q2", "q3"])))
def test_an_empty_judgment_dict_touches_no_other_query(order: tuple[str, ...]) -> None:
    judgments: dict[str, dict[str, float]] = {"q1": {"a": 1}, "q2": {}, "q3": {"a": 1, "b": 1}}
    run = {"q1": listed("a"), "q2": listed("a"), "q3": listed("b a")}
    for _ in range(2):
        rows = evaluate({query: judgments[query] for query in order}, run)
        assert list(rows) == list(order)
        assert {query: row.value for query, row in rows.items()} == {"q1": 1.0, "q2": None, "q3": 1.0}
        assert rows["q2"].status == "empty"
        assert (rows["q2"].judged, rows["q2"].dcg, rows["q2"].ideal_dcg) == (0, 0.0, 0.0)


@pytest.mark.parametrize(("empty", "expected"), [("zero", 0.42986), ("exclude", 0.85972), ("one", 0.92986)])
def test_policies_for_a_query_without_relevant_document(empty: str, expected: float) -> None:
    judgments = {"q1": AB, "q2": {"a": 0.0}}
    run = {"q1": listed("a b"), "q2": listed("a")}
    assert mean(evaluate(judgments, run, gain="linear", k=5, empty=empty)) == decimals(expected, 5)


def test_empty_lists_and_empty_runs() -> None:
    row = one({"a": 1}, [])
    assert (row.status, row.value, row.returned, row.judged_at_k) == ("missing", 0.0, 0, None)
    assert [row.value for row in evaluate({"q1": AB, "q2": AB}, {}).values()] == [0.0, 0.0]
    assert evaluate({}, {}) == {}
    assert mean([]) is None


def test_the_order_of_dicts_does_not_pair_queries() -> None:
    run = {"q2": [("b", 1.0), ("a", 0.5)], "q1": [("a", 1.0), ("b", 0.5)]}
    assert mean(evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, run)) == 1.0


def test_negative_grades_only() -> None:
    assert one({"a": -5, "b": -5}, "a b").status == "empty"


def test_infinite_scores_rank() -> None:
    run = [("a", -INF), ("b", 2.0), ("c", INF)]
    assert value({"c": 3, "b": 2, "a": 1}, run) == 1.0
    assert one({"a": 1}, [("a", INF), ("b", INF), ("c", 1.0)], k=1).tied_at_cutoff == 2
    assert value({"b": 1}, [("a", 1e39), ("b", INF)], score_type="float32", ties="docid_desc") == 1.0
    assert value({"a": 1}, [("a", -1e39), ("b", -INF)], score_type="float32") == 1.0


# What is not a property


def test_ndcg_is_not_monotone_in_k() -> None:
    ranked = [2, 1, 2, 2, 3, 3]
    assert graded(ranked, k=1, gain="linear").value == decimals(0.6667, 4)
    assert graded(ranked, k=2, gain="linear").value == decimals(0.5377, 4)


def test_raising_a_grade_can_lower_ndcg() -> None:
    """With one further judged document of grade 1 that was not returned."""
    assert graded([2, 3, 0, 0, 2, 0], [1], k=5, gain="linear").value == decimals(0.8198, 4)
    assert graded([2, 3, 0, 0, 3, 0], [1], k=5, gain="linear").value == decimals(0.7991, 4)
