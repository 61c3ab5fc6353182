"""`ndcg dialects` on the command line."""

from __future__ import annotations

import json
import re

import pytest

from ndcg.cli.main import main
from ndcg.dialect_page import page
from ndcg.measures.dialects import all_dialects


@pytest.fixture
def files(tmp_path):
    qrels, run = tmp_path / "j.qrels", tmp_path / "r.run"
    qrels.write_text("q 0 A 3\nq 0 B 1\nq 0 C 0\nq 0 D 2\nq 0 E 3\n")
    run.write_text("".join(f"q Q0 {doc} {rank} {5 - rank} t\n" for rank, doc in enumerate("ABCD", 1)))
    return str(qrels), str(run)


def test_table(files, capsys):
    assert main(["dialects", *files, "-k", "4"]) == 0
    out = capsys.readouterr().out
    blocks = re.split(r"\n(?= ?[01.-])", out)
    assert next(block for block in blocks if "trec_eval_9" in block).startswith(" 0.7104        1  ")
    assert next(block for block in blocks if re.search(r"\bsklearn\b", block)).startswith(" 0.9434        1  ")
    assert " 0.6685           (the default conventions)" in blocks


def test_a_question_is_answered_without_the_table(files, capsys):
    assert main(["dialects", *files, "-k", "4", "--compare", "trec_eval", "sklearn"]) == 0
    out = capsys.readouterr().out
    assert "ideal judged -> returned" in out and "acts on no query here" in out and "quepid" not in out


def test_compare_and_number_as_json(files, capsys):
    arguments = ["--compare", "trec_eval", "sklearn", "--explain-number", "0.9434", "--format", "json"]
    assert main(["dialects", *files, "-k", "4", *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["attribution"]["parts"][0]["conventions"] == ["ideal"]
    assert found["number"]["stage"] == "the dialects"


def test_markdown(files, capsys):
    assert main(["dialects", *files, "-k", "all", "--format", "md"]) == 0
    assert capsys.readouterr().out.startswith("| value | queries | dialect |")


def test_list(capsys):
    assert main(["dialects", "--list"]) == 0
    out = capsys.readouterr().out
    assert all(f"{name}: " in out for name in all_dialects())
    assert main(["dialects", "--list", "--format", "md"]) == 0
    assert capsys.readouterr().out == page()
    assert main(["dialects", "--list", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)["dialects"]
    assert [one["dialect"] for one in listed] == list(all_dialects())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "QRELS and RUN are needed"),
        (["a", "b", "-k", "0"], "at least 1"),
        (["a", "b", "--format", "csv"], "--format"),
    ],
)
def test_errors(arguments, message, capsys):
    assert main(["dialects", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_an_unknown_dialect(files, capsys):
    assert main(["dialects", *files, "--compare", "trec_evla", "sklearn"]) == 2
    assert "trec_eval" in capsys.readouterr().err
