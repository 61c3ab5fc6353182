"""Implicit feedback: pairs of user and item without a grade, all of which count alike by declaration."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import ndcg
from ndcg.errors import DataTypeError, InputError, UsageError
from ndcg.readers.columns import declared_grade

from .conftest import JUDGMENTS, read, scan

Write = Callable[..., str]
PAIRS = [("u1", "a"), ("u1", "b"), ("u2", "c")]
LISTS = {"u1": ["a", "b"], "u2": ["c"]}
RUN = {"u1": {"x": 3.0, "a": 2.0, "b": 1.0}, "u2": {"c": 1.0}}


def shape(name: str, write: Write) -> Any:
    columns = {"user": [user for user, _ in PAIRS], "item": [item for _, item in PAIRS]}
    if name == "pandas":
        import pandas

        return pandas.DataFrame(columns)
    if name in ("polars", "parquet"):
        import polars

        frame = polars.DataFrame(columns)
        if name == "polars":
            return frame
        path = write("", "pairs.parquet")
        frame.write_parquet(path)
        return path
    lines = "".join(json.dumps({"user": user, "item": item}) + "\n" for user, item in PAIRS)
    per_query = "".join(json.dumps({"query": query, "docs": docs}) + "\n" for query, docs in LISTS.items())
    return {
        "csv": lambda: write("user,item\n" + "".join(f"{u},{i}\n" for u, i in PAIRS), "pairs.csv"),
        "csv with a rating": lambda: write("user,item,rating\n" + "".join(f"{u},{i},5\n" for u, i in PAIRS), "p.csv"),
        "quoted csv": lambda: write("user,item\n" + "".join(f'"{u}","{i}"\n' for u, i in PAIRS), "quoted.csv"),
        "without a header": lambda: write("".join(f"{u}\t{i}\n" for u, i in PAIRS), "pairs.tsv"),
        "jsonl": lambda: write(lines, "pairs.jsonl"),
        "jsonl of lists": lambda: write(per_query, "lists.jsonl"),
        "json": lambda: write(json.dumps(LISTS), "pairs.json"),
        "lists": lambda: LISTS,
        "sets": lambda: {user: set(items) for user, items in LISTS.items()},
        "tuples": lambda: {user: tuple(items) for user, items in LISTS.items()},
    }[name]()


NAMES = ["csv", "csv with a rating", "quoted csv", "without a header", "jsonl", "jsonl of lists", "json", "lists",
         "sets", "tuples", "pandas", "polars", "parquet"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("grade", [1, 2.5, "3"])
def test_one_grade_for_every_row(name: str, grade: Any, write: Write) -> None:
    source = read(shape(name, write), JUDGMENTS, columns={"grade": grade})
    assert sorted(row[:3] for row in scan(source)) == [(user, item, float(grade)) for user, item in PAIRS]
    assert f"grade={float(grade):g} for every row" in source.described.layout


@pytest.mark.parametrize("name", NAMES)
def test_the_score_is_that_of_graded_pairs(name: str, write: Write) -> None:
    graded = {user: dict.fromkeys(items, 1) for user, items in LISTS.items()}
    expected = ndcg.evaluate(graded, RUN, "nDCG@10").value
    assert ndcg.evaluate(shape(name, write), RUN, "nDCG@10", columns={"qrels": {"grade": 1}}).value == expected


@pytest.mark.parametrize("name", [name for name in NAMES if name != "csv with a rating"])
def test_without_a_declaration_the_way_on_is_shown(name: str, write: Write) -> None:
    with pytest.raises((InputError, DataTypeError), match=r"with columns=\{'qrels': \{'grade': 1\}\}"):
        ndcg.evaluate(shape(name, write), RUN)


def test_a_column_of_that_name_goes_before(write: Write) -> None:
    path = write("user,item,1\nu1,a,7\n", "one.csv")
    assert scan(read(path, JUDGMENTS, columns={"grade": "1"})) == [("u1", "a", 7.0, None)]


def test_grades_that_are_there_are_not_overwritten_in_dicts() -> None:
    with pytest.raises(UsageError, match="nothing reads it"):
        read({"u1": {"a": 5}}, JUDGMENTS, columns={"grade": "1"})


def test_a_name_is_no_number(write: Write) -> None:
    assert [declared_grade({"grade": text}) for text in ("stars", "inf", "nan", "")] == [None] * 4
    with pytest.raises(InputError, match="no column 'stars' for grade"):
        read(shape("csv", write), JUDGMENTS, columns={"grade": "stars"})


def test_the_command(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    from ndcg.cli.main import main

    judgments, run = shape("csv", write), write("user,item,score\nu1,a,1\nu2,c,1\n", "run.csv")
    assert main(["evaluate", judgments, run]) == 2
    assert "--columns qrels.grade=1" in capsys.readouterr().err
    for columns in ("qrels.grade=1", "grade=1"):
        assert main(["evaluate", judgments, run, "--columns", columns]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert "query=user, doc=item, grade=1 for every row" in shown
    assert main(["check", judgments, run, "--columns", "grade=1"]) == 0
