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

NAN = math.nan
INF = math.inf

QUICK = {"A": 3.0, "B": 1.0, "C": 0.0, "D": 2.0, "E": 3.0}


def listed(text: str) -> list[tuple[str, float]]:
    """`a b c`: documents in ranked order, scores 3, 2, 1."""
    docs = text.split()
    return [(doc, float(len(docs) - position)) for position, doc in enumerate(docs)]


def one(grades: Mapping[str, float], run: str | Sequence[tuple[str, float]] | None, **declared: Any) -> Row:
    entries = listed(run) if isinstance(run, str) else run
    return evaluate({"q1": grades}, {"q1": entries}, **declared)["q1"]


def value(grades: Mapping[str, float], run: str | Sequence[tuple[str, float]], **declared: Any) -> float | None:
    return one(grades, run, **declared).value


def graded(ranked: Sequence[float | None], more: Sequence[float] = (), **declared: Any) -> Row:
    """Grades in ranked order (None: unjudged); `more` are judged but not returned."""
    docs = [f"d{position:02}" for position in range(len(ranked))]
    grades = {doc: grade for doc, grade in zip(docs, ranked, strict=True) if grade is not None}
    grades |= {f"m{position:02}": grade for position, grade in enumerate(more)}
    return one(grades, " ".join(docs), **declared)


def decimals(expected: float, places: int) -> Any:
    return pytest.approx(expected, rel=0, abs=0.5000001 * 10.0**-places)


def full(expected: float) -> Any:
    return pytest.approx(expected, rel=1e-14)


def test_it_imports_the_standard_library_only() -> None:
    tree = ast.parse(Path(reference.__file__).read_text(encoding="utf-8"))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add((node.module or "").partition(".")[0])
    assert imported <= sys.stdlib_module_names


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
    assert 1.0 / reference.divisor(rank, "log2") == decimals(kept, 4)
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

AB = {"a": 1.0, "b": 2.0}


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


# Conventions, one at a time


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
    assert [reference.divisor(rank, ("jarvelin", 4)) for rank in (1, 3, 4, 16)] == [1.0, 1.0, 1.0, 2.0]


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
