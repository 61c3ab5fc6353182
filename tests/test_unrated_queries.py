"""Queries that judgments name and nobody judged: empty, as `{query: {}}` is, and told apart from judged ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ndcg
from ndcg.results import NO_JUDGMENT

QUEPID = "query,docid,rating\nred shoes,P1,3\nred shoes,P2,1\nlamp,P7,\nlamp,P8,\nold,P9,0\n"
RUN = {"red shoes": {"P1": 2.0}, "lamp": {"P7": 1.0}, "old": {"P9": 1.0}}


@pytest.mark.parametrize("in_memory", [True, False])
def test_what_nobody_judged_is_said(tmp_path: Path, in_memory: bool) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(QUEPID)
    judged = {"red shoes": {"P1": 3, "P2": 1}, "old": {"P9": 0}, "lamp": {}} if in_memory else str(path)
    result = ndcg.evaluate(judged, RUN)
    assert dict(
        zip((row.query for row in result.per_query), (row.status for row in result.per_query), strict=True)
    ) == {
        "red shoes": "scored",
        "old": "empty",
        "lamp": "empty",
    }
    assert any("1 of the 3 judged queries has no judgment at all" in warning for warning in result.warnings)
    reasons = {entry["query"]: entry["reason"] for entry in json.loads(result.to_json())["results"][0]["excluded"]}
    assert reasons == {"lamp": NO_JUDGMENT, "old": "no judged document has a positive gain"}
    text = " ".join(str(result).split())
    assert f"lamp ({NO_JUDGMENT})" in text and "old (no judged document has a positive gain)" in text


def test_check_names_them_apart(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(QUEPID)
    found = {one.code: one for one in ndcg.check(str(path), RUN).findings}
    assert found["queries_without_judgments"].sentence == "1 of 3 queries in the judgments has no rating at all"
    assert [example.query for example in found["queries_without_judgments"].examples] == ["lamp"]
    positives = found["queries_without_positives"]
    assert positives.count == 1 and [example.query for example in positives.examples] == ["old"]
    assert positives.effect.alternatives[0].value == pytest.approx(found["queries_without_judgments"].effect.base / 2)


def test_judgments_without_such_queries_say_nothing() -> None:
    result = ndcg.evaluate({"q": {"a": 1}, "r": {"a": 0}}, {"q": {"a": 1.0}})
    assert not result.warnings and NO_JUDGMENT not in str(result)
    assert "queries_without_judgments" not in {
        one.code for one in ndcg.check({"q": {"a": 1}}, {"q": {"a": 1.0}}).findings
    }
