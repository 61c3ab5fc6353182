"""Bounds of means and of differences: which queries count under a completion, what it proves, what is refused."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import ndcg
from ndcg.judging import extremes as extremes_module
from ndcg.judging.bounds import unjudged_bounds

QRELS = {"q1": {"A": 3, "B": 1}, "q2": {"C": 2}, "q3": {"D": 0}, "q4": {"E": 1}}
BASE = {"q1": ["x", "A", "B"], "q2": ["C"], "q3": ["D", "y"], "q4": []}
NEW = {"q1": ["A", "B"], "q2": ["C"], "q3": ["D"], "q4": ["E"]}


def all_means(measure):
    """Every mean that a completion of x and y gives, for BASE and for NEW less BASE."""
    base, difference = [], []
    for x, y in itertools.product([None, 0, 1, 2, 3], repeat=2):
        qrels = {query: dict(grades) for query, grades in QRELS.items()}
        for query, doc, grade in (("q1", "x", x), ("q3", "y", y)):
            if grade is not None:
                qrels[query][doc] = grade
        result = ndcg.evaluate(qrels, {"base": BASE, "new": NEW}, measure)
        base.append(result.entry(run="base").value)
        difference.append(result.entry(run="new").value - result.entry(run="base").value)
    return base, difference


def test_means_over_queries_that_enter():
    base, difference = all_means("nDCG@2")
    found = unjudged_bounds(QRELS, {"new": NEW, "base": BASE}, "nDCG@2")
    run, (pair,) = found.run("base"), found.pairs
    assert (run.lower, run.upper) == (pytest.approx(min(base)), pytest.approx(max(base)))
    assert (pair.lower, pair.upper) == (pytest.approx(min(difference)), pytest.approx(max(difference)))
    assert (run.counted, run.entering) == (3, 1)
    assert [query.enters for query in run.queries] == [False, False, True, False]
    assert pair.verdict == "holds" and pair.difference >= pair.lower > 0


def test_a_verdict_that_holds():
    qrels = {f"q{at}": {"A": 3, "B": 0} for at in range(5)}
    first = {query: ["A", "x"] for query in qrels}
    second = {query: ["B", "A"] for query in qrels}
    (pair,) = unjudged_bounds(qrels, {"first": first, "second": second}, "nDCG@1").pairs
    assert pair.verdict == "holds" and pair.lower == pair.upper == 1.0 and pair.holding == 5
    (turned,) = unjudged_bounds(qrels, {"second": second, "first": first}, "nDCG@1").pairs
    assert turned.lower == -1.0 and turned.verdict == "holds"


def test_equal_runs():
    qrels, run = {"q": {"A": 3}}, {"q": ["x", "A"]}
    (pair,) = unjudged_bounds(qrels, {"one": run, "two": run}, "nDCG@2").pairs
    assert pair.verdict == "equal" and pair.lower == pair.upper == 0


def test_a_verdict_that_only_outer_bounds_leave_open(monkeypatch):
    monkeypatch.setattr(extremes_module, "LIMIT", 1)
    run = {"q": {"A": 2.0, "x": 1.0, "y": 1.0}}
    found = unjudged_bounds({"q": {"A": 3, "B": 1}}, {"one": run, "two": {"q": {"B": 1.0}}}, "nDCG(ties=best)@3")
    assert not found.run("one").exact and found.pairs[0].verdict in ("unproven", "holds")
    assert "outer" in str(found)


@pytest.mark.parametrize(
    ("policy", "means"),
    [("exclude", (3, 1)), ("zero", (4, 0)), ("one", (4, 0))],
)
def test_empty_queries_under_each_policy(policy, means):
    base, _ = all_means(f"nDCG(empty={policy})@2")
    found = unjudged_bounds(QRELS, {"base": BASE}, f"nDCG(empty={policy})@2").runs[0]
    assert (found.lower, found.upper) == (pytest.approx(min(base)), pytest.approx(max(base)))
    assert (found.counted, found.entering) == means


def test_missing_queries_left_out_are_left_out_of_pairs_too():
    found = unjudged_bounds(QRELS, {"new": NEW, "base": BASE}, "nDCG(missing=exclude)@2")
    assert found.run("base").counted == 2 and found.pairs[0].counted == 2
    assert found.pairs[0].queries[3].lower is None


def test_runs_that_are_judged_unlike_are_warned_of():
    found = unjudged_bounds(QRELS, {"new": NEW, "base": BASE}, "nDCG@2")
    assert any("judged@2 differs: base" in warning for warning in found.warnings)
    alike = unjudged_bounds(QRELS, {"new": NEW, "same": NEW}, "nDCG@2")
    assert alike.warnings == ()


@pytest.mark.parametrize("dialect", ["trec_eval", "pytrec_eval", "beir", "ranx"])
def test_conventions_of_tools_are_followed(dialect):
    """Queries that are empty or missing count as the tool counts them."""
    base, _ = all_means(f"nDCG(dialect={dialect})@2")
    found = unjudged_bounds(QRELS, {"base": BASE}, f"nDCG(dialect={dialect})@2").runs[0]
    assert (found.lower, found.upper) == (pytest.approx(min(base)), pytest.approx(max(base)))
    assert found.value in base


def test_a_baseline_keeps_pairs_few():
    runs = dict.fromkeys("abcd", NEW)
    assert len(unjudged_bounds(QRELS, runs, "nDCG@2").pairs) == 6
    found = unjudged_bounds(QRELS, runs, "nDCG@2", baseline="b").pairs
    assert [(pair.first, pair.second) for pair in found] == [("a", "b"), ("c", "b"), ("d", "b")]
    with pytest.raises(ndcg.UsageError, match="baseline 'e' is not known"):
        unjudged_bounds(QRELS, runs, "nDCG@2", baseline="e")


def test_files_and_dicts_give_the_same(tmp_path):
    """Lists cut by the engine, and read again where they were cut too early, against whole lists in memory."""
    draw = np.random.default_rng(3)
    qrels, run, other = {}, {}, {}
    for at in range(6):
        docs = [f"d{n}" for n in range(400)]
        qrels[f"q{at}"] = {doc: int(draw.integers(0, 3)) for doc in docs[: 5 if at % 2 else 380]}
        scores = draw.permutation(400)
        run[f"q{at}"] = {doc: float(score) for doc, score in zip(docs, scores, strict=True)}
        other[f"q{at}"] = dict(list(run[f"q{at}"].items())[: 200 + at])
    for name, rows in (("run", run), ("other", other)):
        (tmp_path / f"{name}.run").write_text(
            "".join(f"{q} Q0 {doc} 0 {score} t\n" for q, docs in rows.items() for doc, score in docs.items())
        )
    files = {name: str(tmp_path / f"{name}.run") for name in ("run", "other")}
    for scope in ("returned", "scored", "any"):
        dicts = unjudged_bounds(qrels, {"run": run, "other": other}, "nDCG@5", scope=scope)
        from_files = unjudged_bounds(qrels, files, "nDCG@5", scope=scope)
        assert dicts.runs == from_files.runs and dicts.pairs == from_files.pairs


def test_everything_is_json():
    import json

    found = unjudged_bounds(QRELS, {"new": NEW, "base": BASE}, "nDCG@2")
    plain = json.loads(found.to_json())
    assert plain["runs"][0]["run"] == "new" and plain["pairs"][0]["verdict"] == "holds"
    assert len(plain["runs"][0]["queries"]) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"measure": "P@5"}, "for nDCG and nCG, found P"),
        ({"measure": "RBP"}, "RBPResidual"),
        ({"measure": "nDCG(unjudged=skip)@5"}, "condensed list stands beside"),
        ({"measure": "nDCG(dialect=elasticsearch)@5"}, "habit of another tool"),
        ({"measure": ["nDCG@5", "nDCG@10"]}, "takes one measure"),
        ({"measure": "nDCG", "scope": "any"}, "needs a cutoff"),
        ({"scope": "scord"}, "did you mean 'scored'"),
        ({"grades": [0]}, "gains anything"),
        ({"grades": [float("nan")]}, "not finite"),
        ({"grades": [True]}, "not a number"),
        ({"grades": [5], "gain": {1: 1}}, "grade 1 is|is not in the gain table|gain table"),
        ({"grades": [-1, 2], "negative": "error"}, "negative"),
        ({"tise": "docid"}, "did you mean 'ties'"),
    ],
)
def test_refusals(arguments, message):
    given_ = {"measure": "nDCG@5", **arguments}
    measure = given_.pop("measure")
    with pytest.raises(ndcg.NdcgError, match=message):
        unjudged_bounds(QRELS, NEW, measure, **given_)


def test_an_empty_query_that_turns_out_to_be_missing_leaves_the_mean():
    """Found by trying all completions: with d0 relevant for q2, one run is missing there and q2 no longer counts."""
    judged = {"q0": {"d1": 2}, "q1": {"d0": 2}, "q2": {"d3": 0, "d1": 0}}
    one = {"q0": {"d3": 2.0}, "q1": {"d1": 2.0}}
    two = {"q0": {"d0": 2.0, "d2": 1.0}, "q1": {"d1": 1.0}, "q2": {"d0": 2.0, "d1": 2.0}}
    found = ndcg.unjudged_bounds(
        judged,
        {"one": one, "two": two},
        "nDCG@1",
        grades=[0, 1, 2],
        missing="exclude",
        empty="zero",
        ideal="returned",
    )
    (pair,) = found.pairs
    assert (pair.lower, pair.upper, pair.counted, pair.entering) == (-0.5, 0.5, 3, 0)
    assert [query.query for query in pair.queries if query.leaves] == ["q2"]
    assert not any(query.leaves for run in found.runs for query in run.queries)
