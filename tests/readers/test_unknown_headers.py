"""A header in words of its own is asked about, never read as data."""

from __future__ import annotations

import pytest

import ndcg


@pytest.mark.parametrize("mark", [",", "\t"])
def test_a_header_with_unknown_names_is_named(tmp_path, mark):
    rows = [["Query ID", "URL", "my label"], ["q1", "a", "1"], ["q1", "b", "2"]]
    judged = tmp_path / "judged.txt"
    judged.write_text("\n".join(mark.join(row) for row in rows))
    run = tmp_path / "run.csv"
    run.write_text("Query ID,URL,Similarity\nq1,a,0.5\nq1,b,0.25\n")
    with pytest.raises(ndcg.InputError, match=r"judged.txt, line 1: .*header.*Query ID, URL, my label.*columns="):
        ndcg.evaluate(judged, {"q1": {"a": 1.0}})
    with pytest.raises(ndcg.InputError, match=r"run.csv, line 1: .*header.*'score': 'Similarity'"):
        ndcg.evaluate({"q1": {"a": 1}}, run)
    names = {"query": "Query ID", "doc": "URL", "grade": "my label", "score": "Similarity"}
    assert ndcg.evaluate(judged, run, "nDCG(gain=linear)", columns=names).value == pytest.approx(0.8597, abs=5e-5)


@pytest.mark.parametrize(
    "columns", [{"grde": "label"}, {"qrel": {"grade": "x"}}, {"qrels": {"grade": "x"}, "runs": {}}]
)
def test_misspelt_roles_are_refused(columns):
    with pytest.raises(ndcg.UsageError, match="did you mean"):
        ndcg.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, columns=columns)
    with pytest.raises(TypeError, match="columns="):
        ndcg.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, columns="qid")
