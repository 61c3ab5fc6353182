"""ndcg evaluate: every option, and outputs that programs can read."""

import csv
import io
import json

import pytest

import ndcg
from ndcg.measures.conventions import CONVENTIONS


def one(call, *arguments):
    """The document of a call with --format json that must work."""
    called = call("evaluate", *arguments, "--format", "json")
    assert (called.code, called.err) == (0, "")
    return json.loads(called.out)


def test_json_is_one_document_with_the_promised_keys(call):
    document = one(call, "judgments.qrels", "bm25.run", "-m", "nDCG@4", "--per-query")
    (entry,) = document["results"]
    result = ndcg.evaluate("judgments.qrels", "bm25.run", "nDCG@4")
    assert entry["value"] == result.value
    assert entry["queries"] == {
        "judged": 4,
        "counted": 3,
        "scored": 2,
        "empty": 1,
        "missing": 1,
        "unjudged": 1,
        "failed": 0,
    }
    assert entry["excluded"] == [
        {"query": "q3", "status": "empty", "reason": "no judged document has a positive gain"},
        {"query": "q9", "status": "unjudged", "reason": "the query has no judgments"},
    ]
    assert entry["per_query"]["q3"]["value"] is None and entry["per_query"]["q3"]["status"] == "empty"
    assert document["fingerprints"] == result.fingerprints
    assert document["version"] == ndcg.__version__ and document["pool_version"] is None


def test_per_query_rows_only_where_asked_for(call):
    assert "per_query" not in one(call, "judgments.qrels", "bm25.run")["results"][0]


def test_what_is_written_loads_again(call):
    called = call("evaluate", "judgments.qrels", "bm25.run", "dense.run", "--per-query", "-o", "saved.json")
    assert (called.code, called.out) == (0, "")
    loaded = ndcg.load("saved.json")
    again = ndcg.evaluate("judgments.qrels", {"bm25": "bm25.run", "dense": "dense.run"})
    assert loaded.entries == again.entries


def test_several_measures_and_runs(call):
    document = one(call, "judgments.qrels", "bm25.run", "dense.run", "-m", "nDCG@4", "-m", "AP")
    assert [(entry["run"], entry["measure"]) for entry in document["results"]] == [
        ("bm25", "nDCG@4"),
        ("bm25", "AP"),
        ("dense", "nDCG@4"),
        ("dense", "AP"),
    ]


def test_options_may_stand_anywhere(call):
    assert one(call, "-m", "nDCG@4", "judgments.qrels", "--worst", "1", "bm25.run", "-m", "AP", "dense.run") == one(
        call, "judgments.qrels", "bm25.run", "dense.run", "-m", "nDCG@4", "-m", "AP", "--worst", "1"
    )


@pytest.mark.parametrize("parts", ["parts", "parts/*.run"])
def test_a_folder_and_a_quoted_glob_are_one_run(call, parts):
    (entry,) = one(call, "judgments.qrels", parts)["results"]
    assert entry["value"] == one(call, "judgments.qrels", "bm25.run")["results"][0]["value"]


def test_runs_in_a_folder_are_many_runs(call, folder):
    (folder / "runs" / ".hidden").write_text("not a run")
    document = one(call, "judgments.qrels", "--runs", "runs")
    assert [entry["run"] for entry in document["results"]] == ["bm25", "dense"]


def test_runs_of_the_same_name_stay_apart(call):
    document = one(call, "judgments.qrels", "bm25.run", "other/bm25.run", "--runs", "runs")
    values = {entry["run"]: entry["value"] for entry in document["results"]}
    assert set(values) == {"bm25", "other/bm25", "runs/bm25", "dense"}
    assert values["other/bm25"] == values["dense"] != values["bm25"] == values["runs/bm25"]


@pytest.mark.parametrize("name", [name for name in CONVENTIONS if name != "edition"])
def test_every_convention_is_an_option(call, name):
    convention = CONVENTIONS[name]
    value = "1" if convention.number else list(convention.choices)[1]
    if value in convention.parametric | convention.places:
        value = f"{value}(2)"
    arguments = ["judgments.qrels", "bm25.run", "-m", "nDCG@1", f"--{name.replace('_', '-')}", value]
    if value == "candidates":
        arguments += ["--candidates", "pool.csv"]
    called = call("evaluate", *arguments, "--format", "json")
    if value == "error":
        assert called.code in (0, 2) and "Traceback" not in called.err
    else:
        assert called.code == 0, called.err
        declared = json.loads(called.out)["results"][0]["declaration"][name]
        assert declared == (1.0 if convention.number else value)
    assert call("evaluate", *arguments[:4], f"--{name}", value, *arguments[6:], "--format", "json").code == called.code


def test_a_gain_table_as_an_option(call):
    document = one(call, "judgments.qrels", "bm25.run", "--gain", "{0: 0, 1: 1, 2: 3, 3: 10}")
    assert document["results"][0]["declaration"]["gain"] == {"0": 0.0, "1": 1.0, "2": 3.0, "3": 10.0}
    called = call("evaluate", "judgments.qrels", "bm25.run", "--gain", "{0: zero}")
    assert called.code == 2 and "expected a number" in called.err


def test_columns_and_formats(call):
    document = one(
        call,
        "labels.csv",
        "scores.csv",
        "--columns",
        "query=qid,doc=pid",
        "--columns",
        "qrels.grade=label,run.score=sim",
    )
    result = ndcg.evaluate(
        "labels.csv",
        "scores.csv",
        columns={
            "qrels": {"query": "qid", "doc": "pid", "grade": "label"},
            "run": {"query": "qid", "doc": "pid", "score": "sim"},
        },
    )
    assert document["results"][0]["value"] == result.value
    assert one(call, "labels.csv", "scores.csv", "--qrels-format", "csv", "--columns", "query=qid,doc=pid")


@pytest.mark.parametrize(
    ("columns", "message"),
    [("query", "not of the form role=name"), ("quary=q", "did you mean 'query'"), ("runs.doc=d", "did you mean 'run'")],
)
def test_wrong_columns(call, columns, message):
    called = call("evaluate", "labels.csv", "scores.csv", "--columns", columns)
    assert called.code == 2 and message in called.err


def test_merge_memory_comments_and_pool(call):
    document = one(
        call,
        *("conflict.qrels", "dense.run", "--merge", "mean", "--memory", "500MB", "--comments"),
        *("--candidates", "pool.csv", "--pool-version", "index 7"),
    )
    assert document["pool_version"] == "index 7" and document["fingerprints"]["candidates"]
    assert [read["role"] for read in document["inputs"]] == ["judgments", "run dense", "candidate pool"]
    assert "1 comment line skipped" in document["inputs"][1]["notes"]
    called = call("evaluate", "judgments.qrels", "dense.run", "--no-comments")
    assert called.code == 2 and "dense.run, line 1" in called.err


def test_csv_of_the_summary(call):
    called = call("evaluate", "judgments.qrels", "bm25.run", "dense.run", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(called.out)))
    assert [row["run"] for row in rows] == ["bm25", "dense"]
    assert float(rows[0]["value"]) == ndcg.evaluate("judgments.qrels", "bm25.run").value
    assert called.err == ""


def test_csv_of_the_queries_keeps_ids(call, folder):
    (folder / "ids.qrels").write_text("007 0 A 1\nNA 0 A 1\nq,1 0 A 1\n")
    (folder / "ids.run").write_text('007 Q0 A 1 1 t\nNA Q0 "x" 1 1 t\n')
    called = call("evaluate", "ids.qrels", "ids.run", "--per-query", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(called.out)))
    assert [row["query"] for row in rows] == ["007", "NA", "q,1"]
    assert list(rows[0]) == list(ndcg.results.QueryRow._fields)


def test_output_file_decides_the_format(call, folder):
    for name, start in (("a.json", "{"), ("a.csv", "run,"), ("a.md", "no measure"), ("a.txt", "nDCG@10 of")):
        called = call("evaluate", "judgments.qrels", "bm25.run", "-o", name)
        assert (called.code, called.out) == (0, "")
        assert (folder / name).read_text().startswith(start)
    call("evaluate", "judgments.qrels", "bm25.run", "-o", "b.txt", "--format", "json")
    json.loads((folder / "b.txt").read_text())


def test_an_error_writes_nothing(call, folder):
    (folder / "kept.json").write_text("kept")
    called = call("evaluate", "judgments.qrels", "missing.run", "-o", "kept.json")
    assert called.code == 2 and (folder / "kept.json").read_text() == "kept"
    assert call("evaluate", "judgments.qrels", "bm25.run", "-o", "no/where.json").code == 2


def test_an_input_is_never_replaced_by_the_output(call, folder):
    before = (folder / "bm25.run").read_text()
    for command in (["evaluate", "judgments.qrels", "bm25.run"], ["explain", "judgments.qrels", "bm25.run", "q1"]):
        called = call(*command, "-o", "./bm25.run")
        assert called.code == 2 and "one of the inputs" in called.err
    assert (folder / "bm25.run").read_text() == before


def test_worst_queries(call):
    document = one(call, "judgments.qrels", "bm25.run", "--worst", "1")
    assert document["results"][0]["worst"] == [
        {"query": "q4", "value": 0.0, "missed": [{"document": "M", "grade": 2.0}]}
    ]
    assert one(call, "judgments.qrels", "bm25.run", "--worst", "0")["results"][0]["worst"] == []


def test_strange_ids_in_every_format(call, folder):
    (folder / "odd.qrels").write_text("q\u0301 0 \U0001f600 1\n\u202eq 0 |*<b>_ 2\n", encoding="utf-8")
    (folder / "odd.run").write_text("q\u0301 Q0 \U0001f600 1 1 t\n\u202eq Q0 x 1 1 t\n", encoding="utf-8")
    for format in ("table", "json", "csv", "md"):
        called = call("evaluate", "odd.qrels", "odd.run", "--format", format, "--per-query")
        assert called.code == 0 and "q\u0301" in called.out
        if format in ("table", "md"):
            assert "\u202e" not in called.out
    assert "\\|\\*\\<b\\>\\_" in call("evaluate", "odd.qrels", "odd.run", "--format", "md").out
