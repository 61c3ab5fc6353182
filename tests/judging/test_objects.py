"""Answers are frozen, plain data, and show themselves in notebooks."""

from __future__ import annotations

import dataclasses
import inspect
import json
from html import escape

import pytest

import ndcg
from ndcg import comparison

JUDGED = {f"q{at}": {"A": 2, "B": 1, "C": at % 3} for at in range(6)}
RUNS = {
    "one & two": {query: ["A", f"x<{query}>", "B"] for query in JUDGED},
    "other": {query: ["C", "B", f"x<{query}>"] for query in JUDGED},
}
SCORED = {
    name: {query: dict(zip(docs, (3.0, 2.0, 1.0), strict=True)) for query, docs in run.items()}
    for name, run in RUNS.items()
}


def made(name, tmp_path):
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("query,doc,grade\nq0,x,1\n")
    judges = {"anna": JUDGED, "ben": {"q0": {"A": 1, "B": 1}}}
    return {
        "bounds": lambda: ndcg.unjudged_bounds(JUDGED, RUNS, "nDCG@2"),
        "judge_next": lambda: ndcg.judge_next(JUDGED, RUNS, "nDCG@2"),
        "pool": lambda: ndcg.judge_next(None, RUNS, "nDCG@2"),
        "agreement": lambda: ndcg.judge_agreement(judges),
        "merge": lambda: ndcg.judge_merge(JUDGED, sheet),
        "power": lambda: ndcg.power(JUDGED, RUNS, "nDCG@2"),
        "tune": lambda: ndcg.tune(JUDGED, SCORED, "nDCG@2", steps=2),
    }[name]()


@pytest.mark.parametrize("name", ["bounds", "judge_next", "pool", "agreement", "merge", "power", "tune"])
def test_answers(name, tmp_path):
    found = made(name, tmp_path)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(found, dataclasses.fields(found)[0].name, "0")
    plain = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert json.loads(found.to_json()) == plain and plain["version"]
    assert found._repr_html_() == f"<pre>{escape(str(found))}</pre>"


def test_every_object_of_the_statistics_is_frozen_and_plain():
    classes = [getattr(comparison, name) for name in comparison.__all__ if inspect.isclass(getattr(comparison, name))]
    held = [found for found in classes if dataclasses.is_dataclass(found)]
    assert len(held) > 10
    for found in held:
        assert found.__dataclass_params__.frozen and callable(found.as_dict), found
    plan = comparison.plan_queries([[0.2, 0.4, 0.3], [0.1, 0.5, 0.2], [0.3, 0.2, 0.1]])
    parts = (*plan.pairs, *plan.systems, plan.reliability, plan.reliability.components, plan.reliability.erho2)
    whole = json.loads(json.dumps(plan.as_dict(), allow_nan=False))
    assert [json.loads(json.dumps(pair.as_dict())) for pair in plan.pairs] == whole["pairs"]
    for part in parts:
        assert json.dumps(part.as_dict(), allow_nan=False)


@pytest.mark.parametrize("grades", [3, "0,1"])
def test_grades_are_a_list(grades, tmp_path):
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("query,doc,grade\nq0,x,1\n")
    for ask in (
        lambda: ndcg.unjudged_bounds(JUDGED, RUNS, grades=grades),
        lambda: ndcg.judge_next(JUDGED, RUNS, grades=grades),
        lambda: ndcg.judge_merge(JUDGED, sheet, grades=grades),
    ):
        with pytest.raises(ndcg.DataTypeError, match="grades= is a list of numbers"):
            ask()
