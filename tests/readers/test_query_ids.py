"""Judgments that name queries by their wording, against runs that name them by ids."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import ndcg
from ndcg.conversion import convert
from ndcg.readers import read
from ndcg.readers.judges import by_pair
from ndcg.readers.query_ids import as_query_ids
from ndcg.readers.source import Role

TABLE = {"q1": "red shoes", "q2": "lamp, small", "q3": "desk"}
RUN = {"q1": {"P2": 2.0, "P1": 1.0}, "q2": {"P7": 1.0}}
BY_ID = {"q1": {"P1": 3, "P2": 1}, "q2": {"P7": 1}}
BY_TEXT = {"red shoes": {"P1": 3, "P2": 1}, "lamp, small": {"P7": 1}}
EXPECTED = ndcg.evaluate(BY_ID, RUN).value


def judged(folder: Path) -> list[object]:
    """The judgments keyed by wording in several kinds of input."""
    rows = [(query, doc, grade) for query, docs in BY_TEXT.items() for doc, grade in docs.items()]
    texts = {
        "j.csv": "query,doc,grade\n" + "".join(f'"{q}",{d},{g}\n' for q, d, g in rows),
        "j.qrels": "".join(f"{q}\t0\t{d}\t{g}\n" for q, d, g in rows),
        "j.json": json.dumps(BY_TEXT),
        "j.jsonl": "".join(json.dumps({"query": q, "doc": d, "grade": g}) + "\n" for q, d, g in rows),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    import pandas

    return [BY_TEXT, *(str(folder / name) for name in texts), pandas.DataFrame(rows, columns=["query", "doc", "grade"])]


def test_wording_becomes_ids_in_every_kind_of_input(tmp_path: Path) -> None:
    for source in judged(tmp_path):
        result = ndcg.evaluate(source, RUN, query_ids=TABLE)
        assert result.value == EXPECTED, source
        assert {row.query for row in result.per_query} == {"q1", "q2"}
        note = "2 of 2 queries got the ids of their wording in query_ids"
        assert any(note in one for given in result.inputs for one in given.notes), source


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.csv", 'query_id,query\nq1,red shoes\nq2,"lamp, small"\n'),
        ("q.tsv", "query\ttext\tlang\nq1\tred shoes\ten\nq2\tlamp, small\ten\n"),
        ("q.jsonl", '{"_id": "q1", "text": "red shoes"}\n{"_id": "q2", "text": "lamp, small"}\n'),
        ("q2.csv", 'id,wording\nq1,red shoes\nq2,"lamp, small"\n'),
    ],
)
def test_files_of_queries(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert ndcg.evaluate(BY_TEXT, RUN, query_ids=tmp_path / name).value == EXPECTED


def test_what_has_no_id_is_counted_and_ids_stay(tmp_path: Path) -> None:
    mixed = {"red shoes": {"P1": 3, "P2": 1}, "q2": {"P7": 1}, "chair": {"P9": 1}}
    result = ndcg.evaluate(mixed, RUN, query_ids=TABLE)
    assert {row.query: row.status for row in result.per_query} == {"q1": "scored", "q2": "scored", "chair": "missing"}
    notes = [note for given in result.inputs for note in given.notes]
    assert notes == ["1 of 3 queries got the ids of their wording in query_ids; 1 is not there: 'chair'"]


def test_judges_lines_and_unrated_queries_are_carried_over(tmp_path: Path) -> None:
    path = tmp_path / "book.csv"
    path.write_text("query,docid,Anna,Ben\nred shoes,P1,3,2\ndesk,,,\n")
    source: Any = read(str(path), Role.JUDGMENTS, query_ids=TABLE)
    assert by_pair(source) == {("q1", "P1"): {"Anna": 3.0, "Ben": 2.0}} and source.parts[0].bare == ("q3",)
    (tmp_path / "j.csv").write_text("query,doc,grade\nred shoes,P1,3\nq1,P1,2\n")
    with pytest.raises(ndcg.InputError, match="two different grades") as caught:
        ndcg.evaluate(tmp_path / "j.csv", RUN, query_ids=TABLE)
    assert 2 in [fault.line for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"q1": "red shoes", "q9": "red shoes"}, "has this wording for 2 queries: 'q1', 'q9'"),
        ({"q1": "Red Shoes"}, "no query of .* is a wording in query_ids"),
        ({}, "query_ids holds no query"),
        (3, "query_ids= is a file with ids and wording"),
        ("nothing.csv", "no such file"),
    ],
)
def test_tables_that_do_not_fit(table: object, said: str) -> None:
    with pytest.raises(ndcg.NdcgError, match=said):
        ndcg.evaluate(BY_TEXT, RUN, query_ids=table)


def test_a_table_whose_columns_cannot_be_told(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("key,lang,words\n1,en,x\n")
    with pytest.raises(ndcg.InputError, match=r"ids of queries cannot be told.*'key', 'lang', 'words'.*query_id"):
        ndcg.evaluate(BY_TEXT, RUN, query_ids=path)
    path.write_text("query_id,lang,words\n1,en,x\n")
    with pytest.raises(ndcg.InputError, match="wording cannot be told"):
        ndcg.evaluate(BY_TEXT, RUN, query_ids=path)


def test_a_run_is_converted_in_its_order(tmp_path: Path) -> None:
    path = tmp_path / "run.tsv"
    rows = [(f"text {query}", f"d{place}") for query in range(300) for place in range(40)]
    path.write_text("".join(f"{query}\t{doc}\n" for query, doc in rows))
    table = {f"q{query}": f"text {query}" for query in range(300)}
    done = convert(path, tmp_path / "out.json", kind="run", query_ids=table)
    found = json.loads((tmp_path / "out.json").read_text())
    assert found == {f"q{query}": [f"d{place}" for place in range(40)] for query in range(300)}
    assert "300 of 300 queries got the ids of their wording in query_ids" in done.made


def test_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text('query_id,text\nq1,red shoes\nq2,"lamp, small"\n')
    (tmp_path / "j.json").write_text(json.dumps(BY_TEXT))
    (tmp_path / "r.json").write_text(json.dumps(RUN))
    names = [str(tmp_path / name) for name in ("j.json", "r.json")]
    asked = [sys.executable, "-m", "ndcg", "evaluate", *names, "--query-ids", str(tmp_path / "q.csv")]
    done = subprocess.run([*asked, "--format", "json"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["results"][0]["value"] == EXPECTED
    report = ndcg.check(*names, query_ids=tmp_path / "q.csv")
    assert report.problem is None and "no_common_query" not in {one.code for one in report.findings}


@pytest.mark.parametrize("command", ["check", "explain", "dialects", "bounds", "judge-next"])
def test_other_commands_take_the_table(tmp_path: Path, command: str) -> None:
    (tmp_path / "q.csv").write_text('query_id,text\nq1,red shoes\nq2,"lamp, small"\n')
    (tmp_path / "j.json").write_text(json.dumps(BY_TEXT))
    (tmp_path / "r.json").write_text(json.dumps(RUN))
    asked = [command, *(str(tmp_path / name) for name in ("j.json", "r.json"))]
    asked += ["q1"] if command == "explain" else []
    by_id = tmp_path / "by_id.json"
    by_id.write_text(json.dumps(BY_ID))

    def told(*more: str) -> str:
        done = subprocess.run([sys.executable, "-m", "ndcg", *more], capture_output=True, text=True, check=True)
        return done.stdout

    with_table = told(*asked, "--query-ids", str(tmp_path / "q.csv"), "--format", "json")
    plain = told(*[str(by_id) if name.endswith("j.json") else name for name in asked], "--format", "json")
    assert _numbers(json.loads(with_table)) == _numbers(json.loads(plain)) != []


def _numbers(value: Any) -> list[float]:
    """Every number of a JSON document, in its order."""
    if isinstance(value, dict | list):
        held = value.values() if isinstance(value, dict) else value
        return [number for each in held for number in _numbers(each)]
    return [value] if isinstance(value, int | float) and not isinstance(value, bool) else []


def test_a_pipe_is_read_more_than_once(tmp_path: Path) -> None:
    pipe = tmp_path / "queries"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("query_id,text\nq1,boiler valve\n"))
    writer.start()
    table = as_query_ids(pipe)
    writer.join()
    assert table is not None
    assert (table.where, table.of("boiler valve")) == (str(pipe), "q1")


def test_several_files_are_one_table(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"queries{number}.jsonl").write_text(f'{{"_id": "q{number}", "text": "text {number}"}}\n')
    table = as_query_ids(str(tmp_path / "queries*.jsonl"))
    assert table is not None
    assert (table.of("text 1"), table.of("text 2")) == ("q1", "q2")
