"""Every error is one message on standard error and status 2; a traceback only with --debug."""

import pytest

from ndcg.cli.exits import MEANING, Exit

BAD = [
    [],
    ["evalaute"],
    ["--nonsense"],
    ["evaluate"],
    ["evaluate", "judgments.qrels"],
    ["evaluate", "missing.qrels", "bm25.run"],
    ["evaluate", "judgments.qrels", "broken.run"],
    ["evaluate", "conflict.qrels", "bm25.run"],
    ["evaluate", "judgments.qrels", "foreign.run"],
    ["evaluate", "judgments.qrels", "bm25.run", "-m"],
    ["evaluate", "judgments.qrels", "bm25.run", "-m", "nDCG@x"],
    ["evaluate", "judgments.qrels", "bm25.run", "--ideal", "candidates"],
    ["evaluate", "judgments.qrels", "bm25.run", "--pool-version", "7"],
    ["evaluate", "judgments.qrels", "bm25.run", "--memory", "lots"],
    ["evaluate", "judgments.qrels", "bm25.run", "--merge", "middle"],
    ["evaluate", "judgments.qrels", "bm25.run", "--run-format", "trecrun"],
    ["evaluate", "judgments.qrels", "bm25.run", "--missing", "error"],
    ["evaluate", "judgments.qrels", "bm25.run", "--worst", "-1"],
    ["evaluate", "judgments.qrels", "bm25.run", "--worse", "1"],
    ["evaluate", "judgments.qrels", "--runs", "judgments.qrels"],
    ["explain", "judgments.qrels", "bm25.run", "q1", "q2"],
    ["explain", "judgments.qrels", "bm25.run", "q77"],
    ["explain", "judgments.qrels", "bm25.run", "q1", "--format", "csv"],
    ["measures", "nothing"],
    ["measures", "--format", "xml"],
    ["demo", "more"],
]


@pytest.mark.parametrize("arguments", BAD, ids=" ".join)
def test_one_message_and_status_2(call, arguments):
    called = call(*arguments)
    assert called.code == 2
    assert called.out == ""
    assert called.err.startswith("ndcg") and called.err.endswith("\n")
    assert "Traceback" not in called.err


def test_debug_shows_the_traceback(call):
    called = call("evaluate", "judgments.qrels", "missing.run", "--debug")
    assert called.code == 2 and called.err.startswith("Traceback")
    assert called.err.splitlines()[-1] == "ndcg: no such file: missing.run"


def test_a_fault_of_the_program_asks_for_a_report(call, monkeypatch):
    def broken(*arguments, **options):
        raise RuntimeError("surprise")

    monkeypatch.setattr("ndcg.evaluation.evaluate", broken)
    called = call("evaluate", "judgments.qrels", "bm25.run")
    assert called.code == 2
    assert "surprise" in called.err and "report" in called.err and "--debug" in called.err
    assert "Traceback" in call("evaluate", "judgments.qrels", "bm25.run", "--debug").err


def test_interrupt(call, monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("ndcg.evaluation.evaluate", interrupted)
    called = call("evaluate", "judgments.qrels", "bm25.run")
    assert (called.code, called.err) == (130, "ndcg: interrupted\n")


def test_every_exit_status_has_a_meaning():
    assert set(MEANING) == set(Exit)


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["help"], ["evaluate", "--help"], ["demo", "-h"]])
def test_help(call, arguments):
    called = call(*arguments)
    assert called.code == 0 and called.err == "" and "examples:" in called.out


def test_nearest_option(call):
    called = call("evaluate", "judgments.qrels", "bm25.run", "--tie", "average")
    assert "did you mean --ties?" in called.err


def test_options_are_never_abbreviated(call):
    assert call("evaluate", "judgments.qrels", "bm25.run", "--form", "json").code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("explain", "judgments.qrels", "bm25.run", "q1", "-m", "nDCG@10", "--measure", "DCG@10"),
        ("evaluate", "judgments.qrels", "bm25.run", "--gain", "exp2", "--gain=linear"),
        ("evaluate", "judgments.qrels", "bm25.run", "--no-ideal", "zero", "--no_ideal", "error"),
        ("evaluate", "judgments.qrels", "--format", "json", "bm25.run", "--format", "csv"),
    ],
)
def test_an_option_with_one_value_is_given_once(call, arguments):
    """The first of two values is never dropped without a word."""
    called = call(*arguments)
    assert called.code == 2 and called.out == "" and "is given twice: " in called.err


def test_options_that_add_up_may_be_repeated(call):
    called = call(
        "evaluate", "judgments.qrels", "bm25.run", "-m", "nDCG@1", "-m", "nDCG@2", "--per-query", "--per-query"
    )
    assert called.code == 0 and "nDCG@1" in called.out and "nDCG@2" in called.out
