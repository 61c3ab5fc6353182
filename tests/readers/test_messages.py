"""What messages say: no label where most grades are numbers, no file twice, standard input by its name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pandas
import pytest

import ndcg

ROWS = [("q", "a", "1"), ("q", "b", "0"), ("q", "c", "x")]


def forms(folder: Path, rows: list[tuple[str, str, str]]) -> list[object]:
    """The judgments in every kind of input, grades as text."""
    records = [{"query": q, "doc": d, "grade": int(g) if g.isdigit() else g} for q, d, g in rows]
    mapping: dict[str, dict[str, object]] = {}
    for record in records:
        mapping.setdefault(str(record["query"]), {})[str(record["doc"])] = record["grade"]
    texts = {
        "j.qrels": "".join(f"{q} 0 {d} {g}\n" for q, d, g in rows),
        "j.csv": "query,doc,grade\n" + "".join(f"{q},{d},{g}\n" for q, d, g in rows),
        "j.jsonl": "".join(json.dumps(record) + "\n" for record in records),
        "j.json": json.dumps(mapping),
        "j.svm": "".join(f"{g} qid:{q} 1:0.5 # {d}\n" for q, d, g in rows),
        "j.yaml": "---\n" + "".join(f"- query: {q}\n  doc: {d}\n  grade: {g}\n" for q, d, g in rows),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    frame = pandas.DataFrame([(q, d, g) for q, d, g in rows], columns=["query", "doc", "grade"])
    frame.to_parquet(folder / "j.parquet")
    return [*(str(folder / name) for name in texts), str(folder / "j.parquet"), frame]


def message(judged: object) -> str:
    with pytest.raises(ndcg.NdcgError) as caught:
        ndcg.evaluate(judged, {"q": {"a": 1.0}})
    return str(caught.value)


def test_one_bad_grade_among_numbers_is_no_label(tmp_path: Path) -> None:
    for judged in forms(tmp_path, ROWS):
        assert "the grades are labels" not in message(judged), judged


def test_labels_are_called_labels(tmp_path: Path) -> None:
    for judged in forms(tmp_path, [("q", "a", "Exact"), ("q", "b", "Irrelevant"), ("q", "c", "0")]):
        assert "the grades are labels (Exact, Irrelevant)" in message(judged), judged


def test_the_file_stands_in_a_message_once(tmp_path: Path) -> None:
    for judged in forms(tmp_path, ROWS):
        if isinstance(judged, str):
            assert message(judged).count(judged) == 1, judged


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "standard input is empty"),
        ("q 0 a x\nq 0 b 1\nq 0 c 1\n", "standard input, line 1, query 'q', document 'a': grade 'x'"),
    ],
)
def test_standard_input_is_called_so(tmp_path: Path, text: str, said: str) -> None:
    run = tmp_path / "a.run"
    run.write_text("q Q0 a 1 1.0 t\n")
    asked = [sys.executable, "-m", "ndcg", "evaluate", "-", str(run)]
    done = subprocess.run(asked, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and said in done.stderr and "/tmp" not in done.stderr.replace(str(run), "")


def test_judgments_from_standard_input_are_described_so(tmp_path: Path) -> None:
    run = tmp_path / "a.run"
    run.write_text("q Q0 a 1 1.0 t\n")
    asked = [sys.executable, "-m", "ndcg", "evaluate", "-", str(run)]
    done = subprocess.run(asked, input="q 0 a 1\n", capture_output=True, text=True, check=True)
    assert "judgments: standard input (trec_qrels" in done.stdout
