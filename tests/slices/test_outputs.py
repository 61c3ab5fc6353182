"""Every output carries slices, weights and intervals; results that have none look as they did."""

import csv
import io
import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ndcg
from ndcg.cli.main import main
from ndcg.reports.csv import per_query_csv, summary_csv
from ndcg.reports.markdown import result_markdown
from ndcg.reports.notebook import result_html
from ndcg.reports.words import signed
from slices.data import AGE, BASE, JUDGED, LANGUAGE, NEW

WEIGHTS = {"q1": 70, "q2": 10, "q3": 5, "q4": 2.5, "q5": 2.5, "q6": 5, "q9": 5}


@pytest.fixture(scope="module")
def result():
    return ndcg.evaluate(
        JUDGED,
        {"base": BASE, "new": NEW},
        ["nDCG@3", "AP"],
        by={"language": LANGUAGE, "<b>|*": {"q1": "*", "q2": "<i>"}},
        by_documents={"age": AGE},
        weights=WEIGHTS,
        interval={"method": "bca", "resamples": 100},
    )


@pytest.fixture(scope="module")
def plain():
    return ndcg.evaluate(JUDGED, BASE, "nDCG@3")


def test_saved_results_load_unchanged(result, tmp_path):
    result.save(tmp_path / "result.json")
    loaded = ndcg.load(tmp_path / "result.json")
    assert loaded.entries == result.entries and loaded.gaps == result.gaps
    assert str(loaded) == str(result) and loaded.to_json() == result.to_json()
    for ours, theirs in zip(loaded.entries, result.entries, strict=True):
        assert (ours.slice, ours.part, ours.traffic, ours.effective, ours.interval, ours.weighted_interval) == (
            theirs.slice, theirs.part, theirs.traffic, theirs.effective, theirs.interval, theirs.weighted_interval,
        )  # fmt: skip
    assert loaded.to_pandas().equals(result.to_pandas()) and loaded.to_pandas("summary").equals(
        result.to_pandas("summary")
    )


def test_keys_of_later_versions_are_ignored(result):
    document = json.loads(result.to_json())
    for entry in document["results"]:
        entry["later"] = 1
        for key in ("slice_detail", "traffic"):
            if entry.get(key) is not None:
                entry[key]["later"] = 1
    for gap in document["gaps"]:
        gap["later"] = 1
    loaded = ndcg.load(json.dumps(document))
    assert loaded.entries == result.entries and loaded.gaps == result.gaps


def test_the_json_document(result):
    document = json.loads(result.to_json(per_query=False))
    assert len(document["results"]) == len(result.entries)
    total, sliced = document["results"][0], document["results"][4]
    assert total["slice"] is None and "slice_detail" not in total and total["traffic"]["scored"] > 0
    assert set(total["interval"]) >= {"low", "high", "level", "method", "resamples", "seed", "n"}
    assert set(total["weighted_interval"]) >= {"low", "high", "level", "method"}
    assert sliced["slice"].startswith("language=") and sliced["slice_detail"]["attribute"] == "language"
    assert {"share", "impact", "difference", "against", "small", "contradicts", "mode"} <= set(sliced["slice_detail"])
    assert set(sliced["queries"]) == set(total["queries"]) and "excluded" in sliced and "duplicates" not in sliced
    assert document["gaps"][0].keys() >= {"worst", "to_total", "to_total_interval", "to_best", "slices"}


def test_results_without_them_have_no_new_keys(plain):
    document = json.loads(plain.to_json(per_query=False))
    assert "gaps" not in document
    entry = document["results"][0]
    assert entry["interval"] is None and entry["weighted_value"] is None and entry["slice"] is None
    assert not set(entry) & {"weighted_interval", "effective", "traffic", "slice_detail"}
    assert list(plain.to_pandas().columns) == list(ndcg.results.QueryRow._fields)
    for text in (str(plain), result_markdown(plain), result_html(plain), summary_csv(plain), per_query_csv(plain)):
        assert not any(word in text for word in ("impact", "traffic", "interval", "weighted:", "Slices"))


@pytest.mark.parametrize("render", [str, result_markdown, result_html])
def test_every_text_shows_everything(result, render):
    text = " ".join(render(result).replace("\\", "").split())
    for entry in result.totals:
        assert f"{entry.value:.4f}" in text and f"{entry.weighted_value:.4f}" in text
    for entry in result.slices:
        if entry.value is not None:
            assert f"{entry.value:.4f}" in text
        if entry.part.impact is not None:
            assert signed(entry.part.impact) in text
    for words in ("95 % BCa bootstrap interval, 100 resamples, seed 0", "tell as much as", "% missing", "(no value)",
                  "by age of documents, scored again at their true ranks", "levels adjusted for 2 slices"):  # fmt: skip
        assert words in text, words


def test_html_and_markdown_are_escaped(result):
    assert "<i>" not in result_html(result) and "&lt;i&gt;" in result_html(result)
    table = [line for line in result_markdown(result).splitlines() if line.startswith("| ")]
    assert all(line.replace("\\|", "").count("|") == line.replace("\\|", "").count(" |") + 1 for line in table)


def test_text_fits_a_terminal(result):
    assert max(map(len, str(result).splitlines())) <= 100


def test_per_query_tables_have_weight_and_attributes(result):
    frames = [result.to_pandas(), result.to_polars().to_pandas(), result.to_arrow().to_pandas()]
    names = [*ndcg.results.QueryRow._fields, "weight", "language", "<b>|*"]
    for frame in frames:
        assert list(frame.columns) == names
        assert len(frame) == len(result.per_query)
        for row in frame.itertuples(index=False):
            assert row.weight == WEIGHTS[row.query]
            language = row[names.index("language")]
            assert (None if pd.isna(language) else language) == LANGUAGE.get(row.query)
    rows = list(csv.DictReader(io.StringIO(per_query_csv(result))))
    assert list(rows[0]) == names and {row["query"]: row["language"] for row in rows}["q1"] == "de"


def test_a_name_that_is_taken_gets_a_prefix():
    by = {"status": {"q1": "x"}, "weight": {"q1": "y"}}
    frame = ndcg.evaluate(JUDGED, BASE, by=by, weights=WEIGHTS).to_pandas()
    assert list(frame.columns)[-3:] == ["weight", "by_status", "by_weight"]


def test_summary_tables(result):
    pandas, polars, arrow = result.to_pandas("summary"), result.to_polars("summary"), result.to_arrow("summary")
    rows = list(csv.DictReader(io.StringIO(summary_csv(result))))
    assert len(pandas) == len(polars) == arrow.num_rows == len(rows) == len(result.entries)
    assert list(pandas.columns) == polars.columns == arrow.column_names == list(rows[0])
    for at, entry in enumerate(result.entries):
        values = (pandas["value"][at], polars["value"][at], arrow.column("value")[at].as_py())
        for value in values:
            assert (None if value is pd.NA else value) == entry.value
        assert rows[at]["slice"] == (entry.slice or "")
        assert rows[at]["value"] == ("" if entry.value is None else repr(entry.value))
        assert rows[at]["interval_low"] == ("" if entry.interval["low"] is None else repr(entry.interval["low"]))
    assert str(pandas["contradicts"].dtype) == "boolean" and polars.schema["impact"] == pl.Float64
    assert arrow.schema.field("few_queries").type == pa.bool_()
    with pytest.raises(ndcg.UsageError, match="did you mean 'summary'"):
        result.to_pandas("summry")


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    for name, rows in (("qrels", JUDGED), ("base.run", BASE), ("new.run", NEW)):
        form = "{} 0 {} {}\n" if name == "qrels" else "{} Q0 {} 1 {} t\n"
        lines = (form.format(query, doc, number) for query, docs in rows.items() for doc, number in docs.items())
        (tmp_path / name).write_text("".join(lines))
    lines = [f"{q},{LANGUAGE.get(q, '')},{WEIGHTS[q]},s{int(q[1]) % 3}" for q in WEIGHTS]
    (tmp_path / "queries.csv").write_text("query,language,searches,session\n" + "\n".join(lines) + "\n")
    (tmp_path / "documents.csv").write_text("doc,age\n" + "".join(f"{d},{a}\n" for d, a in AGE.items()))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main(["evaluate", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_the_command_says_what_the_function_says(call):
    code, out, _ = call(
        "qrels", "base.run", "new.run", "-m", "nDCG@3", "--by", "queries.csv:language", "--by", "documents.csv:age",
        "--weights", "queries.csv:searches", "--interval", "percentile", "--level", "0.9", "--resamples", "50",
        "--seed", "4", "--cluster", "queries.csv:session", "--slice-least", "2", "--format", "json", "--per-query",
    )  # fmt: skip
    assert code == 0
    expected = ndcg.evaluate(
        "qrels", {"base": "base.run", "new": "new.run"}, "nDCG@3", by="queries.csv:language",
        by_documents="documents.csv:age", weights="queries.csv:searches", slice_least=2,
        interval={"method": "percentile", "level": 0.9, "resamples": 50, "seed": 4, "cluster": "queries.csv:session"},
    )  # fmt: skip
    assert ndcg.load(out).entries == expected.entries and ndcg.load(out).gaps == expected.gaps


@pytest.mark.parametrize("place", [0, 1, 2])
def test_interval_may_stand_anywhere(call, place):
    arguments = ["qrels", "base.run"]
    arguments.insert(place, "--interval")
    code, out, _ = call(*arguments, "--format", "json")
    assert code == 0 and json.loads(out)["results"][0]["interval"]["method"] == "t"
    assert json.loads(call("qrels", "base.run", "--format", "json")[1])["results"][0]["interval"] is None


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--interval", "bcaa"], "did you mean 'bca'"),
        (["--interval=xx"], "--interval 'xx' is not known"),
        (["--level", "many"], "--level 'many' is not a number"),
        (["--resamples", "0"], "at least 1"),
        (["--seed", "-1"], "seed"),
        (["--slice-mode", "restrcit"], "did you mean 'restrict'"),
        (["--slice-overlap", "all"], "--slice-overlap 'all' is not known"),
        (["--slice-least", "few"], "--slice-least 'few'"),
        (["--default-weight", "x", "--weights", "queries.csv:searches"], "--default-weight 'x' is not a number"),
        (["--default-weight", "1"], "no weights were given"),
        (["--weights", "queries.csv"], "write queries.csv:COLUMN"),
        (["--by", "documents.csv:age*queries.csv:language"], "crosses 'age'"),
        (["--cluster", "queries.csv:sesion"], "did you mean 'session'"),
        (["--by", "queries.csv:language", "-o", "queries.csv"], "is one of the inputs"),
    ],
)
def test_wrong_options_end_with_one_sentence(call, arguments, words):
    code, out, err = call("qrels", "base.run", *arguments)
    assert code == 2 and out == "" and words in err and "Traceback" not in err


def test_columns_option_names_the_query_column(call, tmp_path):
    (tmp_path / "odd.csv").write_text("id,kind\nq1,a\nq2,b\n")
    code, out, err = call("qrels", "base.run", "--by", "odd.csv:kind", "--columns", "query=id")
    assert code == 0 and "by kind of queries" in out, err
