"""Several judges per pair: kept apart, merged by a declared rule, named where nothing says how to merge them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import ndcg
from ndcg.errors import InputError
from ndcg.readers.judges import JudgeRow, by_pair, has_judges, judge_rows

from .conftest import JUDGMENTS, read

Write = Callable[..., str]
ROWS = [("q1", "a", "anna", 3), ("q1", "a", "ben", 1), ("q1", "a", "cleo", 3), ("q1", "b", "anna", 0)]
RUN = {"q1": {"b": 2.0, "a": 1.0}}


def shapes(write: Write) -> dict[str, Any]:
    import pandas
    import polars

    columns = {name: [row[at] for row in ROWS] for at, name in enumerate(("query", "doc", "judge", "grade"))}
    parquet = write("", "j.parquet")
    polars.DataFrame(columns).write_parquet(parquet)
    return {
        "csv": write("query,doc,assessor,grade\n" + "".join(",".join(map(str, r)) + "\n" for r in ROWS), "j.csv"),
        "tsv": write("query\tdoc\tjudge\tgrade\n" + "".join("\t".join(map(str, r)) + "\n" for r in ROWS), "j.tsv"),
        "jsonl": write("".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in ROWS), "j.jsonl"),
        "parquet": parquet,
        "pandas": pandas.DataFrame(columns),
        "polars": polars.DataFrame(columns),
    }


NAMES = ["csv", "tsv", "jsonl", "parquet", "pandas", "polars"]


@pytest.mark.parametrize("name", NAMES)
def test_rows_of_judges(name: str, write: Write) -> None:
    source = read(shapes(write)[name], JUDGMENTS)
    assert has_judges(source)
    assert list(judge_rows(source)) == [JudgeRow(q, d, judge, float(grade)) for q, d, judge, grade in ROWS]
    assert by_pair(source) == {("q1", "a"): {"anna": 3.0, "ben": 1.0, "cleo": 3.0}, ("q1", "b"): {"anna": 0.0}}


@pytest.mark.parametrize("name", NAMES)
def test_without_a_rule_the_judges_are_named(name: str, write: Write) -> None:
    with pytest.raises(InputError, match="two different grades") as caught:
        ndcg.evaluate(shapes(write)[name], RUN)
    text = str(caught.value)
    assert "by judge 'anna'" in text and "by judge 'ben'" in text and "merge='max'" in text


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("rule", "grade"), [("max", 3.0), ("min", 1.0), ("mean", 7 / 3), ("median", 3.0)])
def test_merged_by_the_declared_rule(name: str, rule: str, grade: float, write: Write) -> None:
    merged = ndcg.evaluate(shapes(write)[name], RUN, "DCG(gain=linear)", merge=rule)
    assert merged.value == pytest.approx(grade / 1.584962500721156)


def test_a_judge_column_by_name(write: Write) -> None:
    path = write("query,doc,grade,crowd\nq,a,1,x\nq,a,1,y\n", "c.csv")
    assert not has_judges(read(path, JUDGMENTS))
    assert [row.judge for row in judge_rows(read(path, JUDGMENTS, columns={"judge": "crowd"}))] == ["x", "y"]
    assert ndcg.evaluate(path, {"q": {"a": 1}}, columns={"judge": "crowd"}).value == 1.0
    with pytest.raises(InputError, match="no column 'nobody' for judge"):
        read(path, JUDGMENTS, columns={"judge": "nobody"})
    with pytest.raises(InputError, match="no judge column"):
        list(judge_rows(read(path, JUDGMENTS)))
    with pytest.raises(InputError, match="no judge column"):
        list(judge_rows(read({"q": {"a": 1}}, JUDGMENTS)))


def test_labels_of_judges(write: Write) -> None:
    path = write("query,doc,judge,label\nq,a,x,E\nq,a,y,I\nq,b,,S\n", "l.csv")
    rows = list(judge_rows(read(path, JUDGMENTS, labels="esci")))
    assert rows == [JudgeRow("q", "a", "x", 3.0), JudgeRow("q", "a", "y", 0.0), JudgeRow("q", "b", "", 2.0)]


def test_one_judge_with_two_grades(write: Write) -> None:
    path = write("query,doc,judge,grade\nq,a,x,1\nq,a,x,2\n", "t.csv")
    with pytest.raises(InputError, match="judge 'x' gave two grades, 1 and 2"):
        by_pair(read(path, JUDGMENTS))


def test_a_run_has_no_judges(write: Write) -> None:
    path = write("query,doc,score,judge,annotator\nq,a,1,x,y\n", "r.csv")
    assert ndcg.evaluate({"q": {"a": 1}}, path).value == 1.0
