"""Declared columns: what nothing reads is an error, and a rank named alone decides the order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import ndcg
from ndcg.readers import read
from ndcg.readers.source import Role

JUDGED = {"1": {"a": 2, "b": 1, "c": 0}, "2": {"d": 1}}
DISTANCES = (("1", "a", 1, 0.1), ("1", "b", 2, 0.2), ("1", "c", 3, 0.3), ("2", "x", 1, 0.1), ("2", "d", 2, 0.9))
BY_RANK = ndcg.evaluate(JUDGED, {"1": ["a", "b", "c"], "2": ["x", "d"]}).value
BY_SCORE = ndcg.evaluate(JUDGED, {"1": ["c", "b", "a"], "2": ["d", "x"]}).value


def files(folder: Path) -> dict[str, str]:
    """The run of distances in every format that has ranks beside scores."""
    texts = {
        "run.trec": "".join(f"{q} Q0 {d} {r} {s} t\n" for q, d, r, s in DISTANCES),
        "run.tabs": "".join(f"{q}\tQ0\t{d}\t{r}\t{s}\tt\n" for q, d, r, s in DISTANCES),
        "run.marco": "".join(f"{q}\t{d}\t{r}\t{s}\n" for q, d, r, s in DISTANCES),
        "run.csv": "query,doc,rank,score\n" + "".join(f"{q},{d},{r},{s}\n" for q, d, r, s in DISTANCES),
        "run.jsonl": "".join(
            json.dumps({"query": q, "doc": d, "rank": r, "score": s}) + "\n" for q, d, r, s in DISTANCES
        ),
        "run.yaml": "---\n"
        + "".join(f"- query: '{q}'\n  doc: {d}\n  rank: {r}\n  score: {s}\n" for q, d, r, s in DISTANCES),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return {name: str(folder / name) for name in texts}


@pytest.mark.parametrize("name", ["run.trec", "run.tabs", "run.marco", "run.csv", "run.jsonl", "run.yaml"])
def test_a_rank_named_alone_decides_the_order(tmp_path: Path, name: str) -> None:
    path = files(tmp_path)[name]
    assert ndcg.evaluate(JUDGED, path).value == BY_SCORE
    assert ndcg.evaluate(JUDGED, path, columns={"rank": "rank"}).value == BY_RANK
    assert ndcg.evaluate(JUDGED, path, columns={"run": {"rank": "rank", "query": "query"}}).value == BY_RANK
    assert ndcg.evaluate(JUDGED, path, columns={"rank": "rank", "score": "score"}).value == BY_SCORE
    assert BY_RANK != BY_SCORE


def test_a_rank_named_alone_decides_the_order_of_tables(tmp_path: Path) -> None:
    import pandas

    frame = pandas.DataFrame(DISTANCES, columns=["query", "doc", "rank", "score"])
    frame.to_parquet(tmp_path / "run.parquet")
    for run in (frame, str(tmp_path / "run.parquet")):
        assert ndcg.evaluate(JUDGED, run).value == BY_SCORE
        assert ndcg.evaluate(JUDGED, run, columns={"rank": "rank"}).value == BY_RANK


def test_tagged_runs_are_ordered_by_rank_too(tmp_path: Path) -> None:
    path = tmp_path / "two.run"
    path.write_text("".join(f"{q} Q0 {d} {r} {s} {tag}\n" for tag in "tu" for q, d, r, s in DISTANCES))
    result = ndcg.evaluate(JUDGED, str(path), split_tags=True, columns={"rank": "rank"})
    assert [entry.value for entry in result.entries] == [BY_RANK, BY_RANK]


@pytest.mark.parametrize(
    ("text", "columns", "said"),
    [
        ("1 Q0 a 1 0.5 t\n", {"score": "nonexistent"}, "trec_run are query, doc, rank, score.*run_format='csv'"),
        ("1 Q0 a 1 0.5 t\n", {"rank": "score"}, "'score' for the rank"),
        ("1 Q0 a 1 0.5 t\n", {"judge": "rank"}, "'rank' for the judge"),
        ("1\ta\t1\n", {"rank": "rank"}, "ranked has no named columns.*header line"),
        ('{"1": {"a": 0.5}}', {"doc": "url"}, "{query: {document: number}} has no columns"),
        ('{"query": "1", "doc": "a", "rank": 1}\n', {"score": "points"}, "no key 'points' for the score"),
        ("---\n- query: '1'\n  doc: a\n  rank: 1\n", {"score": "points"}, "no key 'points' for the score"),
    ],
)
def test_names_that_nothing_reads_are_refused(tmp_path: Path, text: str, columns: dict[str, str], said: str) -> None:
    path = tmp_path / "run"
    path.write_text(text)
    with pytest.raises(ndcg.NdcgError, match=f"(?s){said}"):
        read(str(path), Role.RUN, columns=columns)


def test_names_that_nothing_reads_are_refused_in_judgments(tmp_path: Path) -> None:
    path = tmp_path / "q"
    path.write_text("1 0 a 2\n")
    with pytest.raises(ndcg.UsageError, match="'nonexistent' for the grade"):
        ndcg.evaluate(str(path), {"1": {"a": 1.0}}, columns={"qrels": {"grade": "nonexistent"}})
    with pytest.raises(ndcg.UsageError, match="'rating' for the grade"):
        ndcg.evaluate({"1": {"a": 2}}, {"1": {"a": 1.0}}, columns={"grade": "rating"})
    assert ndcg.evaluate(str(path), {"1": {"a": 1.0}}, columns={"qrels": {"grade": "grade"}}).value == 1.0


def test_a_name_for_all_inputs_is_noted_where_it_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("wording,doc,grade\n1,a,2\n")
    (tmp_path / "r.run").write_text("1 Q0 a 1 0.5 t\n")
    result = ndcg.evaluate(str(tmp_path / "q.csv"), str(tmp_path / "r.run"), columns={"query": "wording"})
    assert result.value == 1.0
    assert "query=wording is not used: the columns of trec_run are query, doc, rank, score" in " ".join(
        str(result).split()
    )


def test_the_advice_of_check_works(tmp_path: Path) -> None:
    for name, path in files(tmp_path).items():
        if name.endswith(("jsonl", "yaml")):
            continue
        found = next(one for one in ndcg.check(JUDGED, path).findings if one.code == "rank_score_disagree")
        assert "--columns run.rank=rank" in found.option
    (tmp_path / "judged.json").write_text(json.dumps(JUDGED))
    asked = ["evaluate", str(tmp_path / "judged.json"), str(tmp_path / "run.trec"), "--columns", "run.rank=rank"]
    done = subprocess.run(
        [sys.executable, "-m", "ndcg", *asked, "--format", "json"], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["results"][0]["value"] == BY_RANK


def test_six_columns_read_as_ranked_name_the_way(tmp_path: Path) -> None:
    with pytest.raises(ndcg.InputError, match=r"columns=\{'rank': 'rank'\} orders it by rank"):
        ndcg.evaluate(JUDGED, files(tmp_path)["run.trec"], run_format="ranked")


def test_a_name_for_all_inputs_that_none_has_is_refused(tmp_path: Path) -> None:
    (tmp_path / "q.qrels").write_text("1 0 a 2\n")
    (tmp_path / "r.run").write_text("1 Q0 a 1 0.5 t\n")
    names = [str(tmp_path / name) for name in ("q.qrels", "r.run")]
    with pytest.raises(ndcg.UsageError, match=r"'nonexistent' for the query.*no input has named columns"):
        ndcg.evaluate(*names, columns={"query": "nonexistent"})
    with pytest.raises(ndcg.UsageError, match="'nonexistent' for the doc"):
        ndcg.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, columns={"doc": "nonexistent"})
    assert ndcg.evaluate(*names, columns={"query": "query", "doc": "doc"}).value == 1.0
    asked = [sys.executable, "-m", "ndcg", "evaluate", *names, "--columns", "query=nonexistent,run.rank=rank"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "no input has named columns" in done.stderr
