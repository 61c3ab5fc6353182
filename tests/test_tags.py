"""Run tags: one run has one tag, in one file and over several; several tags are several runs where asked for."""

from __future__ import annotations

import pytest

import ndcg

JUDGED = {"q1": {"a": 1, "b": 0}}
ONE, TWO = "q1 Q0 a 1 2 one\nq1 Q0 b 2 1 one\n", "q1 Q0 b 1 2 two\nq1 Q0 a 2 1 two\n"


def test_two_tags_in_one_file(tmp_path):
    (tmp_path / "both.run").write_text(ONE + TWO)
    with pytest.raises(ndcg.InputError, match=r"run tag 'two' differs from 'one'[\s\S]*split_tags=True scores each"):
        ndcg.evaluate(JUDGED, tmp_path / "both.run")
    result = ndcg.evaluate(JUDGED, tmp_path / "both.run", split_tags=True)
    assert {entry.run: entry.value for entry in result.entries} == {"one": 1.0, "two": pytest.approx(0.6309, abs=5e-5)}


def test_two_tags_over_two_files_of_one_run(tmp_path):
    (tmp_path / "a.run").write_text(ONE)
    (tmp_path / "b.run").write_text(TWO)
    for run in (tmp_path, [tmp_path / "a.run", tmp_path / "b.run"], str(tmp_path / "*.run")):
        with pytest.raises(ndcg.InputError, match="different runs: their tags are 'one' and 'two'"):
            ndcg.evaluate(JUDGED, run)
    named = ndcg.evaluate(JUDGED, {"a": tmp_path / "a.run", "b": tmp_path / "b.run"}, split_tags=True)
    assert [entry.run for entry in named.entries] == ["one", "two"]


def test_one_tag_in_two_files(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.run").write_text(ONE)
    twice = ndcg.evaluate(JUDGED, {name: tmp_path / f"{name}.run" for name in ("a", "b")}, split_tags=True)
    assert [entry.run for entry in twice.entries] == ["one", "b one"]


def test_tags_are_of_files():
    with pytest.raises(ndcg.UsageError, match="paths"):
        ndcg.evaluate(JUDGED, {"q1": ["a"]}, split_tags=True)
