"""explain, measures and demo on the command line."""

import json

import ndcg
from ndcg.demo import JUDGMENTS, runs
from ndcg.measures.conventions import CONVENTIONS
from ndcg.measures.registry import FAMILIES


def test_explain_as_json_is_the_explanation(call):
    called = call(
        "explain", "judgments.qrels", "bm25.run", "q1", "-m", "nDCG@4", "--gain", "linear", "--format", "json"
    )
    assert json.loads(called.out) == json.loads(
        ndcg.explain("judgments.qrels", "bm25.run", "q1", "nDCG@4", gain="linear").to_json()
    )


def test_explain_goes_by_the_ending_of_its_output(call, folder):
    arguments = ("explain", "judgments.qrels", "bm25.run", "q1", "-o")
    assert call(*arguments, "one.json").code == 0 and call(*arguments, "one.txt").code == 0
    assert json.loads((folder / "one.json").read_text())["query"] == "q1"
    assert (folder / "one.txt").read_text().startswith("nDCG@10 of query q1")
    assert call(*arguments, "one.json", "--format", "table").code == 0
    assert (folder / "one.json").read_text() == (folder / "one.txt").read_text()


def test_demo_refuses_an_empty_path(call):
    called = call("demo", "--copy", "")
    assert called.code == 2 and "the path is empty" in called.err


def test_measures_are_the_declarations(call):
    document = json.loads(call("measures", "--format", "json").out)
    assert [measure["name"] for measure in document["measures"]] == list(FAMILIES)
    first = document["measures"][0]
    assert [convention["name"] for convention in first["conventions"]] == list(CONVENTIONS)
    text = call("measures").out
    for family in FAMILIES.values():
        assert f"{family.name}: {family.title}" in text


def test_one_measure_names_every_value(call):
    text = " ".join(call("measures", "nDCG").out.split())
    for convention in CONVENTIONS.values():
        assert convention.sentence in text
        for sentence in convention.choices.values():
            assert " ".join(sentence.split()) in text
    assert "* exp2" in text and "* judged" in text


def test_a_measure_with_a_cutoff_or_an_alias_is_found(call):
    assert call("measures", "ndcg@10").out == call("measures", "nDCG").out


def test_every_measure_can_be_shown(call):
    for name in FAMILIES:
        called = call("measures", name)
        assert called.code == 0 and name in called.out


def test_demo_says_the_number_and_how_to_read_it(call):
    called = call("demo")
    value = ndcg.evaluate(JUDGMENTS, runs()["fts_title"]).value
    assert called.code == 0 and called.err == ""
    assert f"nDCG@10 of fts_title: {value:.4f}" in called.out
    for word in ("The number", "The declaration", "The denominators", "The worst queries", "What would raise it"):
        assert word in called.out


def test_demo_files_can_be_scored_by_hand(call, folder):
    assert call("demo", "--copy", "copied").code == 0
    called = call("evaluate", "copied/judgments.qrels", "--runs", "copied/runs", "--format", "json")
    assert {entry["run"] for entry in json.loads(called.out)["results"]} == set(runs())
    assert (folder / "copied" / "PSF-LICENSE.txt").exists()


def test_demo_never_changes_a_file_that_is_there(call, folder):
    (folder / "copied").mkdir()
    (folder / "copied" / "queries.csv").write_text("mine")
    called = call("demo", "--copy", "copied")
    assert called.code == 2 and "queries.csv" in called.err
    assert [path.name for path in (folder / "copied").iterdir()] == ["queries.csv"]
    (folder / "copied" / "queries.csv").unlink()
    assert call("demo", "--copy", "copied").code == 0
    assert call("demo", "--copy", "copied").code == 0
