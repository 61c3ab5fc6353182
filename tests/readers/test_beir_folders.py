"""A BEIR folder stands for the judgments of its only split."""

from __future__ import annotations

from pathlib import Path

import pytest

import ndcg
from ndcg.conversion import convert


def folder(path: Path, *splits: str) -> Path:
    (path / "qrels").mkdir(parents=True)
    (path / "corpus.jsonl").write_text('{"_id": "d1", "text": "x"}\n')
    (path / "queries.jsonl").write_text('{"_id": "q1", "text": "x"}\n')
    for grade, split in enumerate(splits, 1):
        (path / "qrels" / f"{split}.tsv").write_text(f"query-id\tcorpus-id\tscore\nq1\td1\t{grade}\n")
    return path


def test_the_only_split_is_taken(tmp_path: Path) -> None:
    beir = folder(tmp_path / "beir", "test")
    result = ndcg.evaluate(str(beir), {"q1": {"d1": 1.0}})
    assert result.value == 1.0 and "beir_qrels" in str(result) and "test.tsv" in str(result)
    assert ndcg.check(beir, {"q1": {"d1": 1.0}}).problem is None
    assert convert(str(beir), tmp_path / "out.qrels").rows == 1


def test_several_splits_are_named(tmp_path: Path) -> None:
    with pytest.raises(ndcg.InputError, match=r"2 splits: dev\.tsv, test\.tsv.*qrels/test\.tsv"):
        ndcg.evaluate(folder(tmp_path / "beir", "dev", "test"), {"q1": {"d1": 1.0}})


def test_it_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(ndcg.InputError, match="it holds judgments and texts, and no run"):
        ndcg.evaluate({"q1": {"d1": 1}}, folder(tmp_path / "beir", "test"))


def test_a_folder_of_shards_stays_one(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.qrels").write_text(f"q 0 {name} 1\n")
    assert ndcg.evaluate(tmp_path, {"q": {"a": 2.0, "b": 1.0}}).value == 1.0
