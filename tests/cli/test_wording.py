"""Messages at the command line speak of options: no keyword of the library is left in them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import ndcg
from ndcg.cli.main import COMMANDS
from ndcg.cli.wording import MEASURE, _parser, words_of
from ndcg.demo import JUDGMENTS, runs

PYTHON = re.compile(r"(?<![\w'\"`\-.])[a-z][a-z_]*=(?:['\"{\[]|True\b|False\b|\.\.\.|(?=[\s,;:)]|$))")


def python_in(text):
    """What looks like keywords of Python outside measures."""
    return [found.group() for found in PYTHON.finditer(MEASURE.sub("", text))]


@pytest.mark.parametrize(
    ("command", "text", "said"),
    [
        ("evaluate", "use merge='max'", "use --merge max"),
        ("evaluate", "name it with columns={'doc': ...} (usual: doc)", "name it with --columns doc=NAME (usual: doc)"),
        ("evaluate", "columns={'query': 'qid', 'doc': 'url'}", "--columns query=qid,doc=url"),
        ("evaluate", "with columns={'score': ...} (--columns score=NAME)", "with --columns score=NAME"),
        ("evaluate", "it with features= (--features FILE)", "it with --features FILE"),
        ("evaluate", "pass comments=True or comments=False", "pass --comments or --no-comments"),
        ("evaluate", "use labels='yes_no' or labels={'yes': 1}", "use --labels yes_no or --labels yes=1"),
        ("evaluate", "unjudged='zero' or 'skip' would go on", "--unjudged zero or skip would go on"),
        ("evaluate", "no_ideal='zero'", "--no-ideal zero"),
        ("evaluate", "collapse='#[0-9]+$' does", "--collapse '#[0-9]+$' does"),
        ("evaluate", "interval={'method': 'bca', 'level': 0.9}", "--interval bca --level 0.9"),
        ("evaluate", "found nDCG(gain='linear')@10", "found nDCG(gain='linear')@10"),
        ("evaluate", "found nDCG(gain={0: 0, 1: 3}, ties='given')@5", "found nDCG(gain={0: 0, 1: 3}, ties='given')@5"),
        ("evaluate", "judged=, which is no option", "judged=, which is no option"),
        ("evaluate", "found 'http://x/?by=date'", "found 'http://x/?by=date'"),
        ("evaluate", "say which with format='ranked' or format=...", "say which with --run-format ranked or "
         "--qrels-format or --run-format"),
        ("evaluate", "format='trec_run' cannot hold judgments", "--qrels-format trec_run cannot hold judgments"),
        ("fuse", "give weights=[0.3, 0.7]", "give --weights 0.3,0.7"),
        ("fuse", "use method='rrf', or normalisation='rank'", "use --method rrf, or --normalisation rank"),
        ("compare", "or pairs='all' (--all-pairs)", "or --all-pairs"),
        ("compare", "tests= is empty, clusters= is not", "--test is empty, --cluster is not"),
        ("convert", "leave them out with drop=['bare'] (--drop bare)", "leave them out with --drop bare"),
        ("convert", "say which with kind='judgments' or kind='run' (--kind)", "say which with --kind judgments or "
         "--kind run"),
        ("judge-merge", "declare a rule with conflicts=: max, min", "declare a rule with --conflicts: max, min"),
        ("judge-merge", "filled= is the path of a sheet", "FILLED is the path of a sheet"),
    ],
)  # fmt: skip
def test_keywords_become_options(command, text, said):
    assert words_of(_parser(command)()).said(text) == said


A, B = str(runs()["fts_body"]), str(runs()["fused"])
Q = str(JUDGMENTS)

ERRORS = [
    ["evaluate", Q, A, "--ideal", "candidates"],
    ["evaluate", Q, A, "--negative", "keep"],
    ["evaluate", Q, A, "--unjudged", "error"],
    ["evaluate", Q, A, "--empty", "error"],
    ["evaluate", Q, A, "--level", "3"],
    ["evaluate", Q, A, "--default-weight", "1"],
    ["evaluate", Q, A, "--slice-mode", "restrict"],
    ["evaluate", Q, A, "--pool-version", "7"],
    ["evaluate", Q, A, "--collapse", "("],
    ["evaluate", Q, A, "--collapse", "doc"],
    ["evaluate", Q, A, "--duplicates", "merged", "--ideal", "returned"],
    ["evaluate", Q, A, "-m", "P@5", "--gain", "linear"],
    ["evaluate", "wands.csv", "bm25.run"],
    ["evaluate", "judged.csv", "bm25.run"],
    ["evaluate", "scores.csv", "bm25.run"],
    ["evaluate", "labels.csv", "documents.csv"],
    ["evaluate", "labels.csv", "queries.csv"],
    ["evaluate", "conflict.qrels", "bm25.run"],
    ["evaluate", "rank.svm", "short.txt"],
    ["evaluate", "lgb.txt", "scores.txt", "--groups", "queries.csv"],
    ["evaluate", "judgments.qrels", "scores.txt"],
    ["evaluate", "judgments.qrels", "bm25.run", "--by", "traffic.csv"],
    ["evaluate", "judgments.qrels", "bm25.run", "--by", "traffic.csv:kind"],
    ["evaluate", "judgments.qrels", "bm25.run", "--weights", "queries.csv:kind"],
    ["evaluate", "judgments.qrels", "bm25.run", "--weights", "traffic.csv:searches"],
    ["evaluate", "judgments.qrels", "bm25.run", "--columns", "judge=x"],
    ["explain", "judgments.qrels", "bm25.run", "q77"],
    ["compare", Q, A, B, "--baseline", "nobody"],
    ["compare", Q, A, B, "--level", "2"],
    ["compare", Q, A, B, "--all-pairs", "--adjust", "holm"],
    ["compare", Q, A, B, "--adjust", "max_t", "--test", "t"],
    ["compare", Q, A, B, "--default-weight", "1"],
    ["compare", Q, A, B, "--persistence", "2"],
    ["compare", Q, A, B, "--pool-version", "x"],
    ["compare", Q, A],
    ["bounds", Q, A, "--unjudged", "skip"],
    ["bounds", Q, A, "--grades", "0"],
    ["bounds", Q, A, "--scope", "any", "-m", "nDCG"],
    ["judge-next", Q, A, "--aim", "verdict"],
    ["judge-merge", Q, "labels.csv", "-o", "x"],
    ["judge-merge", "judgments.qrels", "conflicting.csv", "-o", "x"],
    ["agreement", "judgments.qrels"],
    ["fuse", A, B, "--weights", "1,2,3", "-o", "x"],
    ["fuse", A, B, "--method", "weighted", "-o", "x"],
    ["fuse", A, B, "--normalisation", "x", "-o", "x"],
    ["tune", Q, A, B, "--steps", "0"],
    ["tune", Q, A, B, "--level", "0"],
    ["convert", "queries.csv", "x.qrels"],
    ["convert", "scores.csv", "x.txt"],
    ["convert", "scores.csv", "x.csv", "--drop", "nothing"],
    ["check", Q, A, "--older-than", "soon"],
    ["dialects", Q, A, "--compare", "trec_eval"],
    ["power", Q, A],
]


@pytest.mark.parametrize("arguments", ERRORS, ids=lambda arguments: " ".join(map(ascii, arguments))[-60:])
def test_errors_speak_of_options(call, folder, arguments):
    (folder / "conflicting.csv").write_text("query,doc,grade\nq1,A,0\n")
    called = call(*arguments)
    assert python_in(called.err) == []


def test_warnings_speak_of_options(call):
    arguments = ["evaluate", "judgments.qrels", "bm25.run", "--ideal", "returned"]
    called = call(*arguments)
    assert "--ideal returned hides missed documents" in called.out and "ideal='returned' hides" not in called.out
    assert "ideal='returned' hides missed documents" in call(*arguments, "--format", "json").out


def literals():
    """(file, text) of every text in the library, the pieces of an f-string joined."""
    source = Path(ndcg.__file__).parent
    for path in sorted(source.rglob("*.py")):
        if path.is_relative_to(source / "cli"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            for given in [*node.args, *(keyword.value for keyword in node.keywords)]:
                if isinstance(given, ast.JoinedStr):
                    yield (
                        path,
                        "".join(
                            part.value if isinstance(part, ast.Constant) else "'x'" if part.conversion == 114 else "x"
                            for part in given.values
                        ),
                    )
                elif isinstance(given, ast.Constant) and isinstance(given.value, str):
                    yield path, given.value


def test_every_message_of_the_library_can_be_said_in_options():
    """Whatever form a keyword takes in a message, a command that has the option says the option."""
    commands = [words_of(made()) for name in COMMANDS if (made := _parser(name)) is not None]
    options = {keyword for words in commands for keyword, option in words.options.items() if option.startswith("--")}
    seen = 0
    for path, text in literals():
        for found in python_in(text):
            keyword = found.split("=")[0]
            for words in commands:
                if keyword in words.options and words.options[keyword].startswith("--"):
                    seen += 1
                    left = [one.split("=")[0] for one in python_in(words.said(text))]
                    assert keyword not in left, (path, text, words.said(text))
    assert seen > 100 and "merge" in options
