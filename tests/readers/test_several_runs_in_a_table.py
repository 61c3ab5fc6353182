"""A table whose rows belong to several runs is no ranking: it is refused, as a file with several run tags is."""

from __future__ import annotations

import math

import pandas
import polars
import pytest

import ndcg
from ndcg.errors import InputError

JUDGED = {"q1": {"a": 1, "b": 2}}
ONE = {"system": ["A", "A"], "qid": ["q1", "q1"], "docno": ["a", "b"], "score": [3.0, 2.0]}
TWO = {**ONE, "system": ["B", "A"]}


def pandas_frame(folder, columns):
    return pandas.DataFrame(columns)


def arrow_table(folder, columns):
    return polars.DataFrame(columns).to_arrow()


def csv_file(folder, columns):
    polars.DataFrame(columns).write_csv(folder / "run.csv")
    return folder / "run.csv"


def tsv_file(folder, columns):
    polars.DataFrame(columns).write_csv(folder / "run.tsv", separator="\t")
    return folder / "run.tsv"


def parquet_file(folder, columns):
    polars.DataFrame(columns).write_parquet(folder / "run.parquet")
    return folder / "run.parquet"


SHAPES = pytest.mark.parametrize("made", [pandas_frame, arrow_table, csv_file, tsv_file, parquet_file])


@SHAPES
def test_several_runs_are_refused(tmp_path, made):
    with pytest.raises(ndcg.InputError, match="column 'system' names several runs: 'B', 'A'; give each run a file"):
        ndcg.evaluate(JUDGED, made(tmp_path, TWO))
    assert ndcg.evaluate(JUDGED, made(tmp_path, ONE)).value == ndcg.evaluate(JUDGED, {"q1": ["a", "b"]}).value


@SHAPES
def test_a_column_in_use_names_no_runs(tmp_path, made):
    queries = {"run": ["q1", "q2"], "docno": ["a", "b"], "score": [3.0, 2.0]}
    judged = {"q1": {"a": 1}, "q2": {"b": 1}}
    assert ndcg.evaluate(judged, made(tmp_path, queries), columns={"run": {"query": "run"}}).value == 1.0


@pytest.mark.parametrize("name", ["Run", "run_id", "Run Name", "run-tag", "system_id", "SystemName"])
def test_names_of_the_column(name):
    frame = pandas.DataFrame(TWO).rename(columns={"system": name})
    with pytest.raises(ndcg.InputError, match=f"column '{name}' names several runs"):
        ndcg.evaluate(JUDGED, frame)


def test_judgments_may_say_which_run_a_row_was_pooled_from():
    judged = pandas.DataFrame(TWO).rename(columns={"score": "grade"})
    assert ndcg.evaluate(judged, {"q1": ["a", "b"]}).value == 1.0


def test_two_columns_of_one_name_in_a_file(tmp_path):
    (tmp_path / "run.csv").write_text("qid,docid,score,score\nq1,a,3,1\nq1,b,2,5\n")
    with pytest.raises(ndcg.InputError, match="'score' is there more than once; rename or drop all but one"):
        ndcg.evaluate(JUDGED, tmp_path / "run.csv")


def test_a_record_that_cannot_be_taken_apart_shows_no_empty_text(tmp_path):
    (tmp_path / "run.csv").write_text('qid,docid,score\nq1,"a,3\nq1,b,2\n')
    with pytest.raises(
        ndcg.InputError, match=r"line 2: quotation marks do not match \(unexpected end of data\); it was"
    ):
        ndcg.evaluate(JUDGED, tmp_path / "run.csv")


@pytest.mark.parametrize("array", [False, True])
def test_rows_of_several_runs_are_no_single_ranking(tmp_path, array):
    rows = [
        '{"query": "q1", "doc": "a", "score": 2, "run": "A"}',
        '{"query": "q1", "doc": "b", "score": 3, "run": "B"}',
    ]
    path = tmp_path / ("two.json" if array else "two.jsonl")
    path.write_text("[" + ",".join(rows) + "]" if array else "\n".join(rows))
    with pytest.raises(InputError, match="'run' names several runs: 'A', 'B'"):
        ndcg.evaluate({"q1": {"a": 1}}, str(path))
    path.write_text(path.read_text().replace('"B"', '"A"'))
    assert ndcg.evaluate({"q1": {"a": 1}}, str(path)).value == 1 / math.log2(3)
