"""`ndcg compare`: what its options do, and its formats."""

from __future__ import annotations

import csv
import io
import json

import pytest

import ndcg
from ndcg.cli.main import main

from .building import BASE, JUDGED, NEW, written, written_judgments


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written_judgments(tmp_path, JUDGED)
    for name, run in (("base", BASE), ("new", NEW), ("again", BASE)):
        written(tmp_path, name, run)
    (tmp_path / "pool.csv").write_text(
        "query,doc\n" + "".join(f"{query},{doc}\n" for query in [*JUDGED, "q9"] for doc in "abcdefghxyz")
    )
    (tmp_path / "queries.csv").write_text("query,searches\nq1,5\nq2,1\nq3,1\nq4,1\nq5,1\n")

    def run(*arguments, code=0):
        assert main(["compare", *arguments]) == code
        said = capsys.readouterr()
        assert (said.err == "") == (code == 0)
        return said.out if code == 0 else said.err

    return run


PAIR = "judgments.qrels", "base.run", "new.run"


def test_json_is_what_python_says(call):
    data = json.loads(call(*PAIR, "--format", "json"))
    found = ndcg.compare("judgments.qrels", {"base": "base.run", "new": "new.run"})
    assert data == json.loads(found.to_json())
    assert data["pairs"][0]["difference"] == found.difference
    assert data["fingerprints"]["judgments"] == found.result.fingerprints["judgments"]


def test_csv_has_a_row_per_comparison_or_per_query(call):
    rows = list(csv.DictReader(io.StringIO(call(*PAIR, "again.run", "--format", "csv"))))
    assert [row["new"] for row in rows] == ["new", "again"] and rows[1]["verdict"] == "identical"
    assert float(rows[0]["difference"]) == ndcg.compare(JUDGED, {"base": BASE, "new": NEW}).difference
    rows = list(csv.DictReader(io.StringIO(call(*PAIR, "--format", "csv", "--per-query"))))
    by_query = {row["query"]: row for row in rows}
    assert by_query["q4"]["new_status"] == "missing" and by_query["q4"]["new_value"] == "0.0"
    assert by_query["q5"]["difference"] == "" and by_query["q9"]["base_status"] == "absent"


def test_saved_results_need_no_judgments(call, tmp_path):
    for name, run in (("base", BASE), ("new", NEW)):
        ndcg.evaluate(JUDGED, run).save(tmp_path / f"{name}.json")
    ndcg.evaluate(JUDGED, NEW, gain="linear").save(tmp_path / "linear.json")
    live = ndcg.compare(JUDGED, {"base": BASE, "new": NEW}).difference
    assert json.loads(call("base.json", "new.json", "--format", "json"))["pairs"][0]["difference"] == live
    assert json.loads(call("judgments.qrels", "base.json", "new.run", "--format", "json"))["comparable"]
    assert "gain: exp2 in base, linear in linear" in call("base.json", "linear.json", code=2)
    assert call("base.json", "linear.json", "--force").startswith("*** NOT COMPARABLE ***")
    ndcg.evaluate(JUDGED, {"base": BASE, "new": NEW}).save(tmp_path / "both.json")
    assert json.loads(call("both.json", "--format", "json"))["pairs"][0]["difference"] == live


def test_pools(call):
    assert "pure reranking" in call(*PAIR, "--candidates", "pool.csv")
    assert "end-to-end with unknown pools" in call(*PAIR)
    assert "each run is its pool" in call(*PAIR, "--run-is-pool")
    assert "pure reranking" in call(*PAIR, "--pool", "base=pool.csv", "--pool", "new=pool.csv")
    assert "no pool for the run 'new'" in call(*PAIR, "--pool", "base=pool.csv", code=2)
    assert "not of the form RUN=FILE" in call(*PAIR, "--pool", "pool.csv", code=2)


def test_statistics(call):
    data = json.loads(
        call(
            *PAIR,
            *("--interval", "percentile", "--level", "0.9", "--resamples", "500", "--seed", "3", "--test", "t"),
            *("--test", "sign_flip", "--tie-width", "0.05", "--margin", "0.1", "--weights", "queries.csv:searches"),
            *("--default-weight", "1", "--clusters", "queries.csv:searches", "--movers", "1", "--format", "json"),
        )
    )
    pair, settings = data["pairs"][0], data["settings"]
    assert pair["interval"]["method"] == "percentile" and pair["interval"]["level"] == 0.9
    assert pair["interval"]["clusters"] == 2 and [test["name"] for test in pair["tests"]] == ["t", "sign flip"]
    assert settings["seed"] == 3 and settings["resamples"] == 500 and settings["weighted"] and settings["clustered"]
    assert pair["equivalence"]["margin"] == 0.1 and len(pair["gains"]) == 1 and pair["weighted"]["queries"] == 4


def test_leaderboards_in_all_formats(call, tmp_path):
    names = "base.run", "new.run", "again.run"
    assert "best first" in call("judgments.qrels", *names, "--all-pairs")
    assert r"\begin{tabular}" in call("judgments.qrels", *names, "--all-pairs", "--format", "latex")
    assert "| groups |" in call("judgments.qrels", *names, "--all-pairs", "--format", "md")
    call("judgments.qrels", *names, "--all-pairs", "-o", "board.tex")
    assert (tmp_path / "board.tex").read_text().startswith("% needs")


def test_one_query_side_by_side(call):
    text = call(*PAIR, "--query", "q2", "-m", "nDCG@10")
    assert "query q2 by nDCG@10: base 0." in text and "they first differ at rank 1" in text
    assert "| `nDCG@10`" in call(*PAIR, "again.run", "--query", "q2", "--format", "md")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["judgments.qrels"], "no run was given"),
        (["judgments.qrels", "base.run"], "needs two systems"),
        ([*PAIR, "--format", "latx"], "did you mean 'latex'"),
        ([*PAIR, "--adjust", "hlm"], "did you mean 'holm'"),
        ([*PAIR, "--per-query"], "--per-query is for --format csv"),
        ([*PAIR, "--level", "high"], "not a number"),
        ([*PAIR, "--resamples", "-5"], "not a whole number"),
        ([*PAIR, "--bseline", "new"], "did you mean --baseline"),
        ([*PAIR, "-o", "base.run"], "would be replaced"),
        (["judgments.qrels", "base.run", "none.run"], "no such file"),
    ],
)
def test_errors_are_one_sentence(call, arguments, message):
    said = call(*arguments, code=2)
    assert message in said and said.count("\n") == 1 and "Traceback" not in said


def test_the_baseline_by_name(call):
    data = json.loads(call(*PAIR, "--baseline", "new", "--format", "json"))
    assert data["baseline"] == "new" and data["pairs"][0]["new"] == "base"


def test_wide_names_keep_the_text_narrow(call, tmp_path):
    for at in range(5):
        written(tmp_path, f"a-very-long-name-of-a-system-number-{at}-with-details", NEW)
    names = sorted(path.name for path in tmp_path.glob("a-very*"))
    for extra in ([], ["--all-pairs"], ["--query", "q1"]):
        text = call("judgments.qrels", "base.run", *names, *extra)
        for line in text.splitlines():
            assert len(line) <= 110 or line.lstrip().startswith(("run ", "judgments")), line


def test_no_input_is_replaced(call, tmp_path):
    pools = ["--pool", "base=pool.csv", "--pool", "new=pool.csv"]
    for options, name in (
        (["--weights", "queries.csv:searches"], "queries.csv"),
        (["--clusters", "queries.csv:searches"], "queries.csv"),
        (pools, "pool.csv"),
    ):
        before = (tmp_path / name).read_bytes()
        assert "is one of the inputs" in call(*PAIR, *options, "-o", name, code=2)
        assert (tmp_path / name).read_bytes() == before


def test_a_run_that_is_given_twice_is_one_system(call, tmp_path):
    (tmp_path / "more").mkdir()
    for given in (
        ["base.run", "base.run", "new.run"],
        ["base.run", "new.run", "./new.run"],
        ["base.run", "more/../base.run", "new.run", "new.run"],
    ):
        data = json.loads(call("judgments.qrels", *given, "--format", "json"))
        assert data["runs"] == ["base", "new"] and data["adjusted"]["family"] == 1
        assert any(one.startswith("given twice and compared once: ") for one in data["warnings"])
    # A copy is another file, and judged as one.
    assert json.loads(call(*PAIR, "again.run", "--format", "json"))["runs"] == ["base", "new", "again"]
    assert "base.run was given twice" in call("judgments.qrels", "base.run", "base.run", code=2)


def test_one_run_of_a_saved_result(call, tmp_path):
    runs = {"base": "base.run", "new": "new.run", "other:one": "again.run"}
    (tmp_path / "all.json").write_text(ndcg.evaluate("judgments.qrels", runs).to_json(per_query=True))
    (tmp_path / "new.json").write_text(ndcg.evaluate("judgments.qrels", {"new": "new.run"}).to_json(per_query=True))
    whole = json.loads(call("judgments.qrels", "base.run", "new.run", "--format", "json"))["pairs"][0]
    for given in (
        ["all.json:base", "all.json:new"],
        ["all.json:base", "new.json"],
        ["judgments.qrels", "all.json:base", "new.run"],
    ):
        data = json.loads(call(*given, "--format", "json"))
        assert data["runs"] == ["base", "new"] and data["pairs"][0]["difference"] == whole["difference"]
    assert json.loads(call("all.json:new", "all.json:other:one", "--format", "json"))["runs"] == ["new", "other:one"]
    assert json.loads(call("all.json:new", "new.json", "--format", "json"))["runs"] == ["all:new", "new"]
    assert json.loads(call("all.json", "--format", "json"))["runs"] == ["base", "new", "other:one"]
    assert "all.json:base" in call("all.json:base", "all.json:base", code=2)
    assert "did you mean 'base'" in call("all.json:bse", "new.json", code=2)
    assert "RESULT.json:base on the command line" in call("all.json", "new.json", code=2)
    before = (tmp_path / "all.json").read_bytes()
    assert "is one of the inputs" in call("all.json:base", "new.json", "-o", "all.json", code=2)
    assert (tmp_path / "all.json").read_bytes() == before


def test_slices_on_the_command_line(call, tmp_path):
    data = json.loads(call(*PAIR, "--by", "queries.csv:searches", "--slice-least", "1", "--format", "json"))
    assert [one["slice"] for one in data["pairs"][0]["slices"]] == ["searches=1", "searches=5", "searches=(no value)"]
    assert not data["pairs"][0]["slices"][0]["small"]
    assert "by searches of queries" in call(*PAIR, "--by", "queries.csv:searches")
    for extra in (["--format", "latex"], ["--format", "csv", "--per-query"]):
        assert "shows no slices" in call(*PAIR, "--by", "queries.csv:searches", *extra, code=2)
    assert "a leaderboard has no slices" in call(*PAIR, "--by", "queries.csv:searches", "--all-pairs", code=2)
    assert "is one of the inputs" in call(*PAIR, "--by", "queries.csv:searches", "-o", "queries.csv", code=2)


def test_judgments_by_wording_are_joined_by_declared_ids(call, tmp_path):
    (tmp_path / "judged.csv").write_text("query,doc,grade\nred shoes,a,2\nred shoes,b,1\nblue hat,c,1\n")
    (tmp_path / "ids.csv").write_text("query,text\nq1,red shoes\nq2,blue hat\n")
    (tmp_path / "one.run").write_text("q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 c 1 1 t\n")
    (tmp_path / "two.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 c 1 1 t\n")
    paths = [str(tmp_path / name) for name in ("judged.csv", "one.run", "two.run")]
    called = call(*paths, "--query-ids", str(tmp_path / "ids.csv"), "--format", "json", "--interval", "t")
    assert json.loads(called)["pairs"][0]["difference"] > 0
