"""The tuned weight is valued on queries it was not chosen on."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import ndcg
from ndcg.cli.main import main
from ndcg.errors import NdcgError, UsageError

QUERIES = [f"q{at:02}" for at in range(40)]
JUDGED = {query: {"good": 2, "fair": 1, "poor": 0} for query in QUERIES}


def noisy(seed, noise):
    chance = random.Random(seed)
    return {
        query: {doc: grade + chance.gauss(0, noise) for doc, grade in {**JUDGED[query], "other": 0}.items()}
        for query in QUERIES
    }


@pytest.fixture(scope="module")
def runs():
    return {"lexical": noisy(1, 1.0), "dense": noisy(2, 1.0)}


def test_the_curve_is_what_evaluate_gives(runs):
    found = ndcg.tune(JUDGED, runs, "nDCG@3", steps=4)
    assert [point.alpha for point in found.points] == [0.0, 0.25, 0.5, 0.75, 1.0]
    for point in found.points:
        made = ndcg.fuse(runs, "weighted", weights=(1 - point.alpha, point.alpha))
        result = ndcg.evaluate(JUDGED, made, "nDCG@3")
        assert point.value == result.value
        low, high = point.interval.low, point.interval.high
        assert low < point.value < high
    assert found.alone == {name: ndcg.evaluate(JUDGED, run, "nDCG@3").value for name, run in runs.items()}


def test_two_noisy_runs_are_better_together(runs):
    found = ndcg.tune(JUDGED, runs, "nDCG@3")
    assert 0 < found.alpha < 1 and found.best.value > max(found.alone.values())
    assert found.best.value >= found.held_out and found.optimism >= 0


def test_held_out_values_are_those_of_alphas_chosen_elsewhere(runs):
    found = ndcg.tune(JUDGED, runs, "nDCG@3", steps=10, folds=4, seed=3)
    order = np.random.Generator(np.random.PCG64(3)).permutation(len(found.queries))
    alphas = [point.alpha for point in found.points]
    total = 0.0
    for part, fold in zip(np.array_split(order, 4), found.folds, strict=True):
        others = [at for at in range(len(found.queries)) if at not in set(part.tolist())]
        means = found.values[:, others].mean(axis=1)
        assert means[alphas.index(fold.alpha)] == pytest.approx(means.max(), abs=1e-12)
        assert fold.value == pytest.approx(found.values[alphas.index(fold.alpha), part].mean())
        total += fold.value * fold.queries
    assert found.held_out == pytest.approx(total / len(found.queries))
    assert sum(fold.queries for fold in found.folds) == found.counted == 40


def test_on_noise_the_best_value_is_optimistic_and_the_held_out_one_is_not():
    """Both runs are chance, so no alpha is better than another: choosing can only overfit."""
    best, held = [], []
    for seed in range(30):
        pair = {"one": noisy(100 + seed, 50.0), "two": noisy(200 + seed, 50.0)}
        found = ndcg.tune(JUDGED, pair, "nDCG@1", steps=10, seed=seed)
        best.append(found.best.value)
        held.append(found.held_out)
    truth = np.mean(held)
    assert np.mean(best) > truth + 0.02
    # One document of four gains 3/3, one 1/3: a random first rank is worth a third.
    assert truth == pytest.approx(1 / 3, abs=0.04)


def test_cutting_the_lists_at_k_changes_nothing(runs):
    whole = ndcg.tune(JUDGED, runs, "nDCG@2", steps=6, ideal="returned")
    for point in whole.points:
        made = ndcg.fuse(runs, "weighted", weights=(1 - point.alpha, point.alpha))
        assert point.value == ndcg.evaluate(JUDGED, made, "nDCG(ideal='returned')@2").value
    found = ndcg.tune(JUDGED, runs, "nDCG@2", steps=6, ties="average")
    for point in found.points:
        made = ndcg.fuse(runs, "weighted", weights=(1 - point.alpha, point.alpha))
        assert point.value == ndcg.evaluate(JUDGED, made, "nDCG(ties='average')@2").value


def test_warnings():
    same = {query: {"good": 2.0} for query in QUERIES[:4]}
    found = ndcg.tune({query: JUDGED[query] for query in QUERIES[:4]}, {"a": same, "b": same}, folds=9)
    text = " ".join(found.warnings)
    assert "only 4 queries" in text and "every alpha gives the same value" in text and len(found.folds) == 4
    assert found.alpha == 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folds": 1}, "folds is a whole number of at least 2"),
        ({"steps": 0}, "steps is a whole number of at least 1"),
        ({"method": "combsum"}, "no weight to tune"),
        ({"gaain": "exp2"}, "did you mean 'gain'"),
    ],
)
def test_wrong_options(runs, options, message):
    with pytest.raises((UsageError, ndcg.ArgumentError), match=message):
        ndcg.tune(JUDGED, runs, **options)


def test_other_than_two_runs_and_too_few_queries(runs):
    with pytest.raises(UsageError, match="takes two runs"):
        ndcg.tune(JUDGED, {**runs, "third": runs["dense"]})
    with pytest.raises(NdcgError, match="1 query counts"):
        ndcg.tune({"q00": JUDGED["q00"]}, runs)


def test_the_command(runs, tmp_path, capsys):
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, docs in JUDGED.items() for d, g in docs.items()))
    for name, run in runs.items():
        rows = [f"{q} Q0 {d} 0 {s} t\n" for q, docs in run.items() for d, s in docs.items()]
        (tmp_path / name).write_text("".join(rows))
    command = ["tune", *(str(tmp_path / name) for name in ("qrels", "lexical", "dense")), "-m", "nDCG@3"]
    assert main(command) == 0
    text = capsys.readouterr().out
    found = ndcg.tune(JUDGED, runs, "nDCG@3")
    assert f"{found.held_out:.4f} held out" in text and text.count("best") >= 1
    assert main([*command, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["held_out"] == found.held_out and len(document["points"]) == 21
    assert main([*command, "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 22
    assert main([*command, "--format", "md"]) == 0
    assert "| alpha |" in capsys.readouterr().out
    assert main([*command, "--collapse", "#[0-9]+$"]) == 2 and "does not collapse" in capsys.readouterr().err
    assert main(command[:3]) == 2 and "SECOND" in capsys.readouterr().err


def test_the_ends_of_the_curve_are_the_two_runs():
    """Also where a list is short, and its last document is worth 0 like those that it does not hold."""
    judged = {"q1": {"z": 1}, "q2": {"b": 1, "a": 1}, "q3": {"c": 1}}
    first = {"q1": {"y": 2.0, "z": 1.0}, "q2": {"b": 1.0}}
    second = {"q1": {"a": 9.0, "b": 8.0, "c": 1.0}, "q2": {"a": 2.0, "c": 1.0}, "q3": {"c": 1.0}}
    found = ndcg.tune(judged, {"first": first, "second": second}, "nDCG@2", steps=2, folds=2)
    assert found.points[0].value == found.alone["first"] == ndcg.evaluate(judged, first, "nDCG@2").value
    assert found.points[-1].value == found.alone["second"] == ndcg.evaluate(judged, second, "nDCG@2").value


def test_queries_that_do_not_count_everywhere_are_left_out(runs):
    first = {query: docs for query, docs in runs["lexical"].items() if query != "q00"}
    pair = {"lexical": first, "dense": runs["dense"]}
    assert ndcg.tune(JUDGED, pair, "nDCG@3", steps=2).counted == 40
    found = ndcg.tune(JUDGED, pair, "nDCG@3", steps=2, missing="exclude")
    assert found.counted == 39 and "q00" not in found.queries


def test_labels_and_a_candidate_pool(tmp_path):
    (tmp_path / "judged.csv").write_text(
        "query,doc,label\n" + "".join(f"{q},good,Exact\n{q},poor,Irrelevant\n" for q in QUERIES)
    )
    runs = {
        "a": {q: {"good": 2.0, "poor": 1.0} for q in QUERIES},
        "b": {q: {"poor": 2.0, "good": 1.0} for q in QUERIES},
    }
    pool = {q: ["good", "poor"] for q in QUERIES}
    options = {"labels": "wands", "candidates": pool, "columns": {"qrels": {"grade": "label"}}}
    found = ndcg.tune(str(tmp_path / "judged.csv"), runs, "nDCG(ideal='candidates')@1", steps=2, **options)
    assert found.alone == {"a": 1.0, "b": 0.0} and found.points[0].value == 1.0


def test_denominators_conventions_and_warnings_are_said():
    """Who was left out, under what the values were computed, and what `evaluate` warns of."""
    judged = {f"q{at}": {"a": 1, f"q{at}": 1} for at in range(8)} | {"none": {"a": 0}, "down": {"a": 1}}
    first = {query: {"a": 2.0, query: 1.0} for query in judged} | {"down": None}
    second = {query: {"b": 2.0, "a": 1.0} for query in judged}
    found = ndcg.tune(judged, {"one": first, "two": second}, "nDCG@2", ties="average", steps=8, folds=2)
    assert (found.counted, found.judged, found.left_out) == (8, 10, ("none", "down"))
    assert found.as_dict()["left_out"] == ("none", "down")
    assert any(warning.startswith("one: ") and "self='drop'" in warning for warning in found.warnings)
    text = str(found)
    assert "8 counted of 10 judged" in text and "as declared: none, down" in text
    assert "gain exp2, ideal judged, ties average" in text and "\n0.125  " in text


@pytest.mark.parametrize(
    ("measure", "options", "words"),
    [
        ("GMAP", {}, "GMAP is no mean over queries"),
        ("NumRet", {}, "NumRet is no mean over queries"),
        ("nDCG@10", {"seed": -1}, "seed is a whole number of at least 0"),
        ("nDCG@10", {"seed": "a"}, "seed is a whole number of at least 0"),
    ],
)
def test_what_cannot_be_tuned(measure, options, words):
    judged = {f"q{at}": {"a": 1} for at in range(4)}
    runs = {name: {query: {"a": 1.0, "b": 2.0} for query in judged} for name in ("one", "two")}
    with pytest.raises(ndcg.UsageError, match=words):
        ndcg.tune(judged, runs, measure, **options)


def test_scores_that_cannot_be_scaled_name_their_query():
    judged = {f"q{at}": {"a": 1} for at in range(4)}
    runs = {"one": {query: {"a": 1.0} for query in judged}, "two": {query: {"a": -1.0} for query in judged}}
    with pytest.raises(ndcg.InputError, match=r"query 'q0': the highest score is not above 0"):
        ndcg.tune(judged, runs, normalisation="max")
