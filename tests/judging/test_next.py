"""What to judge next: the effects are those that judging has, the order says nothing, the pool is complete."""

from __future__ import annotations

import itertools
import json

import pytest

import ndcg
from ndcg.judging.next import blind_order
from ndcg.reports.judging_next import next_markdown, sheet_csv

QRELS = {"q1": {"A": 3, "B": 1}, "q2": {"C": 2, "D": 0}, "q3": {"E": 0}, "q4": {"F": 1}}
RUNS = {
    "one": {"q1": {"x": 3, "A": 2, "y": 1}, "q2": {"u": 2, "C": 2}, "q3": {"v": 1}, "q4": {"F": 1}},
    "two": {"q1": {"A": 2, "B": 1}, "q2": {"C": 2, "w": 1}, "q3": {"v": 2, "E": 1}, "q4": {}},
    "three": {"q1": {"y": 2, "x": 2, "z": 2}, "q2": {"D": 1}, "q4": {"s": 1}},
}


def means(qrels, runs, measure):
    result = ndcg.evaluate(qrels, runs, measure)
    return {name: result.entry(run=name).value for name in runs}


def changes(runs, measure, query, document, grades=(0, 1, 2, 3)):
    """{grade: {run: change of its mean}} by scoring again with one more judgment."""
    before = means(QRELS, runs, measure)
    found = {}
    for grade in grades:
        judged = {q: {**docs, **({document: grade} if q == query else {})} for q, docs in QRELS.items()}
        after = means(judged, runs, measure)
        found[grade] = {name: after[name] - before[name] for name in runs}
    return found


@pytest.mark.parametrize("ties", ["docid", "average", "best", "worst"])
@pytest.mark.parametrize("ideal", ["judged", "returned"])
@pytest.mark.parametrize("k", [1, 2, None])
def test_effects_on_values(ties, ideal, k):
    measure = ndcg.nDCG(k=k, ties=ties, ideal=ideal)
    found = ndcg.judge_next(QRELS, RUNS, measure, aim="value", depth=10, budget=None)
    named = {(row.query, row.document): row for row in found.rows}
    for query in QRELS:
        docs = {doc for run in RUNS.values() for doc in run.get(query, {}) if doc not in QRELS[query]}
        for document in docs:
            largest = max(
                abs(c) for by_run in changes(RUNS, measure, query, document).values() for c in by_run.values()
            )
            row = named.get((query, document))
            assert (row.effect if row else 0.0) == pytest.approx(largest, abs=1e-12), (query, document)
            if row:
                own = changes(RUNS, measure, query, document, [row.grade])[row.grade][row.on]
                assert row.change == pytest.approx(own, abs=1e-12) and abs(row.change) == row.effect


def test_empty_queries_come_last():
    """A grade brings an empty query into the mean: a large effect, and no news of the runs."""
    qrels = {"q1": {"A": 1, "B": 1}, "q2": {"C": 1}, "q3": {"E": 0}}
    runs = {
        "one": {"q1": {"A": 3, "x": 2}, "q2": {"C": 3, "y": 2}, "q3": {"v": 1}},
        "two": {"q1": {"A": 2, "B": 1}, "q2": {"C": 1}, "q3": {"E": 1}},
    }
    found = ndcg.judge_next(qrels, runs, "nDCG@2", budget=None)
    assert [row.query for row in found.rows] == ["q1", "q2", "q3"]
    assert found.rows[-1].empty and found.rows[-1].effect > max(row.effect for row in found.rows[:-1])
    effects = [row.effect for row in found.rows[:-1]]
    assert effects == sorted(effects, reverse=True)
    assert (found.empty_pairs, found.empty_queries) == (1, ("q3",))
    text = " ".join(str(found).split())
    assert "1 pair of 1 query for which nothing is relevant so far (q3) comes last: one grade" in text
    assert next_markdown(found).count("| query |") == 2
    short = ndcg.judge_next(qrels, runs, "nDCG@2", budget=2)
    assert not any(row.empty for row in short.rows) and short.empty_pairs == 1
    assert "after all of these, beyond the budget" in " ".join(str(short).split())
    # What judging the list alone can do no longer counts the empty query.
    assert {query.query for query in short.within.runs[0].queries if query.lower != query.upper} <= {"q1", "q2"}
    counting = ndcg.judge_next(qrels, runs, "nDCG@2", budget=None, empty="zero")
    assert counting.rows[0].query == "q3" and counting.empty_pairs == 0 and not any(row.empty for row in counting.rows)


def test_effects_on_verdicts():
    runs = {name: RUNS[name] for name in ("one", "two")}
    found = ndcg.judge_next(QRELS, runs, "nDCG@2", aim="verdict", budget=None)
    assert found.aim == "verdict" and found.rows
    for row in found.rows:
        by_grade = changes(runs, "nDCG@2", row.query, row.document)
        assert row.effect == pytest.approx(max(abs(c["one"] - c["two"]) for c in by_grade.values()), abs=1e-12)
        assert row.on == "one - two"
    effects = [row.effect for row in found.rows]
    assert effects == sorted(effects, reverse=True)


def test_what_the_list_can_do_together():
    """`within` are the bounds over the listed documents alone, all others worthless: by trying every grade."""
    runs = {name: RUNS[name] for name in ("one", "two")}
    found = ndcg.judge_next(QRELS, runs, "nDCG@2", aim="verdict", budget=2)
    assert len(found.rows) == 2
    differences = []
    for chosen in itertools.product([None, 0, 1, 2, 3], repeat=2):
        judged = {query: dict(docs) for query, docs in QRELS.items()}
        for row, grade in zip(found.rows, chosen, strict=True):
            if grade is not None:
                judged[row.query][row.document] = grade
        after = means(judged, runs, "nDCG@2")
        differences.append(after["one"] - after["two"])
    (pair,) = found.within.pairs
    assert (pair.lower, pair.upper) == (pytest.approx(min(differences)), pytest.approx(max(differences)))
    (whole,) = found.bounds.pairs
    assert whole.lower <= pair.lower and pair.upper <= whole.upper


def test_depth_and_counts():
    found = ndcg.judge_next(QRELS, RUNS, "nDCG@1", aim="value", depth=1, budget=None)
    assert all(min(row.ranks.values()) == 1 for row in found.rows)
    deep = ndcg.judge_next(QRELS, RUNS, "nDCG@1", aim="value", depth=3, budget=None)
    assert deep.found == 7 and deep.found == len(deep.rows) + deep.idle
    assert found.found < deep.found


def test_verdicts_that_hold_leave_the_values():
    runs = {"good": {"q1": ["A", "x"]}, "bad": {"q1": ["B", "y"]}}
    found = ndcg.judge_next({"q1": {"A": 3, "B": 0}}, runs, "nDCG@1", depth=2, budget=None)
    assert found.aim == "value" and any("every verdict holds" in warning for warning in found.warnings)


def test_equal_effects_stand_in_an_order_of_their_own():
    """Two runs that mirror each other: no run's documents may come first whatever the seed."""
    qrels = {f"q{at}": {"A": 1} for at in range(20)}
    runs = {"one": {q: ["A", f"{q}x"] for q in qrels}, "two": {q: ["A", f"{q}y"] for q in qrels}}
    first = ndcg.judge_next(qrels, runs, "nDCG@2", budget=None, seed=1)
    again = ndcg.judge_next(qrels, runs, "nDCG@2", budget=None, seed=1)
    other = ndcg.judge_next(qrels, runs, "nDCG@2", budget=None, seed=2)
    assert first.rows == again.rows and first.rows != other.rows
    before = [row.document.endswith("x") for row in first.rows[::2]]
    assert 0 < sum(before) < 20
    assert {(row.query, row.document) for row in first.rows} == {(row.query, row.document) for row in other.rows}


def test_a_blind_sheet_says_nothing_of_runs():
    found = ndcg.judge_next(QRELS, RUNS, "nDCG@2", budget=None)
    rows = blind_order(found)
    assert {(row.query, row.document) for row in rows} == {(row.query, row.document) for row in found.rows}
    queries = [row.query for row in rows]
    assert len(list(itertools.groupby(queries))) == len(set(queries))
    text = sheet_csv(found, rows, blind=True)
    assert text.splitlines()[0] == "query,doc,grade,judge,comment"
    assert not any(word in text for word in ("one", "two", "three", "0."))
    swapped = ndcg.judge_next(QRELS, {"b": RUNS["two"], "a": RUNS["one"], "c": RUNS["three"]}, "nDCG@2", budget=None)
    assert sheet_csv(swapped, blind_order(swapped), blind=True) == text


def test_the_pool_without_judgments():
    found = ndcg.judge_next(None, RUNS, "nDCG@10", depth=1, budget=None)
    pairs = {(row.query, row.document) for row in found.rows}
    assert found.aim == "pool" and found.bounds is None
    # u and C are tied in run one: the order of ids puts C first. y and x and z: x first.
    assert pairs == {("q1", "x"), ("q1", "A"), ("q2", "C"), ("q2", "D"), ("q3", "v"), ("q4", "F"), ("q4", "s")}
    assert next(row.ranks for row in found.rows if (row.query, row.document) == ("q1", "x")) == {"one": 1, "three": 1}
    few = ndcg.judge_next(None, RUNS, "nDCG@10", depth=3, budget=3)
    assert len(few.rows) == 3 and all(1 in row.ranks.values() for row in few.rows)


def test_the_pool_from_files(tmp_path):
    path = tmp_path / "one.run"
    path.write_text("".join(f"{q} Q0 {d} 0 {s} t\n" for q, docs in RUNS["one"].items() for d, s in docs.items()))
    from_file = ndcg.judge_next(None, {"one": str(path)}, "nDCG@2", budget=None)
    assert from_file.rows == ndcg.judge_next(None, {"one": RUNS["one"]}, "nDCG@2", budget=None).rows


def test_everything_is_json_without_the_queries():
    plain = json.loads(ndcg.judge_next(QRELS, RUNS, "nDCG@2").to_json())
    assert plain["rows"][0]["effect"] >= plain["rows"][-1]["effect"]
    assert "queries" not in plain["bounds"]["runs"][0] and "queries" not in plain["within"]["pairs"][0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"budget": 0}, "budget= is a whole number of at least 1"),
        ({"depth": 1.5}, "depth= is a whole number"),
        ({"seed": True}, "seed= is a whole number"),
        ({"aim": "verdikt"}, "did you mean 'verdict'"),
        ({"runs": {"one": RUNS["one"]}, "aim": "verdict"}, "two runs or more"),
        ({"baseline": "nobody"}, "baseline 'nobody' is not known"),
        ({"measure": "AP"}, "for nDCG and nCG"),
    ],
)
def test_refusals(arguments, message):
    given = {"runs": RUNS, "measure": "nDCG@2", **arguments}
    with pytest.raises(ndcg.NdcgError, match=message):
        ndcg.judge_next(QRELS, given.pop("runs"), given.pop("measure"), **given)
