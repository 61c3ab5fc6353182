"""The commands about judging: what they write, what they refuse, and the round from list to new judgments."""

from __future__ import annotations

import csv
import json

import pytest

import ndcg
from ndcg.cli.main import main
from ndcg.demo import COLLECTION, JUDGMENTS, runs

TWO = [str(runs()["fts_body"]), str(runs()["fused"])]


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_bounds_as_json_are_those_of_the_function(call):
    code, out, _ = call("bounds", str(JUDGMENTS), *TWO, "--format", "json", "--scope", "scored")
    expected = ndcg.unjudged_bounds(str(JUDGMENTS), {"fts_body": TWO[0], "fused": TWO[1]}, scope="scored")
    assert code == 0 and out == expected.to_json() + "\n"
    assert json.loads(out)["pairs"][0]["verdict"] == expected.pairs[0].verdict


def test_bounds_of_the_demo_collection_hold_its_later_judgments(call):
    """Half of the judgments taken away and given back: the value moves inside the bounds."""
    whole = {}
    for line in JUDGMENTS.read_text(encoding="utf-8").splitlines():
        query, _, doc, grade = line.split()
        whole.setdefault(query, {})[doc] = int(grade)
    half = {query: dict(list(grades.items())[::2]) for query, grades in whole.items()}
    found = ndcg.unjudged_bounds(half, {"fts_body": TWO[0], "fused": TWO[1]}, scope="any")
    for name, path in (("fts_body", TWO[0]), ("fused", TWO[1])):
        now = {row.query: row.value for row in ndcg.evaluate(whole, path).per_query}
        for query in found.run(name).queries:
            if query.lower is not None and now[query.query] is not None:
                assert query.lower - 1e-12 <= now[query.query] <= query.upper + 1e-12
        assert found.run(name).lower <= ndcg.evaluate(whole, path).value <= found.run(name).upper


def test_per_query_rows(call):
    code, out, _ = call("bounds", str(JUDGMENTS), *TWO, "--format", "csv", "--per-query")
    rows = list(csv.DictReader(out.splitlines()))
    assert code == 0 and len(rows) == 3 * 66
    assert {row["minus"] for row in rows} == {"", "fused"}


def test_a_sheet_with_texts_goes_round(call, tmp_path):
    texts = ["--queries", str(COLLECTION / "queries.csv"), "--documents", str(COLLECTION / "documents.jsonl.gz")]
    code, out, err = call("judge-next", str(JUDGMENTS), *TWO, "--budget", "30", "--blind", *texts, "-o", "sheet.csv")
    assert (code, out, err) == (0, "", "")
    with (tmp_path / "sheet.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 30 and all(row["query_text"] and row["document_text"] for row in rows)
    assert set(rows[0]) == {"query", "query_text", "doc", "document_text", "grade", "judge", "comment"}
    for at, row in enumerate(rows):
        row["grade"] = str(at % 4) if at % 5 else ""
    with (tmp_path / "filled.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    code, out, _ = call("judge-merge", str(JUDGMENTS), "filled.csv", "-o", "new.qrels", "--sheet", "sheet.csv")
    assert code == 0 and "970 judgments: 946 as before, 24 new" in out and "6 rows without a grade" in out
    found = ndcg.unjudged_bounds(str(JUDGMENTS), {"fts_body": TWO[0], "fused": TWO[1]})
    after = ndcg.evaluate("new.qrels", {"fts_body": TWO[0], "fused": TWO[1]})
    for name in ("fts_body", "fused"):
        assert found.run(name).lower <= after.entry(run=name).value <= found.run(name).upper
    code, _, err = call("judge-merge", str(JUDGMENTS), "filled.csv", "-o", "new.qrels")
    assert code == 2 and "new.qrels is there already" in err
    assert call("judge-merge", str(JUDGMENTS), "filled.csv", "-o", "new.qrels", "--overwrite")[0] == 0
    assert call("judge-merge", "new.qrels", "filled.csv", "-o", "new.qrels", "--overwrite")[0] == 0


def test_a_filled_sheet_is_not_replaced(call, tmp_path):
    assert call("judge-next", str(JUDGMENTS), *TWO, "-o", "sheet.csv")[0] == 0
    assert call("judge-next", str(JUDGMENTS), *TWO, "-o", "sheet.csv", "--blind")[0] == 0
    text = (tmp_path / "sheet.csv").read_text()
    (tmp_path / "sheet.csv").write_text(text.replace(",,,\n", ",2,me,\n", 1))
    code, _, err = call("judge-next", str(JUDGMENTS), *TWO, "-o", "sheet.csv")
    assert code == 2 and "holds 1 grade that somebody has filled in" in err
    assert ",2,me," in (tmp_path / "sheet.csv").read_text()


def test_queries_without_judgments_are_told(call):
    code, out, _ = call("judge-next", str(JUDGMENTS), *TWO, "--budget", "1")
    assert code == 0 and "1 query of a run without any judgment" in " ".join(out.split())


def test_a_conflict_writes_nothing(call, tmp_path):
    (tmp_path / "filled.csv").write_text("query,doc,grade\nq01,json,0\nq01,new,1\n")
    code, _, err = call("judge-merge", str(JUDGMENTS), "filled.csv", "-o", "new.qrels")
    assert code == 2 and "grade 0 was given, and it has the grade 2" in err
    assert not (tmp_path / "new.qrels").exists()


def test_lacking_texts_are_told(call, tmp_path):
    (tmp_path / "queries.csv").write_text("query,text\nnobody,x\n")
    code, out, err = call(
        "judge-next", str(JUDGMENTS), *TWO, "--budget", "1", "--queries", "queries.csv", "--format", "csv"
    )
    assert code == 0 and err == "ndcg: 1 of 1 query lacks a text in queries.csv; their cells are blank\n" and out


def test_texts_are_no_formulas(call, tmp_path):
    (tmp_path / "run").write_text("q Q0 d 1 1 t\n")
    (tmp_path / "docs.jsonl").write_text('{"_id": "d", "text": "=HYPERLINK(1)"}\n')
    _, out, _ = call("judge-next", "--no-judgments", "run", "--documents", "docs.jsonl", "--format", "csv", "--blind")
    assert out == "query,doc,document_text,grade,judge,comment\nq,d,'=HYPERLINK(1),,,\n"


def test_agreement_of_the_demo_collection(call):
    files = [str(COLLECTION / "judgments.csv"), str(COLLECTION / "judgments_second.csv")]
    code, out, _ = call("agreement", *files)
    assert code == 0 and "a, b       95     80  0.8421  0.7423  0.8347     0.9129" in out
    code, out, _ = call("agreement", *files, "--format", "csv")
    assert code == 0 and out.splitlines()[1].startswith("a,b,95,80,0.8421052631578947,")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bounds", "q"], "no run was given"),
        (["bounds", "q", "r", "--grades", "0,x"], "--grades '0,x': grade 'x' is not a number"),
        (["bounds", str(JUDGMENTS), TWO[0], "--scope", "all"], "scope 'all' is not known"),
        (["bounds", str(JUDGMENTS), TWO[0], "-m", "P@5"], "for nDCG and nCG"),
        (["bounds", str(JUDGMENTS), TWO[0], "--format", "xml"], "--format 'xml' is not known"),
        (["judge-next", str(JUDGMENTS), TWO[0], "--budget", "-1"], "--budget '-1' is not a whole number"),
        (["judge-next", str(JUDGMENTS), TWO[0], "--blind"], "--blind makes a sheet"),
        (["judge-next", str(JUDGMENTS), TWO[0], "--queries", "x"], "--queries adds a column to the sheet"),
        (["judge-next", "--no-judgments", TWO[0], "--grades", "1"], "--grades means nothing without judgments"),
        (["judge-next", str(JUDGMENTS), TWO[0], "--aim", "verdict"], "two runs or more"),
        (["judge-merge", "q"], "no filled sheet was given"),
        (["judge-merge", "q", "s"], "-o NEW names the file"),
        (["judge-merge", "q", "s", "-o", "x", "--conflicts", "last"], "conflicts 'last' is not known"),
        (["judge-merge", "q", "s", "-o", "x", "--format", "md"], "--format 'md' is not known"),
        (["agreement", "nothing.csv"], "nothing.csv"),
        (["judge-nxt"], "did you mean 'judge-next'"),
    ],
)
def test_refusals(call, arguments, message):
    code, out, err = call(*arguments)
    assert (code, out) == (2, "") and message in err and "Traceback" not in err
