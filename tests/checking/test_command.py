"""`ndcg check` on the command line: the page, its exit status, strictness and formats."""

from __future__ import annotations

import json

import pytest

from ndcg.checking.kinds import ALL
from ndcg.cli.main import main


@pytest.fixture
def files(write):
    qrels = write("q1 0 a 3\nq1 0 b 1\nq2 0 c 0\n", "judgments.qrels")
    run = write("q1 Q0 b 1 2 t\nq1 Q0 a 2 2 t\nq2 Q0 c 1 1 t\n", "tied.run")
    return qrels, run


def call(capsys, *arguments):
    status = main(["check", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_findings_alone_are_no_error(capsys, files):
    status, out, err = call(capsys, *files, "-m", "nDCG@1")
    assert (status, err) == (0, "")
    first = out[out.index(" 1  ") :]
    assert first.startswith(" 1  tied_at_cutoff") and "effect: 1.0000 as it stands, 0.1429 under ties=worst" in first
    assert "settle: --ties average" in first
    assert max(map(len, out.replace(files[0], "").replace(files[1], "").splitlines())) <= 100


def test_strict(capsys, files):
    assert call(capsys, *files, "--strict=conflicting_grades")[0] == 0
    status, out, err = call(capsys, *files, "-m", "nDCG@1", "--strict=tied_at_cutoff,old_judgments")
    assert status == 2 and "tied_at_cutoff" in out
    assert err == "ndcg check: --strict does not allow tied_at_cutoff\n"
    status, _, err = call(capsys, *files, "--strict")
    assert status == 2 and "queries_without_positives" in err and "tied_scores" not in err


def test_strict_knows_its_codes(capsys, files):
    status, _, err = call(capsys, *files, "--strict=tied_at_cutof")
    assert status == 2 and "did you mean 'tied_at_cutoff'?" in err


def test_nothing_to_score(capsys, files, write):
    status, out, err = call(capsys, files[0], write("q9 Q0 a 1 1 t\n", "other.run"))
    assert status == 2 and out.startswith("Nothing can be scored") and "no_common_query" in out
    assert err == "ndcg check: nothing can be scored: no run has a query in common with the judgments\n"


def test_judgments_alone(capsys, files):
    status, out, _ = call(capsys, files[0])
    assert status == 0 and "that takes a run" in out


def test_json_is_one_document(capsys, files):
    status, out, _ = call(capsys, *files, "--format", "json", "-m", "nDCG@1")
    page = json.loads(out)
    assert status == 0 and page["can_be_scored"] is True
    assert page["judgments"]["grades"] == {"0": 1, "1": 1, "3": 1}
    finding = next(one for one in page["findings"] if one["code"] == "tied_at_cutoff")
    assert finding["effect"]["alternatives"]["ties=worst"] == pytest.approx(1 / 7)
    assert finding["examples"] == [{"query": "q1", "what": "2 tied at the cutoff"}]


def test_markdown(capsys, files, tmp_path):
    target = tmp_path / "page.md"
    assert call(capsys, *files, "-o", str(target))[0] == 0
    assert "| `queries_without_positives` | moves it by" in target.read_text()


def test_list(capsys):
    status, out, _ = call(capsys, "--list")
    assert status == 0 and all(code in out for code in ALL)
    assert len(json.loads(call(capsys, "--list", "--format", "json")[1])["findings"]) == len(ALL)
    assert call(capsys, "--list", "--format", "md")[1].count("\n| `") == len(ALL)


def test_usage(capsys, files):
    assert "QRELS is needed" in call(capsys)[2]
    assert "choose from table, json, md" in call(capsys, *files, "--format", "csv")[2]
    assert "no date column" in call(capsys, *files, "--older-than", "2026-01-01")[2]


def test_every_kind_says_why_and_what_settles_it():
    for code, kind in ALL.items():
        assert kind.code == code and kind.explanation.endswith(".") and kind.option and kind.sentence
        assert not (kind.settings and (kind.unknown or kind.none)), code


def test_many_runs(capsys, files, tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    for number in range(9):
        (folder / f"r{number}.run").write_text("q1 Q0 b 1 2 t\nq1 Q0 a 2 2 t\n")
    status, out, _ = call(capsys, files[0], "--runs", str(folder), "-m", "nDCG@1")
    assert status == 0 and "and in 3 more runs" in out and "judged at 1" in out
