"""Run and judgments without a common id: examples from both sides and the likely cause, wherever the ids stand."""

from __future__ import annotations

import pytest

import ndcg
from ndcg.joining import common_prefix

COUNT = 600
"""More ids than a short look at the beginning of a file sees."""


def written(tmp_path, shape, judged, run):
    """The same in dicts and in files; the run is in the opposite order."""
    run = dict(reversed(run.items()))
    if shape == "dicts":
        return judged, run
    (tmp_path / "judged.qrels").write_text("".join(f"{q}\t0\t{d}\t1\n" for q, docs in judged.items() for d in docs))
    lines = [f"{q}\tQ0\t{d}\t1\t1\tt\n" for q, docs in run.items() for d in docs]
    (tmp_path / "found.run").write_text("".join(lines))
    return tmp_path / "judged.qrels", tmp_path / "found.run"


@pytest.mark.parametrize("shape", ["dicts", "files"])
@pytest.mark.parametrize(
    ("judged", "given", "cause"),
    [
        ("{:04}", "{}", "leading zeros were stripped"),
        ("{}", "{}.0", "end in '.0'"),
        ("q{}", "Q{}", "upper and lower case differ"),
        ("{}", "topic-{}", "the prefix 'topic-'"),
        ("mq {}", "MQ 0{}", "more than one of"),
        ("{}", "other{}x", "check that both belong to the same query set"),
    ],
)
def test_queries(tmp_path, shape, judged, given, cause):
    ours = {judged.format(at): {"a": 1} for at in range(1, COUNT)}
    theirs = {given.format(at): {"a": 1.0} for at in range(1, COUNT)}
    with pytest.raises(ndcg.InputError) as caught:
        ndcg.evaluate(*written(tmp_path, shape, ours, theirs))
    message = str(caught.value)
    assert "no query in common" in message and cause in message
    assert repr(next(iter(ours))) in message and any(repr(query) in message for query in theirs)


@pytest.mark.parametrize("shape", ["dicts", "files"])
def test_queries_and_documents_swapped(tmp_path, shape):
    ours = {f"q{at}": {f"d{at}": 1} for at in range(COUNT)}
    theirs = {f"d{at}": {f"q{at}": 1.0} for at in range(COUNT)}
    with pytest.raises(ndcg.InputError, match="query and document look swapped"):
        ndcg.evaluate(*written(tmp_path, shape, ours, theirs))


@pytest.mark.parametrize("shape", ["dicts", "files"])
@pytest.mark.parametrize(
    ("judged", "given", "cause"),
    [
        ("{:09}", "{}", "leading zeros were stripped"),
        ("{}", "{}.0", "end in '.0'"),
        ("D{}", "d{}", "upper and lower case differ"),
        ("D{}", "doc-D{}", "the prefix 'doc-'"),
    ],
)
def test_documents(tmp_path, shape, judged, given, cause):
    """One judged document among twenty returned, as in most collections of questions."""
    ours = {f"q{at}": {judged.format(at * 7919): 1} for at in range(1, COUNT)}
    theirs = {f"q{at}": {given.format(at * 7919 + n * 104729): 1.0 - n for n in range(20)} for at in range(1, COUNT)}
    result = ndcg.evaluate(*written(tmp_path, shape, ours, theirs), worst=0)
    (warning,) = result.warnings
    assert result.value == 0.0 and "not one judged document among those returned" in warning and cause in warning


def test_a_prefix_is_no_part_of_a_number():
    assert common_prefix(["0", "1", "2"], ["10", "11", "12"]) is None
    assert common_prefix(["01", "02"], ["q01", "q02"]) == "q"
    assert common_prefix(["q01", "q02"], ["01", "77"]) == "q"
