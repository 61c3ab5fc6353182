"""Options that say how inputs are read: labels, feature files with predictions, chunks, judges."""

import json
from pathlib import Path

import pytest

from ndcg.cli.reading import labels_of
from ndcg.errors import UsageError


def value(call, *arguments):
    """The value of a call with --format json that must work."""
    called = call("evaluate", *arguments, "--format", "json")
    assert (called.code, called.err) == (0, "")
    (entry,) = json.loads(called.out)["results"]
    return entry["value"]


@pytest.mark.parametrize(
    "option", [["wands"], ["Exact=2,Partial=1,Irrelevant=0"], ["Exact=2", "Partial=1,Irrelevant=0"]]
)
def test_labels(call, option):
    given = [part for text in option for part in ("--labels", text)]
    found = value(call, "wands.csv", "bm25.run", "-m", "nDCG(gain=linear)@2", *given)
    assert found == pytest.approx((2 + 1 / 1.584962500721156) / (2 + 1 / 1.584962500721156))
    refused = call("evaluate", "wands.csv", "bm25.run")
    assert (refused.code, refused.out) == (2, "")
    assert "the grades are labels (Exact, Partial, Irrelevant)" in refused.err and "--labels wands" in refused.err


def test_labels_of_the_command_line():
    assert labels_of(None) is None
    assert labels_of(["esci"]) == "esci"
    assert labels_of(["a=b=1", "c=2.5,d=-1"]) == {"a=b": 1.0, "c": 2.5, "d": -1.0}
    for given, message in (
        (["ecsi"], "did you mean 'esci'"),
        (["a=1", "wands"], "'wands' is not of the form label=grade"),
        (["a=x"], "'a=x' is not of the form label=grade"),
        (["=1"], "'=1' is not of the form label=grade"),
        (["a=1,a=2"], "the label 'a' is there twice"),
    ):
        with pytest.raises(UsageError, match=message):
            labels_of(given)


def test_predictions_of_a_feature_file(call):
    told = value(call, "rank.svm", "scores.txt", "--features", "rank.svm")
    assert told == value(call, "rank.svm", "scores.txt") == pytest.approx((0.6309297535714575 + 1) / 2)
    short = call("evaluate", "rank.svm", "short.txt", "--features", "rank.svm")
    assert short.code == 2 and "short.txt holds 2 predictions, but rank.svm has 3 rows" in short.err
    refused = call("evaluate", "judgments.qrels", "scores.txt")
    assert refused.code == 2 and "--features FILE" in refused.err
    explained = call("explain", "rank.svm", "scores.txt", "1", "--format", "json")
    assert [row["document"] for row in json.loads(explained.out)["rows"]] == ["line-2", "line-1"]


def test_group_files(call):
    assert value(call, "lgb.txt", "scores.txt") == value(call, "rank.svm", "scores.txt")
    assert value(call, "lgb.txt", "scores.txt", "--groups", "lgb.txt.query") == value(call, "lgb.txt", "scores.txt")
    Path("lgb.txt.query").unlink()
    refused = call("evaluate", "lgb.txt", "scores.txt")
    assert refused.code == 2 and "--groups FILE" in refused.err


def test_collapse(call):
    chunks = ["judgments.qrels", "chunks.csv", "-m", "nDCG@1", "--missing", "exclude"]
    assert value(call, *chunks, "--columns", "run.doc=chunk") == 0.0
    for rule in ("#[0-9]+$", "^(.*)#", "doc"):
        columns = ["--columns", "run.doc=chunk"] if rule != "doc" else []
        found = value(
            call, "judgments.qrels", "chunks.csv", "-m", "nDCG@1", "--missing", "exclude", "--collapse", rule, *columns
        )
        assert found == 1.0
    shown = call("evaluate", "judgments.qrels", "chunks.csv", "--collapse", "doc")
    text = " ".join(shown.out.split())
    assert "3 chunks became 2 documents by the column 'doc', best chunk" in text
    refused = call("evaluate", "judgments.qrels", "bm25.run", "--collapse", "(")
    assert refused.code == 2 and "is no pattern" in refused.err
    refused = call("evaluate", "judgments.qrels", "bm25.run", "--collapse", "doc_id")
    assert refused.code == 2 and "names a column, and run bm25 (trec_run) has none" in refused.err


def test_judges(call):
    refused = call("evaluate", "judged.csv", "bm25.run")
    assert refused.code == 2 and "grade 3 by judge 'anna'" in refused.err and "grade 1 by judge 'ben'" in refused.err
    assert value(call, "judged.csv", "bm25.run", "--merge", "max", "--missing", "exclude") == 1.0
    assert value(call, "judged.csv", "bm25.run", "--columns", "judge=judge", "--merge", "mean") == 1.0


def test_other_commands_read_the_same_way(call):
    checked = call("check", "wands.csv", "--labels", "wands", "--format", "json")
    assert checked.code == 0 and json.loads(checked.out)
    checked = call("check", "rank.svm", "scores.txt", "--features", "rank.svm", "--format", "json")
    assert checked.code == 0 and json.loads(checked.out)
    collapsed = call("check", "judgments.qrels", "chunks.csv", "--collapse", "doc", "--format", "json")
    assert collapsed.code == 0 and json.loads(collapsed.out)["runs"][0]["rows"] == 2
    shown = call("dialects", "rank.svm", "scores.txt", "--features", "rank.svm", "--format", "json")
    assert shown.code == 0 and json.loads(shown.out)
    compared = call("compare", "wands.csv", "bm25.run", "dense.run", "--labels", "wands", "--format", "json")
    assert "unexpected" not in compared.err
